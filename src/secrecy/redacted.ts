import { defined } from '../model/defined.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { Secrets } from '../ports.ts'

/** Names of things print as they are (docs/decisions/0010): without them no reader could tell what is meant. */
const PRINTED_AS_IS: ReadonlySet<string> = new Set([
  'ref',
  'id',
  'operationId',
  'file',
  'release',
  'namespace',
  'kind',
  'apiVersion',
  'image',
  'pod',
  'container',
])

/** Fields that hold a whole object: foreign keys, of which any may be called `file` or `id`. */
const OBJECTS: ReadonlySet<string> = new Set(['before', 'after'])

/**
 * A plan, an event or a pass with every secret value taken out of its texts, before they are escaped for Markdown or the
 * log: an escaped secret would not be found any more, and in the finished text nobody could tell a name from a value.
 */
export function redacted<T>(value: T, secrets: Secrets): T {
  return redactDeep(value, secrets) as T
}

function redactDeep(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return secrets.redact(value)
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (PRINTED_AS_IS.has(key)) return [key, member]
      return [key, OBJECTS.has(key) ? redactObject(member, secrets) : redactDeep(member, secrets)]
    }),
  )
}

/** A Kubernetes object: what it is and the images of its containers stay. */
function redactObject(object: JsonObject | undefined, secrets: Secrets): JsonValue | undefined {
  if (!isJsonObject(object)) return redactDeep(object, secrets) as JsonValue | undefined
  const { apiVersion, kind, metadata, ...rest } = object
  const named = isJsonObject(metadata) ? { name: metadata.name, namespace: metadata.namespace } : {}
  const about = isJsonObject(metadata) ? { metadata: { ...redactValues(metadata, secrets), ...defined(named) } } : {}
  return { ...defined({ apiVersion, kind }), ...about, ...redactValues(rest, secrets) }
}

function redactValues(object: JsonObject, secrets: Secrets): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, redactValue(value, secrets, key)]))
}

function redactValue(value: JsonValue | undefined, secrets: Secrets, key: string): JsonValue | undefined {
  if (typeof value === 'string') return secrets.redact(value)
  if (isJsonObject(value)) return redactValues(value, secrets)
  if (!isJsonArray(value)) return value
  return value.map((item) => {
    const shown = redactValue(item, secrets, key) ?? null
    const isContainer = /^(init|ephemeral)?containers$/i.test(key) && isJsonObject(item) && isJsonObject(shown)
    return isContainer ? { ...shown, ...defined({ image: item.image }) } : shown
  })
}
