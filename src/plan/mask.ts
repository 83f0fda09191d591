import { withoutBookkeeping } from '../manifest/bookkeeping.ts'
import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { pointerOf, stepsOf } from '../manifest/json-pointer.ts'
import { locate, parseJsonPath } from '../manifest/jsonpath.ts'
import { stepInto } from '../manifest/known-path.ts'
import { secretFields } from '../manifest/secret-data.ts'
import type { Resource } from '../model/directives.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'

const HIDDEN = '(hidden)'
const CHANGED = '(hidden, changed)'

/**
 * `before` and `after` for the reader of the plan: without bookkeeping, and with every value of a Secret (or of what
 * `werf.io/sensitive` and `sensitive-paths` name) replaced by a word that shows only whether it changed.
 */
export function maskedPair(
  resource: Resource,
  before: JsonObject | undefined,
  after: JsonObject,
): { readonly before?: JsonObject; readonly after: JsonObject } {
  const new_ = withoutBookkeeping(after)
  if (before === undefined) return { after: withHidden(resource, new_, () => HIDDEN) }
  const old = withoutBookkeeping(before)
  return {
    before: withHidden(resource, old, () => HIDDEN),
    after: withHidden(resource, new_, (value, other) => (value === other ? HIDDEN : CHANGED), old),
  }
}

/** The text in place of a hidden value; `other`: the value at the same place of the other object. */
export type Hide = (value: JsonValue, other: JsonValue | undefined) => string

/** The object with `hide` applied to every scalar that must not be shown. */
export function withHidden(resource: Resource, object: JsonObject, hide: Hide, other?: JsonObject): JsonObject {
  const fields = hiddenFields(resource.manifest.ref, resource.directives.sensitive)
  const isHidden = (field: string) => (fields === 'all' ? !SHOWN_ALWAYS.has(field) : fields.has(field))
  const byField = Object.fromEntries(
    Object.entries(object).map(([field, value]) => [
      field,
      value !== undefined && isHidden(field) ? hideLeaves(value, other?.[field], hide) : value,
    ]),
  )
  const pointers = resource.directives.sensitivePaths.flatMap((text) => {
    const path = parseJsonPath(text)
    const found = 'error' in path ? [] : locate(path, byField as KubeObject)
    // What a path means cannot be told: rather hide too much than show a secret.
    return 'error' in found ? everyField(byField) : found
  })
  return pointers.reduce<JsonObject>(
    (result, pointer) => hideAt(result, other, stepsOf(pointer), hide) as JsonObject,
    byField,
  )
}

/** Whether what is at these steps of the rendered object must not be shown. */
export function hiddenPlaces(resource: Resource): (steps: readonly string[]) => boolean {
  const { object } = resource.manifest
  const shown = withHidden(resource, object, () => '')
  return (steps) => {
    const [before, after] = [object, shown].map((value) => steps.reduce<JsonValue | undefined>(stepInto, value))
    return before !== after
  }
}

/**
 * Top-level fields whose leaves are hidden. Source: docs/sources.md#nelm-masking; `werf.io/sensitive: "false"` shows a
 * Secret.
 */
export function hiddenFields(
  of: { readonly apiVersion: string; readonly kind: string },
  sensitive: boolean | undefined,
): ReadonlySet<string> | 'all' {
  if (sensitive === false) return new Set()
  if (isBuiltIn(of, 'Secret')) return secretFields
  if (sensitive === true) return 'all'
  // A kind of another group with this name: rather hide too much than show a secret.
  return of.kind === 'Secret' ? secretFields : new Set()
}

function everyField(object: JsonObject): readonly string[] {
  return Object.keys(object).flatMap((field) => (SHOWN_ALWAYS.has(field) ? [] : [pointerOf([field])]))
}

const SHOWN_ALWAYS = new Set(['apiVersion', 'kind', 'metadata'])

function hideAt(value: JsonValue, other: JsonValue | undefined, steps: readonly string[], hide: Hide): JsonValue {
  const [step, ...rest] = steps
  if (step === undefined) return hideLeaves(value, other, hide)
  if (isJsonArray(value)) {
    const others = isJsonArray(other) ? other : []
    return value.map((item, index) => (String(index) === step ? hideAt(item, others[index], rest, hide) : item))
  }
  if (!isJsonObject(value)) return value
  const others = isJsonObject(other) ? other : {}
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === step && item !== undefined ? hideAt(item, others[key], rest, hide) : item,
    ]),
  )
}

function hideLeaves(value: JsonValue, other: JsonValue | undefined, hide: Hide): JsonValue {
  if (isJsonArray(value)) {
    const others = isJsonArray(other) ? other : []
    return value.map((item, index) => hideLeaves(item, others[index], hide))
  }
  if (isJsonObject(value)) {
    const others = isJsonObject(other) ? other : {}
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        item === undefined ? item : hideLeaves(item, others[key], hide),
      ]),
    )
  }
  return hide(value, other)
}
