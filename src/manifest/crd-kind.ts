import { type JsonObject, stringAt } from '../model/object.ts'
import { isBuiltIn } from './built-in-kinds.ts'

/** The kind that a CRD defines; undefined for anything else, and for a CRD that names none. */
export function crdKind(object: JsonObject): { readonly group: string; readonly kind: string } | undefined {
  const of = { apiVersion: stringAt(object, 'apiVersion') ?? '', kind: stringAt(object, 'kind') ?? '' }
  if (!isBuiltIn(of, 'CustomResourceDefinition')) return undefined
  const group = stringAt(object, 'spec', 'group')
  const kind = stringAt(object, 'spec', 'names', 'kind')
  return group === undefined || kind === undefined ? undefined : { group, kind }
}
