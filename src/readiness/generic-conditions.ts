import type { KubeObject } from '../model/object.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { type Condition, conditionOf, conditionReason, isFalse, isTrue } from './conditions.ts'
import { meaningOf, namesError, splitWords } from './status-words.ts'
import { ERROR_GRACE_SECONDS, failedAfter, progressing, ready } from './verdict.ts'

interface Context {
  readonly object: KubeObject
  readonly facts: ReadinessFacts
  readonly isSuspended: boolean
}

/** True means trouble. `Stalled` comes from kstatus, `Degraded` from OpenShift, `FetchFailed` from Flux. */
const TROUBLE = ['Stalled', 'Degraded', 'Failed', 'Failure', 'FetchFailed', 'HasErrors', 'Error', 'Errors', 'NotReady']

/** All of these that exist must be True. */
const WHOLE = ['Ready', 'Available', 'Healthy', 'Installed']

/** Read where none of `WHOLE` exists; the first that exists decides. */
const INSTEAD = [
  'Succeeded',
  'Success',
  'Complete',
  'Completed',
  'Finished',
  'Finalized',
  'Done',
  'Established',
  'Programmed',
  'Accepted',
  'Approved',
  'Running',
  'Active',
  'Live',
  'Ok',
  'Initialized',
  'Deployed',
]

/**
 * The verdict of the conditions, or undefined where there is none of a known type. Conditions that name an error count
 * first, so that a controller that retries forever is not waited for forever.
 */
export function judgeConditions(conditions: readonly Condition[], context: Context): Readiness | undefined {
  const whole = pick(conditions, WHOLE)
  const isWhole = whole.length > 0 && whole.every(isTrue)
  return (
    troubled(conditions, context) ??
    outOfSync(conditions, context) ??
    underWay(conditions, isWhole) ??
    judgeAll(whole, context) ??
    judgeAll(parts(conditions), context) ??
    judgeAll(pick(conditions, INSTEAD).slice(0, 1), context)
  )
}

/** All conditions must be True, and be about the newest generation. Undefined for none. */
export function judgeAll(
  conditions: readonly Condition[],
  context: Context,
  options: { readonly falseIsFailure?: boolean } = {},
): Readiness | undefined {
  const [first] = conditions
  if (first === undefined) return undefined
  const stale = context.isSuspended ? undefined : conditions.find((condition) => isStale(condition, context.object))
  if (stale !== undefined) return staleCondition(stale, context.object)
  const failing = conditions.find((condition) => isFalse(condition) && (options.falseIsFailure || saysError(condition)))
  if (failing !== undefined) return trouble(failing, context.facts)
  const open = conditions.find((condition) => !isTrue(condition))
  return open === undefined ? ready(conditionReason(first)) : progressing(conditionReason(open))
}

function troubled(conditions: readonly Condition[], { object, facts }: Context): Readiness | undefined {
  const found = pick(conditions, TROUBLE).find(
    // Strimzi sets NotReady with the reason Creating, which is no trouble.
    (condition) => isTrue(condition) && !isStale(condition, object) && !saysProgress(condition),
  )
  return found === undefined ? undefined : trouble(found, facts)
}

/**
 * Crossplane's Synced: False with an error where the spec could not be applied; paused objects are False without one.
 */
function outOfSync(conditions: readonly Condition[], { object, facts }: Context): Readiness | undefined {
  const synced = conditionOf(conditions, 'Synced')
  if (synced === undefined || !isFalse(synced) || isStale(synced, object)) return undefined
  return namesError(synced.reason) ? trouble(synced, facts) : undefined
}

/**
 * `Reconciling`, `Progressing`, `EKSControlPlaneUpdating`: the last word says that work is in progress. Not while a
 * controller retries after an error, and not where `Progressing` is used as in a Deployment, where it stays True.
 */
function underWay(conditions: readonly Condition[], isWhole: boolean): Readiness | undefined {
  const found = conditions.find((condition) => {
    if (!isTrue(condition) || /retry/i.test(condition.reason ?? '')) return false
    const words = splitWords(condition.type)
    const last = words.at(-1) ?? ''
    if (last === 'issuing') return !isWhole
    if (last === 'progressing' && /^New.*Available$/.test(condition.reason ?? '')) return false
    return UNDER_WAY.has(last) || words.join(' ') === 'rolling update'
  })
  return found === undefined ? undefined : progressing(conditionReason(found))
}

const UNDER_WAY: ReadonlySet<string> = new Set([
  'creating',
  'deploying',
  'initializing',
  'installing',
  'progressing',
  'provisioning',
  'reconciling',
  'updating',
  'upgrading',
])

/**
 * `PodsHealthy`, `AllReplicasReady`, `ClusterAvailable`: conditions of parts, for an object without one of the whole.
 */
function parts(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.filter(({ type }) => {
    const words = splitWords(type)
    return words.length > 1 && !words.includes('not') && !words.includes('partially') && PART.has(words.at(-1) ?? '')
  })
}

const PART: ReadonlySet<string> = new Set(['ready', 'healthy', 'available'])

function pick(conditions: readonly Condition[], types: readonly string[]): readonly Condition[] {
  return types.flatMap((type) => conditionOf(conditions, type) ?? [])
}

function saysError({ reason, severity }: Condition): boolean {
  return severity === 'Error' || namesError(reason)
}

function saysProgress({ reason }: Condition): boolean {
  return reason !== undefined && meaningOf(reason) === 'progressing'
}

function isStale({ observedGeneration }: Condition, object: KubeObject): boolean {
  const { generation } = object.metadata
  return observedGeneration !== undefined && generation !== undefined && observedGeneration < generation
}

function staleCondition({ observedGeneration }: Condition, object: KubeObject): Readiness {
  return progressing({ code: 'generation', observed: observedGeneration ?? 0, want: object.metadata.generation ?? 0 })
}

function trouble(condition: Condition, facts: ReadinessFacts): Readiness {
  const { lastTransitionTime: since } = condition
  return failedAfter(ERROR_GRACE_SECONDS, { reason: conditionReason(condition), since }, facts)
}
