import { canonicalJson } from '../manifest/canonical-json.ts'
import type { SchemaChange } from '../model/impact.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'

/** A change of a schema at one place. */
export interface PlacedChange extends Pick<SchemaChange, 'what' | 'effect' | 'keyword' | 'fields'> {
  readonly path: string
  readonly before?: readonly JsonValue[]
  readonly after?: readonly JsonValue[]
}

/** Values as a set: in another order they are the same. */
export function valueChanges(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
): readonly PlacedChange[] {
  const [old, now] = [before ?? [], after ?? []]
  if (!isJsonArray(old) || !isJsonArray(now)) return []
  const gone = missingFrom(now, old)
  const fresh = missingFrom(old, now)
  if (gone.length + fresh.length === 0) return []
  const isTighter = after !== undefined && (gone.length > 0 || before === undefined)
  const texts = { ...(gone.length === 0 ? {} : { before: gone }), ...(fresh.length === 0 ? {} : { after: fresh }) }
  return [{ what: 'values', effect: isTighter ? 'tightens' : 'loosens', path, ...texts }]
}

function missingFrom(list: readonly JsonValue[], all: readonly JsonValue[]): readonly JsonValue[] {
  const known = new Set(list.map(canonicalJson))
  return all.filter((one) => !known.has(canonicalJson(one)))
}

/** Rules are told apart by their expression, which is unique in a list: the API server merges them by it. */
export function ruleChanges(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
): readonly PlacedChange[] {
  const [old, now] = [rulesOf(before), rulesOf(after)]
  const ofOld = [...old].flatMap(([rule, body]): readonly PlacedChange[] => {
    const other = now.get(rule)
    if (other === undefined) return [{ what: 'rule', effect: 'loosens', path, before: [rule] }]
    if (canonicalJson(other) === canonicalJson(body)) return []
    // With optionalOldSelf a rule about a transition counts when an object is created, too.
    const isTighter = other.optionalOldSelf === true && body.optionalOldSelf !== true
    return [{ what: 'rule', effect: isTighter ? 'tightens' : 'changes', path, before: [rule], after: [rule] }]
  })
  const fresh = [...now.keys()].filter((rule) => !old.has(rule))
  return [...ofOld, ...fresh.map((rule): PlacedChange => ({ what: 'rule', effect: 'tightens', path, after: [rule] }))]
}

function rulesOf(list: JsonValue | undefined): ReadonlyMap<string, JsonObject> {
  const rules = (isJsonArray(list) ? list : []).filter(isJsonObject)
  return new Map(rules.flatMap((one) => (typeof one.rule === 'string' ? [[one.rule, one] as const] : [])))
}
