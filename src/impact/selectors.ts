import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'

/** Source: the API reference of Kubernetes, `LabelSelector`. An empty selector selects every pod, a missing one none. */
export function selects(selector: JsonValue | undefined, labels: JsonObject): boolean {
  if (!isJsonObject(selector)) return false
  const wanted = at(selector, 'matchLabels')
  const isEqual = Object.entries(isJsonObject(wanted) ? wanted : {}).every(([key, value]) => labels[key] === value)
  return isEqual && arrayAt(selector, 'matchExpressions').every((one) => fulfils(one, labels))
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
