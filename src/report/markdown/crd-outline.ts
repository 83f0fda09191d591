import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../../model/object.ts'
import { plural } from '../words/readiness-text.ts'

/**
 * A CustomResourceDefinition without its schemas: scope, names and versions, and of each version how many fields its
 * schema has. A whole schema would fill a comment and tell nobody anything.
 */
export function crdOutline(crd: JsonObject): JsonObject {
  const spec = at(crd, 'spec')
  const { versions: _versions, ...rest } = isJsonObject(spec) ? spec : {}
  const versions = arrayAt(crd, 'spec', 'versions').filter(isJsonObject).map(versionOutline)
  return { ...crd, spec: { ...rest, versions } }
}

/** `v1: 2 fields more, 1 fewer, 3 otherwise` for each version whose schema changes, as data. */
export function schemaChanges(before: JsonObject, after: JsonObject): readonly SchemaChange[] {
  const old = new Map(versionsOf(before).map((version) => [versionName(version), schemaFields(schemaOf(version))]))
  return versionsOf(after).flatMap((version) => {
    const [was, is] = [old.get(versionName(version)), schemaFields(schemaOf(version))]
    if (was === undefined) return []
    const more = [...is.keys()].filter((field) => !was.has(field)).length
    const fewer = [...was.keys()].filter((field) => !is.has(field)).length
    const otherwise = [...is].filter(([field, text]) => was.has(field) && was.get(field) !== text).length
    return more + fewer + otherwise === 0 ? [] : [{ version: versionName(version), more, fewer, otherwise }]
  })
}

export interface SchemaChange {
  readonly version: string
  readonly more: number
  readonly fewer: number
  readonly otherwise: number
}

/** Schemas nest; the API server itself bounds them by the size of an object. */
const MAX_FIELDS = 20_000

function versionOutline(version: JsonObject): JsonObject {
  const { schema: _schema, ...rest } = version
  const fields = [...schemaFields(schemaOf(version)).keys()].filter((path) => !/(\[\]|\{\})$/.test(path))
  return { ...rest, schema: plural(fields.length, 'field') }
}

function versionsOf(crd: JsonObject): readonly JsonObject[] {
  return arrayAt(crd, 'spec', 'versions').filter(isJsonObject)
}

function versionName(version: JsonObject): string {
  return stringAt(version, 'name') ?? ''
}

function schemaOf(version: JsonObject): JsonValue | undefined {
  return at(version, 'schema', 'openAPIV3Schema')
}

/** Every property of a schema by its path, with what is said of it apart from its own properties. */
function schemaFields(schema: JsonValue | undefined): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  const open: { readonly path: string; readonly node: JsonValue | undefined }[] = [{ path: '', node: schema }]
  for (let next = open.pop(); next !== undefined && fields.size < MAX_FIELDS; next = open.pop()) {
    const { path, node } = next
    if (!isJsonObject(node)) continue
    const { properties, items, additionalProperties, ...own } = node
    if (path !== '')
      fields.set(
        path,
        JSON.stringify(own, (_key, one) => (typeof one === 'bigint' ? String(one) : one)),
      )
    if (isJsonObject(properties)) {
      for (const [key, value] of Object.entries(properties)) open.push({ path: `${path}.${key}`, node: value })
    }
    open.push({ path: `${path}[]`, node: items }, { path: `${path}{}`, node: additionalProperties })
  }
  return fields
}
