import type { FieldChange } from '../../model/impact.ts'
import { refKey } from '../../model/ref.ts'
import { changesOwnMetadataOnly, isOwnMetadata } from '../rows/own-metadata.ts'
import { byRisk, isChangedHook, PRECIOUS_KINDS, riskRank } from '../rows/risk-order.ts'
import { durationMs, type Row } from '../rows/rows.ts'
import { sameChangeKey } from '../rows/same-changes.ts'
import { isNamedOnTop, markedFirst } from './attention-order.ts'
import { attentionPhrase } from './attention-text.ts'
import { plainText } from './phrase.ts'
import { partsPhrase, waitsPhrase, whyPhrase } from './row-text.ts'

/** `rows`: one line per resource, equal and quick ones shared; `kinds`: one line per kind and change. */
export type TableDetail = 'rows' | 'kinds'

/** `plan`: what will happen and why, by risk; `run`: what happened and how long it took, in the order of the run. */
export type TableKind = 'plan' | 'run'

/** One row, or several that share a line. */
export interface Line {
  readonly first: Row
  readonly rows: readonly Row[]
}

/** More equal rows than this share a line. */
const MAX_EQUAL = 5
/** What took longer, in ms, has a line of its own. */
const QUICK_MS = 5_000

/**
 * Lines of the table: of a plan what is marked first, both parts by risk, of a run in the order of the rows. A shared line is where its first
 * row would be.
 */
export function tableLines(rows: readonly Row[], detail: TableDetail, kind: TableKind): readonly Line[] {
  const onTop = new Set(kind === 'plan' ? rows.filter(isNamedOnTop) : [])
  const all = kind === 'plan' ? markedFirst(byRisk(rows), onTop) : rows
  // What goes is in the line of what comes in its place.
  const heirs = kind === 'plan' && detail === 'rows' ? heirsOf(all) : new Map<string, Row>()
  const isFollower = (row: Row) => row.change === 'delete' && heirs.has(refKey(row.ref))
  const ordered = all.filter((row) => !isFollower(row))
  const chosen = chosenKeys(ordered.map((row) => sharingKeys(row, { detail, kind })))
  const lines = new Map<string, Row[]>()
  ordered.forEach((row, index) => {
    const line = chosen[index] ?? `alone ${index}`
    const known = lines.get(line)
    if (known === undefined) lines.set(line, [row])
    else known.push(row)
  })
  const byHeir = Map.groupBy(all.filter(isFollower), ({ ref }) => heirs.get(refKey(ref)))
  const found = [...lines.values()].flatMap((merged) =>
    merged[0] === undefined
      ? []
      : [{ first: merged[0], rows: [...merged, ...merged.flatMap((row) => byHeir.get(row) ?? [])] }],
  )
  // A line is marked where what goes with it is.
  return markedFirst(found, new Set(found.filter((line) => line.rows.some((row) => onTop.has(row)))))
}

/** Rows of objects that are created, by the key of the one whose place they take. */
function heirsOf(rows: readonly Row[]): ReadonlyMap<string, Row> {
  const isPaired = ({ counterpart, otherKind }: Row) => counterpart !== undefined || otherKind !== undefined
  const gone = new Set(rows.flatMap((row) => (row.change === 'delete' && isPaired(row) ? [refKey(row.ref)] : [])))
  return new Map(
    rows.flatMap((row) => {
      const old = row.counterpart ?? row.otherKind
      const key = row.change === 'create' && old !== undefined ? refKey(old) : undefined
      return key !== undefined && gone.has(key) ? [[key, row] as const] : []
    }),
  )
}

/** `together`: rows of the same key share a line where they are more than `atMost`. */
interface Key {
  readonly together: string
  readonly atMost: number
}

/** What is the same as nothing else may still be like others: of each row the first key that enough others have. */
function chosenKeys(keys: readonly (readonly (Key | undefined)[])[]): readonly (string | undefined)[] {
  const depth = Math.max(0, ...keys.map((ofRow) => ofRow.length))
  const chosen: (string | undefined)[] = keys.map(() => undefined)
  for (let at = 0; at < depth; at++) {
    const left = keys.map((ofRow, index) => (chosen[index] === undefined ? ofRow[at] : undefined))
    const amounts = amountsOf(left)
    left.forEach((key, index) => {
      if (key !== undefined && isReached(key, amounts)) chosen[index] = key.together
    })
  }
  return chosen
}

function amountsOf(keys: readonly (Key | undefined)[]): ReadonlyMap<string, number> {
  const amounts = new Map<string, number>()
  for (const key of keys) if (key !== undefined) amounts.set(key.together, (amounts.get(key.together) ?? 0) + 1)
  return amounts
}

function isReached(key: Key, amounts: ReadonlyMap<string, number>): boolean {
  return (amounts.get(key.together) ?? 0) > key.atMost
}

/** The best one first; a row without one stands alone. */
function sharingKeys(
  row: Row,
  { detail, kind }: { readonly detail: TableDetail; readonly kind: TableKind },
): readonly (Key | undefined)[] {
  if (kind === 'plan') return detail === 'kinds' ? [kindKey(row, '')] : planKeys(row)
  return runKeys(row, detail)
}

function runKeys(row: Row, detail: TableDetail): readonly (Key | undefined)[] {
  const place = `${row.stage} ${row.deletionPhase ?? ''} ${row.weight} ${row.hook ?? ''}`
  if (detail === 'kinds') return [kindKey(row, place)]
  const what = `${place} ${row.change} ${row.result}`
  const isQuiet = row.result === 'planned' || row.result === 'succeeded'
  if (isQuiet && row.change === 'none') return [{ together: what, atMost: 1 }]
  if (isQuiet && isFolded(row)) return [{ together: `${what} ${row.impact?.noise}`, atMost: 1 }]
  const isShared = isQuiet && isHarmless(row) && (durationMs(row) ?? 0) < QUICK_MS
  return isShared ? [{ together: `${what} quick`, atMost: MAX_EQUAL }] : []
}

function kindKey(row: Row, place: string): Key {
  return { together: `${place} ${row.change} ${row.result} ${row.ref.kind} ${isFolded(row)}`, atMost: 1 }
}

/** Stage and weight do not part what is the same: the line names all of them. */
function planKeys(row: Row): readonly (Key | undefined)[] {
  // One of which there is more to say must not go with those that are merely counted.
  if (row.change === 'none') {
    const alike = { together: `unchanged ${plainText(whyPhrase(row))}`, atMost: 1 }
    return isFolded(row) ? [alike, { together: `unchanged ${row.impact?.noise}`, atMost: MAX_EQUAL }] : [alike]
  }
  if (row.change === 'hook' && !isChangedHook(row)) return [hookKey(row)]
  if (isFolded(row)) return [{ together: `noise ${row.impact?.noise}`, atMost: 1 }]
  const text = `${plainText(whyPhrase(row))} ${plainText(waitsPhrase(row))}`
  if (row.otherKind !== undefined) return []
  if (row.change === 'create' && row.counterpart !== undefined) {
    return [{ together: `renamed ${text}`, atMost: 1 }]
  }
  const same = sameChangeKey(row)
  const key = same === undefined ? undefined : { together: `same ${text} ${same}`, atMost: 1 }
  const equal = isAlone(row)
    ? undefined
    : { together: `equal ${row.change} ${riskRank(row)} ${row.ref.kind} ${text}`, atMost: 1 }
  if (!isHarmless(row)) return [key, equal]
  return [key, equal, { together: `like ${row.change} ${row.impact?.risk} ${likeText(row, text)}`, atMost: MAX_EQUAL }]
}

/** What holds data, is marked or has another object in its place is named in a row of its own. */
function isAlone(row: Row): boolean {
  return PRECIOUS_KINDS.has(row.ref.kind) || row.counterpart !== undefined || attentionPhrase(row).length > 0
}

/** Updates of one kind are alike where long texts change in the same part of it, such as `data`: no row would show them. */
function likeText(row: Row, text: string): string {
  const isMarked =
    row.varies.length + row.open.length > 0 ||
    row.isWithoutDryRun ||
    row.dependsOnEarlier ||
    row.newSchema !== undefined
  const isPlain = !isMarked && row.impact?.risk === 'other' && row.reason.code === 'chart-changed'
  const isUpdate = row.change === 'update' && !changesOwnMetadataOnly(row.impact)
  const isPlainUpdate = isPlain && isUpdate && (row.impact?.fields ?? []).every(isLongOrOwn)
  return isPlainUpdate ? `${row.ref.kind} ${plainText(partsPhrase(row))}` : text
}

function isLongOrOwn(field: FieldChange): boolean {
  return isOwnMetadata(field) || (field.kind === 'changed' && (field.before === undefined || field.after === undefined))
}

/** A hook that merely runs: what only makes room for others together, a Job by itself, however many events it is for. */
function hookKey(row: Row): Key {
  return { together: row.waits.length === 0 ? 'hooks' : `hook ${refKey(row.ref)}`, atMost: 1 }
}

/**
 * Whether nothing changes but metadata that nobody reviews. What restarts pods is never folded (docs/decisions/0039).
 */
export function isFolded(row: Row): boolean {
  return row.impact?.noise !== undefined && row.varies.length + row.open.length === 0
}

/** Where nothing changes and nothing runs, the headline says it all; not where the chart reads as if something did. */
export function hasNews(rows: readonly Row[]): boolean {
  return rows.some((row) => row.change !== 'none' || isFolded(row) || !['planned', 'succeeded'].includes(row.result))
}

function isHarmless(row: Row): boolean {
  const isKind = row.change === 'create' || row.change === 'update'
  return isKind && row.waits.length === 0 && row.counterpart === undefined
}
