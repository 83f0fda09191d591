import { isOwnMetadata } from './own-metadata.ts'
import type { Row } from './rows.ts'

/**
 * Rows without what is told on top for all of them: where one and the same image changes wherever one does, its name and
 * its versions stand there. A jump is repeated: it is what the row is marked for.
 */
export function leavesOutToldImage(rows: readonly Row[]): (row: Row) => Row {
  return isOneImage(rows) ? withoutImage : (row) => row
}

function withoutImage(row: Row): Row {
  const { impact, reason } = row
  if (impact === undefined || reason.code !== 'chart-changed') return row
  const isCause = impact.restart?.because === 'image'
  const fields = impact.fields.flatMap((field) => {
    // Beside a restart labels and annotations of the object itself are told elsewhere.
    if (isCause && isOwnMetadata(field)) return []
    const isTold = field.kind === 'changed' && /\bimage$/.test(field.path) && field.jump === undefined
    if (!isTold || impact.images?.some(({ before }) => before === field.before) !== true) return [field]
    return isCause ? [] : [{ path: field.path, pointer: field.pointer, kind: field.kind }]
  })
  return { ...row, impact: { ...impact, fields } }
}

function isOneImage(rows: readonly Row[]): boolean {
  const changes = rows.flatMap(({ impact }) => impact?.images ?? [])
  return new Set(changes.map(({ after, before }) => JSON.stringify([before, after]))).size === 1
}
