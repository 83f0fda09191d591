import { changedPaths } from '../../src/manifest/compare.ts'
import type { Plan } from '../../src/model/plan.ts'
import { refKey } from '../../src/model/ref.ts'
import type { AuditEvent } from '../cluster/audit.ts'
import type { Applied, Passed } from '../property/passes.ts'
import {
  DIFFERENT_HASH,
  driftOf,
  fieldsOtherwise,
  isBlocked,
  minus,
  samePlans,
  secondDeploy,
  stored,
  withoutHandOver,
  writesOtherwise,
} from '../property/plan-and-deed.ts'
import { announcedWrites, operationsOf, seenWrites } from '../property/writes.ts'
import { type Comparison, compareTwins, valueAt } from './equal-clusters.ts'
import type { HelmVersion } from './helm-templates.ts'
import { agentOf, type Phase, type Story } from './tell.ts'

/** One line of the table: what was found, a line each, where all should be empty. */
export interface Verdict {
  readonly pair: string
  readonly helm: HelmVersion
  readonly announced: number
  readonly written: number
  /** Announced and not written, or written and not announced; plan and deploy plan otherwise; drift that nobody made. */
  readonly operations: readonly string[]
  /** Stored otherwise than announced, or changed without being announced. */
  readonly content: readonly string[]
  readonly second: readonly string[]
  readonly equal: Comparison
  /** Why the action refuses the upgrade. */
  readonly refusal?: string
  readonly helmFailure?: string
}

/** `audit`: what the cluster of the action saw. */
export function verdictOn(story: Story, audit: readonly AuditEvent[]): Verdict {
  const { pair, helm, plan, deploy, again, twins, helmFailure } = story
  const of = (phase: Phase) => audit.filter(({ userAgent }) => userAgent === agentOf(pair.name, helm, phase))
  const written = seenWrites(of('deploy'))
  // The hand-over from Helm 3 is a patch of its own, before the one that is announced.
  const own = withoutHandOver(deploy, written)
  const refusal = refusalOf(deploy)
  const isDone = again !== undefined && plan.plan !== undefined
  return {
    pair: pair.name,
    helm,
    announced: plan.plan === undefined || isBlocked(plan) ? 0 : announcedWrites(plan.plan).length,
    written: own.length,
    operations: [
      ...seenWrites(of('plan')).map((write) => `the plan wrote ${write}`),
      ...(isDone ? writesOtherwise(plan.plan, own) : written.map((write) => `failed, but ${write}`)),
      ...plansOtherwise(story),
      ...driftOf(plan),
    ],
    content: isDone ? contentOtherwise(plan.plan, story) : [],
    second: again === undefined ? [] : secondOtherwise(again, of('again')),
    equal: compareTwins(twins),
    ...(refusal === undefined ? {} : { refusal }),
    ...(helmFailure === undefined ? {} : { helmFailure }),
  }
}

function refusalOf(deploy: Passed): string | undefined {
  const [error] = deploy.result.problems.filter(({ severity }) => severity === 'error')
  if (error !== undefined) return `${error.place.ref?.kind ?? ''} ${error.place.ref?.name ?? ''}: ${error.what}`
  return deploy.result.outcome.failure && JSON.stringify(deploy.result.outcome.failure)
}

/** What varies between two renders varies between two plans, but not in their hashes. */
function plansOtherwise({ plan, deploy, twins }: Story): readonly string[] {
  const lines = samePlans(plan, deploy)
  return twins.varies ? lines.filter((line) => line === DIFFERENT_HASH) : lines
}

/** The announced objects as the cluster holds them in the end, or had answered where they are gone again. */
function contentOtherwise(plan: Plan, { deploy, twins: { ours } }: Story): readonly string[] {
  const kept = new Map(
    [...deploy.applied].map(([key, { body, answer }]): [string, Applied] => {
      const found = ours.after.get(`${body.kind}/${answer.metadata.name}`)
      const isSame = found?.metadata.uid === answer.metadata.uid
      return [key, { body, answer: found !== undefined && isSame ? found : answer }]
    }),
  )
  const changing = new Set(
    operationsOf(plan).flatMap((one) =>
      (one.kind === 'apply' && one.change !== 'none') || one.kind === 'delete' ? [refKey(one.ref)] : [],
    ),
  )
  const others = [...ours.before].filter(
    ([
      ,
      {
        apiVersion,
        kind,
        metadata: { name = '', namespace },
      },
    ]) => {
      const ref = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) }
      return !changing.has(refKey(ref))
    },
  )
  return [
    ...fieldsOtherwise(plan, kept),
    ...maskedOtherwise(plan, ours),
    ...others.flatMap(([key, before]) => {
      const after = ours.after.get(key)
      if (after === undefined) return [`${key}: gone, and not announced`]
      return changedPaths(before, after).map((path) => `${key} ${path}: changed, and not announced`)
    }),
  ]
}

/** A hidden value is said to have changed where it has, and nowhere else. */
function maskedOtherwise(plan: Plan, { before, after }: Story['twins']['ours']): readonly string[] {
  return operationsOf(plan).flatMap((one) => {
    if (one.kind !== 'apply' || one.change !== 'update' || one.ref.kind !== 'Secret' || one.after === undefined)
      return []
    const key = `${one.ref.kind}/${one.ref.name}`
    const data = one.after.data ?? {}
    return Object.entries(data).flatMap(([name, told]) => {
      const path = `/data/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (one.varies?.map(stored).includes(path)) return []
      const hasChanged = valueAt(before.get(key), path) !== valueAt(after.get(key), path)
      const isNew = valueAt(before.get(key), path) === undefined
      return isNew || hasChanged === (told === '(hidden, changed)') ? [] : [`${key} ${path}: said to be ${told}`]
    })
  })
}

/** Only what comes out otherwise in each render is written again. */
function secondOtherwise(again: Passed, audit: readonly AuditEvent[]): readonly string[] {
  const { plan } = again
  if (plan === undefined) return [JSON.stringify(again.result.outcome)]
  const surplus = minus(seenWrites(audit), announcedWrites(plan)).map((write) => `wrote ${write}`)
  return [...surplus, ...secondDeploy(again, audit)]
}
