import { builtInKind } from '../../manifest/built-in-kinds.ts'
import { isJsonObject, type JsonObject } from '../../model/object.ts'
import type { Ref } from '../../model/ref.ts'
import type { ShownChange } from './shown-change.ts'

/** What of a row shows that it is half of a renaming. */
interface Renamable {
  readonly ref: Ref
  readonly change: ShownChange
  readonly before?: JsonObject
}

/**
 * Rows in which a ConfigMap or Secret that is created under a new hash suffix knows the one that goes under the old
 * suffix, and what that one held: to the reader it is one object that changes (kustomize's generators, and charts that
 * do the same).
 */
export function withRenamedPairs<T extends Renamable>(
  rows: readonly T[],
): readonly (T & { readonly counterpart?: Ref })[] {
  const created = byBase(rows, 'create')
  const deleted = byBase(rows, 'delete')
  return rows.map((row) => {
    const base = nameWithoutHash(row)
    if (base === undefined) return row
    const [mine, theirs] = row.change === 'create' ? [created, deleted] : [deleted, created]
    const [counterpart, ...more] = theirs.get(base) ?? []
    if (counterpart === undefined || more.length > 0 || mine.get(base)?.length !== 1) return row
    const before = row.change === 'create' ? counterpart.before : undefined
    return {
      ...row,
      counterpart: counterpart.ref,
      ...(before === undefined ? {} : { before: renamed(before, row.ref.name) }),
    }
  })
}

function byBase<T extends Renamable>(rows: readonly T[], change: ShownChange): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(
    rows.filter((row) => row.change === change && nameWithoutHash(row) !== undefined),
    (row) => nameWithoutHash(row) ?? '',
  )
}

/** Kind, namespace and name without the hash; undefined where the name ends in none. */
function nameWithoutHash({ change, ref }: Renamable): string | undefined {
  if (builtInKind(ref)?.isNamedByHash !== true || (change !== 'create' && change !== 'delete')) return undefined
  const dash = ref.name.lastIndexOf('-')
  return dash > 0 && isHash(ref.name.slice(dash + 1))
    ? `${ref.kind}/${ref.namespace ?? ''}/${ref.name.slice(0, dash)}`
    : undefined
}

/** A digit in it, or no vowel at all, as kustomize writes hashes: `production` and `staging` are none. */
function isHash(suffix: string): boolean {
  return /^[a-z0-9]{6,64}$/.test(suffix) && (/\d/.test(suffix) || !/[aeiou]/.test(suffix))
}

/** The old body under the new name: the title names the renaming. */
function renamed(body: JsonObject, name: string): JsonObject {
  const { metadata } = body
  return isJsonObject(metadata) ? { ...body, metadata: { ...metadata, name } } : body
}
