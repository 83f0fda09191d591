import { describe, expect, test } from 'vitest'
import { defined } from '../../../src/model/defined.ts'
import type { PassResult } from '../../../src/model/pass.ts'
import { planJson, planTextFile } from '../../../src/report/outputs/plan-file.ts'
import { planHash } from '../../../src/report/rows/plan-hash.ts'
import { pass } from '../runs.ts'
import { blockedPlan, fingerprint, offlinePlan, secondRelease, several, upgradePlan, weakPlan } from '../shapes.ts'

describe('plan-hash', () => {
  test('of one release is its own, also with the tests that follow', () => {
    const tested: PassResult = { ...pass({ command: 'test' }), outcome: { status: 'tested' } }

    expect(planHash([upgradePlan, tested])).toBe(fingerprint.hash)
  })

  test('of several covers each of them and their order', () => {
    const hashes = [several(), several().toReversed(), [upgradePlan]].map(planHash)

    expect(new Set(hashes).size).toBe(3)
    expect(hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
  })

  test.each([
    ['a blocked plan', [blockedPlan]],
    ['one blocked plan of two', [secondRelease, blockedPlan]],
    ['a plan without a cluster', [{ ...offlinePlan, fingerprint }]],
    ['a pass without a plan', [pass({})]],
    ['no pass', []],
  ])('is empty for %s', (_what, passes) => {
    expect(planHash(passes)).toBe('')
  })
})

describe('the plan as a file', () => {
  test('is canonical JSON: keys sorted, one line feed at the end, the same for the same plan', () => {
    const text = planJson([weakPlan])

    expect(text.endsWith('}\n')).toBe(true)
    expect(JSON.parse(text)).toEqual({
      version: 2,
      hash: fingerprint.hash,
      releases: [
        {
          release: 'web',
          namespace: 'shop',
          isPlanned: true,
          verb: 'upgrade',
          chart: weakPlan.chart,
          previousChart: weakPlan.previousChart,
          previousRevision: weakPlan.previousRevision,
          revision: 13,
          writesRevision: true,
          comparedBy: 'rendered-fields',
          hash: fingerprint.hash,
          counts: { create: 0, update: 1, recreate: 0, delete: 0, unchanged: 0, hooks: 0 },
          stages: weakPlan.plan?.stages,
          untouched: [],
          problems: [],
        },
      ],
    })
    expect(text).toBe(planJson([{ ...weakPlan, ...JSON.parse(JSON.stringify({ plan: reversedKeys(weakPlan.plan) })) }]))
  })

  test('keeps numbers beyond 2^53', () => {
    const plan =
      weakPlan.plan === undefined ? undefined : { ...weakPlan.plan, revision: 9007199254740993n as unknown as number }

    expect(planJson([{ ...weakPlan, ...defined({ plan }) }])).toContain('"revision": 9007199254740993,')
  })

  test('of a release that could not be planned holds its problems', () => {
    const { plan: _plan, ...unplanned } = blockedPlan

    expect(JSON.parse(planJson([unplanned])).releases[0].problems).toHaveLength(3)
    expect(planTextFile([unplanned])).toMatch(/^web in shop: not planned\n {2}error: shop\/templates\/web\.yaml/)
  })

  test('as text has a part for each release, and tells how it was compared', () => {
    const text = planTextFile([weakPlan, secondRelease])

    expect(text).toMatch(/^upgrade web in shop, revision 13: 1 to update \(without dry run\)\n/)
    expect(text).toContain('~ update ConfigMap/shop/web: data.greeting hello → welcome; without dry run\n')
    expect(text).toContain('\n\nupgrade search in find, no new revision: no changes, 2 unchanged\n')
  })
})

function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversedKeys(member)]),
  )
}
