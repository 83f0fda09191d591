import { at, isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import { groupOf } from '../model/ref.ts'
import { isBuiltIn, isBuiltInGroup } from './built-in-kinds.ts'
import { sameScalar } from './compare.ts'
import { isOurApply, managerEntries } from './field-managers.ts'
import { childAt, type FieldSet, parseFieldSet } from './field-set.ts'
import { pathsNoLongerApplied } from './managed-fields.ts'
import { equalQuantities } from './quantity.ts'
import { withSecretData } from './secret-data.ts'
import { serverChosen } from './server-chosen.ts'

export interface HeldOptions {
  /** The body was applied before, by the newest revision: inside of a value that our apply owns as a whole, more is defaults. */
  readonly isAsRecorded: boolean
  /** The kind has a subresource `status`: an apply of the object leaves the status as it is. */
  readonly hasStatus: boolean
}

/**
 * Whether applying `body` would leave the live object as it is: known from its values and its managed fields alone
 * (docs/decisions/0037). False where that is not certain.
 */
export function holdsAlready(live: KubeObject, body: KubeObject, { isAsRecorded, hasStatus }: HeldOptions): boolean {
  const ours = appliedFields(live)
  const isOurs = ours !== undefined && pathsNoLongerApplied(live, body).length === 0
  if (!isAsRecorded && !isOurs) return false
  const { status: _status, ...withoutStatus } = withSecretData(body)
  const sent = hasStatus ? withoutStatus : withSecretData(body)
  const group = groupOf(body.apiVersion)
  const chosen = new Set(serverChosen(live, body).map((path) => JSON.stringify(path)))
  const rules: Rules = {
    isAsRecorded,
    isBuiltIn: isBuiltInGroup(group),
    hasQuantities: isBuiltInGroup(group) && !isBuiltIn(body, 'CustomResourceDefinition'),
    isChosen: (path) => chosen.has(JSON.stringify(path)),
  }
  return Object.entries(sent).every(([key, value]) => {
    const owned = ownedBelow(ours, key, live)
    // The maps of metadata, and the data of a Secret, are merged key by key.
    const isMerged = key === 'metadata' || (key === 'data' && isBuiltIn(body, 'Secret'))
    return holds(at(live, key), value, { path: [key], owned, isMerged }, rules)
  })
}

/** What our own apply owns, in the version in which the object was read. */
function appliedFields(live: KubeObject): FieldSet | undefined {
  const entry = managerEntries(live).find((one) => isOurApply(one) && one.apiVersion === live.apiVersion)
  return entry === undefined ? undefined : parseFieldSet(entry.fieldsV1)
}

/** What our own apply owns of a value: nothing, parts of it, or all, as one. */
type Owned = FieldSet | 'whole' | undefined

interface Place {
  readonly path: readonly string[]
  readonly owned: Owned
  readonly isMerged: boolean
}

interface Rules {
  readonly isAsRecorded: boolean
  readonly isBuiltIn: boolean
  readonly hasQuantities: boolean
  readonly isChosen: (path: readonly string[]) => boolean
}

/** Deeper than any object that Kubernetes accepts; what is below is not compared. */
const MAX_DEPTH = 200

function holds(live: JsonValue | undefined, body: JsonValue | undefined, place: Place, rules: Rules): boolean {
  if (body === undefined || sameScalar(live, body)) return true
  if (place.path.length > MAX_DEPTH) return false
  if (live === undefined || live === null) return isStoredAsNothing(body, place, rules)
  if (isJsonObject(live) && isJsonObject(body)) return holdsMap(live, body, place, rules)
  if (isJsonArray(live) && isJsonArray(body)) {
    const isHeld = (item: JsonValue, index: number) =>
      holds(live[index], item, placeAt(place, String(index), live), rules)
    return live.length === body.length && body.every(isHeld)
  }
  if (isRequestToChoose(body) && place.owned !== undefined) return rules.isChosen(place.path)
  return rules.hasQuantities && isQuantity(place.path) && equalQuantities(live, body)
}

/**
 * Keys that `body` lacks: where single keys are owned, they belong to others or are defaults, and an apply leaves them. In a
 * value that is owned as a whole they are defaults, if the same was applied before. Else somebody else has written there.
 */
function holdsMap(live: JsonObject, body: JsonObject, place: Place, rules: Rules): boolean {
  const hasMore = Object.entries(live).some(([key, value]) => value !== undefined && !Object.hasOwn(body, key))
  if (hasMore && !mayHaveMore(place, rules)) return false
  return Object.entries(body).every(([key, value]) => holds(at(live, key), value, placeAt(place, key, live), rules))
}

function mayHaveMore({ isMerged, owned }: Place, { isAsRecorded }: Rules): boolean {
  return isMerged || (owned === 'whole' ? isAsRecorded : owned !== undefined)
}

/**
 * The API server keeps no empty list and no null in its own kinds. Another empty value (0, false, '' or an empty map) may
 * mean something else than none: that it was dropped, and not removed by somebody, shows in that we still own it.
 */
function isStoredAsNothing(body: JsonValue, { owned }: Place, rules: Rules): boolean {
  if (!rules.isBuiltIn) return false
  if (body === null || (isJsonArray(body) && body.length === 0)) return true
  const isEmpty = body === '' || body === 0 || body === false || (isJsonObject(body) && Object.keys(body).length === 0)
  return isEmpty && owned !== undefined
}

function isRequestToChoose(body: JsonValue): boolean {
  return body === null || body === '' || body === 0
}

function placeAt({ isMerged, owned, path }: Place, step: string, live: JsonValue): Place {
  return { path: [...path, step], owned: ownedBelow(owned, step, live), isMerged }
}

function ownedBelow(owned: Owned, step: string, live: JsonValue): Owned {
  if (owned === 'whole' || owned === undefined) return owned
  const child = childAt(owned, step, live)
  if (child === undefined) return undefined
  return child.children.size === 0 ? 'whole' : child
}

/** Maps that hold a quantity for each name, and single fields with the field that they stand in. */
const QUANTITY_MAPS: ReadonlySet<string> = new Set([
  'allocatable',
  'capacity',
  'default',
  'defaultRequest',
  'hard',
  'limits',
  'max',
  'maxLimitRequestRatio',
  'min',
  'overhead',
  'podFixed',
  'requests',
])
const QUANTITY_FIELDS: ReadonlySet<string> = new Set([
  'emptyDir/sizeLimit',
  'resourceFieldRef/divisor',
  'target/averageValue',
  'target/value',
])

function isQuantity(path: readonly string[]): boolean {
  const [parent = '', key = ''] = path.slice(-2)
  return QUANTITY_MAPS.has(parent) || QUANTITY_FIELDS.has(`${parent}/${key}`)
}
