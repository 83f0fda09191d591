import { durationMs, type Row } from './rows.ts'

/** Most bars; the longest stay. Source: action-ux 3.3. */
const MAX_BARS = 40
/** A bar shorter than this, in ms, would not be seen. */
const MIN_BAR_MS = 200

/** The run as a Mermaid gantt: a section per stage and weight, a bar per resource. Lines of a `mermaid` fence, or none. */
export function ganttLines(rows: readonly Row[]): readonly string[] {
  const bars = rows.filter((row) => row.startedAtMs !== undefined && row.change !== 'none')
  const longest = [...bars].sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, MAX_BARS)
  const shown = bars.filter((row) => longest.includes(row))
  if (shown.length === 0) return []
  const zero = Math.min(...shown.map((row) => row.startedAtMs ?? 0))
  const sections = new Map<string, string[]>()
  shown.forEach((row, index) => {
    const title = `${row.stage} ${row.weight}`
    sections.set(title, [...(sections.get(title) ?? []), barLine(row, zero, index)])
  })
  const body = [...sections].flatMap(([title, lines]) => [`  section ${title}`, ...lines])
  return ['gantt', '  dateFormat x', '  axisFormat %M:%S', ...body]
}

function barLine(row: Row, zeroMs: number, index: number): string {
  const from = (row.startedAtMs ?? zeroMs) - zeroMs
  const to = from + Math.max(MIN_BAR_MS, lengthOf(row))
  return `    ${nameText(row)} :${stateText(row)}b${index}, ${Math.round(from)}, ${Math.round(to)}`
}

function lengthOf(row: Row): number {
  return durationMs(row) ?? 0
}

/** Mermaid reads `:`, `,`, `;` and `#` as syntax: only a few harmless characters are let through. */
function nameText(row: Row): string {
  return `${row.ref.kind} ${row.ref.name}`.replace(/[^A-Za-z0-9._/ -]/g, ' ').slice(0, 60)
}

function stateText(row: Row): string {
  if (row.result === 'failed' || row.result === 'ignored') return 'crit, '
  return row.result === 'succeeded' ? 'done, ' : 'active, '
}
