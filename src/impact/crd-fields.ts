import { arrayAt, at, isJsonArray, isJsonObject, type JsonObject } from '../model/object.ts'
import { type FieldDifference, fieldDifferences } from './fields.ts'
import { isEqual } from './side-by-side.ts'

/**
 * Every field of a CustomResourceDefinition that differs; the schema of a version counts as one field, because it can
 * hold thousands. Complexity: linear in the size of both.
 */
export function crdDifferences(before: JsonObject, after: JsonObject): readonly FieldDifference[] {
  return fieldDifferences(withBriefSchemas(before, after, 'before'), withBriefSchemas(after, before, 'after'))
}

/** A word stands for each schema, the same in both where the schemas are the same. */
function withBriefSchemas(crd: JsonObject, other: JsonObject, word: string): JsonObject {
  const spec = at(crd, 'spec')
  if (!isJsonObject(spec) || !isJsonArray(spec.versions)) return crd
  const schemas = new Map(versionsOf(other).map(({ name, schema }) => [name, schema]))
  const versions = spec.versions.map((version) => {
    if (!isJsonObject(version) || version.schema === undefined) return version
    return { ...version, schema: isEqual(version.schema, schemas.get(version.name)) ? 'same' : word }
  })
  return { ...crd, spec: { ...spec, versions } }
}

function versionsOf(crd: JsonObject): readonly JsonObject[] {
  return arrayAt(crd, 'spec', 'versions').filter(isJsonObject)
}
