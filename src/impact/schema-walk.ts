import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { withKey } from './path-step.ts'
import {
  effectOfKeyword,
  effectOfType,
  isDocumentation,
  MAX_SCHEMA_DEPTH,
  typeOf,
  withoutDocumentation,
} from './schema-keywords.ts'
import { type PlacedChange, ruleChanges, valueChanges } from './schema-lists.ts'
import { isEqual, type Member, quoted, sideBySide } from './side-by-side.ts'

/**
 * What changes between two schemas, in the order of the names of fields; a structure that comes or goes is one change.
 * What is only written for people is none. Complexity: linear in the size of both.
 */
export function schemaDifferences(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly PlacedChange[] {
  const found: PlacedChange[] = []
  compareSchemas(before, after, { path: '', depth: 0 }, found)
  return found
}

interface Place {
  readonly path: string
  readonly depth: number
}

function compareSchemas(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  place: Place,
  found: PlacedChange[],
): void {
  if (before === after) return
  const { depth, path } = place
  if (!isJsonObject(before) || !isJsonObject(after) || depth >= MAX_SCHEMA_DEPTH) {
    if (isSame(before, after)) return
    const effect = after === undefined ? 'loosens' : 'tightens'
    found.push({ what: 'keyword', keyword: 'schema', effect, path })
    return
  }
  const [typeBefore, typeAfter] = [typeOf(before), typeOf(after)]
  const typeEffect = effectOfType(typeBefore, typeAfter)
  if (typeBefore !== typeAfter) {
    found.push({ what: 'keyword', keyword: 'type', effect: typeEffect, path, before: [typeBefore], after: [typeAfter] })
    // What else is said of values of another type cannot be compared.
    if (typeEffect === 'tightens') return
  }
  for (const member of sideBySide(before, after)) {
    const [keyword] = member
    if (NESTED.has(keyword) || isDocumentation(keyword)) continue
    if (typeBefore !== typeAfter && OF_TYPE.has(keyword)) continue
    compareKeyword(member, path, found)
  }
  compareFields(before, after, place, found)
  for (const [keyword, suffix] of ELEMENTS) {
    const [was, is] = [before[keyword], after[keyword]]
    const inside = { path: `${place.path}${suffix}`, depth: depth + 1 }
    compareField({ was, is, wasNeeded: false, isNeeded: false }, { before, after }, inside, found)
  }
}

/** Said by their own rules. */
const NESTED: ReadonlySet<string> = new Set(['properties', 'items', 'additionalProperties', 'required'])
const OF_TYPE: ReadonlySet<string> = new Set(['type', 'x-kubernetes-int-or-string'])
const ELEMENTS = [
  ['items', '[]'],
  ['additionalProperties', '.*'],
] as const

function compareKeyword([keyword, before, after]: Member, path: string, found: PlacedChange[]): void {
  if (before === after) return
  if (isSame({ [keyword]: before }, { [keyword]: after })) return
  const ofItems = LISTS.get(keyword)?.(before, after, path) ?? []
  for (const one of ofItems) found.push(one)
  if (ofItems.length > 0) return
  const effect = effectOfKeyword(keyword, before, after)
  found.push({ what: 'keyword', keyword, effect, path, ...quoted(before, after) })
}

const LISTS = new Map([
  ['enum', valueChanges],
  ['x-kubernetes-validations', ruleChanges],
])

function compareFields(before: JsonObject, after: JsonObject, place: Place, found: PlacedChange[]): void {
  const [old, now] = [mapOf(before.properties), mapOf(after.properties)]
  const [wasRequired, isRequired] = [namesOf(before.required), namesOf(after.required)]
  for (const [name, was, is] of sideBySide(old, now)) {
    const field = {
      was,
      is,
      wasNeeded: wasRequired.has(name) && !hasDefault(was),
      isNeeded: isRequired.has(name) && !hasDefault(is),
    }
    const inside = inField(place, name)
    compareField(field, { before, after }, inside, found)
    const isInBoth = was !== undefined && is !== undefined
    if (isInBoth && wasRequired.has(name) !== isRequired.has(name) && field.wasNeeded === field.isNeeded) {
      found.push({ what: 'required', effect: 'changes', path: inside.path })
    }
  }
  for (const name of wasRequired.symmetricDifference(isRequired)) {
    if (Object.hasOwn(old, name) || Object.hasOwn(now, name)) continue
    // A name that the schema does not describe.
    const effect = isRequired.has(name) ? 'tightens' : 'loosens'
    found.push({ what: 'required', effect, path: inField(place, name).path })
  }
  const isReordered = wasRequired.symmetricDifference(isRequired).size === 0
  if (isReordered && !isEqual(before.required, after.required)) {
    found.push({ what: 'keyword', keyword: 'required', effect: 'changes', path: place.path })
  }
}

interface Field {
  readonly was: JsonValue | undefined
  readonly is: JsonValue | undefined
  /** It must be set, because no default would be. */
  readonly wasNeeded: boolean
  readonly isNeeded: boolean
}

function compareField(
  { is, isNeeded, was, wasNeeded }: Field,
  parent: { readonly before: JsonObject; readonly after: JsonObject },
  place: Place,
  found: PlacedChange[],
): void {
  const { path } = place
  if (was === undefined && is === undefined) return
  if (is === undefined) {
    found.push({
      what: 'field',
      effect: isKept(parent.after, place) ? 'changes' : 'removes',
      path,
      fields: fieldsIn(was),
    })
    return
  }
  if (was === undefined) {
    // Where unknown fields were kept, there may be values of it that do not fit.
    const effect = isNeeded || keepsUnknown(parent.before) ? 'tightens' : 'adds'
    found.push({ what: 'field', effect, path, fields: fieldsIn(is), ...(isNeeded ? { keyword: 'required' } : {}) })
    return
  }
  if (wasNeeded !== isNeeded) found.push({ what: 'required', effect: isNeeded ? 'tightens' : 'loosens', path })
  compareSchemas(was, is, place, found)
}

/**
 * Whether values of a field stay that the schema no longer names. Source: docs/sources.md#kubernetes-crd-schemas.
 */
function isKept(parent: JsonObject, { depth, path }: Place): boolean {
  const isMetadata = (depth === 1 || parent['x-kubernetes-embedded-resource'] === true) && METADATA.test(path)
  return isMetadata || keepsUnknown(parent) || isJsonObject(parent.additionalProperties)
}

const METADATA = /(^|\.)(apiVersion|kind|metadata)$/

function keepsUnknown(parent: JsonObject): boolean {
  return parent['x-kubernetes-preserve-unknown-fields'] === true
}

/** A field with all that are inside of it. */
function fieldsIn(schema: JsonValue | undefined): number {
  let amount = 1
  const open: (JsonValue | undefined)[] = [schema]
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (!isJsonObject(next)) continue
    for (const inside of Object.values(mapOf(next.properties))) {
      amount++
      open.push(inside)
    }
    open.push(next.items, next.additionalProperties)
  }
  return amount
}

function hasDefault(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && Object.hasOwn(schema, 'default') && schema.default !== undefined
}

function isSame(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return isEqual(contentOf(before), contentOf(after))
}

function contentOf(schema: JsonValue | undefined): JsonValue | undefined {
  return schema === undefined ? undefined : withoutDocumentation(schema)
}

function inField({ depth, path }: Place, name: string): Place {
  return { path: withKey(path, name), depth: depth + 1 }
}

function mapOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function namesOf(value: JsonValue | undefined): ReadonlySet<string> {
  return new Set((isJsonArray(value) ? value : []).filter((name) => typeof name === 'string'))
}
