import type { Row } from '../rows/rows.ts'
import { type Line, tableLines } from '../words/table-lines.ts'

/** Most bars; the longest stay. */
const MAX_BARS = 40
/** A bar shorter than this, in ms, would not be seen. */
const MIN_BAR_MS = 200

/**
 * The run as a Mermaid gantt: a section per stage and weight, a bar per line of the table, so that what is shown together
 * there is one bar here. Lines of a `mermaid` fence, or none.
 */
export function ganttLines(rows: readonly Row[]): readonly string[] {
  const begun = rows.filter((row) => row.startedAtMs !== undefined && row.change !== 'none')
  const bars = tableLines(begun, 'rows', 'run').map(barOf)
  const longest = new Set([...bars].sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs)).slice(0, MAX_BARS))
  const shown = bars.filter((bar) => longest.has(bar))
  if (shown.length === 0) return []
  const zero = Math.min(...shown.map((bar) => bar.fromMs))
  const sections = new Map<string, string[]>()
  shown.forEach((bar, index) => {
    const lines = sections.get(bar.section) ?? []
    lines.push(
      `    ${bar.name} :${bar.state}b${index}, ${Math.round(bar.fromMs - zero)}, ${Math.round(bar.toMs - zero)}`,
    )
    sections.set(bar.section, lines)
  })
  const body = [...sections].flatMap(([title, lines]) => [`  section ${title}`, ...lines])
  return ['gantt', '  dateFormat x', '  axisFormat %M:%S', ...body]
}

interface Bar {
  readonly section: string
  readonly name: string
  /** Mermaid's word for the colour, with its comma. */
  readonly state: 'crit, ' | 'done, ' | 'active, '
  readonly fromMs: number
  readonly toMs: number
}

function barOf({ first, rows }: Line): Bar {
  const from = Math.min(...rows.map((row) => row.startedAtMs ?? Number.POSITIVE_INFINITY))
  const to = Math.max(...rows.map((row) => row.finishedAtMs ?? row.startedAtMs ?? from))
  return {
    section: `${first.stage} ${first.weight}`,
    name: rows.length === 1 ? barName(first) : `${rows.length} objects`,
    state: stateText(first),
    fromMs: from,
    toMs: Math.max(to, from + MIN_BAR_MS),
  }
}

/** Mermaid reads `:`, `,`, `;` and `#` as syntax: only a few harmless characters are let through. */
function barName(row: Row): string {
  return `${row.ref.kind} ${row.ref.name}`.replace(/[^A-Za-z0-9._/ -]/g, ' ').slice(0, 60)
}

function stateText(row: Row): Bar['state'] {
  if (row.result === 'failed' || row.result === 'ignored') return 'crit, '
  return row.result === 'succeeded' ? 'done, ' : 'active, '
}
