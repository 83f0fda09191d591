import { describe, expect, test } from 'vitest'
import type { ApprovedPlan, Fingerprint, Plan } from '../../src/model/plan.ts'
import { type Allowance, approvedPlanOf, differencesFrom, needsApproval } from '../../src/plan/approved-plan.ts'
import { fingerprintOf } from '../../src/plan/fingerprint.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { PlanInput } from '../../src/plan/plan-input.ts'
import { parseGiven, planInput } from './given.ts'

interface Printed {
  readonly plan: Plan
  readonly fingerprint: Fingerprint
}

function printed(text: string, change: Partial<PlanInput> = {}): Printed {
  const planned = makePlan({ ...planInput(parseGiven(text)), ...change })
  return { plan: planned.plan, fingerprint: fingerprintOf(planned, { ignored: [], redact: (line) => line }) }
}

const approval = ({ plan, fingerprint }: Printed) => approvedPlanOf(plan, fingerprint)

/** `kind id` of each difference, those that block first. */
function differences(approved: ApprovedPlan, now: Printed, allowance: Allowance = { mayDependOnEarlier: false }) {
  const { blocking, gone } = differencesFrom(approved, now.plan, now.fingerprint, allowance)
  return { blocking: blocking.map(({ kind, id }) => `${kind} ${id}`), gone: gone.map(({ id }) => id) }
}

const nothing = { blocking: [], gone: [] }

const config = (name: string, value: string) =>
  `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} }, data: { key: ${value} } }`
const chart = (...objects: readonly string[]) => `chart: [${objects.join(', ')}]`
const held = (...objects: readonly string[]) => `previous: [${objects.join(', ')}]`
const upgrade = (...parts: readonly string[]) => ['verb: upgrade', ...parts].join('\n')

const a = 'main/apply//ConfigMap/web/a'
const b = 'main/apply//ConfigMap/web/b'

describe('a plan against the approved one', () => {
  const before = printed(chart(config('a', 'x'), config('b', 'x')))

  test('the same plan passes', () => {
    expect(differences(approval(before), before)).toEqual(nothing)
  })

  test('another end state blocks', () => {
    const now = printed(chart(config('a', 'x'), config('b', 'y')))
    expect(differences(approval(before), now)).toEqual({ blocking: [`otherwise ${b}`], gone: [] })
  })

  test('the difference carries its operation', () => {
    const now = printed(chart(config('a', 'x'), config('b', 'y')))
    const { blocking } = differencesFrom(approval(before), now.plan, now.fingerprint, { mayDependOnEarlier: false })
    expect(blocking[0]?.operation).toMatchObject({ kind: 'apply', change: 'create', ref: { name: 'b' } })
  })

  test('an operation that nobody approved blocks', () => {
    const now = printed(chart(config('a', 'x'), config('b', 'x'), config('c', 'x')))
    expect(differences(approval(before), now).blocking).toEqual(['not-approved main/apply//ConfigMap/web/c'])
  })

  test('an operation that is no longer to be done is listed and does not block', () => {
    expect(differences(approval(before), printed(chart(config('a', 'x'))))).toEqual({ blocking: [], gone: [b] })
  })

  test('after a run that failed half-way, what it did counts as approved', () => {
    const again = printed(`${held(config('a', 'x'))}\n${chart(config('a', 'x'), config('b', 'x'))}`)
    expect(again.fingerprint.hash).not.toBe(before.fingerprint.hash)
    expect(differences(approval(before), again)).toEqual(nothing)
  })

  test('after a run that made the namespace and failed, what was approved as rendered still is', () => {
    const text = (kind: string) => `
      options: { createNamespace: true }
      answers: { ConfigMap/web/a: ${kind} }
      ${chart(config('a', 'x'))}`
    const approved = approval(printed(text('{ kind: namespace-missing }')))
    const object = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { key: x, defaulted: y } }'
    expect(differences(approved, printed(text(`{ kind: accepted, object: ${object} }`)))).toEqual(nothing)
  })

  test('after a run that failed half-way, what a policy recreates each time still is approved', () => {
    const object = (kind: string, policy: string) =>
      `{ apiVersion: batch/v1, kind: ${kind}, metadata: { name: a, annotations: { ${policy} } } }`
    for (const policy of ['helm.sh/hook: pre-install', 'werf.io/delete-policy: before-creation']) {
      const text = chart(object('Job', policy))
      const again = printed(`${text}\n${held(object('Job', policy))}`)
      expect(again.plan.stages[0]?.groups[0]?.ranks.flat()).toContainEqual(
        expect.objectContaining({ change: 'recreate' }),
      )
      expect(differences(approval(printed(text)), again)).toEqual(nothing)
    }
  })

  test('after a run that failed half-way, what was deleted to be made again still is approved', () => {
    const job = (image: string) =>
      `{ apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { template: { spec: { containers: [{ name: a, image: "${image}" }] } } } }`
    const refused = 'answers: { Job/web/a: { kind: immutable, message: x, fields: [spec.template] } }'
    const ended = job('a:1').replace('spec:', 'status: { conditions: [{ type: Complete, status: "True" }] }, spec:')
    const before = printed(upgrade(refused, held(ended), chart(job('a:2'))))
    expect(before.plan.stages[0]?.groups[0]?.ranks[0]).toMatchObject([{ change: 'recreate' }])
    const gone = printed(upgrade(held(job('a:1')), 'lost: [Job/web/a]', chart(job('a:2'))))
    expect(differences(approval(before), gone)).toEqual(nothing)
    const other = printed(upgrade(held(job('a:1')), 'lost: [Job/web/a]', chart(job('a:3'))))
    expect(differences(approval(before), other).blocking).toEqual(['otherwise main/apply/batch/Job/web/a'])
    expect(differences(approval(gone), before).blocking).toEqual(['otherwise main/apply/batch/Job/web/a'])
  })

  test('what was approved as an update may not become a recreation', () => {
    const live = (policy: string) =>
      upgrade(
        held('{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }'),
        chart(`{ apiVersion: v1, kind: ConfigMap, metadata: { name: a${policy} }, data: { key: x } }`),
      )
    const update = printed(live(', annotations: { werf.io/delete-policy: before-creation-if-immutable }'))
    const recreate = printed(live(', annotations: { werf.io/delete-policy: before-creation }'))
    expect(differences(approval(update), recreate).blocking).toEqual([`otherwise ${a}`])
  })

  test('a deletion that nobody approved blocks', () => {
    const approved = approval(printed(upgrade(chart(config('a', 'x')))))
    const now = printed(upgrade(held(config('old', 'x')), chart(config('a', 'x'))))
    expect(differences(approved, now).blocking).toEqual(['not-approved prune/delete//ConfigMap/web/old'])
  })

  test('an approval of nothing approves nothing', () => {
    const approved: ApprovedPlan = { release: 'shop', namespace: 'web', hash: '', comparedBy: 'dry-run', digests: {} }
    expect(differences(approved, before).blocking).toEqual([`not-approved ${a}`, `not-approved ${b}`])
  })
})

describe('an approved plan whose digests did not fit into the comment', () => {
  const full = approval(printed(chart(config('a', 'x'))))
  const { digests: _digests, ...byStage } = full
  const { stageDigests: _stages, ...hashOnly } = byStage

  test('is compared by stage', () => {
    expect(differences(byStage, printed(chart(config('a', 'y')))).blocking).toEqual(['otherwise main'])
    expect(differences(byStage, printed(`verb: rollback\n${chart(config('a', 'x'))}`))).toEqual(nothing)
  })

  test('passes where nothing of the stage is left to do', () => {
    const again = printed(upgrade(held(config('a', 'y')), chart(config('a', 'y'))))
    expect(differences(byStage, again)).toEqual(nothing)
  })

  test('a stage that it did not have blocks, one that went is listed', () => {
    const prune = printed(upgrade(held(config('a', 'x'))))
    expect(differences(byStage, prune)).toEqual({ blocking: ['not-approved prune'], gone: ['main'] })
  })

  test('with its hash alone everything that does something blocks', () => {
    const text = [held(config('a', 'x')), chart(config('a', 'x'), config('b', 'x'))]
    expect(differences(hashOnly, printed(upgrade(...text))).blocking).toEqual([`not-approved ${b}`])
  })
})

describe('several releases: rows that depend on an earlier one', () => {
  const widget = (size: number) =>
    chart(`{ apiVersion: example.com/v1, kind: Widget, metadata: { name: a }, spec: { size: ${size} } }`)
  const coming = { comingKinds: ['example.com/Widget'] }
  const notServed = 'answers: { Widget/web/a: { kind: kind-not-served } }'
  const forecast = printed(`${notServed}\n${widget(1)}`, coming)

  test('are marked', () => {
    const operations = forecast.plan.stages.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat()))
    expect(operations.map(({ kind, dependsOnEarlier }) => [kind, dependsOnEarlier])).toEqual([
      ['apply', true],
      ['await', true],
    ])
  })

  test('may differ once the earlier release is deployed, and not before', () => {
    const now = printed(widget(2), coming)
    expect(differences(approval(forecast), now, { mayDependOnEarlier: true })).toEqual(nothing)
    expect(differences(approval(forecast), now).blocking).toEqual(['otherwise main/apply/example.com/Widget/web/a'])
  })

  test('are known from the forecast where the kind is served by now', () => {
    const now = printed(widget(2))
    const allowance = { mayDependOnEarlier: true }
    expect(differences(approval(forecast), now, allowance).blocking).toHaveLength(1)
    expect(differences(approval(forecast), now, { ...allowance, forecast: forecast.plan })).toEqual(nothing)
  })

  test('in a namespace that an earlier release makes', () => {
    const text = `answers: { ConfigMap/other/a: { kind: namespace-missing } }
chart: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: other } }]`
    const input = planInput(parseGiven(text))
    const observed = { ...input.observed, missingNamespaces: new Set(['other']) }
    const { plan } = printed(text, { observed, comingNamespaces: ['other'] })
    expect([plan.problems, plan.stages[0]?.groups[0]?.ranks[0]?.[0]]).toMatchObject([[], { dependsOnEarlier: true }])
  })
})

describe('what needs no approval', () => {
  test.each<[string, string, boolean]>([
    ['a plan without changes', upgrade(held(config('a', 'x')), chart(config('a', 'x'))), false],
    ['a change does', chart(config('a', 'x')), true],
    ['a deletion does', upgrade(held(config('a', 'x'))), true],
    [
      'a hook does, though it changes nothing',
      chart('{ apiVersion: batch/v1, kind: Job, metadata: { name: a, annotations: { helm.sh/hook: pre-install } } }'),
      true,
    ],
  ])('%s', (_what, text, expected) => {
    expect(needsApproval(printed(text).plan)).toBe(expected)
  })
})
