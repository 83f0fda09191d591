import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import { childAt, type FieldSet, fieldsV1Of, parseFieldSet, stepOf, unionOf } from './field-set.ts'
import { pointerOf, stepsOf } from './json-pointer.ts'
import { type Known, stepInto, stepsThrough } from './known-path.ts'

/** Field manager of Helm 3.7 and later, of nelm, and ours (docs/decisions/0006). */
const FIELD_MANAGER = 'helm'

/** The manager of Helm 3 before 3.7, and of any Go program that sets no name (helm/helm#9859). */
const NAMELESS_MANAGER = 'Go-http-client'
const HELM_EVIDENCE = ['f:metadata', 'f:annotations', 'f:meta.helm.sh/release-name']

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

/**
 * JSON pointers of what the migration and the apply after it will remove from the live object: values that only Helm's
 * client-side entries own and that `body` no longer has. A dry run before the migration cannot show this. Those entries
 * also own defaults, which the API server sets again at once: with `previous`, the manifest of the previous revision,
 * only what was written there counts.
 */
export function pathsOwnedBefore(live: KubeObject, body: KubeObject, previous?: KubeObject): readonly string[] {
  const known = { object: live, sets: fieldSetsOf(live) }
  return pathsLost(live, body, isHelmsClientSide).filter(
    (pointer) => previous === undefined || isWritten(previous, known, stepsOf(pointer)),
  )
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
  return pathsLost(live, body, isOurApply)
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

function pathsLost(live: KubeObject, body: KubeObject, isLoser: (entry: JsonObject) => boolean): readonly string[] {
  const { holders, others } = setsOf(live, isLoser)
  const known = { object: live, sets: [...holders, ...others] }
  const paths = holders
    .flatMap((set) => memberPaths(set, live))
    .filter((pointer) => !isWritten(body, known, stepsOf(pointer)) && !isHeld(others, live, pointer))
  return outermost([...new Set(paths)].sort())
}

function setsOf(object: KubeObject, isHolder: (entry: JsonObject) => boolean) {
  const sets = (entries: readonly JsonObject[]) => entries.map((entry) => parseFieldSet(entry.fieldsV1))
  const entries = managerEntries(object)
  return { holders: sets(entries.filter(isHolder)), others: sets(entries.filter((entry) => !isHolder(entry))) }
}

function isHeld(sets: readonly FieldSet[], object: JsonObject, pointer: string): boolean {
  return sets.some((set) => isOwned(set, object, stepsOf(pointer)))
}

/**
 * JSON patch (RFC 6902) that migrates from Helm's client-side apply to server-side apply: every `Update` entry of Helm
 * becomes part of the `Apply` entry of manager `helm`. Then fields that leave the chart also leave the cluster, and
 * Helm does not conflict with itself. Undefined: nothing to migrate. The same as client-go's csaupgrade; the patch
 * replaces the resourceVersion with itself, so that a concurrent change is answered with 409 and not overwritten.
 */
export function migrateToServerSideApply(object: KubeObject): readonly JsonObject[] | undefined {
  const value = migratedEntries(object)
  if (value === undefined) return undefined
  return [
    { op: 'replace', path: '/metadata/managedFields', value },
    { op: 'replace', path: '/metadata/resourceVersion', value: object.metadata.resourceVersion ?? '' },
  ]
}

/** The live object as it is after that patch. */
export function asMigrated(object: KubeObject): KubeObject {
  const managedFields = migratedEntries(object)
  return managedFields === undefined ? object : { ...object, metadata: { ...object.metadata, managedFields } }
}

function migratedEntries(object: KubeObject): readonly JsonObject[] | undefined {
  const entries = managerEntries(object)
  const old = entries.filter(isHelmsClientSide)
  const [newest] = old
  if (newest === undefined) return undefined
  const applied = entries.find(isOurApply)
  const target = applied ?? newest
  const fields = old
    .filter((entry) => entry.apiVersion === target.apiVersion)
    .map((entry) => parseFieldSet(entry.fieldsV1))
    .reduce(unionOf, parseFieldSet(target.fieldsV1))
  const merged = { ...target, manager: FIELD_MANAGER, operation: 'Apply', fieldsV1: fieldsV1Of(fields) }
  return entries.flatMap((entry) => (entry === target ? [merged] : isHelmsClientSide(entry) ? [] : [entry]))
}

function managerEntries(object: KubeObject): readonly JsonObject[] {
  const entries: JsonValue | undefined = object.metadata.managedFields
  return isJsonArray(entries) ? entries.filter(isJsonObject) : []
}

function managerOf(entry: JsonObject): string {
  return typeof entry.manager === 'string' ? entry.manager : ''
}

function isOurApply(entry: JsonObject): boolean {
  return managerOf(entry) === FIELD_MANAGER && entry.operation === 'Apply' && isOfMainResource(entry)
}

/** The nameless manager counts as Helm only where its entry owns the annotation that only Helm writes. */
function isHelmsClientSide(entry: JsonObject): boolean {
  if (entry.operation !== 'Update' || !isOfMainResource(entry)) return false
  if (managerOf(entry) === FIELD_MANAGER) return true
  if (managerOf(entry) !== NAMELESS_MANAGER) return false
  const evidence = HELM_EVIDENCE.reduce<FieldSet | undefined>(
    (set, key) => set?.children.get(key),
    parseFieldSet(entry.fieldsV1),
  )
  return evidence !== undefined
}

function isOfMainResource(entry: JsonObject): boolean {
  return entry.subresource === undefined || entry.subresource === ''
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

function memberPaths(set: FieldSet, object: JsonObject): readonly string[] {
  const paths: string[] = []
  const visit = (node: FieldSet, value: JsonValue | undefined, steps: readonly (string | number)[]) => {
    if (node.isMember) paths.push(pointerOf(steps))
    for (const [key, child] of node.children) {
      const step = stepOf(key, value)
      if (step !== undefined) visit(child, stepInto(value, String(step)), [...steps, step])
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
