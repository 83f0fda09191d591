import { type Cell, cellName } from './cell.ts'
import { killPoints, VERBS } from './moments.ts'
import { cancelAnywhereCells, cancelCells, killAnywhereCells, killCells } from './run-cut-short.ts'
import { STAGES } from './stages.ts'
import { partitionCells, roundCell } from './two-deployers.ts'
import { faultCells } from './upgrade-under-faults.ts'

export interface Matrix {
  readonly title: string
  readonly columns: readonly string[]
  readonly cells: readonly Cell[]
  /** Why there is no cell at a place of the table. */
  readonly missing?: readonly Missing[]
}

interface Missing extends Pick<Cell, 'row' | 'column'> {
  readonly why: string
}

const missing: readonly Missing[] = killPoints.flatMap(({ id, at }) =>
  VERBS.flatMap((verb) => {
    const why = at[verb]
    return typeof why === 'string' ? { row: id, column: verb, why } : []
  }),
)

export const matrices: readonly Matrix[] = [
  { title: 'Faults that begin at a stage of an upgrade', columns: STAGES, cells: faultCells() },
  { title: 'Processes that are killed', columns: VERBS, cells: killCells(), missing },
  { title: 'Processes that are killed after any request', columns: VERBS, cells: killAnywhereCells() },
  {
    title: 'Two deployers, of which the first is cut off at a moment',
    columns: ['upgrade'],
    cells: [...partitionCells(), roundCell()],
  },
  { title: 'Runs that are cancelled', columns: VERBS, cells: cancelCells() },
  { title: 'Runs that are cancelled after any request', columns: VERBS, cells: cancelAnywhereCells() },
]

/** What became of one cell with one seed. */
export interface CellOutcome {
  readonly cell: Cell
  readonly seed: number
  readonly findings: readonly string[]
}

/** Per cell `ok`, how many seeds failed, or `-` where the fault cannot be or was not played; below, why it cannot be. */
export function matrixTable({ title, columns, missing = [] }: Matrix, outcomes: readonly CellOutcome[]): string {
  const rows = [...Map.groupBy(outcomes, ({ cell }) => cell.row)].map(([row, own]) => [
    row,
    ...columns.map((column) => mark(own.filter(({ cell }) => cell.column === column))),
    own[0]?.cell.title ?? '',
  ])
  const head = ['', ...columns, 'what goes wrong']
  const widths = head.map((_, index) => Math.max(...[head, ...rows].map((row) => row[index]?.length ?? 0)))
  const lines = [head, ...rows].map((row) =>
    row
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const notes = missing
    .filter(({ row }) => outcomes.some(({ cell }) => cell.row === row))
    .map(({ why, ...place }) => `- ${cellName(place)}: ${why}`)
  return [title, ...lines, ...notes].join('\n')
}

/** Cells whose names hold one of the words; all without words. */
export function cellsNamed(words: readonly string[]): readonly Cell[] {
  const all = matrices.flatMap(({ cells }) => cells)
  return words.length === 0 ? all : all.filter((cell) => words.some((word) => cellName(cell).includes(word)))
}

function mark(own: readonly CellOutcome[]): string {
  if (own.length === 0) return '-'
  const failed = own.filter(({ findings }) => findings.length > 0).length
  return failed === 0 ? 'ok' : `${failed}/${own.length}`
}
