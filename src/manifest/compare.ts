import { at, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { withoutBookkeeping } from './bookkeeping.ts'
import { pointerOf } from './json-pointer.ts'

/** Deeper than any object that Kubernetes accepts; values below count as changed without being compared. */
const MAX_DEPTH = 200

/**
 * JSON pointers of what differs between two objects, bookkeeping aside, sorted as the keys are. A value that appears or
 * disappears is one pointer; items of lists are compared by index. Complexity: linear in the size of both.
 */
export function changedPaths(before: JsonObject, after: JsonObject): readonly string[] {
  const paths: string[] = []
  collect(withoutBookkeeping(before), withoutBookkeeping(after), [], paths)
  return paths
}

/** Whether two objects say the same, bookkeeping aside. */
export function sameObject(a: JsonObject, b: JsonObject): boolean {
  return changedPaths(a, b).length === 0
}

function collect(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  steps: readonly (string | number)[],
  paths: string[],
): void {
  if (sameScalar(before, after)) return
  if (steps.length < MAX_DEPTH && isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    for (const key of keys) collect(at(before, key), at(after, key), [...steps, key], paths)
    return
  }
  if (steps.length < MAX_DEPTH && isJsonArray(before) && isJsonArray(after)) {
    const length = Math.max(before.length, after.length)
    for (let index = 0; index < length; index++) collect(before[index], after[index], [...steps, index], paths)
    return
  }
  paths.push(pointerOf(steps))
}

/** Compares scalars; objects and lists are compared member by member. A number may be a bigint on one side. */
export function sameScalar(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true
  const isNumeric = (value: JsonValue | undefined) => typeof value === 'number' || typeof value === 'bigint'
  return isNumeric(a) && isNumeric(b) && typeof a !== typeof b && String(a) === String(b)
}
