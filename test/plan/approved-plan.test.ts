import { describe, expect, test } from 'vitest'
import type { FetchedPart } from '../../src/model/chart-source.ts'
import type { ApprovedPlan, Fingerprint, Plan, RecordEnd } from '../../src/model/plan.ts'
import { approvedPlanOf, differencesFrom, needsApproval } from '../../src/plan/approved-plan.ts'
import { fingerprintOf } from '../../src/plan/fingerprint.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { PlanInput } from '../../src/plan/plan-input.ts'
import { parseGiven, planInput } from './given.ts'

interface Printed {
  readonly input: PlanInput
  readonly plan: Plan
  readonly fingerprint: Fingerprint
}

function printed(text: string, change: Partial<PlanInput> = {}): Printed {
  const input = { ...planInput(parseGiven(text)), ...change }
  const planned = makePlan(input)
  return { input, plan: planned.plan, fingerprint: fingerprintOf(planned, { ignored: [], redact: (line) => line }) }
}

const approval = ({ plan, fingerprint }: Printed) => approvedPlanOf(plan, fingerprint)

/** `kind id` of each difference, those that block first. */
function differences(approved: ApprovedPlan, now: Printed) {
  const { live } = now.input.observed
  const { blocking, gone } = differencesFrom(approved, now.plan, now.fingerprint, (key) => live.has(key))
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
    const { blocking } = differencesFrom(approval(before), now.plan, now.fingerprint, () => true)
    expect(blocking[0]?.operation).toMatchObject({ kind: 'apply', change: 'create', ref: { name: 'b' } })
  })

  test('an operation that nobody approved blocks', () => {
    const now = printed(chart(config('a', 'x'), config('b', 'x'), config('c', 'x')))
    expect(differences(approval(before), now).blocking).toEqual(['not-approved main/apply//ConfigMap/web/c'])
  })

  test('what was approved and is no longer rendered blocks', () => {
    expect(differences(approval(before), printed(chart(config('a', 'x')))).blocking).toEqual([`gone ${b}`])
  })

  test('so does a hook that is left out: no backup, no deploy', () => {
    const backup =
      '{ apiVersion: batch/v1, kind: Job, metadata: { name: backup, annotations: { helm.sh/hook: pre-install } } }'
    const approved = approval(printed(chart(backup, config('a', 'x'))))
    expect(differences(approved, printed(chart(config('a', 'x')))).blocking).toEqual([
      'gone pre/apply/batch/Job/web/backup',
    ])
  })

  test('so does one of a role whose name ends as the number of a second operation', () => {
    const role = '{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: "old#2" }, rules: [] }'
    const approved = approval(printed(upgrade(held(role, config('a', 'x')), chart(config('a', 'y')))))
    const kept = printed(upgrade(held(role, config('a', 'x')), chart(role, config('a', 'y'))))
    expect(differences(approved, kept).blocking).toEqual(['gone prune/delete/rbac.authorization.k8s.io/Role/web/old#2'])
  })

  test('so does what was approved otherwise than it is live, though nothing is left to do', () => {
    const approved = approval(printed(upgrade(held(config('a', 'x')), chart(config('a', 'y')))))
    const reverted = printed(upgrade(held(config('a', 'x')), chart(config('a', 'x'))))
    expect(differences(approved, reverted).blocking).toEqual([`otherwise ${a}`])
    const done = printed(upgrade(held(config('a', 'y')), chart(config('a', 'y'))))
    expect(differences(approved, done)).toEqual(nothing)
  })

  test('a deletion that was approved blocks where it is left out, and not where it is done', () => {
    const approved = approval(printed(upgrade(held(config('old', 'x'), config('a', 'x')), chart(config('a', 'y')))))
    const old = 'prune/delete//ConfigMap/web/old'
    const kept = printed(
      upgrade(held(config('old', 'x'), config('a', 'x')), chart(config('old', 'x'), config('a', 'y'))),
    )
    expect(differences(approved, kept).blocking).toEqual([`gone ${old}`])
    const lost = 'lost: [ConfigMap/web/old]'
    const done = printed(upgrade(held(config('old', 'x'), config('a', 'x')), lost, chart(config('a', 'y'))))
    expect(differences(approved, done)).toEqual({ blocking: [], gone: [old] })
  })

  test('what an annotation leaves alone once it is there is done', () => {
    const once = (value: string) =>
      `{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, annotations: { werf.io/ownership: anyone } }, data: { key: ${value} } }`
    const approved = approval(printed(chart(once('x'), config('b', 'x'))))
    const again = printed(`${chart(once('x'), config('b', 'x'))}\n${held(once('x'))}`)
    expect(differences(approved, again).blocking).toEqual([])
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
    const again = printed(`${held(config('a', 'x'))}\n${chart(config('a', 'x'))}`)
    expect(differences(byStage, again)).toEqual(nothing)
  })

  test('passes where a part of the stage is done, and not where a part is left out', () => {
    const two = approval(printed(chart(config('a', 'x'), config('b', 'x'))))
    const { digests: _all, ...stages } = two
    const half = printed(`${held(config('a', 'x'))}\n${chart(config('a', 'x'), config('b', 'x'))}`)
    expect(differences(stages, half)).toEqual(nothing)
    const less = printed(`${held(config('a', 'x'))}\n${chart(config('a', 'x'))}`)
    expect(differences(stages, less).blocking).toEqual(['otherwise main'])
  })

  test('does not pass where more is done than in the plan, be it to the same end', () => {
    const standing = printed(
      upgrade(chart(config('a', 'x'), config('b', 'y')), held(config('a', 'x'), config('b', 'x'))),
    )
    const { digests: _all, ...stages } = approval(standing)
    expect(differences(stages, standing)).toEqual(nothing)
    const parts = [chart(config('a', 'x'), config('b', 'y')), held(config('a', 'x'), config('b', 'x'))]
    const removed = printed(upgrade(...parts, 'lost: [ConfigMap/web/a]'))
    expect(differences({ ...stages, hash: 'x' }, removed).blocking).toEqual([`not-approved ${a}`])
    const { 'work of main': _none, ...old } = stages.stageDigests ?? {}
    expect(differences({ ...stages, hash: 'x', stageDigests: old }, standing).blocking).toEqual([`not-approved ${b}`])
  })

  test('a stage that it did not have blocks, and so does one that went, but for deletions', () => {
    const prune = printed(upgrade(held(config('a', 'x'))))
    expect(differences(byStage, prune).blocking).toEqual(['not-approved prune', 'gone main'])
    const { digests: _digests, ...pruned } = approval(prune)
    expect(differences(pruned, printed('verb: upgrade'))).toEqual({ blocking: [], gone: ['prune'] })
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

  test('pass as they were rendered, once the earlier release is deployed and its defaults are known', () => {
    const object = '{ apiVersion: example.com/v1, kind: Widget, metadata: { name: a }, spec: { size: 1, color: red } }'
    const now = printed(`answers: { Widget/web/a: { kind: accepted, object: ${object} } }\n${widget(1)}`)
    expect(differences(approval(forecast), now)).toEqual(nothing)
  })

  test('may not be rendered otherwise, whether the earlier release is deployed or not', () => {
    for (const now of [printed(widget(2), coming), printed(widget(2))]) {
      expect(differences(approval(forecast), now).blocking).toEqual(['otherwise main/apply/example.com/Widget/web/a'])
    }
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

describe('what only another verb deploys', () => {
  const job = (verb: string, image: string) =>
    `{ apiVersion: batch/v1, kind: Job, metadata: { name: later, annotations: { werf.io/deploy-on: ${verb} } }, spec: { image: ${image} } }`

  test.each(['rollback', 'pre-rollback', 'delete', 'pre-delete', 'test'])(
    '%s counts, because the deploy records it',
    (verb) => {
      const approved = approval(printed(chart(config('a', 'x'), job(verb, 'good'))))
      const id = 'hook/record/batch/Job/web/later'
      expect(differences(approved, printed(chart(config('a', 'x'), job(verb, 'evil')))).blocking).toEqual([
        `otherwise ${id}`,
      ])
      expect(differences(approved, printed(chart(config('a', 'x')))).blocking).toEqual([`gone ${id}`])
      const again = printed(
        upgrade(held(config('a', 'x'), job(verb, 'good')), chart(config('a', 'x'), job(verb, 'good'))),
      )
      expect(needsApproval(again.plan)).toBe(false)
      expect(differences(approved, again).blocking).toEqual([])
    },
  )
})

describe('an uninstall', () => {
  const kept =
    '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, annotations: { helm.sh/resource-policy: keep } } }'
  const uninstall = (recordEnd?: RecordEnd) =>
    printed(`verb: uninstall\n${held(kept)}`, recordEnd === undefined ? {} : { recordEnd })

  test('whose objects are all kept needs an approval: its record ends', () => {
    expect(needsApproval(uninstall('removed').plan)).toBe(true)
    expect(needsApproval(uninstall().plan)).toBe(false)
    const nobody: ApprovedPlan = { release: 'shop', namespace: 'web', hash: '', comparedBy: 'dry-run', digests: {} }
    expect(differences(nobody, uninstall('removed')).blocking).toEqual(['not-approved record'])
  })

  test('that keeps the history is another one than one that removes it', () => {
    const [removed, marked] = [uninstall('removed'), uninstall('uninstalled')]
    expect(removed.fingerprint.hash).not.toBe(marked.fingerprint.hash)
    const { digests: _digests, ...byStage } = approval(marked)
    for (const approved of [approval(marked), byStage]) {
      expect(differences(approved, removed).blocking).toEqual(['otherwise record'])
      expect(differences(approved, marked)).toEqual(nothing)
    }
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

describe('charts that were fetched', () => {
  const part = (change: Partial<FetchedPart> = {}): FetchedPart => ({
    name: 'shop',
    version: '1.2.0',
    source: 'oci://registry.example/shop',
    digest: `sha256:${'a'.repeat(64)}`,
    ...change,
  })
  const approved = printed(chart(config('a', 'x')), { fetched: [part()] })
  const now = (fetched: readonly FetchedPart[]) => printed(chart(config('a', 'x')), { fetched })

  test('another digest blocks, though it renders the same', () => {
    const other = now([part({ digest: `sha256:${'b'.repeat(64)}` })])
    expect(other.fingerprint.hash).not.toBe(approved.fingerprint.hash)
    expect(differences(approval(approved), other)).toEqual({ blocking: ['otherwise fetched/chart/shop'], gone: [] })
  })

  test('another version blocks', () => {
    expect(differences(approval(approved), now([part({ version: '1.2.1' })])).blocking).toEqual([
      'otherwise fetched/chart/shop',
    ])
  })

  test('the same content from another place passes', () => {
    expect(differences(approval(approved), now([part({ source: 'https://mirror.example/shop-1.2.0.tgz' })]))).toEqual(
      nothing,
    )
  })

  test('a dependency that nobody approved blocks, and one that is no longer fetched', () => {
    const cache = part({ name: 'cache', parent: ['web'] })
    const both = now([part(), cache])
    expect(differences(approval(approved), both).blocking).toEqual(['not-approved fetched/dependency/web/cache'])
    expect(differences(approval(both), approved).blocking).toEqual(['gone fetched/dependency/web/cache'])
  })

  test('two versions of one dependency count together, in any order', () => {
    const two = [part({ parent: [] }), part({ parent: [], version: '2.0.0' })]
    expect(now(two).fingerprint.hash).toBe(now(two.toReversed()).fingerprint.hash)
    expect(now(two).fingerprint.hash).not.toBe(now(two.slice(1)).fingerprint.hash)
  })

  test('they count where only digests of stages are known', () => {
    const { digests: _digests, ...short } = approval(approved)
    expect(differences(short, now([part({ version: '1.3.0' })])).blocking).toEqual(['otherwise fetched/chart/shop'])
    expect(differences({ ...short, hash: 'x' }, approved)).toEqual(nothing)
    expect(differences(short, now([])).blocking).toEqual(['gone fetched/chart/shop'])
  })
})
