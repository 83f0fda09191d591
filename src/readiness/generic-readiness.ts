import { at, isJsonObject, type JsonObject, type KubeObject, numberAt, stringAt } from '../model/object.ts'
import type { Readiness, ReadinessFacts, ReadinessReason } from '../model/readiness.ts'
import { type Condition, conditionReason, conditionsOf } from './conditions.ts'
import { judgeConditions } from './generic-conditions.ts'
import { meaningOf } from './status-words.ts'
import { ERROR_GRACE_SECONDS, failedAfter, progressing, progressingOrUnknown, ready, tooFew } from './verdict.ts'

/**
 * A kind without its own rule, judged by what controllers have in common: first the generation, then conditions, then a
 * phase or state, then numbers of replicas. Sources: docs/sources.md#kstatus, docs/sources.md#kubedog-generic-tracker.
 */
export function genericReadiness(object: KubeObject, facts: ReadinessFacts): Readiness {
  const status = at(object, 'status')
  const isEmpty = !isJsonObject(status) || Object.keys(status).length === 0
  if (isEmpty) return withoutStatus(facts)
  const isSuspended = suspended(object)
  // The controller of a suspended object ignores new generations as well.
  const conditions = conditionsOf(object)
  const verdict =
    (isSuspended ? undefined : staleStatus(object)) ??
    terminalFailure(status, facts) ??
    judgeConditions(conditions, { object, facts, isSuspended }) ??
    judgeFields(status, facts) ??
    judgeFlag(status) ??
    judgeReplicas(object, status)
  if (isSuspended) return whileSuspended(verdict)
  return verdict ?? progressingOrUnknown(undecided(conditions))
}

/** See docs/decisions/0012. */
function withoutStatus(facts: ReadinessFacts): Readiness {
  return facts.hasStatusSubresource === false ? ready() : progressingOrUnknown({ code: 'no-status' })
}

/**
 * The controller has not yet observed the newest spec. Some write the number as text. Without the number the status counts
 * as current: a rule that needs it asks for it.
 */
export function staleStatus(object: KubeObject): Readiness | undefined {
  const want = object.metadata.generation
  const written = at(object, 'status', 'observedGeneration')
  const observed = typeof written === 'string' && /^\d{1,15}$/.test(written) ? Number(written) : written
  if (typeof observed !== 'number' || want === undefined || observed >= want) return undefined
  return progressing({ code: 'generation', observed, want })
}

/** `suspend` of Flux and Jobs, `paused` of many operators. */
function suspended(object: KubeObject): boolean {
  const spec = at(object, 'spec')
  return ['suspend', 'suspended', 'paused'].some((key) => at(spec, key) === true)
}

/** Nothing more will happen while it is suspended: it counts as ready, unless its status says that it is not. */
function whileSuspended(verdict: Readiness | undefined): Readiness {
  if (verdict === undefined || verdict.state === 'ready') return ready({ code: 'suspended' })
  if (verdict.state === 'failed') return verdict
  return progressingOrUnknown({ code: 'suspended' })
}

/** Written by Cluster API and tools that follow it where a problem needs manual work. */
function terminalFailure(status: JsonObject, facts: ReadinessFacts): Readiness | undefined {
  for (const key of ['failureMessage', 'failureReason']) {
    const value = stringAt(status, key)
    if (value !== undefined && value !== '') {
      return failedAfter(ERROR_GRACE_SECONDS, { reason: { code: 'field', path: `.status.${key}`, value } }, facts)
    }
  }
  return undefined
}

/** Fields of `status` with one word about the whole object, as kubedog reads them, and `health.status` of Argo CD. */
const STATE_FIELDS: readonly (readonly string[])[] = [
  ['phase'],
  ['currentPhase'],
  ['state'],
  ['currentState'],
  ['status'],
  ['currentStatus'],
  ['health'],
  ['health', 'status'],
  ['currentHealth'],
]

/** All words must mean ready; one that means failed or progressing decides. */
function judgeFields(status: JsonObject, facts: ReadinessFacts): Readiness | undefined {
  const found = STATE_FIELDS.flatMap((path) => {
    const value = stringAt(status, ...path)
    if (value === undefined || value === '') return []
    const reason = { code: 'field', path: `.status.${path.join('.')}`, value, ...statusMessage(status) } as const
    return [{ reason, says: meaningOf(value) }]
  })
  const failure = found.find(({ says }) => says === 'failed')
  if (failure !== undefined) return failedAfter(ERROR_GRACE_SECONDS, failure, facts)
  const going = found.find(({ says }) => says === 'progressing')
  if (going !== undefined) return progressing(going.reason)
  const unclear = found.find(({ says }) => says === 'unknown')
  if (unclear !== undefined) return progressingOrUnknown(unclear.reason)
  const [first] = found
  return first === undefined ? undefined : ready(first.reason)
}

function statusMessage(status: JsonObject): { readonly message?: string } {
  const message = stringAt(status, 'message')
  return message === undefined || message === '' ? {} : { message }
}

/** `status.ready: true`, as Cluster API's providers write it. */
function judgeFlag(status: JsonObject): Readiness | undefined {
  const flag = at(status, 'ready')
  if (typeof flag !== 'boolean') return undefined
  const reason = { code: 'field', path: '.status.ready', value: String(flag) } as const
  return flag ? ready(reason) : progressing(reason)
}

/** `readyReplicas` of `replicas`, where the status says nothing else. */
function judgeReplicas(object: KubeObject, status: JsonObject): Readiness | undefined {
  const have = numberAt(status, 'readyReplicas')
  const total = numberAt(status, 'replicas')
  const want = Math.max(numberAt(object, 'spec', 'replicas') ?? 0, total ?? 0)
  if (total === undefined && have === undefined) return undefined
  const updated = numberAt(status, 'updatedReplicas') ?? want
  if (updated < want) return tooFew('updated', updated, want)
  const enough = (have ?? 0) >= want
  return enough ? ready({ code: 'replicas', what: 'ready', have: have ?? 0, want }) : tooFew('ready', have ?? 0, want)
}

/** The first condition, to show something at least. */
function undecided([first]: readonly Condition[]): ReadinessReason {
  return first === undefined ? { code: 'no-status' } : conditionReason(first)
}
