import { isBuiltIn } from '../../manifest/built-in-kinds.ts'
import { nameChange } from '../../manifest/name-change.ts'
import { type Ref, refKey } from '../../model/ref.ts'
import { unreachable } from '../../model/unreachable.ts'
import { commonMetadata } from '../rows/common-metadata.ts'
import { durationMs, type Row } from '../rows/rows.ts'
import { leavesOutToldImage } from '../rows/told-images.ts'
import { isNamedOnTop } from '../words/attention-order.ts'
import { signOf, wordOf } from '../words/change-words.ts'
import { durationText } from '../words/duration-text.ts'
import { commonMetadataPhrase } from '../words/metadata-text.ts'
import { saidOnTop } from '../words/on-top.ts'
import { type Phrase, underSign, withoutMarks } from '../words/phrase.ts'
import { partsPhrase, resultPhrase, whyPhrase } from '../words/row-text.ts'
import { type Line, type TableDetail, type TableKind, tableLines } from '../words/table-lines.ts'
import { type Column, code, details, markdown, table } from './markdown.ts'
import {
  BLANK,
  eventsOfHooks,
  goalText,
  hookCode,
  isOrderToldOnce,
  orderLine,
  placesOf,
  weightText,
} from './order-line.ts'
import { smallTitle, splitLines } from './small-rows.ts'

export interface TableOptions {
  readonly kind: TableKind
  readonly detail: TableDetail
  /** Namespace of the release: not repeated in each row. */
  readonly namespace: string
  /** Whether the headline counts what stays as it is, and small changes of a long table are folded. */
  readonly isBrief?: boolean
  /** Whether the box on top stands above: what it says of an object its row does not repeat. */
  readonly isBelowBox?: boolean
}

/**
 * Changes with stage and weight as a table; empty where there is no row. A plan is ordered by risk, with the order of
 * execution on a line above; a run is in its own order.
 */
export function rowTable(rows: readonly Row[], options: TableOptions): string {
  const { kind, detail, isBelowBox = false, isBrief = false, namespace } = options
  const all = tableLines(rows, detail, kind)
  const lines = isBrief ? all.filter((line) => !line.rows.every(isCounted)) : all
  if (lines.length === 0) return ''
  const said = isBelowBox ? saidOnTop(rows) : new Map<Row, ReadonlySet<string>>()
  const columns = kind === 'plan' ? planColumns(namespace, rows, said) : runColumns(namespace, rows)
  if (kind === 'run') return linesTable(lines, columns)
  const { open, small } = isBrief ? splitLines(lines) : { open: lines, small: [] }
  const blocks = [
    renamingLine(rows),
    orderLine(rows),
    linesTable(open, columns),
    small.length === 0 ? '' : details(smallTitle(small), linesTable(small, columns)),
    commonLine(rows),
  ]
  return blocks.filter((block) => block !== '').join('\n\n')
}

function linesTable(lines: readonly Line[], columns: readonly CellColumn[]): string {
  const cells = lines.map((line, index) => columns.map((one) => one.cell(line, lines[index - 1])))
  // A column that says nothing of any row only takes room.
  const told = columns.map((one, index) => one.isKept === true || cells.some((row) => row[index] !== ''))
  return table(
    columns.flatMap((one, index) => (told[index] === true ? [one.column] : [])),
    cells.map((row) => row.filter((_cell, index) => told[index] === true)),
  )
}

/** What stays as it is, and of which there is nothing more to say. */
function isCounted(row: Row): boolean {
  return row.change === 'none' && whyPhrase(row).length === 0 && goalText(row) === ''
}

interface CellColumn {
  readonly column: Column
  readonly cell: (line: Line, above: Line | undefined) => string
  /** Shown also where all its cells are empty. */
  readonly isKept?: true
}

/** What a reviewer reads stands first: on a narrow page it is the end of a table that has to be scrolled to. */
function planColumns(
  namespace: string,
  rows: readonly Row[],
  said: ReadonlyMap<Row, ReadonlySet<string>>,
): readonly CellColumn[] {
  const short = leavesOutToldImage(rows)
  const isToldOnce = isOrderToldOnce(rows)
  return [
    ...changeColumns(namespace, isToldOnce ? eventsText : () => ''),
    {
      column: { title: 'why' },
      cell: (line) => {
        const shown = told(line)
        const above = saidOfAll(shown, said)
        const why = (row: Row) => withSign(row, withoutMarks(whyPhrase(short(row)), above), above)
        return shared(shown, why) || shared(shown, partsPhrase)
      },
    },
    { column: { title: 'stage' }, cell: (line) => (isToldOnce ? '' : placesText(line)) },
  ]
}

/** The marks that the box on top says of each row of the line. */
function saidOfAll({ rows }: Line, said: ReadonlyMap<Row, ReadonlySet<string>>): ReadonlySet<string> {
  return rows.map((row) => said.get(row) ?? new Set<string>()).reduce((all, one) => all.intersection(one))
}

/** Whoever comes from the box finds the row by its sign. */
function withSign(row: Row, why: Phrase, above: ReadonlySet<string>): Phrase {
  if (!isNamedOnTop(row)) return why
  return underSign(why.length === 0 && above.size > 0 ? ['see above'] : why)
}

/** `main, until ready, then prune` of a renaming: both halves have their stage. */
function placesText(line: Line): string {
  const shown = told(line)
  const text = `${placesOf(shown.rows)}${untilAfter(shown)}`
  const gone = line.rows.filter((row) => !shown.rows.includes(row))
  return gone.length === 0 ? text : `${text}, then ${placesOf(gone)}`
}

/** ` on pre-upgrade, post-upgrade`. */
function eventsText(line: Line): string {
  const hooks = line.rows.filter(({ hook }) => hook !== undefined)
  return hooks.length === 0 ? '' : ` on ${eventsOfHooks(hooks)}`
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
      cell: (line) =>
        isRenaming(line)
          ? `${code(signOf('recreate'))}${BLANK}${line.first.otherKind === undefined ? 'rename' : 'replace'}`
          : `${code(signOf(line.first.change))}${BLANK}${wordOf(line.first.change)}`,
    },
    {
      column: { title: 'resource' },
      cell: (line) =>
        byEvents(line, eventsOf)
          .map((part) => `${resourceText(part, namespace)}${eventsOf(part)}`)
          .join('; '),
    },
  ]
}

/** Hooks of one line may run on other events: each stands with its own. */
function byEvents(line: Line, eventsOf: (line: Line) => string): readonly Line[] {
  const byRef = Map.groupBy(line.rows, ({ ref }) => refKey(ref))
  const eventsOfRow = (row: Row) => eventsOf({ first: row, rows: byRef.get(refKey(row.ref)) ?? [row] })
  return [...Map.groupBy(line.rows, eventsOfRow).values()].flatMap((rows) =>
    rows[0] === undefined ? [] : [{ first: rows[0], rows }],
  )
}

/** A line with objects that come and those whose place they take. */
function isRenaming({ first, rows }: Line): boolean {
  return first.change === 'create' && rows.some((row) => row.change === 'delete')
}

/** Of a renaming what comes: it says all there is to say. */
function told(line: Line): Line {
  return isRenaming(line) ? { first: line.first, rows: line.rows.filter((row) => row.change === 'create') } : line
}

/** `14 objects are renamed, shop → storefront`: what they have in common, where they are too many to be read one by one. */
function renamingLine(rows: readonly Row[]): string {
  const changes = rows.flatMap(({ change, counterpart, ref }) =>
    change === 'create' && counterpart !== undefined ? [nameChange(counterpart.name, ref.name)] : [],
  )
  const common = [...Map.groupBy(changes, ({ from, to }) => JSON.stringify([from, to])).values()]
    .filter((alike) => alike.length > MAX_NAMES_OF_LINE)
    .toSorted((a, b) => b.length - a.length)
  return common
    .slice(0, MAX_RENAMINGS)
    .flatMap(([first, ...more]) =>
      first === undefined
        ? []
        : [`**${more.length + 1} objects are renamed**, ${code(first.from)} → ${code(first.to)} in their names.`],
    )
    .join(' ')
}

const MAX_RENAMINGS = 3

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

/** `Deployment/web`, `2 Service: a, b`; kinds alone where there are too many to name. */
function resourceText(line: Line, namespace: string): string {
  const isRenamed = isRenaming(line)
  if (isRenamed && line.first.otherKind !== undefined) {
    return `${code(shortRef(line.first.otherKind, namespace))} becomes ${code(shortRef(line.first.ref, namespace))}`
  }
  const rows = [...new Map(told(line).rows.map((row) => [refKey(row.ref), row])).values()]
  const names = new Map<string, Named[]>()
  for (const { counterpart, ref } of rows) {
    const { kind, name } = shortNames(isRenamed && counterpart !== undefined ? counterpart : ref, namespace)
    names.set(kind, [...(names.get(kind) ?? []), { name, becomes: isRenamed ? ` → ${code(ref.name)}` : '' }])
  }
  const isNamed = isNamedInTable(line.first, rows.length)
  const parts = [...names].map(([kind, ofKind]) => {
    const [only] = ofKind
    if (isNamed && ofKind.length === 1 && only !== undefined) return `${code(`${kind}/${only.name}`)}${only.becomes}`
    return `${ofKind.length} ${code(kind)}${isNamed ? `: ${ofKind.map(({ becomes, name }) => `${code(name)}${becomes}`).join(', ')}` : ''}`
  })
  const more = parts.length > MAX_KINDS ? ` and ${parts.length - MAX_KINDS} more kinds` : ''
  return `${(isNamed ? parts : parts.slice(0, MAX_KINDS)).join(isNamed ? '; ' : ', ')}${isNamed ? '' : more}`
}

interface Named {
  readonly name: string
  /** ` → storefront` of a renaming. */
  readonly becomes: string
}

/** `Deployment/web` in the release's namespace, `Deployment/other/web` elsewhere, `CRD/widgets.example.com`. */
export function shortRef(ref: Ref, namespace: string): string {
  const { kind, name } = shortNames(ref, namespace)
  return `${kind}/${name}`
}

function shortNames(ref: Ref, namespace: string): { readonly kind: string; readonly name: string } {
  if (isBuiltIn(ref, 'CustomResourceDefinition')) return { kind: 'CRD', name: ref.name }
  const isHere = ref.namespace === undefined || ref.namespace === namespace
  return { kind: ref.kind, name: isHere ? ref.name : `${ref.namespace}/${ref.name}` }
}

/** Whether a line of so many objects names them; what is deleted is named as long as it can be read. */
export function isNamedInTable({ change }: Row, amount: number): boolean {
  return amount <= (change === 'delete' ? MAX_NAMES_OF_DELETED : MAX_NAMES_OF_LINE)
}

const MAX_NAMES_OF_LINE = 10
const MAX_NAMES_OF_DELETED = 30
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
