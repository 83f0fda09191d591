import { isInertKey, isVersionKey } from '../../manifest/metadata-keys.ts'
import type { FieldChange } from '../../model/impact.ts'
import { refKey } from '../../model/ref.ts'
import { changesOwnMetadataOnly, isOwnMetadata, ownMetadataKey } from './own-metadata.ts'
import type { Row } from './rows.ts'

/** Fewer objects than this with the same change of a label have it told beside each. */
const MIN_OBJECTS = 3
/** Longer values are read in the diff. */
const MAX_TOLD_BESIDE = 6
/** Most that is told once for all; what is left is told beside each diff. */
const MAX_COMMON = 16

/** A label or annotation that changes alike on many objects. */
export interface CommonMetadata {
  readonly field: FieldChange
  readonly objects: number
  /** Keys of them. */
  readonly refs: ReadonlySet<string>
}

/**
 * Labels and annotations of the objects themselves that change alike on many of them, the commonest first: told once. Not
 * counted where they are the reason that a row of the table gives.
 */
export function commonMetadata(rows: readonly Row[]): readonly CommonMetadata[] {
  const found = new Map<string, { readonly field: FieldChange; readonly refs: Set<string> }>()
  for (const row of rows) {
    for (const field of ownFields(row).filter((one) => isToldInWords(one) && !isReason(row, one))) {
      const key = changeKey(field)
      const known = found.get(key)
      if (known === undefined) found.set(key, { field, refs: new Set([refKey(row.ref)]) })
      else known.refs.add(refKey(row.ref))
    }
  }
  const isCommon = commonIn([...found.values()])
  return [...found.values()]
    .filter(isCommon)
    .map(({ field, refs }) => ({ field, objects: refs.size, refs }))
    .toSorted((a, b) => b.objects - a.objects)
    .slice(0, MAX_COMMON)
}

/** Alike on many objects; or the version of a chart, of which each subchart has its own. */
function commonIn(all: readonly Found[]): (one: Found) => boolean {
  const byKey = Map.groupBy(all, ({ field }) => ownMetadataKey(field))
  return ({ field, refs }) => {
    if (refs.size >= MIN_OBJECTS) return true
    const key = ownMetadataKey(field)
    const amount = (byKey.get(key) ?? []).reduce((sum, one) => sum + one.refs.size, 0)
    return isVersionKey(key.replace(/^labels /, '')) && amount >= MIN_OBJECTS
  }
}

interface Found {
  readonly field: FieldChange
  readonly refs: ReadonlySet<string>
}

/**
 * The labels and annotations of the object itself that change besides what matters, and how they are told: `once` with
 * those of other objects, or in a line `beside` the diff; in the diff where there are too many, or where nothing else
 * changes.
 */
export function metadataBeside(
  row: Row,
  common: readonly CommonMetadata[],
): { readonly once: readonly FieldChange[]; readonly beside: readonly FieldChange[] } {
  const own = ownFields(row)
  if (own.length === (row.impact?.fields ?? []).length) return { once: [], beside: [] }
  const keys = new Set(common.map(({ field }) => changeKey(field)))
  const once = own.filter((field) => isToldInWords(field) && keys.has(changeKey(field)))
  const others = own.filter((field) => !once.includes(field))
  const isTold = others.length <= MAX_TOLD_BESIDE && others.every(isToldInWords)
  return { once, beside: isTold ? others : [] }
}

/** What of metadata changes on this object and not on many others. */
export function uncommonMetadata(row: Row, common: readonly CommonMetadata[]): readonly FieldChange[] {
  const keys = new Set(common.map(({ field }) => changeKey(field)))
  return ownFields(row).filter((field) => !keys.has(changeKey(field)))
}

function ownFields({ impact }: Row): readonly FieldChange[] {
  return (impact?.fields ?? []).filter(isOwnMetadata)
}

/** Most labels and annotations that the row of an object names, where they are the reason of its change. */
export const MAX_REASONS = 3

/** Nothing but metadata changes, and the row names all of it that may steer something. */
function isReason({ impact, reason }: Row, field: FieldChange): boolean {
  if (impact?.noise !== undefined || reason.code !== 'chart-changed' || !changesOwnMetadataOnly(impact)) return false
  return isTelling(field) && (impact?.fields ?? []).filter(isTelling).length <= MAX_REASONS
}

function isTelling(field: FieldChange): boolean {
  const [map = '', ...key] = ownMetadataKey(field).split(' ')
  return !isInertKey(map, key.join(' '))
}

/** Both values are known, and short. */
function isToldInWords({ after, before, kind }: FieldChange): boolean {
  return (kind === 'added' || before !== undefined) && (kind === 'removed' || after !== undefined)
}

function changeKey(field: FieldChange): string {
  return JSON.stringify([ownMetadataKey(field), field.kind, field.before, field.after])
}
