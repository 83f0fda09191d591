import { withoutBookkeeping } from '../manifest/bookkeeping.ts'
import { locate, parseJsonPath } from '../manifest/jsonpath.ts'
import { stepsOf } from '../manifest/pointer.ts'
import type { Resource } from '../model/directives.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'

const HIDDEN = '(hidden)'
const CHANGED = '(hidden, changed)'

/**
 * `before` and `after` for the reader of the plan: without bookkeeping, and with every value of a Secret (or of what
 * `werf.io/sensitive` and `sensitive-paths` name) replaced by a word that tells only whether it changed.
 */
export function maskedPair(
  resource: Resource,
  before: JsonObject | undefined,
  after: JsonObject,
): { readonly before?: JsonObject; readonly after: JsonObject } {
  const new_ = withoutBookkeeping(after)
  if (before === undefined) return { after: masked(resource, new_, undefined, HIDDEN) }
  const old = withoutBookkeeping(before)
  return { before: masked(resource, old, new_, HIDDEN), after: masked(resource, new_, old, CHANGED) }
}

/** `changed`: the word for a value that `other` has not, or has otherwise. */
function masked(resource: Resource, object: JsonObject, other: JsonObject | undefined, changed: string): JsonObject {
  const fields = hiddenFields(resource)
  const isHidden = (field: string) => (fields === 'all' ? !SHOWN_ALWAYS.has(field) : fields.has(field))
  const byField = Object.fromEntries(
    Object.entries(object).map(([field, value]) => [
      field,
      value !== undefined && isHidden(field) ? hide(value, other?.[field], changed) : value,
    ]),
  )
  const pointers = resource.directives.sensitivePaths.flatMap((text) => {
    const path = parseJsonPath(text)
    return 'error' in path ? [] : locate(path, byField as KubeObject)
  })
  return pointers.reduce<JsonObject>(
    (result, pointer) => hideAt(result, other, stepsOf(pointer), changed) as JsonObject,
    byField,
  )
}

/** Top-level fields whose leaves are hidden. Source: engine-semantics B10; `werf.io/sensitive: "false"` shows a Secret. */
function hiddenFields(resource: Resource): ReadonlySet<string> | 'all' {
  const { apiVersion, kind } = resource.manifest.ref
  const { sensitive } = resource.directives
  if (sensitive === false) return new Set()
  if (kind === 'Secret' && apiVersion === 'v1') return new Set(['data', 'stringData'])
  return sensitive === true ? 'all' : new Set()
}

const SHOWN_ALWAYS = new Set(['apiVersion', 'kind', 'metadata'])

function hideAt(value: JsonValue, other: JsonValue | undefined, steps: readonly string[], changed: string): JsonValue {
  const [step, ...rest] = steps
  if (step === undefined) return hide(value, other, changed)
  if (isJsonArray(value)) {
    const others = isJsonArray(other) ? other : []
    return value.map((item, index) => (String(index) === step ? hideAt(item, others[index], rest, changed) : item))
  }
  if (!isJsonObject(value)) return value
  const others = isJsonObject(other) ? other : {}
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === step && item !== undefined ? hideAt(item, others[key], rest, changed) : item,
    ]),
  )
}

function hide(value: JsonValue, other: JsonValue | undefined, changed: string): JsonValue {
  if (isJsonArray(value)) {
    const others = isJsonArray(other) ? other : []
    return value.map((item, index) => hide(item, others[index], changed))
  }
  if (isJsonObject(value)) {
    const others = isJsonObject(other) ? other : {}
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, item === undefined ? item : hide(item, others[key], changed)]),
    )
  }
  return value === other ? HIDDEN : changed
}
