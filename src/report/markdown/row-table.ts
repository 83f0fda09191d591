import { isBuiltIn } from '../../manifest/built-in-kinds.ts'
import { formatRef, type Ref } from '../../model/ref.ts'
import { unreachable } from '../../model/unreachable.ts'
import { durationMs, type Row } from '../rows/rows.ts'
import { signOf, wordOf } from '../words/change-words.ts'
import { durationText } from '../words/duration-text.ts'
import type { Phrase } from '../words/phrase.ts'
import { resultPhrase, waitsPhrase, whyPhrase } from '../words/row-text.ts'
import { type Line, type TableDetail, type TableKind, tableLines } from '../words/table-lines.ts'
import { type Column, code, markdown, table } from './markdown.ts'

export interface TableOptions {
  readonly kind: TableKind
  readonly detail: TableDetail
  /** Namespace of the release: not repeated in each row. */
  readonly namespace: string
}

/** Stages, weights, hooks and changes as a table; empty where there is no row. */
export function rowTable(rows: readonly Row[], options: TableOptions): string {
  const { kind, detail, namespace } = options
  const lines = tableLines(rows, detail, kind)
  if (lines.length === 0) return ''
  const hasHooks = rows.some((row) => row.hook !== undefined)
  const columns = columnsOf(kind, namespace, hasHooks)
  return table(
    columns.map((one) => one.column),
    lines.map((line, index) => columns.map((one) => one.cell(line, lines[index - 1]))),
  )
}

interface CellColumn {
  readonly column: Column
  readonly cell: (line: Line, above: Line | undefined) => string
}

function columnsOf(kind: TableKind, namespace: string, hasHooks: boolean): readonly CellColumn[] {
  const weight: CellColumn = {
    column: { title: 'weight', align: 'right' },
    cell: (line, above) => (isSameGroup(line, above) ? '' : weightText(line.first)),
  }
  const what: readonly CellColumn[] = [
    {
      column: { title: 'change' },
      cell: ({ first }) => `${code(signOf(first.change))}${BLANK}${wordOf(first.change)}`,
    },
    { column: { title: 'resource' }, cell: (line) => resourceText(line, namespace) },
  ]
  if (kind === 'plan') {
    return [
      { column: { title: 'stage' }, cell: stageOrHook },
      weight,
      ...what,
      { column: { title: 'until' }, cell: (line) => shared(line, waitsPhrase) },
      // The longest comes last: on a narrow page the rest stays in view.
      { column: { title: 'why' }, cell: (line) => shared(line, whyPhrase) },
    ]
  }
  return [
    { column: { title: 'stage' }, cell: (line, above) => (isSameStage(line, above) ? '' : `**${line.first.stage}**`) },
    weight,
    ...(hasHooks ? [{ column: { title: 'hook' }, cell: (line: Line) => hookText(line.first) }] : []),
    ...what,
    { column: { title: 'result' }, cell: (line) => resultText(line.first) },
    { column: { title: 'took', align: 'right' }, cell: tookText },
  ]
}

/** What is true of all rows of the line. */
function shared({ first, rows }: Line, textOf: (row: Row) => Phrase): string {
  const text = markdown(textOf(first))
  return rows.every((row) => markdown(textOf(row)) === text) ? text : ''
}

/** A hook's event says more than its stage; in a comment there is no room for both. */
function stageOrHook(line: Line, above: Line | undefined): string {
  const { stage, hook } = line.first
  if (isSameStage(line, above) && above?.first.hook === hook) return ''
  return hook === undefined ? `**${stage}**` : hookCode(hook)
}

function isSameStage(line: Line, above: Line | undefined): boolean {
  return above?.first.stage === line.first.stage
}

function isSameGroup(line: Line, above: Line | undefined): boolean {
  if (above === undefined || !isSameStage(line, above)) return false
  return above.first.weight === line.first.weight && above.first.deletionPhase === line.first.deletionPhase
}

function weightText(row: Row): string {
  return row.deletionPhase === undefined ? String(row.weight) : `phase ${row.deletionPhase}, ${row.weight}`
}

function hookText(row: Row): string {
  return row.hook === undefined ? '' : hookCode(row.hook)
}

/** A narrow column must not break `pre-upgrade` in two. */
function hookCode(hook: string): string {
  return code(hook.replaceAll('-', UNBROKEN_HYPHEN))
}

function resourceText(line: Line, namespace: string): string {
  if (line.rows.length === 1) return code(shortRef(line.first.ref, namespace))
  const kinds = new Map<string, number>()
  for (const row of line.rows) kinds.set(row.ref.kind, (kinds.get(row.ref.kind) ?? 0) + 1)
  const shown = [...kinds].slice(0, MAX_KINDS).map(([kind, amount]) => `${amount} ${code(kind)}`)
  const more = kinds.size > MAX_KINDS ? ` and ${kinds.size - MAX_KINDS} more kinds` : ''
  return `${shown.join(', ')}${more}`
}

/** `Deployment/web` in the release's namespace, `Deployment/other/web` elsewhere, `CRD/widgets.example.com`. */
export function shortRef(ref: Ref, namespace: string): string {
  if (isBuiltIn(ref, 'CustomResourceDefinition')) return `CRD/${ref.name}`
  return ref.namespace === namespace ? `${ref.kind}/${ref.name}` : formatRef(ref)
}

const MAX_KINDS = 8
/** Keeps a cell on one line. */
const BLANK = '\u00a0'
const UNBROKEN_HYPHEN = '\u2011'

function resultText(row: Row): string {
  const text = markdown(resultPhrase(row))
  const mark = markOf(row)
  return mark === '' ? text : `${mark} ${text}`
}

/** Always beside a word, for readers who do not see colours. */
function markOf(row: Row): string {
  switch (row.result) {
    case 'succeeded':
      return '✅'
    case 'failed':
      return '❌'
    case 'ignored':
    case 'cancelled':
      return '⚠️'
    case 'running':
      return '⏳'
    case 'planned':
    case 'skipped':
      return ''
    default:
      return unreachable(row.result)
  }
}

function tookText(line: Line): string {
  const times = line.rows.flatMap((row) => durationMs(row) ?? [])
  if (times.length === 0 || line.first.result === 'skipped') return ''
  return durationText(Math.max(...times)).replaceAll(' ', BLANK)
}
