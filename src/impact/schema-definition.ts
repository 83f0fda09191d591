import type { SchemaEffect, VersionState } from '../model/impact.ts'
import { arrayAt, at, isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'
import { withoutDocumentation } from './schema-keywords.ts'
import type { PlacedChange } from './schema-lists.ts'
import { schemaDifferences } from './schema-walk.ts'
import { isEqual, quoted, sideBySide } from './side-by-side.ts'

type Value = JsonValue | undefined

/** What changes of the definition apart from its versions. Takes the `spec` of both. */
export function definitionChanges(before: JsonObject, after: JsonObject): readonly PlacedChange[] {
  return sideBySide(before, after).flatMap(([key, old, now]) => {
    if (key === 'versions' || isEqual(old, now)) return []
    if (key === 'conversion') return [conversionChange(old, now)]
    if (key !== 'names' || !isJsonObject(old) || !isJsonObject(now)) return [keywordChange(key, old, now)]
    return sideBySide(old, now).flatMap(([name, was, is]) =>
      isEqual(was, is) ? [] : [keywordChange(`names.${name}`, was, is)],
    )
  })
}

/** What changes of a version apart from whether it is served, stored or deprecated. */
export function versionChanges(before: JsonObject, after: JsonObject): readonly PlacedChange[] {
  return sideBySide(before, after).flatMap(([key, old, now]) => {
    if (STATE.has(key) || (key !== 'schema' && isEqual(old, now))) return []
    switch (key) {
      case 'schema':
        return schemaDifferences(at(old, 'openAPIV3Schema'), at(now, 'openAPIV3Schema'))
      case 'subresources':
        return ['status', 'scale'].flatMap((name) => subresourceChange(name, at(old, name), at(now, name)))
      case 'additionalPrinterColumns':
        return itemChanges(key, columns(old), columns(now), { fewer: 'changes', more: 'changes' })
      case 'selectableFields':
        return itemChanges(key, selectable(old), selectable(now), { fewer: 'removes', more: 'adds' })
      default:
        return [keywordChange(key, old, now)]
    }
  })
}

const STATE: ReadonlySet<string> = new Set(['name', 'served', 'storage', 'deprecated'])

export function versionState(version: JsonObject): VersionState {
  return {
    isServed: version.served === true,
    isStored: version.storage === true,
    isDeprecated: version.deprecated === true,
  }
}

/** The `spec` without what is written for people: what behaves alike is equal. */
export function specContent(spec: JsonObject): JsonObject {
  const versions = arrayAt(spec, 'versions').map((version) => {
    if (!isJsonObject(version)) return version
    const { additionalPrinterColumns: listed, schema, ...rest } = version
    const tree = at(schema, 'openAPIV3Schema')
    return {
      ...rest,
      ...(isJsonObject(schema) && tree !== undefined
        ? { schema: { ...schema, openAPIV3Schema: withoutDocumentation(tree) } }
        : { schema }),
      additionalPrinterColumns: isJsonArray(listed) ? listed.map(withoutDescription) : listed,
    }
  })
  return { ...spec, ...(isJsonArray(spec.versions) ? { versions } : {}) }
}

/** What a definition is: the API server refuses to change it, and what was served under it is gone. */
const IDENTITY: ReadonlySet<string> = new Set(['group', 'scope', 'names.plural', 'names.kind'])

function keywordChange(keyword: string, before: Value, after: Value): PlacedChange {
  return { what: 'keyword', keyword, effect: effectOf(keyword, before, after), path: '', ...quoted(before, after) }
}

function effectOf(keyword: string, before: Value, after: Value): SchemaEffect {
  if (IDENTITY.has(keyword)) return 'removes'
  if (keyword !== 'preserveUnknownFields') return 'changes'
  return after === true ? 'loosens' : before === true ? 'removes' : 'changes'
}

/** Without a webhook only `apiVersion` is converted, and what the other version does not name is lost. */
function conversionChange(before: Value, after: Value): PlacedChange {
  const [old, now] = [stringAt(before, 'strategy') ?? 'None', stringAt(after, 'strategy') ?? 'None']
  if (old === now) return { what: 'keyword', keyword: 'conversion', effect: 'changes', path: '' }
  const effect = now === 'None' ? 'removes' : 'changes'
  return { what: 'keyword', keyword: 'conversion.strategy', effect, path: '', before: [old], after: [now] }
}

function subresourceChange(name: string, before: Value, after: Value): readonly PlacedChange[] {
  if (isEqual(before, after)) return []
  // With a status of its own, what others write into `status` of the object is ignored.
  const added = name === 'status' ? 'changes' : 'adds'
  const effect = after === undefined ? 'removes' : before === undefined ? added : 'changes'
  return [{ what: 'keyword', keyword: `subresources.${name}`, effect, path: '' }]
}

function itemChanges(
  keyword: string,
  before: ReadonlyMap<string, JsonValue>,
  after: ReadonlyMap<string, JsonValue>,
  { fewer, more }: Readonly<Record<'more' | 'fewer', SchemaEffect>>,
): readonly PlacedChange[] {
  const gone = [...before.keys()].filter((name) => !after.has(name))
  const fresh = [...after.keys()].filter((name) => !before.has(name))
  if (isEqual([...before.values()], [...after.values()])) return []
  const effect = gone.length > 0 ? fewer : fresh.length > 0 ? more : 'changes'
  return [{ what: 'keyword', keyword, effect, path: '', ...quoted(nonEmpty(gone), nonEmpty(fresh)) }]
}

function nonEmpty(names: readonly string[]): readonly string[] | undefined {
  return names.length === 0 ? undefined : names
}

function columns(list: Value): ReadonlyMap<string, JsonValue> {
  return new Map(
    (isJsonArray(list) ? list : []).map((column, index) => [
      stringAt(column, 'name') ?? String(index),
      withoutDescription(column),
    ]),
  )
}

function withoutDescription(column: JsonValue): JsonValue {
  if (!isJsonObject(column)) return column
  const { description: _description, ...rest } = column
  return rest
}

function selectable(list: Value): ReadonlyMap<string, JsonValue> {
  return new Map(
    (isJsonArray(list) ? list : []).map((field, index) => [stringAt(field, 'jsonPath') ?? String(index), field]),
  )
}
