import { logsOf } from './release-findings.ts'
import { type Attempt, openStand, type Stand, type StandOptions } from './stand.ts'

/** One cell of a matrix: a story of a few runs, and what the oracle holds against it. */
export interface Cell {
  readonly row: string
  readonly title: string
  readonly column: string
  readonly hasTokenFile?: boolean
  /** Adds each run to `attempts` as it ends. Gives findings; none: the cell has passed. */
  readonly play: (stand: Stand, options: CellOptions, attempts: Attempt[]) => Promise<readonly string[]>
}

export interface CellOptions extends Pick<StandOptions, 'kubeconfig'> {
  readonly seed: number
  /** Length of a minute's fault, in ms. */
  readonly minuteMs: number
}

export interface CellResult {
  readonly findings: readonly string[]
  /** How each of its runs ended. */
  readonly ends: readonly string[]
  /** Logs of its runs, for whoever looks into a failure. */
  readonly log: string
  readonly seconds: number
}

/** `lost-replies@record` */
export function cellName({ row, column }: Pick<Cell, 'row' | 'column'>): string {
  return `${row}@${column}`
}

export async function playCell(cell: Cell, options: CellOptions): Promise<CellResult> {
  const startedAt = performance.now()
  const { kubeconfig } = options
  const stand = await openStand({ kubeconfig, hasTokenFile: cell.hasTokenFile === true })
  const attempts: Attempt[] = []
  try {
    const findings = await cell.play(stand, options, attempts)
    return {
      findings,
      ends: attempts.map(endOf),
      log: logsOf(attempts),
      seconds: (performance.now() - startedAt) / 1000,
    }
  } finally {
    await stand.close()
  }
}

function endOf({ exitCode, outputs }: Attempt): string {
  if (exitCode < 0) return 'killed'
  return (outputs['failure-reason'] || outputs.status) ?? ''
}
