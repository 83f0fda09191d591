import {
  arrayAt,
  at,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '../model/object.ts'
import { canonicalJson } from './canonical-json.ts'
import { isOfType, isTyped, refusals, typeText } from './schema-values.ts'

/** What a schema refuses, and where: `spec.size`. */
export interface SchemaProblem {
  readonly field: string
  readonly what: string
}

export interface Conformed {
  readonly problems: readonly SchemaProblem[]
  /** The object as it would be stored: with the defaults of the schema, and without what it does not know. */
  readonly object: KubeObject
}

const MAX_PROBLEMS = 10
const MAX_DEPTH = 100
/** Values looked at; beyond it nothing more is found. */
const MAX_STEPS = 200_000

/**
 * Judges a custom resource by the structural schema of its CRD, as the API server does on a server-side apply of `body`
 * that leaves `object`: types, required and unknown fields, enums, bounds, patterns, keys of lists; nulls and defaults.
 * Formats and the rules of `x-kubernetes-validations` are not judged. Complexity: linear in the object for each branch of
 * the schema, bounded.
 */
export function conformed(object: KubeObject, body: KubeObject, schema: JsonObject): Conformed {
  const run: Run = { problems: [], steps: 0 }
  undeclared(body, withRootFields(schema), [], run)
  const stored = judged(object, withRootFields(schema), [], run)
  // The schema of a CRD describes an object.
  return { problems: run.problems, object: (isJsonObject(stored) ? stored : object) as KubeObject }
}

interface Run {
  readonly problems: SchemaProblem[]
  steps: number
}

type Path = readonly (string | number)[]

/** `apiVersion`, `kind` and `metadata` belong to the API server; what a schema says of names is judged by it alone. */
const ROOT_FIELDS: JsonObject = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
}

function withRootFields(schema: JsonObject): JsonObject {
  if (!isJsonObject(schema.properties)) return schema
  return { ...schema, properties: { ...schema.properties, ...ROOT_FIELDS } }
}

/** A server-side apply is refused where it names a field that the schema does not have. */
function undeclared(value: JsonValue | undefined, schema: JsonObject, path: Path, run: Run): void {
  if (isExhausted(path, run)) return
  if (isJsonArray(value)) {
    const items = schemaAt(schema, 'items')
    if (items !== undefined) for (const [index, item] of value.entries()) undeclared(item, items, [...path, index], run)
    return
  }
  if (!isJsonObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    const below = memberSchema(schema, key)
    if (below !== undefined) undeclared(member, below, [...path, key], run)
    else if (isClosed(schema)) report([...path, key], 'is not declared in the schema', run)
  }
}

/** Whether fields that the schema does not name are unknown to it. */
function isClosed(schema: JsonObject): boolean {
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true
  return !isOpen && isJsonObject(schema.properties) && schema['x-kubernetes-embedded-resource'] !== true
}

function memberSchema(schema: JsonObject, key: string): JsonObject | undefined {
  const { properties } = schema
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) return objectOrNone(properties[key])
  return schemaAt(schema, 'additionalProperties')
}

function schemaAt(schema: JsonObject, key: 'additionalProperties' | 'items'): JsonObject | undefined {
  return objectOrNone(schema[key])
}

function objectOrNone(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

/** The value as it would be stored. */
function judged(value: JsonValue, schema: JsonObject, path: Path, run: Run): JsonValue {
  if (isExhausted(path, run)) return value
  if (value === null) {
    if (schema.nullable !== true && isTyped(schema)) report(path, `must be ${typeText(schema)}, not null`, run)
    return value
  }
  if (!isOfType(value, schema)) {
    report(path, `must be ${typeText(schema)}`, run)
    return value
  }
  const stored = isJsonObject(value)
    ? judgedMap(value, schema, path, run)
    : isJsonArray(value)
      ? judgedList(value, schema, path, run)
      : value
  judgeValue(stored, schema, path, run)
  return stored
}

function judgedMap(value: JsonObject, schema: JsonObject, path: Path, run: Run): JsonObject {
  const defaulted = withDefaults(value, schema)
  const members = Object.entries(defaulted).flatMap(([key, member]): readonly (readonly [string, JsonValue])[] => {
    const below = memberSchema(schema, key)
    if (member === undefined) return []
    if (below !== undefined) return [[key, judged(member, below, [...path, key], run)]]
    return isClosed(schema) ? [] : [[key, member]]
  })
  return Object.fromEntries(members)
}

/** Null counts as left out where the field has a default and may not be null. */
function withDefaults(value: JsonObject, { properties }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return value
  const defaults = Object.entries(properties).flatMap(([key, schema]): readonly (readonly [string, JsonValue])[] => {
    const preset = at(schema, 'default')
    const given = Object.hasOwn(value, key) ? value[key] : undefined
    const isLeftOut = given === undefined || (given === null && at(schema, 'nullable') !== true)
    return preset === undefined || !isLeftOut ? [] : [[key, preset]]
  })
  return { ...value, ...Object.fromEntries(defaults) }
}

function judgedList(value: readonly JsonValue[], schema: JsonObject, path: Path, run: Run): readonly JsonValue[] {
  const items = schemaAt(schema, 'items')
  const stored = items === undefined ? value : value.map((item, index) => judged(item, items, [...path, index], run))
  const seen = new Set<string>()
  for (const [index, item] of stored.entries()) {
    const identity = identityIn(schema, item)
    if (identity === undefined) continue
    if (seen.has(identity)) report([...path, index], 'is there twice', run)
    seen.add(identity)
  }
  return stored
}

/** What may be there but once; undefined in a list without such a rule. */
function identityIn(schema: JsonObject, item: JsonValue): string | undefined {
  const type = schema['x-kubernetes-list-type']
  if (type === 'set') return canonicalJson(item)
  if (type !== 'map' || !isJsonObject(item)) return undefined
  const keys = arrayAt(schema, 'x-kubernetes-list-map-keys').map(String)
  return canonicalJson(keys.map((key) => (Object.hasOwn(item, key) ? (item[key] ?? null) : null)))
}

/** What holds of the value as a whole, in the schema itself and in its `allOf`, `anyOf`, `oneOf` and `not`. */
function judgeValue(value: JsonValue, schema: JsonObject, path: Path, run: Run): void {
  for (const what of refusals(value, schema)) report(path, what, run)
  if (isJsonObject(value)) {
    for (const key of arrayAt(schema, 'required').map(String)) {
      if (!Object.hasOwn(value, key) || value[key] === undefined) report([...path, key], 'is required', run)
    }
  }
  for (const one of branches(schema, 'allOf')) judgeBranch(value, one, path, run)
  const passes = (one: JsonObject) => passesBranch(value, one, path, run)
  const [any, exactly] = [branches(schema, 'anyOf'), branches(schema, 'oneOf')]
  if (any.length > 0 && !any.some(passes)) report(path, 'fits none of the forms that the schema allows', run)
  if (exactly.length > 0 && exactly.filter(passes).length !== 1) {
    report(path, 'fits none, or more than one, of the forms of which the schema allows one', run)
  }
  const refused = objectOrNone(schema.not)
  if (refused !== undefined && passes(refused)) report(path, 'has a form that the schema refuses', run)
}

/** Branches judge values, and neither default nor drop any. */
function judgeBranch(value: JsonValue, schema: JsonObject, path: Path, run: Run): void {
  if (isExhausted(path, run)) return
  if (!isOfType(value, schema)) report(path, `must be ${typeText(schema)}`, run)
  judgeValue(value, schema, path, run)
  if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const below = memberSchema(schema, key)
      if (below !== undefined && member !== undefined) judgeBranch(member, below, [...path, key], run)
    }
  }
  const items = schemaAt(schema, 'items')
  if (isJsonArray(value) && items !== undefined) {
    for (const [index, item] of value.entries()) judgeBranch(item, items, [...path, index], run)
  }
}

function passesBranch(value: JsonValue, schema: JsonObject, path: Path, run: Run): boolean {
  const own: Run = { problems: [], steps: run.steps }
  judgeBranch(value, schema, path, own)
  run.steps = own.steps
  return own.problems.length === 0
}

function branches(schema: JsonObject, key: 'allOf' | 'anyOf' | 'oneOf'): readonly JsonObject[] {
  return arrayAt(schema, key).filter(isJsonObject)
}

function isExhausted(path: Path, run: Run): boolean {
  run.steps += 1
  return run.steps > MAX_STEPS || path.length > MAX_DEPTH || run.problems.length >= MAX_PROBLEMS
}

/** The same field may be refused by the schema and by one of its branches. */
function report(path: Path, what: string, { problems }: Run): void {
  const field = fieldOf(path)
  if (problems.length < MAX_PROBLEMS && !problems.some((one) => one.field === field && one.what === what)) {
    problems.push({ field, what })
  }
}

/** As the API server writes it: `spec.items[0].name`. */
function fieldOf(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')
}
