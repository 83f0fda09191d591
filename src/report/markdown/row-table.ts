import { isBuiltIn } from '../../manifest/built-in-kinds.ts'
import { formatRef, type Ref } from '../../model/ref.ts'
import { unreachable } from '../../model/unreachable.ts'
import { commonMetadata } from '../rows/common-metadata.ts'
import { durationMs, type Row } from '../rows/rows.ts'
import { signOf, wordOf } from '../words/change-words.ts'
import { durationText } from '../words/duration-text.ts'
import { commonMetadataPhrase } from '../words/metadata-text.ts'
import type { Phrase } from '../words/phrase.ts'
import { partsPhrase, resultPhrase, whyPhrase } from '../words/row-text.ts'
import { type Line, type TableDetail, type TableKind, tableLines } from '../words/table-lines.ts'
import { type Column, code, markdown, table } from './markdown.ts'
import { BLANK, goalText, hookCode, isOrderToldOnce, orderLine, stagePlace, weightText } from './order-line.ts'

export interface TableOptions {
  readonly kind: TableKind
  readonly detail: TableDetail
  /** Namespace of the release: not repeated in each row. */
  readonly namespace: string
}

/**
 * Changes with stage and weight as a table; empty where there is no row. A plan is ordered by risk, with the order of
 * execution on a line above; a run is in its own order.
 */
export function rowTable(rows: readonly Row[], options: TableOptions): string {
  const { kind, detail, namespace } = options
  const lines = tableLines(rows, detail, kind)
  if (lines.length === 0) return ''
  const columns = kind === 'plan' ? planColumns(namespace, rows) : runColumns(namespace, rows)
  const cells = lines.map((line, index) => columns.map((one) => one.cell(line, lines[index - 1])))
  // A column that says nothing of any row only takes room.
  const told = columns.map((one, index) => one.isKept === true || cells.some((row) => row[index] !== ''))
  const text = table(
    columns.flatMap((one, index) => (told[index] === true ? [one.column] : [])),
    cells.map((row) => row.filter((_cell, index) => told[index] === true)),
  )
  const blocks = kind === 'plan' ? [orderLine(rows), text, commonLine(rows)] : [text]
  return blocks.filter((block) => block !== '').join('\n\n')
}

interface CellColumn {
  readonly column: Column
  readonly cell: (line: Line, above: Line | undefined) => string
  /** Shown also where all its cells are empty. */
  readonly isKept?: true
}

/** What a reviewer reads stands first: on a narrow page it is the end of a table that has to be scrolled to. */
function planColumns(namespace: string, rows: readonly Row[]): readonly CellColumn[] {
  const isToldOnce = isOrderToldOnce(rows)
  return [
    ...changeColumns(namespace, isToldOnce ? eventsText : () => ''),
    { column: { title: 'why' }, cell: (line) => shared(line, whyPhrase) || shared(line, partsPhrase) },
    { column: { title: 'stage' }, cell: (line) => (isToldOnce ? '' : placesText(line)) },
  ]
}

function placesText(line: Line): string {
  return `${listed(line.rows.map(stagePlace))}${untilAfter(line)}`
}

/** ` on pre-upgrade, post-upgrade`. */
function eventsText(line: Line): string {
  const places = listed(line.rows.filter(({ hook }) => hook !== undefined).map(stagePlace))
  return places === '' ? '' : ` on ${places}`
}

function runColumns(namespace: string, rows: readonly Row[]): readonly CellColumn[] {
  const hasHooks = rows.some((row) => row.hook !== undefined)
  return [
    { column: { title: 'stage' }, cell: (line, above) => (isSameStage(line, above) ? '' : `**${line.first.stage}**`) },
    {
      column: { title: 'weight', align: 'right' },
      cell: (line, above) => (isSameGroup(line, above) ? '' : weightText(line.first)),
    },
    ...(hasHooks ? [{ column: { title: 'hook' }, cell: (line: Line) => hookText(line.first) }] : []),
    ...changeColumns(namespace),
    { column: { title: 'result' }, cell: (line) => resultText(line.first), isKept: true },
    { column: { title: 'took', align: 'right' }, cell: tookText, isKept: true },
  ]
}

function changeColumns(namespace: string, eventsOf: (line: Line) => string = () => ''): readonly CellColumn[] {
  return [
    {
      column: { title: 'change' },
      cell: ({ first }) => `${code(signOf(first.change))}${BLANK}${wordOf(first.change)}`,
    },
    { column: { title: 'resource' }, cell: (line) => `${resourceText(line, namespace)}${eventsOf(line)}` },
  ]
}

/** Each once, in the order of the plan. */
function listed(texts: readonly string[]): string {
  const unique = [...new Set(texts)]
  return unique.length <= MAX_PLACES ? unique.join(', ') : `${unique.slice(0, MAX_PLACES).join(', ')} and others`
}

const MAX_PLACES = 4

/** Labels that change alike on many objects: once here, instead of beside each of them. */
function commonLine(rows: readonly Row[]): string {
  const common = commonMetadataPhrase(commonMetadata(rows))
  return common.length === 0 ? '' : `Also ${markdown(common)}.`
}

/** What is true of all rows of the line. */
function shared({ first, rows }: Line, textOf: (row: Row) => Phrase): string {
  const text = markdown(textOf(first))
  return rows.every((row) => markdown(textOf(row)) === text) ? text : ''
}

function isSameStage(line: Line, above: Line | undefined): boolean {
  return above?.first.stage === line.first.stage
}

function isSameGroup(line: Line, above: Line | undefined): boolean {
  if (above === undefined || !isSameStage(line, above)) return false
  return above.first.weight === line.first.weight && above.first.deletionPhase === line.first.deletionPhase
}

/** What the stage waits for, beside it: a column for it would be empty mostly, and make the table wider than the page. */
function untilAfter(line: Line): string {
  const texts = new Set(line.rows.map(goalText))
  const [text] = texts
  return texts.size !== 1 || text === undefined || text === '' ? '' : `, until ${text}`
}

function hookText(row: Row): string {
  return row.hook === undefined ? '' : hookCode(row.hook)
}

function resourceText(line: Line, namespace: string): string {
  const names = [...new Set(line.rows.map((row) => shortRef(row.ref, namespace)))]
  if (names.length <= MAX_NAMES_OF_LINE) return names.map(code).join(', ')
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

/** Most objects of one line that are named in it. */
export const MAX_NAMES_OF_LINE = 6
const MAX_KINDS = 8

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
