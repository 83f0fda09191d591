import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { stepsOf } from './json-pointer.ts'

/** Matches any one step: each key of a map, each item of a list. */
export const anyStep = Symbol('any step')

export type StepPattern = readonly (string | typeof anyStep)[]

/**
 * A copy without the values at these pointers, as a server-side apply removes them: a map or a list all of whose members
 * go is not left empty, but goes as well. Pointers to nothing are ignored.
 */
export function withoutPaths<T extends JsonObject>(object: T, pointers: readonly string[]): T
export function withoutPaths(object: JsonObject, pointers: readonly string[]): JsonObject {
  if (pointers.length === 0) return object
  return strippedObject(object, [treeOf(pointers.map(stepsOf))], 'all-named')
}

/**
 * A copy without the values that match a pattern, and without the maps and lists that this leaves empty: the manager
 * that owned the last value may have created the map. Complexity: linear in the object for each pattern that matches a
 * value.
 */
export function withoutMatching(object: JsonObject, patterns: readonly StepPattern[]): JsonObject {
  if (patterns.length === 0) return object
  return strippedObject(object, [treeOf(patterns)], 'emptied')
}

/** Which maps and lists go with their members: those whose members are all named, or all that become empty. */
type Going = 'all-named' | 'emptied'

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

function strippedObject(object: JsonObject, trees: readonly Tree[], going: Going): JsonObject {
  const stripped = strip(object, trees, going)
  return isJsonObject(stripped) ? stripped : {}
}

/** `trees`: the rest of every pattern that matches so far; none: the value stays as it is. */
function strip(value: JsonValue, trees: readonly Tree[], going: Going): JsonValue | undefined {
  if (trees.length === 0) return value
  const treesAt = (step: string) =>
    trees.flatMap(({ children }) => [children.get(step) ?? [], children.get(anyStep) ?? []].flat())
  const isNamed = (step: string) => treesAt(step).some(({ isEnd }) => isEnd)
  const kept = (member: JsonValue | undefined, step: string): readonly JsonValue[] => {
    if (member === undefined || isNamed(step)) return []
    const stripped = strip(member, treesAt(step), going)
    return stripped === undefined ? [] : [stripped]
  }
  const goes = (steps: readonly string[], isEmpty: boolean) =>
    steps.length > 0 && isEmpty && (going === 'emptied' || steps.every(isNamed))
  if (isJsonArray(value)) {
    const items = value.flatMap((item, index) => kept(item, String(index)))
    return goes([...value.keys()].map(String), items.length === 0) ? undefined : items
  }
  if (!isJsonObject(value)) return value
  const rest = Object.entries(value).flatMap(([key, member]) => kept(member, key).map((one) => [key, one] as const))
  return goes(Object.keys(value), rest.length === 0) ? undefined : Object.fromEntries(rest)
}
