import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { stepsOf } from './json-pointer.ts'

/** Matches any one step: each key of a map, each item of a list. */
export const anyStep = Symbol('any step')

export type StepPattern = readonly (string | typeof anyStep)[]

/** A copy without the values at these pointers; list items are removed, and pointers to nothing are ignored. */
export function withoutPaths<T extends JsonObject>(object: T, pointers: readonly string[]): T
export function withoutPaths(object: JsonObject, pointers: readonly string[]): JsonObject {
  if (pointers.length === 0) return object
  return strippedObject(object, [treeOf(pointers.map(stepsOf))], false)
}

/**
 * A copy without the values that match a pattern, and without the maps and lists that this leaves empty: the manager
 * that owned the last value may have created the map. Complexity: linear in the object for each pattern that matches a
 * value.
 */
export function withoutMatching(object: JsonObject, patterns: readonly StepPattern[]): JsonObject {
  if (patterns.length === 0) return object
  return strippedObject(object, [treeOf(patterns)], true)
}

interface Tree {
  isEnd: boolean
  readonly children: Map<string | typeof anyStep, Tree>
}

function treeOf(patterns: readonly StepPattern[]): Tree {
  const root: Tree = { isEnd: false, children: new Map() }
  for (const pattern of patterns) {
    let here = root
    for (const step of pattern) {
      const next: Tree = here.children.get(step) ?? { isEnd: false, children: new Map() }
      here.children.set(step, next)
      here = next
    }
    here.isEnd = true
  }
  return root
}

function strippedObject(object: JsonObject, trees: readonly Tree[], dropsEmptied: boolean): JsonObject {
  const stripped = strip(object, trees, dropsEmptied)
  return isJsonObject(stripped) ? stripped : {}
}

/** `trees`: the rest of every pattern that matches so far; none: the value stays as it is. */
function strip(value: JsonValue, trees: readonly Tree[], dropsEmptied: boolean): JsonValue | undefined {
  if (trees.length === 0) return value
  const kept = (member: JsonValue | undefined, step: string): readonly JsonValue[] => {
    const below = trees.flatMap(({ children }) => [children.get(step) ?? [], children.get(anyStep) ?? []].flat())
    if (member === undefined || below.some(({ isEnd }) => isEnd)) return []
    const stripped = strip(member, below, dropsEmptied)
    return stripped === undefined ? [] : [stripped]
  }
  if (isJsonArray(value)) {
    const items = value.flatMap((item, index) => kept(item, String(index)))
    return dropsEmptied && items.length === 0 && value.length > 0 ? undefined : items
  }
  if (!isJsonObject(value)) return value
  const members = Object.entries(value)
  const rest = members.flatMap(([key, member]) => kept(member, key).map((one) => [key, one] as const))
  return dropsEmptied && rest.length === 0 && members.length > 0 ? undefined : Object.fromEntries(rest)
}
