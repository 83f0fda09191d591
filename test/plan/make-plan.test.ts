import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { approvedPlanOf, differencesFrom } from '../../src/plan/approved-plan.ts'
import { fingerprintOf } from '../../src/plan/fingerprint.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { planText } from '../../src/report/words/plan-text.ts'
import { parseGiven, planInput } from './given.ts'
import { inputInAnyOrder } from './shuffled.ts'

const SHUFFLES = 5

const folder = new URL('cases/', import.meta.url)
const cases = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => ({
    name: file.slice(0, -'.yaml'.length),
    given: parseGiven(readFileSync(new URL(file, folder), 'utf8')),
  }))

describe('golden plans', () => {
  test.each(cases)('$name: $given.rule', async ({ name, given }) => {
    const { plan } = makePlan(planInput(given))
    await expect(planText(plan)).toMatchFileSnapshot(new URL(`${name}.txt`, folder).pathname)
  })

  test.each(cases)('$name is the same whatever the order of the documents', ({ given }) => {
    const reversed = { ...given, chart: given.chart.toReversed(), previous: given.previous.toReversed() }
    const inOrder = makePlan(planInput(given)).plan
    expect(planText({ ...makePlan(planInput(reversed)).plan, problems: inOrder.problems })).toBe(planText(inOrder))
  })

  test.each(cases)('$name is the same plan, of whatever order its input is', ({ given }) => {
    const input = planInput(given)
    const { plan, changedHooks } = makePlan(input)
    for (let seed = 1; seed <= SHUFFLES; seed += 1) {
      const shuffled = makePlan(inputInAnyOrder(input, seed))
      expect(shuffled.plan).toEqual(plan)
      expect(shuffled.changedHooks).toEqual(changedHooks)
    }
  })

  test.each(cases)('$name has one fingerprint, and passes where it was approved', ({ given }) => {
    const how = { ignored: [], redact: (text: string) => text }
    const reversed = { ...given, chart: given.chart.toReversed(), previous: given.previous.toReversed() }
    const planned = makePlan(planInput(given))
    const fingerprint = fingerprintOf(planned, how)
    expect(fingerprintOf(makePlan(planInput(reversed)), how)).toEqual(fingerprint)
    const approved = { ...approvedPlanOf(planned.plan, fingerprint), hash: '' }
    const { digests: _digests, ...byStage } = approved
    for (const one of [approved, byStage]) {
      expect(differencesFrom(one, planned.plan, fingerprint, () => true)).toEqual({
        blocking: [],
        gone: [],
      })
    }
  })

  test.each(cases)('$name has unique operation ids, and a payload for each apply', ({ given }) => {
    const { plan, payloads } = makePlan(planInput(given))
    const operations = plan.stages.flatMap((stage) => stage.groups.flatMap((group) => group.ranks.flat()))
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
    expect(operations.filter(({ kind, id }) => kind === 'apply' && !payloads.has(id))).toEqual([])
  })
})
