import type { SchemaImpact, VersionImpact } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject, stringAt } from '../model/object.ts'
import { definitionChanges, specContent, versionChanges, versionState } from './schema-definition.ts'
import { contentKey, countsOfChanges, listedChanges } from './schema-listing.ts'
import type { PlacedChange } from './schema-lists.ts'
import { isEqual } from './side-by-side.ts'

export interface SchemaOptions {
  /** Values of the object are hidden: nothing of them is quoted. */
  readonly isMasked: boolean
}

/**
 * What changes from one CustomResourceDefinition to the other; undefined where nothing does but what is written for
 * people. Of a new one the versions. Complexity: linear in the size of both.
 */
export function schemaImpactOf(
  before: JsonObject | undefined,
  after: JsonObject,
  { isMasked }: SchemaOptions,
): SchemaImpact | undefined {
  const now = specOf(after)
  if (before === undefined) return { ...NOTHING, versions: versionsOf(now).map(newVersion) }
  const old = specOf(before)
  const versions = comparedVersions(old, now)
  const changed = versions.filter(hasChanged)
  const definition = [...definitionChanges(old, now), ...orderChange(old, now)]
  if (definition.length + changed.length === 0) {
    if (isEqual(specContent(old), specContent(now))) return undefined
    definition.push({ what: 'keyword', keyword: 'spec', effect: 'changes', path: '' })
  }
  return {
    changes: listedChanges(definition, isMasked).changes,
    counts: countsOfChanges(eachOnce(changed)),
    versions: changed.map(({ found, ...version }) => ({ ...version, ...listedChanges(found, isMasked) })),
  }
}

/** Whether objects may be refused, lose values or be no longer served. */
export function isRiskySchema({ changes, counts, versions }: SchemaImpact): boolean {
  const losesOrRefuses = changes.some(({ effect }) => effect === 'removes' || effect === 'tightens')
  if (losesOrRefuses || counts.removed + counts.required + counts.tightened > 0) return true
  return versions.some(({ after, before }) => {
    if (before === undefined) return false
    const isUnserved = before.isServed && after?.isServed !== true
    const isUnstored = before.isStored && after?.isStored !== true
    return after === undefined || isUnserved || isUnstored
  })
}

/** A version on both sides, or on one. */
interface Compared extends Pick<VersionImpact, 'name' | 'before' | 'after' | 'comparedWith' | 'isLossy'> {
  readonly found: readonly PlacedChange[]
}

function comparedVersions(before: JsonObject, after: JsonObject): readonly Compared[] {
  const [old, now] = [byName(before), byName(after)]
  const stored = [...old].find(([, version]) => version.storage === true) ?? [...old].at(-1)
  const isConverted = stringAt(after, 'conversion', 'strategy') === 'Webhook'
  const isLossy = (version: JsonObject) => {
    const isNewlyStored = version.storage === true && nameOf(version) !== stored?.[0]
    if (!isNewlyStored || isConverted || stored === undefined) return false
    return versionChanges(stored[1], version).some(({ effect, what }) => what === 'field' && effect === 'removes')
  }
  const kept = [...now].map(([name, version]): Compared => {
    const was = old.get(name)
    const state = { name, after: versionState(version), ...(isLossy(version) ? { isLossy: true as const } : {}) }
    if (was !== undefined) return { ...state, before: versionState(was), found: versionChanges(was, version) }
    if (stored === undefined) return { ...state, found: [] }
    return { ...state, comparedWith: stored[0], found: versionChanges(stored[1], version) }
  })
  const dropped = [...old].filter(([name]) => !now.has(name))
  return [...kept, ...dropped.map(([name, version]) => ({ name, before: versionState(version), found: [] }))]
}

function hasChanged({ after, before, found }: Compared): boolean {
  if (before === undefined || after === undefined || found.length > 0) return true
  return (
    before.isServed !== after.isServed ||
    before.isStored !== after.isStored ||
    before.isDeprecated !== after.isDeprecated
  )
}

/** The changes of versions that stay; what changes in each of them alike counts once. */
function eachOnce(versions: readonly Compared[]): readonly PlacedChange[] {
  const stay = versions.filter(({ before }) => before !== undefined)
  const byPlace = stay.flatMap(({ found }) => found.map((one) => [`${one.path} ${contentKey(one)}`, one] as const))
  return [...new Map(byPlace).values()]
}

function orderChange(before: JsonObject, after: JsonObject): readonly PlacedChange[] {
  const [old, now] = [byName(before), byName(after)]
  const stood = [...old.keys()].filter((name) => now.has(name))
  const stand = [...now.keys()].filter((name) => old.has(name))
  if (stand.every((name, index) => name === stood[index])) return []
  return [{ what: 'keyword', keyword: 'versions', effect: 'changes', path: '', before: stood, after: stand }]
}

const NOTHING = { changes: [], counts: countsOfChanges([]) }

function newVersion(version: JsonObject): VersionImpact {
  return { ...NOTHING, name: nameOf(version), after: versionState(version) }
}

function specOf(crd: JsonObject): JsonObject {
  const spec = at(crd, 'spec')
  return isJsonObject(spec) ? spec : {}
}

function versionsOf(spec: JsonObject): readonly JsonObject[] {
  return arrayAt(spec, 'versions').filter(isJsonObject)
}

function byName(spec: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(versionsOf(spec).map((version) => [nameOf(version), version]))
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : ''
}
