import { builtInKind } from '../../manifest/built-in-kinds.ts'
import { defined } from '../../model/defined.ts'
import type { Impact } from '../../model/impact.ts'
import type { JsonObject } from '../../model/object.ts'
import type { RenamedFrom } from '../../model/plan.ts'
import { type Ref, refKey } from '../../model/ref.ts'
import type { ShownChange } from './shown-change.ts'

/** What of a row shows that it is half of a renaming. */
interface Renamable {
  readonly ref: Ref
  readonly change: ShownChange
  readonly before?: JsonObject
  readonly after?: JsonObject
  readonly renamedFrom?: RenamedFrom
  readonly impact?: Impact
}

/** What a row is told of the object whose place it takes, or that takes its place. */
export interface Pairing {
  readonly counterpart?: Ref
  /** The counterpart says the same but for its name. */
  readonly isSameBody?: true
  /** Objects that still need the one whose place this one takes. */
  readonly oldUsedBy?: readonly string[]
  /** The workload of another kind that has the same name, and goes or comes with it. */
  readonly otherKind?: Ref
}

/**
 * Rows in which an object that is created knows the one that goes and whose place it takes, and the other way round: to the
 * reader it is one object that changes. A workload that is deleted for one of another kind and the same name knows that
 * one.
 */
export function withRenamedPairs<T extends Renamable>(rows: readonly T[]): readonly (T & Pairing)[] {
  const deleted = new Map(rows.flatMap((row) => (row.change === 'delete' ? [[refKey(row.ref), row] as const] : [])))
  const named = new Map<T, Pairing & Pick<Renamable, 'before'>>()
  for (const row of rows) {
    const { after, ref, renamedFrom } = row
    if (renamedFrom === undefined) continue
    const { isSame, object, ref: old } = renamedFrom
    const same = isSame === true ? ({ isSameBody: true } as const) : {}
    // Where nothing else of it differs there is no diff to read.
    const before = isSame === true ? after : object
    const other = deleted.get(refKey(old))
    const oldUsedBy = other?.impact?.usedBy
    named.set(row, { counterpart: old, ...same, ...defined({ before, oldUsedBy }) })
    if (other !== undefined) named.set(other, { counterpart: ref, ...same })
  }
  for (const { created, deleted: gone } of pairsByWorkload(rows)) {
    if (created.ref.kind === gone.ref.kind || named.has(created) || named.has(gone)) continue
    // What may hold data keeps a row and a body of its own.
    const isApart = builtInKind(gone.ref)?.isPrecious === true
    named.set(created, { otherKind: gone.ref, ...(isApart ? {} : defined({ before: gone.before })) })
    if (!isApart) named.set(gone, { otherKind: created.ref })
  }
  return rows.map((row) => ({ ...row, ...named.get(row) }))
}

interface Pair<T> {
  readonly created: T
  readonly deleted: T
}

/** One that is created and one that is deleted under the same name; none where several could be meant. */
function pairsByWorkload<T extends Renamable>(rows: readonly T[]): readonly Pair<T>[] {
  const [created, deleted] = [rowsBy(rows, 'create'), rowsBy(rows, 'delete')]
  return [...created].flatMap(([key, [ours, ...more]]) => {
    const [theirs, ...others] = deleted.get(key) ?? []
    const isOne = more.length + others.length === 0
    return isOne && ours !== undefined && theirs !== undefined ? [{ created: ours, deleted: theirs }] : []
  })
}

function rowsBy<T extends Renamable>(rows: readonly T[], change: ShownChange): ReadonlyMap<string, readonly T[]> {
  const workloads = rows.filter((row) => row.change === change && builtInKind(row.ref)?.isWorkload === true)
  return Map.groupBy(workloads, ({ ref }) => `${ref.namespace ?? ''}/${ref.name}`)
}
