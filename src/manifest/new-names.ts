import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import { builtInKind } from './built-in-kinds.ts'
import { isReleaseMark } from './metadata-keys.ts'
import { renamings } from './name-change.ts'
import { referredKind } from './referred-kind.ts'

/** What gives way to what where objects get other names together. */
export interface NewNames {
  /** Names and parts of names, for labels, selectors and what an object calls its own parts. */
  readonly changes: ReadonlyMap<string, ReadonlySet<string>>
  /** New names of whole objects by `Kind/name`, for fields that name an object. */
  readonly objects: ReadonlyMap<string, string>
}

/** Deeper than any object that Kubernetes accepts; what is below stays as it is. */
const MAX_DEPTH = 200

/**
 * The old object as it would be under the new names. Only what stands for a name is replaced, and only where the new
 * object has that name in such a place: texts of the user (values of variables, arguments, data, images) stay. So all
 * that differs afterwards is more than a name.
 */
export function underNewNames(before: KubeObject, after: KubeObject, names: NewNames): KubeObject {
  const taken = new Set<string>()
  walkNames(after, (place, text) => {
    taken.add(`${place.pattern} ${text}`)
    return text
  })
  const renamed = walkNames(before, ({ kind, pattern }, text) => {
    const isTaken = (one: string) => taken.has(`${pattern} ${one}`)
    if (isTaken(text)) return text
    if (kind === undefined) return renamings(text, names.changes).find(isTaken) ?? text
    const now = names.objects.get(`${kind}/${text}`)
    return now !== undefined && isTaken(now) ? now : text
  })
  const { name } = after.metadata
  return { ...renamed, metadata: { ...renamed.metadata, ...(name === undefined ? {} : { name }) } }
}

/** With the marks of the release that `other` has: they stand on each of its objects, and in no chart. */
export function withReleaseMarks(object: KubeObject, other: KubeObject): KubeObject {
  const { annotations, labels, ...metadata } = object.metadata
  return {
    ...object,
    metadata: { ...metadata, ...marked('labels', labels, other), ...marked('annotations', annotations, other) },
  }
}

/** Every text and number that is no name, with its place; labels of the chart's version and the object's own name left out. */
export function contentOf(object: KubeObject): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const isKnown = builtInKind(object) !== undefined
  const visit = (value: JsonValue | undefined, steps: readonly string[], holder: JsonObject) => {
    if (value === undefined || steps.length > MAX_DEPTH || isAside(steps)) return
    if (isJsonArray(value)) for (const item of value) visit(item, [...steps, '*'], holder)
    else if (isJsonObject(value)) for (const key of Object.keys(value)) visit(value[key], [...steps, key], value)
    else if (typeof value !== 'string' || namePlace(steps, holder, isKnown) === undefined) {
      const key = JSON.stringify([...steps, typeof value, String(value)])
      found.set(key, (found.get(key) ?? 0) + 1)
    }
  }
  visit(object, [], object)
  return found
}

/** What every object has, or what says only which version wrote it. */
function isAside([root, field, key]: readonly string[]): boolean {
  if (root === 'apiVersion' || root === 'kind' || root === 'status') return true
  if (root !== 'metadata' || field === undefined) return false
  if (field !== 'labels' && field !== 'annotations') return true
  return field === 'labels' || (key !== undefined && isReleaseMark(field, key))
}

interface NamePlace {
  /** The way to it, items of lists whatever their index. */
  readonly pattern: string
  /** Of the object that it names; absent where it names a part of this one, or is a label. */
  readonly kind?: string
}

/** The same object with each name as `change` says. */
function walkNames(object: KubeObject, change: (place: NamePlace, text: string) => string): KubeObject {
  const isKnown = builtInKind(object) !== undefined
  const visit = (value: JsonValue, steps: readonly string[], holder: JsonObject): JsonValue => {
    if (steps.length > MAX_DEPTH) return value
    if (isJsonArray(value)) return value.map((item) => visit(item, [...steps, '*'], holder))
    if (isJsonObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [
          key,
          member === undefined ? member : visit(member, [...steps, key], value),
        ]),
      )
    }
    const place = typeof value === 'string' ? namePlace(steps, holder, isKnown) : undefined
    return place === undefined || typeof value !== 'string' ? value : change(place, value)
  }
  return visit(object, [], object) as KubeObject
}

/** Whether the text at a place is a label, a selector, or the name of an object or of a part of it. */
function namePlace(steps: readonly string[], holder: JsonObject, isKnown: boolean): NamePlace | undefined {
  const pattern = steps.join('/')
  const [key = '', map = '', parent = '', above = ''] = [steps.at(-1), steps.at(-2), steps.at(-3), steps.at(-4)]
  const isLabel = map === 'matchLabels' || (map === 'labels' && parent === 'metadata')
  if (isLabel || (key === '*' && map === 'values' && above === 'matchExpressions')) return { pattern }
  if (!isKnown) return undefined
  if (pattern.startsWith('spec/selector/') && steps.length === 3) return { pattern }
  const kind = referredKind(steps, holder)
  if (kind !== undefined) return { pattern, kind }
  return key === 'name' && map === '*' && OWN_PARTS.has(parent) ? { pattern } : undefined
}

/** Lists of what an object names itself; not variables, whose names programs read. */
const OWN_PARTS: ReadonlySet<string> = new Set(['containers', 'initContainers', 'volumes', 'volumeMounts'])

function marked(
  map: 'labels' | 'annotations',
  before: JsonValue | undefined,
  { metadata }: KubeObject,
): { readonly [key: string]: JsonObject } {
  const after = metadata[map]
  const own = isJsonObject(before) ? Object.entries(before).filter(([key]) => !isReleaseMark(map, key)) : []
  const marks = isJsonObject(after) ? Object.entries(after).filter(([key]) => isReleaseMark(map, key)) : []
  const all = [...own, ...marks]
  return all.length === 0 ? {} : { [map]: Object.fromEntries(all) }
}
