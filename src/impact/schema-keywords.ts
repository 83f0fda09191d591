import { canonicalJson } from '../manifest/canonical-json.ts'
import type { SchemaEffect } from '../model/impact.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'

type Value = JsonValue | undefined
type Judge = (before: Value, after: Value) => SchemaEffect

/** What people read and the API server does not. */
const DOCUMENTATION: ReadonlySet<string> = new Set(['description', 'title', 'example', 'externalDocs'])

/** Whether a change of the keyword is a change of documentation. */
export function isDocumentation(keyword: string): boolean {
  return DOCUMENTATION.has(keyword)
}

/**
 * What it means that a keyword of one field has another value, for those that say nothing of other fields. A keyword that
 * is not known here may refuse what it is set on. Source: the API reference of Kubernetes, `JSONSchemaProps`.
 */
export function effectOfKeyword(keyword: string, before: Value, after: Value): SchemaEffect {
  return (judges.get(keyword) ?? mayRefuse)(before, after)
}

const mayRefuse: Judge = (_before, after) => (after === undefined ? 'loosens' : 'tightens')

const lowerBound: Judge = (before, after) => boundEffect(before, after, (old, now) => now < old)
const upperBound: Judge = (before, after) => boundEffect(before, after, (old, now) => now > old)
const multiple: Judge = (before, after) =>
  boundEffect(before, after, (old, now) => typeof old === typeof now && Number(old) % Number(now) === 0)

function boundEffect(before: Value, after: Value, isLooser: (old: Amount, now: Amount) => boolean): SchemaEffect {
  if (after === undefined) return 'loosens'
  return isAmount(before) && isAmount(after) && isLooser(before, after) ? 'loosens' : 'tightens'
}

type Amount = number | bigint

function isAmount(value: Value): value is Amount {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** `false` and absent mean the same. */
function flag(set: SchemaEffect, cleared: SchemaEffect): Judge {
  return (before, after) => (after === true ? set : before === true ? cleared : 'changes')
}

const changesOnly: Judge = () => 'changes'

/** Formats by which those before them are included. */
const WIDER: ReadonlyMap<string, string> = new Map([
  ['int32', 'int64'],
  ['float', 'double'],
])

const format: Judge = (before, after) =>
  typeof before === 'string' && WIDER.get(before) === after ? 'loosens' : mayRefuse(before, after)

/** One more condition may refuse, one more alternative accepts. */
const allOf: Judge = (before, after) => ofSchemas(before, after, { more: 'tightens', fewer: 'loosens' })
const anyOf: Judge = (before, after) => ofSchemas(before, after, { more: 'loosens', fewer: 'tightens' })

function ofSchemas(
  before: Value,
  after: Value,
  { fewer, more }: Readonly<Record<'more' | 'fewer', SchemaEffect>>,
): SchemaEffect {
  if (before === undefined || after === undefined) return mayRefuse(before, after)
  if (!isJsonArray(before) || !isJsonArray(after)) return 'tightens'
  const [old, now] = [contents(before), contents(after)]
  const [isMore, isFewer] = [!now.isSubsetOf(old), !old.isSubsetOf(now)]
  if (isMore && isFewer) return 'tightens'
  return isMore ? more : isFewer ? fewer : 'changes'
}

function contents(schemas: readonly JsonValue[]): ReadonlySet<string> {
  return new Set(schemas.map((schema) => canonicalJson(withoutDocumentation(schema))))
}

/** A list that is a set or a map refuses what is twice in it; source: docs/sources.md#kubernetes-crd-schemas. */
const listType: Judge = (before, after) => {
  if (after === 'set' || after === 'map') return 'tightens'
  return before === 'set' || before === 'map' ? 'loosens' : 'changes'
}

const judges: ReadonlyMap<string, Judge> = new Map([
  ['minimum', lowerBound],
  ['minLength', lowerBound],
  ['minItems', lowerBound],
  ['minProperties', lowerBound],
  ['maximum', upperBound],
  ['maxLength', upperBound],
  ['maxItems', upperBound],
  ['maxProperties', upperBound],
  ['multipleOf', multiple],
  ['exclusiveMinimum', flag('tightens', 'loosens')],
  ['exclusiveMaximum', flag('tightens', 'loosens')],
  ['uniqueItems', flag('tightens', 'loosens')],
  ['format', format],
  ['nullable', flag('loosens', 'tightens')],
  ['default', changesOnly],
  // The order of their items: all else is said of each item.
  ['required', changesOnly],
  ['enum', changesOnly],
  ['x-kubernetes-validations', changesOnly],
  ['id', changesOnly],
  ['$schema', changesOnly],
  ['allOf', allOf],
  ['anyOf', anyOf],
  ['x-kubernetes-list-type', listType],
  ['x-kubernetes-map-type', changesOnly],
  // What the schema does not name is pruned; so are apiVersion, kind and metadata of what is no embedded object.
  ['x-kubernetes-preserve-unknown-fields', flag('loosens', 'removes')],
  ['x-kubernetes-embedded-resource', flag('tightens', 'removes')],
])

/** The type of values as people say it: `string`, `integer or string`, `any`. */
export function typeOf(schema: JsonObject): string {
  if (schema['x-kubernetes-int-or-string'] === true) return INT_OR_STRING
  return typeof schema.type === 'string' ? schema.type : ANY
}

const INT_OR_STRING = 'integer or string'
const ANY = 'any'

export function effectOfType(before: string, after: string): SchemaEffect {
  if (before === after) return 'changes'
  const isWider =
    after === ANY ||
    (after === 'number' && before === 'integer') ||
    (after === INT_OR_STRING && (before === 'integer' || before === 'string'))
  return isWider ? 'loosens' : 'tightens'
}

/** Deeper schemas are compared as they are. */
export const MAX_SCHEMA_DEPTH = 100

/** A schema without what is written for people, at any depth. A field that is called `description` stays. */
export function withoutDocumentation(schema: JsonValue, depth = 0): JsonValue {
  if (depth > MAX_SCHEMA_DEPTH) return schema
  if (isJsonArray(schema)) return schema.map((one) => withoutDocumentation(one, depth + 1))
  if (!isJsonObject(schema)) return schema
  const entries = Object.entries(schema).flatMap(([keyword, value]) => {
    if (value === undefined || isDocumentation(keyword)) return []
    if (OF_SCHEMAS.has(keyword)) return [[keyword, withoutDocumentation(value, depth + 1)] as const]
    if (BY_NAME.has(keyword) && isJsonObject(value)) return [[keyword, eachWithout(value, depth + 1)] as const]
    return [[keyword, value] as const]
  })
  return Object.fromEntries(entries)
}

function eachWithout(schemas: JsonObject, depth: number): JsonObject {
  const entries = Object.entries(schemas).map(([name, schema]) => [
    name,
    schema === undefined ? schema : withoutDocumentation(schema, depth + 1),
  ])
  return Object.fromEntries(entries)
}

const OF_SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
])
const BY_NAME: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions'])
