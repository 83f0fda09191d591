import { type Sensitivity, sensitivityOf } from '../directives/sensitivity.ts'
import { withoutBookkeeping } from '../manifest/bookkeeping.ts'
import { builtInKind, isBuiltIn } from '../manifest/built-in-kinds.ts'
import { evaluate, parseJsonPath } from '../manifest/jsonpath.ts'
import { decodedText, secretTexts } from '../manifest/secret-data.ts'
import type { Resource } from '../model/directives.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import { refKey, refOfObject } from '../model/ref.ts'
import { hiddenFields } from '../plan/mask.ts'
import type { Secrets } from '../ports.ts'

/**
 * Adds every value of the Secrets among the objects, plain and decoded, and what `werf.io/sensitive` and `sensitive-paths` hide
 * to what is never printed. Not the values of a Secret that says `werf.io/sensitive: "false"` of itself.
 */
export function learnSecrets(objects: Iterable<KubeObject>, secrets: Secrets): void {
  for (const object of eachObject(objects)) {
    for (const value of valuesOf(object, sensitivityOf(object))) secrets.add(value)
  }
}

/**
 * The same of what the cluster or a record holds: also what the chart hides of it now. A Secret that says of itself that it is
 * shown shows only what a text of the chart has said as well: others may have written the rest.
 */
export function learnHeld(held: Iterable<KubeObject>, resources: readonly Resource[], secrets: Secrets): void {
  const byRef = Map.groupBy(resources, ({ manifest }) => refKey(manifest.ref))
  for (const object of held) {
    const said = byRef.get(refKey(refOfObject(object))) ?? []
    const own = sensitivityOf(object)
    const isOpen = ({ directives }: Resource) => own.sensitive === false && directives.sensitive === false
    const open = new Set(said.filter(isOpen).flatMap(({ manifest }) => secretTexts(manifest.object)))
    for (const { sensitive, sensitivePaths } of [own, ...said.map(({ directives }) => directives)]) {
      const hidden = { sensitivePaths, ...(sensitive === true ? { sensitive } : {}) }
      for (const value of valuesOf(object, hidden, open)) secrets.add(value)
    }
  }
}

/** The same of what a template has read: it may stand in names as well, and no annotation shows it. */
export function learnLookedUp(objects: Iterable<KubeObject>, secrets: Secrets): void {
  for (const object of eachObject(objects)) {
    const { sensitive, ...rest } = sensitivityOf(object)
    const hidden = sensitive === true ? { ...rest, sensitive } : rest
    for (const value of valuesOf(object, hidden)) secrets.addLookedUp(value)
  }
}

function eachObject(objects: Iterable<KubeObject>): readonly KubeObject[] {
  return [...objects].flatMap((object) =>
    object.kind === 'SecretList' || object.kind === 'List' ? eachObject(listedObjects(object)) : [object],
  )
}

function listedObjects(list: JsonObject): readonly KubeObject[] {
  const items = list.items
  return Array.isArray(items) ? items.filter((item): item is KubeObject => isJsonObject(item)) : []
}

const NONE: ReadonlySet<string> = new Set()

/** `open`: values of a Secret that are shown, unless a path hides them. */
function valuesOf(object: KubeObject, hidden: Sensitivity, open = NONE): readonly string[] {
  const ofSecret = isBuiltIn(object, 'Secret') && hidden.sensitive !== false ? secretTexts(object) : []
  return [
    ...ofSecret.filter((value) => !open.has(value)),
    ...(isBuiltIn(object, 'Secret') ? [] : textsOfFields(object, hiddenFields(object, hidden.sensitive))),
    ...hidden.sensitivePaths.flatMap((path) => textsAt(path, object)),
  ]
}

/** What the metadata say in the open, and words of closed lists, are no secrets of an object that is hidden as a whole. */
function textsOfFields(object: KubeObject, fields: ReadonlySet<string> | 'all'): readonly string[] {
  if (fields !== 'all' && fields.size === 0) return []
  const { metadata, apiVersion: _version, kind: _kind, ...rest } = withoutBookkeeping(object)
  const open = new Set(leaves(metadata).map(({ text }) => text))
  const isClosed = builtInKind(object) === undefined ? () => false : isClosedWord
  return Object.entries(rest)
    .filter(([field]) => fields === 'all' || fields.has(field))
    .flatMap(([field, value]) => leaves(value, field))
    .filter((leaf) => !open.has(leaf.text) && !isClosed(leaf))
    .flatMap(({ text }) => withDecoded(object, text))
}

/** Of a path that leads to more than is looked at all of the object is hidden, as in the plan. */
function textsAt(path: string, object: KubeObject): readonly string[] {
  const parsed = parseJsonPath(path)
  const found = 'error' in parsed ? parsed : evaluate(parsed, withoutBookkeeping(object))
  if ('error' in found) return textsOfFields(object, 'all')
  return found.flatMap((value) => leaves(value)).flatMap(({ text }) => withDecoded(object, text))
}

/** A kind of another group that is called Secret may hold its values in base64 as well. */
function withDecoded({ kind }: KubeObject, text: string): readonly string[] {
  const decoded = kind === 'Secret' ? decodedText(text) : undefined
  return decoded === undefined ? [text] : [text, decoded]
}

interface Leaf {
  readonly text: string
  /** The nearest name above it. */
  readonly key: string
}

function leaves(value: JsonValue | undefined, key = ''): readonly Leaf[] {
  if (isJsonArray(value)) return value.flatMap((item) => leaves(item, key))
  if (isJsonObject(value)) {
    const isFree = FREE_MAPS.has(key)
    return Object.entries(value).flatMap(([name, item]) => leaves(item, isFree ? key : name))
  }
  return typeof value === 'string' || typeof value === 'number' ? [{ text: String(value), key }] : []
}

const FREE_MAPS: ReadonlySet<string> = new Set(['data', 'binaryData', 'stringData', 'annotations', 'parameters'])
const FREE_TEXTS: ReadonlySet<string> = new Set([...FREE_MAPS, 'value', 'values', 'command', 'args'])

/** By the conventions of the Kubernetes API the words of closed lists are CamelCase: `IfNotPresent`, `RollingUpdate`. */
function isClosedWord({ text, key }: Leaf): boolean {
  return !FREE_TEXTS.has(key) && /^[A-Z][A-Za-z]*$/.test(text)
}
