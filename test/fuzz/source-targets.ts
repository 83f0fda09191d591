import { identityIn } from '../../src/fetch/chart-archive.ts'
import { readIndex } from '../../src/fetch/chart-index.ts'
import type { Http, HttpAnswer } from '../../src/fetch/http.ts'
import { readRegistryAddress } from '../../src/fetch/registry-address.ts'
import { readChallenges } from '../../src/fetch/registry-challenge.ts'
import { readManifest } from '../../src/fetch/registry-manifest.ts'
import { createChartSources } from '../../src/fetch/sources.ts'
import { isSameVersion, isVersion } from '../../src/fetch/wanted-version.ts'
import { readAddress, resolveInRepository } from '../../src/fetch/web-address.ts'
import type { RemoteChart } from '../../src/model/chart-source.ts'
import { noValues } from '../../src/model/release.ts'
import { fakeChartRules } from '../doubles/fake-chart-rules.ts'
import { refusing, refusingLater } from './refusals.ts'
import type { Target } from './target.ts'

const MANIFEST = JSON.stringify({
  config: { mediaType: 'application/vnd.cncf.helm.config.v1+json' },
  layers: [
    {
      mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
      digest: `sha256:${'a'.repeat(64)}`,
      size: 10,
    },
  ],
})
const INDEX = JSON.stringify({
  apiVersion: 'v1',
  entries: { shop: [{ version: '1.0.0', urls: ['//a/b', 'oci://r/a:1', '../c?d'], digest: 'a' }] },
})
const CHARTS: readonly RemoteChart[] = [
  { kind: 'archive', url: 'https://charts.example/shop-1.0.0.tgz' },
  { kind: 'repository', url: 'https://charts.example', name: 'shop', version: '^1' },
  { kind: 'registry', host: 'r.example', repository: 'shop', version: '^1' },
  { kind: 'registry', host: 'r.example', repository: 'shop', version: '1.0.0' },
]

/** What sources of charts give, before any of it is a chart. */
export const sourceTargets: readonly Target[] = [
  {
    name: 'indexes of repositories',
    covers: ['fetch/chart-index.ts', 'fetch/web-address.ts'],
    seeds: [
      'apiVersion: v1\nentries:\n  shop:\n  - { version: 1.0.0, urls: [shop-1.0.0.tgz], digest: abc }\n',
      'a: &a [x]\nb: [*a, *a]\napiVersion: v1\nentries: { shop: *a }\n',
      INDEX,
    ],
    read: (text) =>
      refusing(() => {
        const index = readIndex(text, 'https://charts.example/index.yaml')
        for (const { urls, version, digest } of index.entries('shop') ?? []) {
          const isText = [...urls, version, digest ?? ''].every((value) => typeof value === 'string')
          if (!isText) throw new TypeError('a value that is no text')
          for (const url of urls) refusing(() => requireBare(url))
        }
      }),
  },
  {
    name: 'manifests and challenges of registries',
    covers: ['fetch/registry-manifest.ts', 'fetch/registry-address.ts', 'fetch/wanted-version.ts'],
    seeds: [
      MANIFEST,
      'Bearer realm="https://a/b",service="c", Basic realm="d\\"e"',
      'oci://r.example:5000/a/b',
      'v1.2.3-rc.1+build.5',
    ],
    read: (text) => {
      refusing(() => {
        const { chart } = readManifest(text, 'oci://r.example/shop')
        if (!/^sha256:[0-9a-f]{64}$/.test(chart.digest) || !(chart.size >= 0)) throw new TypeError(chart.digest)
      })
      readChallenges(text)
      refusing(() => {
        const { host, repository } = readRegistryAddress(text)
        const { pathname, username } = new URL(`https://${host}/v2/${repository}/tags/list`)
        if (pathname !== `/v2/${repository}/tags/list` || username !== '') throw new TypeError(pathname)
      })
      if (isVersion(text) && !isSameVersion(text, text)) throw new Error('a version that is not itself')
    },
  },
  {
    name: 'Chart.yaml of fetched charts',
    covers: ['fetch/chart-archive.ts'],
    seeds: ['name: shop\nversion: 1.0.0\n', 'name: ../etc\nversion: 1\n', 'a: &a b\nname: *a\nversion: "1.0.0"\n'],
    read: (text) =>
      refusing(() => {
        const found = identityIn(text, 'https://charts.example/shop.tgz')
        const isLeading = found !== undefined && [found.name, found.version].some((one) => /[/\\\s]|^\.+$/.test(one))
        if (isLeading) throw new TypeError(JSON.stringify(found))
      }),
  },
  {
    name: 'all that servers of charts answer',
    covers: [
      'fetch/archive-address.ts',
      'fetch/nearest.ts',
      'fetch/provide-dependency.ts',
      'fetch/registry-chart.ts',
      'fetch/registry-logins.ts',
      'fetch/registry.ts',
      'fetch/repository.ts',
    ],
    seeds: [
      MANIFEST,
      INDEX,
      '{"tags":["1.0.0","1.1.0_a"]}',
      '{"token":"a"}',
      'Bearer realm="https://a/b"',
      '</v2?n=1>; rel=next',
    ],
    read: async (text) => {
      for (const status of [200, 401]) {
        for (const chart of CHARTS) await refusingLater(() => sourcesThatAnswer(text, status).fetch(chart))
      }
      const request = { chartPath: '/shop', values: noValues }
      await refusingLater(() => sourcesThatAnswer(text, 200).dependencies(request))
    },
  },
]

function requireBare(url: string): void {
  const address = readAddress(resolveInRepository(new URL('https://charts.example/a?b'), url))
  if (address.url.username !== '' || address.shown.includes('?')) throw new TypeError(address.shown)
}

/** The same text in every body and header; nothing of it may be kept. */
function sourcesThatAnswer(text: string, status: number) {
  const answer = (url: string, expected: readonly number[] = []): HttpAnswer => ({
    status: expected.includes(status) ? status : 200,
    body: new TextEncoder().encode(text),
    url: new URL(url),
    header: (name) => (['etag', 'last-modified'].includes(name) ? undefined : text),
  })
  const http: Http = {
    get: async ({ url, expected }) => answer(url, expected),
    postForm: async ({ url, expected }) => answer(url, expected),
    close: async () => undefined,
  }
  const required = [{ name: 'shop', version: '^1', repository: text, isEnabled: true }]
  const rules = fakeChartRules({ requirements: [[{ name: 'top', path: '/shop', required }], []] })
  const keep = async () => {
    throw new TypeError('something is kept')
  }
  return createChartSources({
    http,
    credentials: {
      ofRegistry: async () => undefined,
      ofAddress: async () => undefined,
      addressOf: async () => undefined,
    },
    cache: {
      find: async () => undefined,
      keep,
      drop: async () => undefined,
      remembered: async () => undefined,
      remember: keep,
    },
    rules,
    settings: { dependencies: 'missing', verify: 'never', keyring: undefined, registries: [], cache: undefined },
    isWithoutSecrets: false,
  })
}
