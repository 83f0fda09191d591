import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startChartServer } from '../doubles/chart-server.ts'
import { fakeChartRules } from '../doubles/fake-chart-rules.ts'
import { refusal, tls } from './given-http.ts'
import { registryPages } from './given-registry.ts'
import { type GivenSources, givenSources, type Pages, serving } from './given-sources.ts'
import { packedChart } from './packed-chart.ts'

const archive = await packedChart('shop', '1.2.3')
const signatures = { 'signed by the owner': 'Owner <owner@shop.example>' }
const keyring = '/keys.gpg'
const signed: Pages = { '/any.tgz': archive, '/any.tgz.prov': 'signed by the owner' }
const forged: Pages = { '/any.tgz': archive, '/any.tgz.prov': 'signed by somebody' }
const unsigned: Pages = { '/any.tgz': archive }

async function given(pages: Pages, settings: GivenSources) {
  const server = await startChartServer(
    serving(() => pages),
    { tls },
  )
  const rules = fakeChartRules({ signatures })
  const sources = await givenSources([server], { rules, keyring, ...settings })
  const fetch = () => sources.fetch({ kind: 'archive', url: `${server.url}/any.tgz` })
  return { server, sources, rules, fetch }
}

describe('S-11 provenance', () => {
  test('is not asked for with never', async () => {
    const { server, fetch } = await given(forged, { verify: 'never' })
    expect(await fetch()).not.toHaveProperty('signedBy')
    expect(server.seen).toEqual(['GET /any.tgz'])
  })

  test.each(['if-present', 'always'] as const)('with %s, who signed it is told', async (verify) => {
    const { rules, fetch } = await given(signed, { verify })
    expect(await fetch()).toMatchObject({ signedBy: 'Owner <owner@shop.example>' })
    // A provenance names the archive as `helm package` does.
    expect(rules.verified.map((one) => [basename(one.archivePath), one.keyringPath])).toEqual([
      ['shop-1.2.3.tgz', keyring],
    ])
  })

  test('may be missing with if-present', async () => {
    const { fetch } = await given(unsigned, { verify: 'if-present' })
    expect(await fetch()).not.toHaveProperty('signedBy')
  })

  test.each([403, 404, 410])('is missing where the server answers %i', async (status) => {
    const { fetch } = await given({ ...unsigned, '/any.tgz.prov': () => ({ status }) }, { verify: 'if-present' })
    expect(await fetch()).not.toHaveProperty('signedBy')
  })

  test('is missing where the server answers with a page', async () => {
    const page = { ...unsigned, '/any.tgz.prov': '<!doctype html>' }
    expect(await (await given(page, { verify: 'if-present' })).fetch()).not.toHaveProperty('signedBy')
    expect(await refusal((await given(page, { verify: 'always' })).fetch())).toContain('is not signed')
  })

  test('must be there with always (S-11)', async () => {
    const { sources, fetch } = await given(unsigned, { verify: 'always' })
    expect(await refusal(fetch())).toContain(
      '/any.tgz is not signed, and verify is always; publish it with helm package --sign, or set verify: if-present',
    )
    expect(await sources.kept()).toEqual([])
  })

  test.each(['if-present', 'always'] as const)('that is wrong is refused with %s', async (verify) => {
    const { sources, fetch } = await given(forged, { verify })
    expect(await refusal(fetch())).toContain(
      '/any.tgz is not good: it is signed by nobody of the keyring; do not deploy it before its owner has said why',
    )
    expect(await sources.kept()).toEqual([])
  })

  test('needs a keyring', async () => {
    const { fetch } = await given(signed, { verify: 'always', keyring: undefined })
    expect(await refusal(fetch())).toContain('is signed, and there is no keyring; give a file with the public keys')
  })

  test('of an archive in the cache is looked at again', async () => {
    const { server, sources, fetch } = await given(unsigned, { verify: 'never' })
    await fetch()
    const strict = await givenSources([server], { verify: 'always', keyring, cacheFolder: sources.cacheFolder })
    const chart = { kind: 'archive', url: `${server.url}/any.tgz` } as const
    expect(await refusal(strict.fetch(chart))).toContain('is not signed')
  })

  test.each([
    ['signed by the owner', { signedBy: 'Owner <owner@shop.example>' }],
    ['signed by somebody', 'the signature of oci://HOST/shop is not good'],
    [undefined, 'oci://HOST/shop is not signed, and verify is always'],
  ])('in a registry is a layer: %s', async (provenance, expected) => {
    const pages = registryPages('shop', { '1.2.3': { archive, ...(provenance === undefined ? {} : { provenance }) } })
    const { server, sources } = await given(pages, { verify: 'always' })
    const got = sources.fetch({ kind: 'registry', host: server.host, repository: 'shop', version: '1.2.3' })
    if (typeof expected === 'object') expect(await got).toMatchObject(expected)
    else expect((await refusal(got)).replaceAll(server.host, 'HOST')).toContain(expected)
  })
})
