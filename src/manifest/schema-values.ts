import { RE2JS } from 're2js'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { canonicalJson } from './canonical-json.ts'

/** Why a structural schema refuses the value itself, whatever is in it. */
export function refusals(value: JsonValue, schema: JsonObject): readonly string[] {
  const found: string[] = []
  if (isJsonArray(schema.enum) && !schema.enum.some((one) => canonicalJson(one) === canonicalJson(value))) {
    found.push(`must be one of ${schema.enum.map(canonicalJson).join(', ')}`)
  }
  if (typeof value === 'number' || typeof value === 'bigint') found.push(...numberRefusals(Number(value), schema))
  if (typeof value === 'string') {
    found.push(...sizeRefusals([...value].length, 'characters', [schema.minLength, schema.maxLength]))
    if (typeof schema.pattern === 'string' && !matches(schema.pattern, value))
      found.push(`must match ${schema.pattern}`)
  }
  if (isJsonArray(value)) found.push(...sizeRefusals(value.length, 'items', [schema.minItems, schema.maxItems]))
  if (isJsonObject(value)) {
    const size = Object.keys(value).length
    found.push(...sizeRefusals(size, 'fields', [schema.minProperties, schema.maxProperties]))
  }
  return found
}

function numberRefusals(value: number, schema: JsonObject): readonly string[] {
  const [minimum, maximum, multipleOf] = [schema.minimum, schema.maximum, schema.multipleOf].map(numberOrNone)
  const isBelow = minimum !== undefined && (schema.exclusiveMinimum === true ? value <= minimum : value < minimum)
  const isAbove = maximum !== undefined && (schema.exclusiveMaximum === true ? value >= maximum : value > maximum)
  const isMultiple =
    multipleOf === undefined || ![value, multipleOf].every(Number.isSafeInteger) || value % multipleOf === 0
  return [
    isBelow ? `must be ${schema.exclusiveMinimum === true ? 'more than' : 'at least'} ${minimum}` : '',
    isAbove ? `must be ${schema.exclusiveMaximum === true ? 'less than' : 'at most'} ${maximum}` : '',
    isMultiple ? '' : `must be a multiple of ${multipleOf}`,
  ].filter((what) => what !== '')
}

function sizeRefusals(
  size: number,
  of: string,
  bounds: readonly [JsonValue | undefined, JsonValue | undefined],
): readonly string[] {
  const [least, most] = bounds.map(numberOrNone)
  if (least !== undefined && size < least) return [`must have at least ${least} ${of}`]
  return most !== undefined && size > most ? [`must have at most ${most} ${of}`] : []
}

function numberOrNone(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

/** Patterns are of RE2, as in Go; one that is not is left to the API server. */
function matches(pattern: string, value: string): boolean {
  try {
    return RE2JS.compile(pattern).matcher(value).find()
  } catch {
    return true
  }
}

/** Whether the schema names a type at all. */
export function isTyped(schema: JsonObject): boolean {
  return typeof schema.type === 'string' || schema['x-kubernetes-int-or-string'] === true
}

export function isOfType(value: JsonValue, schema: JsonObject): boolean {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value)
  if (schema['x-kubernetes-int-or-string'] === true) return isInteger || typeof value === 'string'
  switch (schema.type) {
    case 'object':
      return isJsonObject(value)
    case 'array':
      return isJsonArray(value)
    case 'string':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return isInteger
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
    default:
      return true
  }
}

export function typeText(schema: JsonObject): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'an integer or a text'
  switch (schema.type) {
    case 'object':
      return 'a map'
    case 'array':
      return 'a list'
    case 'string':
      return 'a text'
    case 'boolean':
      return 'true or false'
    case 'integer':
      return 'an integer'
    case 'number':
      return 'a number'
    default:
      return 'a value'
  }
}
