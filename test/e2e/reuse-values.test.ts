import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dump } from 'js-yaml'
import { describe, inject } from 'vitest'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import { test } from '../cluster/fixture.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { volume } from '../volume.ts'
import { type Helm, helmIn } from './helm.ts'
import { live } from './life.ts'

type Values = { readonly [key: string]: unknown }

interface Case {
  readonly name: string
  /** Given to the first revision, and to the second. */
  readonly given: readonly [Values, Values]
}

/** Of the chart in its two versions: a default changes, one goes, one comes. */
const DEFAULTS: readonly [Values, Values] = [
  { color: 'red', size: 1, gone: 'old', map: { a: 1, b: { c: 2, d: 3 } }, list: [1, 2], sub: { own: 'parent' } },
  { color: 'blue', size: 2, come: 'new', map: { a: 9, b: { c: 9, e: 9 }, f: 9 }, list: [9], sub: { own: 'parent2' } },
]

/** Helm 3 keeps it in the values, Helm 4 and our engine do not, whatever is reused. */
const NULL_DEFAULT: Values = { empty: null }

/** The usual ones are the first. */
const allCases: readonly Case[] = [
  {
    name: 'new values over old ones',
    given: [
      { color: 'green', map: { a: 5, x: 5 } },
      { color: 'pink', map: { a: 6 } },
    ],
  },
  { name: 'null takes an old value away', given: [{ color: 'green', extra: 1 }, { extra: null }] },
  { name: 'null over a default', given: [{ size: 7 }, { color: null, map: { b: null } }] },
  {
    name: 'values of a subchart and globals',
    given: [
      { sub: { own: 'a', port: 1 }, global: { g: 1 } },
      { sub: { port: 2 }, global: { h: 2 } },
    ],
  },
  { name: 'nothing given', given: [{}, {}] },
  { name: 'old values, nothing new', given: [{ color: 'green', map: { b: { c: 5 } } }, {}] },
  { name: 'a list replaces a list', given: [{ list: [3] }, { list: [4, 5] }] },
  { name: 'null in the old values', given: [{ color: null, map: { a: null }, more: null }, { size: 3 }] },
  { name: 'null over null', given: [{ color: null }, { color: null, map: { b: { c: null } } }] },
  { name: 'a map for a scalar', given: [{ color: { deep: 1 } }, { size: { wide: 1 } }] },
  { name: 'a scalar for a map', given: [{ extra: { a: 1 } }, { extra: 'text' }] },
  { name: 'large numbers', given: [{ big: 1234567, bigger: 12345678901 }, { size: 1234567 }] },
]
const cases = allCases.slice(0, volume(allCases.length, 4))

const TEMPLATE =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: NAME }\ndata:\n  values: |\n{{ .Values | toYaml | indent 4 }}\n'

async function chartWith(defaults: Values): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chart-'))
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'values.yaml': dump(defaults),
    'templates/all.yaml': TEMPLATE.replace('NAME', 'parent'),
    'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
    'charts/sub/values.yaml': dump({ own: 'sub', port: 80 }),
    'charts/sub/templates/all.yaml': TEMPLATE.replace('NAME', 'child'),
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

/** What the templates saw, and what the record holds. */
async function seen(namespace: Namespace, helm: Helm): Promise<Values> {
  const text = async (name: string) =>
    at(await namespace.api.get(`${namespace.path}/configmaps/${name}`), 'data', 'values')
  const get = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse(await helm('get', 'values', 'app', '--output', 'json', ...args))
  return { parent: await text('parent'), child: await text('child'), config: await get(), all: await get('--all') }
}

/** Source: docs/sources.md#helm-upgrade. */
describe.skipIf(inject('cluster').local === undefined).concurrent('reuse-values', () => {
  test.for(
    (['helm3', 'helm4'] as const).flatMap((version) =>
      (
        [
          ['reuse', '--reuse-values'],
          ['reset-then-reuse', '--reset-then-reuse-values'],
          ['none', '--reset-values'],
        ] as const
      ).map(([input, flag]) => [input, version, flag] as const),
    ),
  )('%s gives what %s gives with %s', { timeout: 300_000 }, async ([input, version, flag], { namespace, expect }) => {
    const theirs = await createNamespace(inject('cluster').kubeconfig, 'theirs')
    try {
      const more = version === 'helm4' ? NULL_DEFAULT : {}
      const [before, after] = DEFAULTS
      const charts = [await chartWith({ ...before, ...more }), await chartWith({ ...after, ...more })] as const
      const workspace = await mkdtemp(join(tmpdir(), 'workspace-'))
      await cp(charts[0], join(workspace, 'old'), { recursive: true })
      await cp(charts[1], join(workspace, 'new'), { recursive: true })
      const [helm, ours] = [await helmIn(theirs, version), await helmIn(namespace, version)]
      for (const { name, given } of cases) {
        const files = given.map((_values, index) => join(workspace, `values-${index}.yaml`))
        await Promise.all(files.map((file, index) => writeFile(file, dump(given[index]))))
        await helm('install', 'app', charts[0], '--values', files[0] ?? '')
        await ours('install', 'app', charts[0], '--values', files[0] ?? '')
        await helm('upgrade', 'app', charts[1], '--values', files[1] ?? '', flag)
        const inputs = { command: 'deploy', chart: 'new', 'values-files': 'values-1.yaml', 'reuse-values': input }
        const deployed = await live(namespace, inputs, { workspace })
        expect(deployed.exitCode, deployed.log).toBe(0)
        expect(await seen(namespace, ours), name).toEqual(await seen(theirs, helm))
        await Promise.all([helm, ours].map((one) => one('uninstall', 'app', '--wait')))
      }
    } finally {
      await theirs.remove()
    }
  })
})
