import { isBuiltIn } from '../../manifest/built-in-kinds.ts'
import type { Row } from '../rows/rows.ts'
import { isFolded } from '../words/table-lines.ts'

/** Most boxes; beyond that a box per stage. */
const MAX_NODES = 30
/** Most changes that a box names. */
const MAX_NAMES = 3
const MAX_NAME_CHARS = 40

/**
 * The stages of a plan as a Mermaid flowchart: a box per weight, in order, coloured by the riskiest thing that happens in
 * it. Lines of a `mermaid` fence, or none where there is no more than one box.
 */
export function flowchartLines(rows: readonly Row[]): readonly string[] {
  const byWeight = boxesOf(rows, (row) => `${row.stage} ${row.deletionPhase ?? ''} ${row.weight}`)
  const boxes = byWeight.length <= MAX_NODES ? byWeight : boxesOf(rows, (row) => row.stage)
  if (boxes.length < 2) return []
  const nodes = boxes.map((box, index) => `  n${index}["${labelOf(box, boxes === byWeight)}"]:::${boxClass(box)}`)
  const arrows = boxes.slice(1).map((_box, index) => `  n${index} --> n${index + 1}`)
  return ['flowchart LR', ...nodes, ...arrows, ...CLASSES]
}

/** Fill and text together, so that the boxes can be read in a dark theme as well. */
const CLASSES: readonly string[] = [
  '  classDef risk fill:#ffebe9,stroke:#cf222e,color:#82071e',
  '  classDef change fill:#fff8c5,stroke:#9a6700,color:#4d2d00',
  '  classDef new fill:#dafbe1,stroke:#1a7f37,color:#0f3d1e',
  '  classDef hook fill:#ddf4ff,stroke:#0969da,color:#0a3069',
  '  classDef quiet fill:#f6f8fa,stroke:#8c959f,color:#57606a',
]

function boxesOf(rows: readonly Row[], keyOf: (row: Row) => string): readonly (readonly Row[])[] {
  return [...Map.groupBy(rows, keyOf).values()]
}

function boxClass(rows: readonly Row[]): string {
  const changes = new Set(rows.map((row) => (isFolded(row) ? 'none' : row.change)))
  if (changes.has('delete') || changes.has('recreate')) return 'risk'
  if (changes.has('update')) return 'change'
  if (changes.has('create')) return 'new'
  return changes.has('hook') ? 'hook' : 'quiet'
}

/** Stage and weight, then what changes by name, then how much else there is. */
function labelOf(rows: readonly Row[], hasWeight: boolean): string {
  const [first] = rows
  if (first === undefined) return ''
  const weight = first.deletionPhase === undefined ? `${first.weight}` : `phase ${first.deletionPhase} ${first.weight}`
  const shown = rows.filter((row) => row.change !== 'none' && !isFolded(row))
  const names = shown.slice(0, MAX_NAMES).map(changedName)
  const rest = rows.length - names.length
  const more = rest === 0 ? [] : [names.length === 0 ? `${rest} unchanged` : `and ${rest} more`]
  return [hasWeight ? `<b>${first.stage} ${weight}</b>` : `<b>${first.stage}</b>`, ...names, ...more].join('<br/>')
}

/** Mermaid reads much as syntax: only a few harmless characters are let through. */
function changedName(row: Row): string {
  const kind = isBuiltIn(row.ref, 'CustomResourceDefinition') ? 'CRD' : row.ref.kind
  const name = `${kind} ${row.ref.name}`
    .replace(/[^A-Za-z0-9._/-]+/g, ' ')
    .slice(0, MAX_NAME_CHARS)
    .trim()
  return row.change === 'update' || row.change === 'create' ? name : `${wordFor(row)} ${name}`
}

function wordFor(row: Row): string {
  return row.change === 'hook' ? 'run' : row.change === 'await' ? 'wait for' : row.change
}
