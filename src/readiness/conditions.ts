import { defined } from '../model/defined.ts'
import { arrayAt, at, isJsonObject, type JsonValue, numberAt, stringAt } from '../model/object.ts'
import type { ReadinessReason } from '../model/readiness.ts'

/** One entry of `status.conditions`, or of a list of the same shape. */
export interface Condition {
  readonly type: string
  /** `True`, `False`, `Unknown`, or whatever else a controller invents. */
  readonly status: string
  readonly reason?: string
  readonly message?: string
  /** `Error`, `Warning`, `Info`: Cluster API's own field. */
  readonly severity?: string
  readonly observedGeneration?: number
  readonly lastTransitionTime?: string
}

/** Longest message of a controller that is kept, in characters. */
const MAX_MESSAGE_CHARS = 1_000

/** More conditions than this are ignored: everything in an object is foreign. */
const MAX_CONDITIONS = 200

/** Conditions of an object, in order; entries without a type or status are left out. */
export function conditionsOf(object: JsonValue | undefined): readonly Condition[] {
  return conditionsIn(arrayAt(object, 'status', 'conditions'))
}

export function conditionsIn(entries: readonly JsonValue[]): readonly Condition[] {
  return entries.slice(0, MAX_CONDITIONS).flatMap((entry) => {
    const type = stringAt(entry, 'type')
    const status = conditionStatus(at(entry, 'status'))
    return type === undefined || status === undefined || !isJsonObject(entry)
      ? []
      : [{ type, status, ...optionalFields(entry) }]
  })
}

/**
 * The first condition of a type. Types are compared without regard to case, but whole.
 * Source: docs/sources.md#kubernetes-api-conventions.
 */
export function conditionOf(conditions: readonly Condition[], type: string): Condition | undefined {
  const wanted = type.toLowerCase()
  return conditions.find((condition) => condition.type.toLowerCase() === wanted)
}

export function isTrue(condition: Condition | undefined): boolean {
  return condition?.status === 'True'
}

export function isFalse(condition: Condition | undefined): boolean {
  return condition?.status === 'False'
}

export function conditionReason({ type, status, reason, message }: Condition): ReadinessReason {
  return {
    code: 'condition',
    type,
    status,
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(message === undefined || message === '' ? {} : { message: message.slice(0, MAX_MESSAGE_CHARS) }),
  }
}

/** Some controllers write booleans, and some another case. */
function conditionStatus(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'string') return undefined
  const lower = value.toLowerCase()
  return lower === 'true' ? 'True' : lower === 'false' ? 'False' : value
}

function optionalFields(entry: JsonValue): Omit<Condition, 'type' | 'status'> {
  const reason = stringAt(entry, 'reason')
  const message = stringAt(entry, 'message')
  const severity = stringAt(entry, 'severity')
  const observedGeneration = numberAt(entry, 'observedGeneration')
  const lastTransitionTime = stringAt(entry, 'lastTransitionTime')
  return {
    ...defined({ reason, message, severity, observedGeneration, lastTransitionTime }),
  }
}
