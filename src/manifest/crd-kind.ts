import { arrayAt, at, isJsonObject, type JsonObject, stringAt } from '../model/object.ts'
import { isBuiltIn } from './built-in-kinds.ts'

/** The kind that a CRD defines; undefined for anything else, and for a CRD that names none. */
export function crdKind(object: JsonObject): { readonly group: string; readonly kind: string } | undefined {
  const of = { apiVersion: stringAt(object, 'apiVersion') ?? '', kind: stringAt(object, 'kind') ?? '' }
  if (!isBuiltIn(of, 'CustomResourceDefinition')) return undefined
  const group = stringAt(object, 'spec', 'group')
  const kind = stringAt(object, 'spec', 'names', 'kind')
  return group === undefined || kind === undefined ? undefined : { group, kind }
}

/** Names of the versions that the CRD serves; in v1beta1 there may be but one, in a field of its own. */
export function servedVersions(crd: JsonObject): readonly string[] {
  const versions = arrayAt(crd, 'spec', 'versions')
  const [only] = versions.length === 0 ? [stringAt(crd, 'spec', 'version')] : []
  if (only !== undefined) return [only]
  return versions.flatMap((version) => (at(version, 'served') === false ? [] : (stringAt(version, 'name') ?? [])))
}

/** The structural schema of one version; in v1beta1 all versions may share one. */
export function schemaOfVersion(crd: JsonObject, version: string): JsonObject | undefined {
  const own = arrayAt(crd, 'spec', 'versions').find((one) => stringAt(one, 'name') === version)
  const schema = at(own, 'schema', 'openAPIV3Schema') ?? at(crd, 'spec', 'validation', 'openAPIV3Schema')
  return isJsonObject(schema) && at(crd, 'spec', 'preserveUnknownFields') !== true ? schema : undefined
}
