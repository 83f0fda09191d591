import type { V1ObjectMeta } from '@kubernetes/client-node'

export type JsonValue = string | number | bigint | boolean | null | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** Any Kubernetes object, as the API server or a manifest gives it. Everything in it is foreign text. */
export interface KubeObject extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

/**
 * A type of the Kubernetes client library as its objects travel: JSON, in which a time is text. A field that may be absent may
 * also be null there (the times of an Event), so it is read with `?.` and `??`.
 */
export type Wire<T> = unknown extends T
  ? JsonValue
  : T extends Date
    ? string
    : T extends readonly (infer Member)[]
      ? readonly Wire<Member>[]
      : T extends object
        ? { readonly [Key in keyof T]: Wire<T[Key]> }
        : T

export interface ObjectMeta extends JsonObject, Wire<V1ObjectMeta> {}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** The value at a path of keys, or undefined where anything on the way is missing or not an object. */
export function at(value: JsonValue | undefined, ...path: readonly (string | number)[]): JsonValue | undefined {
  let here = value
  for (const step of path) {
    if (typeof step === 'number') {
      if (!isJsonArray(here)) return undefined
      here = here[step]
    } else {
      if (!isJsonObject(here) || !Object.hasOwn(here, step)) return undefined
      here = here[step]
    }
  }
  return here
}

export function stringAt(value: JsonValue | undefined, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

export function numberAt(value: JsonValue | undefined, ...path: readonly (string | number)[]): number | undefined {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : undefined
}

export function arrayAt(value: JsonValue | undefined, ...path: readonly (string | number)[]): readonly JsonValue[] {
  const found = at(value, ...path)
  return isJsonArray(found) ? found : []
}

/** The texts of the list at the path; empty where there is none. */
export function stringsAt(value: JsonValue | undefined, ...path: readonly (string | number)[]): readonly string[] {
  return arrayAt(value, ...path).filter((one) => typeof one === 'string')
}
