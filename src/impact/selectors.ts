import { canonicalJson } from '../manifest/canonical-json.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'

/** Source: the API reference of Kubernetes, `LabelSelector`. An empty selector selects every pod, a missing one none. */
export function selects(selector: JsonValue | undefined, labels: JsonObject): boolean {
  if (!isJsonObject(selector)) return false
  const wanted = at(selector, 'matchLabels')
  const isEqual = Object.entries(isJsonObject(wanted) ? wanted : {}).every(([key, value]) => labels[key] === value)
  return isEqual && arrayAt(selector, 'matchExpressions').every((one) => fulfils(one, labels))
}

/** Of a Service. */
export function selectsPods(service: JsonObject, labels: JsonObject): boolean {
  const matchLabels = at(service, 'spec', 'selector')
  return isJsonObject(matchLabels) && Object.keys(matchLabels).length > 0 && selects({ matchLabels }, labels)
}

function fulfils(expression: JsonValue, labels: JsonObject): boolean {
  const key = stringAt(expression, 'key') ?? ''
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  const isOneOf = value !== undefined && arrayAt(expression, 'values').includes(value)
  switch (stringAt(expression, 'operator')) {
    case 'In':
      return isOneOf
    case 'NotIn':
      return !isOneOf
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return false
  }
}

/** What a change lets through compared with before; `other`: neither only more nor only less. */
export type Width = 'same' | 'wider' | 'narrower' | 'other'

/** Whether a selector comes to select more. A missing one, like an empty one, selects everything, as webhooks have it. */
export function selectorWidth(before: JsonValue | undefined, after: JsonValue | undefined): Width {
  const [old, now] = [requirementsOf(before), requirementsOf(after)]
  const demands = (some: readonly Requirement[], others: readonly Requirement[]) =>
    others.every((other) => some.some((one) => impliesOther(one, other)))
  return widthOf(demands(old, now), demands(now, old))
}

/** As `kubectl` takes it: `a=b,c in (d, e)`; empty for what selects everything. Undefined where that is long. */
export function selectorText(selector: JsonValue | undefined): string | undefined {
  const parts = requirementsOf(selector).map(({ key, operator, values }) => {
    const all = [...values].join(', ')
    switch (operator) {
      case 'In':
        return values.size === 1 ? `${key}=${all}` : `${key} in (${all})`
      case 'NotIn':
        return values.size === 1 ? `${key}!=${all}` : `${key} notin (${all})`
      default:
        return operator === 'DoesNotExist' ? `!${key}` : key
    }
  })
  const text = parts.join(',')
  return text.length > MAX_TEXT_CHARS ? undefined : text
}

const MAX_TEXT_CHARS = 60

/** Whether fewer conditions have to be met: all of them count. */
export function conditionsWidth(before: readonly JsonValue[], after: readonly JsonValue[]): Width {
  const [old, now] = [before, after].map((all) => new Set(all.map((one) => canonicalJson(one))))
  return old === undefined || now === undefined ? 'other' : widthOf(now.isSubsetOf(old), old.isSubsetOf(now))
}

function widthOf(isWithinNew: boolean, isWithinOld: boolean): Width {
  if (isWithinNew) return isWithinOld ? 'same' : 'wider'
  return isWithinOld ? 'narrower' : 'other'
}

interface Requirement {
  readonly key: string
  readonly operator: string
  readonly values: ReadonlySet<JsonValue>
}

function requirementsOf(selector: JsonValue | undefined): readonly Requirement[] {
  const labels = at(selector, 'matchLabels')
  const equal = Object.entries(isJsonObject(labels) ? labels : {}).map(([key, value]) => ({
    key,
    operator: 'In',
    values: new Set(value === undefined ? [] : [value]),
  }))
  const others = arrayAt(selector, 'matchExpressions').map((expression) => ({
    key: stringAt(expression, 'key') ?? '',
    operator: stringAt(expression, 'operator') ?? '',
    values: new Set(arrayAt(expression, 'values')),
  }))
  return [...equal, ...others]
}

/** Whether all labels that meet the first requirement meet the second one. */
function impliesOther(one: Requirement, other: Requirement): boolean {
  if (one.key !== other.key) return false
  switch (`${one.operator} ${other.operator}`) {
    case 'In In':
      return one.values.isSubsetOf(other.values)
    case 'In NotIn':
      return one.values.isDisjointFrom(other.values)
    case 'NotIn NotIn':
      return other.values.isSubsetOf(one.values)
    case 'In Exists':
    case 'Exists Exists':
    case 'DoesNotExist DoesNotExist':
    case 'DoesNotExist NotIn':
      return true
    default:
      return false
  }
}
