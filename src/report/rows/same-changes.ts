import { canonicalJson } from '../../manifest/canonical-json.ts'
import type { FieldChange } from '../../model/impact.ts'
import type { JsonValue } from '../../model/object.ts'
import { groupOf, refKey } from '../../model/ref.ts'
import { fieldValues } from './field-values.ts'
import { isOwnMetadata } from './own-metadata.ts'
import type { Row } from './rows.ts'

/**
 * The same text for rows in which the same fields get the same values, as far as a reader sees: their diff is shown once.
 * Undefined where a row stands for itself. A new object is the same as another only where it is that other one, made by
 * two hooks.
 */
export function sameChangeKey(row: Row): string | undefined {
  const { after, change, counterpart, impact, open, ref, varies } = row
  if ((counterpart !== undefined && change !== 'hook') || varies.length + open.length > 0) return undefined
  if (row.isNewHook) {
    return after === undefined ? undefined : `new ${row.leftAlone ?? ''} ${refKey(ref)} ${canonicalJson(after)}`
  }
  if ((change !== 'update' && change !== 'hook') || impact === undefined || impact.fields.length === 0) return undefined
  return `${change} ${row.leftAlone ?? ''} ${canonicalJson(row.reason.code === 'chart-changed' ? null : reasonJson(row))} ${changedValues(impact.fields, row)}`
}

/**
 * The same text for rows in which fields change whose paths differ in names of items only, such as a container or a key of
 * data. Whether they change alike their lines tell. Undefined where a row stands for itself.
 */
export function changeShape({ change, counterpart, impact, open, reason, ref, varies }: Row): string | undefined {
  const isAlone = counterpart !== undefined || varies.length + open.length > 0
  if (change !== 'update' || isAlone || reason.code !== 'chart-changed') return undefined
  const fields = (impact?.fields ?? []).filter((field) => !isOwnMetadata(field))
  if (fields.length === 0) return undefined
  return canonicalJson([
    groupOf(ref.apiVersion),
    ref.kind,
    ...fields.map(({ kind, path }) => [kind, withoutNames(path)]),
  ])
}

/** `spec.containers[]`, `data[]`. */
function withoutNames(path: string): string {
  return path
    .replace(/^((?:string|binary)?[dD]ata)\..*$/, '$1[]')
    .replace(/\[(?:"(?:[^"\\]|\\.)*\\?"?|[^\]"][^\]]*)?\]?/g, '[]')
}

/** The fields with their values, as one text. */
function changedValues(fields: readonly FieldChange[], row: Row): string {
  return canonicalJson(
    fields.map((field): JsonValue => {
      const { after, before } = fieldValues(field, row)
      return [field.path, field.kind, before ?? null, after ?? null]
    }),
  )
}

function reasonJson({ reason }: Row): JsonValue {
  return 'drift' in reason ? reason.drift.map(({ manager, path }) => [manager, path]) : reason.code
}
