import { describe, expect, test } from 'vitest'
import type { FetchedPart } from '../../../src/model/chart-source.ts'
import { factsLine } from '../../../src/report/markdown/release-facts.ts'
import { outputs } from '../../../src/report/outputs/outputs.ts'
import { planText } from '../../../src/report/words/plan-text.ts'
import { plan } from '../plans.ts'
import { info, pass } from '../runs.ts'

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
const chart: FetchedPart = { name: 'shop', version: '1.9.2', source: 'oci://registry.example/charts/shop', digest }
const cache: FetchedPart = {
  name: 'cache',
  version: '17.0.1',
  source: 'https://charts.example/cache-17.0.1.tgz',
  digest: `sha256:${'f'.repeat(64)}`,
  parent: [],
  isUnlocked: true,
}

describe('what was fetched', () => {
  test('stands in the plan with its whole digest', () => {
    expect(
      planText(plan({ fetched: [chart, cache] }))
        .split('\n')
        .slice(1, 3),
    ).toEqual([
      `fetched chart shop 1.9.2 from oci://registry.example/charts/shop (${digest})`,
      `fetched dependency cache 17.0.1 from https://charts.example/cache-17.0.1.tgz (${cache.digest}, not locked)`,
    ])
  })

  test('stands in the comment on one line, in short', () => {
    const line = factsLine(pass({ plan: plan({ fetched: [chart, { ...cache, parent: ['web'] }] }) }), info, [])
    expect(line.split('  \n')[1]).toBe(
      'fetched: `shop` `1.9.2` from `oci://registry.example/charts/shop` (`sha256:0123456789ab`), `cache` `17.0.1` of `web` from ' +
        '`https://charts.example/cache-17.0.1.tgz` (`sha256:ffffffffffff`, not locked)',
    )
  })

  test('of many dependencies the comment names eight', () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ ...cache, name: `part-${index}` }))
    const line = factsLine(pass({ plan: plan({ fetched: many }) }), info, [])
    expect(line).toContain('part-7')
    expect(line).not.toContain('part-8')
    expect(line).toMatch(/, 3 more$/)
  })

  test('who signed it is named', () => {
    const signed = { ...chart, signedBy: 'Release <release@example.com>' }
    expect(planText(plan({ fetched: [signed] }))).toContain('signed by Release <release@example.com>')
  })

  test('outputs hold the digest of the chart, not that of a dependency', () => {
    const { 'chart-digest': found, releases } = outputs([pass({ plan: plan({ fetched: [chart, cache] }) })])
    expect(found).toBe(digest)
    expect(JSON.parse(releases)).toMatchObject([{ chartDigest: digest }])
    expect(outputs([pass({ plan: plan({ fetched: [cache] }) })])['chart-digest']).toBe('')
  })
})
