import { canonicalJson } from '../manifest/canonical-json.ts'
import { pointerOf } from '../manifest/json-pointer.ts'
import type { FieldChange } from '../model/impact.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { itemNames } from './item-names.ts'
import { withKey } from './path-step.ts'
import { CONTAINER_LISTS, renamedContainers } from './renamed-containers.ts'
import { sideBySide } from './side-by-side.ts'

/** Deeper than any object that Kubernetes accepts; what lies below counts as one field. */
const MAX_DEPTH = 200

/** A field that differs, with its place in both objects. */
export interface FieldDifference {
  readonly path: string
  readonly kind: FieldChange['kind']
  readonly stepsBefore: readonly Step[]
  readonly stepsAfter: readonly Step[]
  readonly itemsAdded?: number
  readonly itemsRemoved?: number
}

type Step = string | number

/**
 * Every field that differs, in the order of the keys. Items of lists are matched by name, whatever their place, and a
 * container that gets another name with itself; a list without names is one field. Takes objects without bookkeeping. Complexity: linear in the size of both.
 */
export function fieldDifferences(before: JsonObject, after: JsonObject): readonly FieldDifference[] {
  const found: FieldDifference[] = []
  compareValues(before, after, { path: '', stepsBefore: [], stepsAfter: [] }, found)
  return found
}

/** JSON pointer to the field, in the object in which it is. */
export function pointerTo({ kind, stepsAfter, stepsBefore }: FieldDifference): string {
  return pointerOf(kind === 'removed' ? stepsBefore : stepsAfter)
}

interface Place {
  readonly path: string
  readonly stepsBefore: readonly Step[]
  readonly stepsAfter: readonly Step[]
}

function compareValues(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  place: Place,
  found: FieldDifference[],
): void {
  if (before === after) return
  if (before === undefined || after === undefined) {
    const one = before ?? after
    // A map of labels or annotations that appears or disappears counts as its keys: some of them are noise.
    if (isMetadataMap(place) && isJsonObject(one) && Object.keys(one).length > 0) {
      compareValues(before ?? {}, after ?? {}, place, found)
    } else {
      found.push({ ...place, kind: before === undefined ? 'added' : 'removed' })
    }
    return
  }
  if (place.stepsAfter.length < MAX_DEPTH && isJsonObject(before) && isJsonObject(after)) {
    for (const [key, old, now] of sideBySide(before, after)) compareValues(old, now, inKey(place, key), found)
    return
  }
  if (place.stepsAfter.length < MAX_DEPTH && isJsonArray(before) && isJsonArray(after)) {
    compareLists(before, after, place, found)
    return
  }
  if (canonicalJson(before) !== canonicalJson(after)) found.push({ ...place, kind: 'changed' })
}

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  place: Place,
  found: FieldDifference[],
): void {
  const named = itemNames(before, after)
  if (named === undefined) {
    compareNameless(before, after, place, found)
    return
  }
  const old = new Map(named.before.map((name, index) => [name, index]))
  const now = new Map(named.after.map((name, index) => [name, index]))
  const newNames = isContainerList(place) ? renamedContainers(before, after) : new Map<string, string>()
  const oldNames = new Map([...newNames].map(([from, to]) => [to, from]))
  for (const [name, index] of old) {
    const stays = now.has(name) || newNames.has(name)
    if (!stays) found.push({ ...inItem(place, name, index, index), kind: 'removed' })
  }
  for (const [name, index] of now) {
    const was = old.get(oldNames.get(name) ?? name)
    if (was === undefined) found.push({ ...inItem(place, name, index, index), kind: 'added' })
    else compareValues(before[was], after[index], inItem(place, name, was, index), found)
  }
  const stay = named.after.filter((name) => old.has(oldNames.get(name) ?? name))
  const stood = named.before.map((name) => newNames.get(name) ?? name).filter((name) => now.has(name))
  if (stay.some((name, index) => name !== stood[index])) found.push({ ...place, kind: 'moved' })
}

/** What both lists have is set aside, wherever it stands; one item left on both sides is the same item, changed. */
function compareNameless(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  place: Place,
  found: FieldDifference[],
): void {
  const gone = indexesByContent(before)
  const added: number[] = []
  after.forEach((item, index) => {
    if (gone.get(canonicalJson(item))?.pop() === undefined) added.push(index)
  })
  const removed = [...gone.values()].flat()
  const [was, is] = [removed[0], added[0]]
  if (was === undefined && is === undefined) {
    if (canonicalJson(before) !== canonicalJson(after)) found.push({ ...place, kind: 'moved' })
    return
  }
  if (removed.length === 1 && added.length === 1 && was !== undefined && is !== undefined) {
    const [old, now] = [before[was], after[is]]
    if (isJsonObject(old) && isJsonObject(now)) {
      compareValues(old, now, inItem(place, String(is), was, is), found)
      return
    }
  }
  found.push({ ...place, kind: 'list', itemsAdded: added.length, itemsRemoved: removed.length })
}

function indexesByContent(items: readonly JsonValue[]): Map<string, number[]> {
  const indexes = new Map<string, number[]>()
  items.forEach((item, index) => {
    const content = canonicalJson(item)
    const known = indexes.get(content)
    if (known === undefined) indexes.set(content, [index])
    else known.push(index)
  })
  return indexes
}

function inKey({ path, stepsAfter, stepsBefore }: Place, key: string): Place {
  return { path: withKey(path, key), stepsBefore: [...stepsBefore, key], stepsAfter: [...stepsAfter, key] }
}

function inItem({ path, stepsAfter, stepsBefore }: Place, name: string, was: number, is: number): Place {
  return { path: `${path}[${name}]`, stepsBefore: [...stepsBefore, was], stepsAfter: [...stepsAfter, is] }
}

function isContainerList({ stepsAfter }: Place): boolean {
  return CONTAINER_LISTS.has(String(stepsAfter.at(-1)))
}

function isMetadataMap({ stepsAfter }: Place): boolean {
  const map = stepsAfter.at(-1)
  return stepsAfter.at(-2) === 'metadata' && (map === 'labels' || map === 'annotations')
}
