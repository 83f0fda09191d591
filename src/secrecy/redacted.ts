import { defined } from '../model/defined.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { Secrets } from '../ports.ts'
import type { AsIs, Rule } from './as-is.ts'

declare const mark: unique symbol

/** A value without secrets. A plain value is never taken for one: only this file makes them. */
export interface Redacted<T> {
  readonly [mark]: true
  readonly value: T
}

/** Text that may leave: redacted by whoever prints it, or made of redacted values. */
export type Outgoing = string | Redacted<string>

/**
 * A plan, an event or a run with every secret value taken out of its texts, but for those that `asIs` names. It comes
 * before texts are escaped for Markdown or the log: an escaped secret would not be found any more, and in the finished
 * text a name cannot be told from a value.
 */
export function redacted<T>(value: T, asIs: AsIs<NoInfer<T>>, secrets: Secrets): Redacted<T> {
  return markRedacted(redactDeep(value, asIs as Rule, secrets) as T)
}

/** What follows from a redacted value alone. */
export function madeFrom<T, U>(source: Redacted<T>, make: (value: T) => U): Redacted<U> {
  return markRedacted(make(source.value))
}

export function eachOf<T>(list: Redacted<readonly T[]>): readonly Redacted<T>[] {
  return list.value.map(markRedacted)
}

export function redactedText(text: string, secrets: Secrets): Redacted<string> {
  return markRedacted(secrets.redact(text))
}

/** The name or the address of a thing: ours, it prints as it is (docs/decisions/0010). */
export function asName(name: string): Redacted<string> {
  return markRedacted(name)
}

function markRedacted<T>(value: T): Redacted<T> {
  return { value } as Redacted<T>
}

function redactDeep(value: unknown, rule: Rule | undefined, secrets: Secrets): unknown {
  if (rule === 'word' || rule === 'fact') return value
  if (rule === 'name') return redactNamesIn(value, secrets)
  if (typeof value === 'string') return secrets.redact(value)
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, rule, secrets))
  if (typeof value !== 'object' || value === null) return value
  if (rule === 'object') return redactObject(value as JsonObject, secrets)
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const own = rule !== undefined && Object.hasOwn(rule, key) ? rule[key] : undefined
      return [key, redactDeep(member, own, secrets)]
    }),
  )
}

/** A name, a list of names or a map of them, keys as well. */
function redactNamesIn(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return secrets.redactNames(value)
  if (Array.isArray(value)) return value.map((item) => redactNamesIn(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [secrets.redactNames(key), redactNamesIn(member, secrets)]),
  )
}

/** A Kubernetes object, whose keys are foreign: what it is and the images of its containers count as names. */
function redactObject({ apiVersion, kind, metadata, ...rest }: JsonObject, secrets: Secrets): JsonObject {
  const named = isJsonObject(metadata)
    ? { name: redactedName(metadata.name, secrets), namespace: redactedName(metadata.namespace, secrets) }
    : {}
  const about = isJsonObject(metadata) ? { metadata: { ...redactValues(metadata, secrets), ...defined(named) } } : {}
  return { ...defined({ apiVersion, kind }), ...about, ...redactValues(rest, secrets) }
}

function redactValues(object: JsonObject, secrets: Secrets): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [secrets.redactNames(key), redactValue(value, secrets, key)]),
  )
}

function redactedName(name: JsonValue | undefined, secrets: Secrets): JsonValue | undefined {
  return typeof name === 'string' ? secrets.redactNames(name) : name
}

function redactValue(value: JsonValue | undefined, secrets: Secrets, key: string): JsonValue | undefined {
  if (typeof value === 'string') return secrets.redact(value)
  if (isJsonObject(value)) return redactValues(value, secrets)
  if (!isJsonArray(value)) return value
  return value.map((item) => {
    const clean = redactValue(item, secrets, key) ?? null
    const isContainer = /^(init|ephemeral)?containers$/i.test(key) && isJsonObject(item) && isJsonObject(clean)
    return isContainer ? { ...clean, ...defined({ image: redactedName(item.image, secrets) }) } : clean
  })
}
