import type { JsonObject, JsonValue, KubeObject } from '../model/object.ts'
import {
  FIELD_MANAGER,
  isHelmsClientSide,
  isOfMainResource,
  isOurApply,
  managerEntries,
  managerOf,
} from './field-managers.ts'
import { childAt, type FieldSet, parseFieldSet, stepOf } from './field-set.ts'
import { pointerOf, stepsOf } from './json-pointer.ts'
import { type Known, stepInto, stepsThrough } from './known-path.ts'

/**
 * Names of the managers that own the value at a JSON pointer of the live object, all of it (an atomic ancestor counts)
 * or something within it, sorted. Helm is `helm`, also for entries of an old Helm that set no name.
 */
export function ownersOf(object: KubeObject, pointer: string): readonly string[] {
  const steps = stepsOf(pointer)
  const owners = managerEntries(object)
    .filter((entry) => isOwned(parseFieldSet(entry.fieldsV1), object, steps))
    .map((entry) => (isHelmsClientSide(entry) ? FIELD_MANAGER : managerOf(entry)))
  return [...new Set(owners)].sort()
}

/** Whether everything that a manager of this name wrote to the object was written by Helm. */
export function isHelmManager(object: KubeObject, manager: string): boolean {
  const entries = managerEntries(object).filter((entry) => managerOf(entry) === manager && isOfMainResource(entry))
  return entries.length > 0 && entries.every((entry) => manager === FIELD_MANAGER || isHelmsClientSide(entry))
}

/** What each entry of the live object's managed fields owns. */
export function fieldSetsOf(object: KubeObject): readonly FieldSet[] {
  return managerEntries(object).map((entry) => parseFieldSet(entry.fieldsV1))
}

/** The same places in another state of the object, whose lists may have another order; places it lacks are left out. */
export function pathsIn(other: KubeObject, live: KubeObject, pointers: readonly string[]): readonly string[] {
  const known = { object: live, sets: fieldSetsOf(live) }
  return pointers.flatMap((pointer) => {
    const steps = stepsThrough(other, known, stepsOf(pointer))
    return steps === undefined ? [] : [pointerOf(steps)]
  })
}

/**
 * JSON pointers of what a server-side apply of `body` removes: only our own applies own it, and `body` no longer has
 * it.
 */
export function pathsNoLongerApplied(live: KubeObject, body: KubeObject): readonly string[] {
  const { holders, others } = setsOf(live, isOurApply)
  const known = { object: live, sets: [...holders, ...others] }
  const paths = holders
    .flatMap((set) => memberPaths(set, live, isNamedOrMember))
    .filter((pointer) => !isWritten(body, known, stepsOf(pointer)) && !isHeld(others, live, pointer))
  return outermost([...new Set(paths)].sort())
}

/** Who applies a field of a map applies the map; so does the API server see it. */
function isNamedOrMember(node: FieldSet, key: string): boolean {
  return node.isMember || key.startsWith('f:')
}

/**
 * JSON pointers of what other managers own and neither our apply nor Helm's client-side one does, the outermost only.
 * What `body` writes counts as ours, whoever owned it before.
 */
export function pathsOfOthers(object: KubeObject, body: KubeObject): readonly string[] {
  const isHelms = (entry: JsonObject) => managerOf(entry) === FIELD_MANAGER || isHelmsClientSide(entry)
  const { holders, others } = setsOf(object, isHelms)
  const paths = others.flatMap((set) => memberPaths(set, object))
  const known = { object, sets: [...holders, ...others] }
  const isOurs = (pointer: string) => isHeld(holders, object, pointer) || isWritten(body, known, stepsOf(pointer))
  return outermost([...new Set(paths)].filter((pointer) => !isOurs(pointer)).sort())
}

function setsOf(object: KubeObject, isHolder: (entry: JsonObject) => boolean) {
  const sets = (entries: readonly JsonObject[]) => entries.map((entry) => parseFieldSet(entry.fieldsV1))
  const entries = managerEntries(object)
  return { holders: sets(entries.filter(isHolder)), others: sets(entries.filter((entry) => !isHolder(entry))) }
}

function isHeld(sets: readonly FieldSet[], object: JsonObject, pointer: string): boolean {
  return sets.some((set) => isOwned(set, object, stepsOf(pointer)))
}

function isOwned(set: FieldSet, object: JsonObject, steps: readonly string[]): boolean {
  let here: FieldSet = set
  let value: JsonValue | undefined = object
  for (const step of steps) {
    const child = childAt(here, step, value)
    // A leaf of the set above the end of the path: the manager owns the whole value, an atomic list or map.
    if (child === undefined) return here.isMember && here.children.size === 0
    here = child
    value = stepInto(value, step)
  }
  return here.isMember || here.children.size > 0
}

function memberPaths(
  set: FieldSet,
  object: JsonObject,
  isCounted: (node: FieldSet, key: string) => boolean = ({ isMember }) => isMember,
): readonly string[] {
  const paths: string[] = []
  const visit = (node: FieldSet, value: JsonValue | undefined, steps: readonly (string | number)[]) => {
    for (const [key, child] of node.children) {
      const step = stepOf(key, value)
      if (step === undefined) continue
      if (isCounted(child, key)) paths.push(pointerOf([...steps, step]))
      visit(child, stepInto(value, String(step)), [...steps, step])
    }
  }
  visit(set, object, [])
  return paths
}

function isWritten(body: JsonObject, known: Known, steps: readonly string[]): boolean {
  return stepsThrough(body, known, steps) !== undefined
}

/** Without pointers that are below another one of the list. */
function outermost(sorted: readonly string[]): readonly string[] {
  const all = new Set(sorted)
  return sorted.filter((pointer) => {
    const steps = stepsOf(pointer)
    return !steps.some((_step, index) => index > 0 && all.has(pointerOf(steps.slice(0, index))))
  })
}
