import { withoutBookkeeping } from '../manifest/bookkeeping.ts'
import type { Resource } from '../model/directives.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'

const HIDDEN = '(hidden)'
const CHANGED = '(hidden, changed)'

/**
 * `before` and `after` for the reader of the plan: without bookkeeping, and with every value of a Secret (or of an object
 * marked `werf.io/sensitive`) replaced by a word that tells only whether it changed.
 */
export function maskedPair(
  resource: Resource,
  before: JsonObject | undefined,
  after: JsonObject,
): { readonly before?: JsonObject; readonly after: JsonObject } {
  const clean = {
    before: before === undefined ? undefined : withoutBookkeeping(before),
    after: withoutBookkeeping(after),
  }
  const fields = hiddenFields(resource)
  const maskedAfter = mask(clean.after, clean.before, fields, before === undefined ? HIDDEN : CHANGED)
  if (clean.before === undefined) return { after: maskedAfter }
  return { before: mask(clean.before, clean.after, fields, HIDDEN), after: maskedAfter }
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

function mask(
  object: JsonObject,
  other: JsonObject | undefined,
  fields: ReadonlySet<string> | 'all',
  changed: string,
): JsonObject {
  const isHidden = (field: string) => (fields === 'all' ? !SHOWN_ALWAYS.has(field) : fields.has(field))
  return Object.fromEntries(
    Object.entries(object).map(([field, value]) => [
      field,
      value !== undefined && isHidden(field) ? hide(value, other?.[field], changed) : value,
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
