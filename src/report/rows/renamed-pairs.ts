import { builtInKind, kindNames } from '../../manifest/built-in-kinds.ts'
import { sameButName } from '../../manifest/same-body.ts'
import type { Impact } from '../../model/impact.ts'
import { isJsonObject, type JsonObject } from '../../model/object.ts'
import { groupOf, type Ref } from '../../model/ref.ts'
import type { ShownChange } from './shown-change.ts'

/** What of a row shows that it is half of a renaming. */
interface Renamable {
  readonly ref: Ref
  readonly change: ShownChange
  readonly before?: JsonObject
  readonly after?: JsonObject
  readonly impact?: Impact
}

/** What a row is told of the object whose place it takes, or that takes its place. */
export interface Pairing {
  readonly counterpart?: Ref
  /** The counterpart says the same but for its name. */
  readonly isSameBody?: true
  /** The workload of another kind that has the same name, and goes or comes with it. */
  readonly otherKind?: Ref
}

/** Deleting one of these takes data or other objects with it, whatever comes in its place. */
const PRECIOUS: ReadonlySet<string> = kindNames(({ isPrecious }) => isPrecious)

/**
 * Rows in which an object that is created knows the one that goes and whose place it takes, and the other way round: to the
 * reader it is one object that changes. They are found by a hash or a version at the end of their names (as kustomize's
 * generators write it, and charts that name a Job by its version), or because they say the same. A workload that is
 * deleted for one of another kind and the same name knows that one.
 */
export function withRenamedPairs<T extends Renamable>(rows: readonly T[]): readonly (T & Pairing)[] {
  const byName = pairsBy(rows, nameWithoutSuffix)
  const named = new Map<T, Pairing & Pick<Renamable, 'before'>>()
  for (const { created, deleted } of byName) {
    const isComparable = builtInKind(created.ref)?.isNamedByHash === true && deleted.before !== undefined
    const before = isComparable ? renamed(deleted.before, created.ref.name) : undefined
    named.set(created, { counterpart: deleted.ref, ...(before === undefined ? {} : { before }) })
    named.set(deleted, { counterpart: created.ref })
  }
  for (const { created, deleted } of sameBodyPairs(rows.filter((row) => !named.has(row)))) {
    // Nothing else of it differs: there is no diff to read.
    const before = created.after === undefined ? {} : { before: created.after }
    named.set(created, { counterpart: deleted.ref, isSameBody: true, ...before })
    named.set(deleted, { counterpart: created.ref, isSameBody: true })
  }
  for (const { created, deleted } of pairsBy(rows, workloadName)) {
    if (created.ref.kind === deleted.ref.kind) continue
    named.set(created, { otherKind: deleted.ref })
    if (!PRECIOUS.has(deleted.ref.kind)) named.set(deleted, { otherKind: created.ref })
  }
  return rows.map((row) => ({ ...row, ...named.get(row) }))
}

interface Pair<T> {
  readonly created: T
  readonly deleted: T
}

/** One that is created and one that is deleted by the same key; none where several could be meant. */
function pairsBy<T extends Renamable>(rows: readonly T[], keyOf: (ref: Ref) => string | undefined): readonly Pair<T>[] {
  const [created, deleted] = [rowsBy(rows, 'create', keyOf), rowsBy(rows, 'delete', keyOf)]
  return [...created].flatMap(([key, ours]) => pairOf(ours, deleted.get(key)))
}

function rowsBy<T extends Renamable>(
  rows: readonly T[],
  change: ShownChange,
  keyOf: (ref: Ref) => string | undefined,
): ReadonlyMap<string, readonly T[]> {
  const keyed = rows.flatMap((row) => {
    const key = row.change === change ? keyOf(row.ref) : undefined
    return key === undefined ? [] : [{ row, key }]
  })
  const groups = Map.groupBy(keyed, ({ key }) => key)
  return new Map([...groups].map(([key, all]) => [key, all.map(({ row }) => row)]))
}

function pairOf<T>(created: readonly T[], deleted: readonly T[] = []): readonly Pair<T>[] {
  const [[ours, ...more], [theirs, ...others]] = [created, deleted]
  const isOne = more.length + others.length === 0
  return isOne && ours !== undefined && theirs !== undefined ? [{ created: ours, deleted: theirs }] : []
}

/** Kind, namespace and name without the hash or version; undefined where the name ends in none. */
function nameWithoutSuffix(ref: Ref): string | undefined {
  if (PRECIOUS.has(ref.kind)) return undefined
  const kind = builtInKind(ref)
  const [, base, suffix = ''] = VERSIONED.exec(ref.name) ?? []
  // A lone number may count objects side by side, but not those that run to their end.
  if (base !== undefined && (/[.-]/.test(suffix) || kind?.runsToEnd === true)) return `${placeOf(ref)}/${base}`
  const dash = ref.name.lastIndexOf('-')
  const last = ref.name.slice(dash + 1)
  const isKnown = kind?.isNamedByHash === true ? isHash(last) : isHexHash(last)
  return dash > 0 && isKnown ? `${placeOf(ref)}/${ref.name.slice(0, dash)}` : undefined
}

/** `index-2-5-0`, `index-v2.5`; `migrate-13`. */
const VERSIONED = /^(.+?)-(v?\d{1,9}(?:[.-]\d{1,9}){0,3})$/

/** A digit in it, or no vowel at all, as kustomize writes hashes: `production` and `staging` are none. */
function isHash(suffix: string): boolean {
  return /^[a-z0-9]{6,64}$/.test(suffix) && (/\d/.test(suffix) || !/[aeiou]/.test(suffix))
}

/** `ff06c244`: of a commit, or of what the object holds. */
function isHexHash(suffix: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(suffix) && /\d/.test(suffix) && /[a-f]/.test(suffix)
}

/** More of one kind than this come and go because more changed than names. */
const MAX_COMPARED = 50

/** What comes and goes of one kind and namespace, and says the same. */
function sameBodyPairs<T extends Renamable>(rows: readonly T[]): readonly Pair<T>[] {
  const [created, deleted] = [rowsBy(rows, 'create', comparedAt), rowsBy(rows, 'delete', comparedAt)]
  return [...created].flatMap(([place, ours]) => {
    const theirs = deleted.get(place) ?? []
    if (Math.max(ours.length, theirs.length) > MAX_COMPARED) return []
    const pairs = ours.flatMap((one) => theirs.filter((other) => isRenamed(one, other)).map((other) => [one, other]))
    return pairs.flatMap(([one, other]) => {
      const isOnly = pairs.every(([a, b]) => (a === one) === (b === other))
      return isOnly && one !== undefined && other !== undefined ? [{ created: one, deleted: other }] : []
    })
  })
}

function comparedAt(ref: Ref): string | undefined {
  return PRECIOUS.has(ref.kind) ? undefined : placeOf(ref)
}

/** Rights are told in any case, and what is hidden cannot be compared. */
function isRenamed(created: Renamable, deleted: Renamable): boolean {
  if (created.after === undefined || deleted.before === undefined) return false
  if (created.impact?.risk === 'access' || isMasked(created.after) || isMasked(deleted.before)) return false
  return sameButName({ ...deleted.ref, body: deleted.before }, { ...created.ref, body: created.after })
}

function isMasked(object: JsonObject): boolean {
  return (
    JSON.stringify(object, (_key, value) => (typeof value === 'bigint' ? String(value) : value)).match(
      /\(hidden\b|\*\*\*/,
    ) !== null
  )
}

/** Kinds that run pods, by the name that they share. */
function workloadName(ref: Ref): string | undefined {
  return builtInKind(ref)?.isWorkload === true ? `${ref.namespace ?? ''}/${ref.name}` : undefined
}

function placeOf(ref: Ref): string {
  return `${groupOf(ref.apiVersion)}/${ref.kind}/${ref.namespace ?? ''}`
}

/** The old body under the new name: the title names the renaming. */
function renamed(body: JsonObject | undefined, name: string): JsonObject | undefined {
  if (body === undefined) return undefined
  const { metadata } = body
  return isJsonObject(metadata) ? { ...body, metadata: { ...metadata, name } } : body
}
