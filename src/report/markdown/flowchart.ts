import { isBuiltIn } from '../../manifest/built-in-kinds.ts'
import { deletionRisk } from '../../manifest/deletion-risk.ts'
import { type Risk, risks } from '../../model/impact.ts'
import type { Row } from '../rows/rows.ts'
import { goalWord } from '../words/row-text.ts'
import { hasNews, isFolded } from '../words/table-lines.ts'
import { details, fence } from './markdown.ts'

/** Most boxes; beyond that a box per stage. Far below what Mermaid takes on GitHub: 500 arrows, 50,000 characters. */
const MAX_BOXES = 30
/** So many boxes stand side by side; more would be too small to read, one below the other they take a page, and are folded. */
const MAX_BOXES_ABREAST = 4
/** A picture of more objects than this is folded: the table says more of them. */
const MAX_OPEN_OBJECTS = 12
/** Most objects that a box names. */
const MAX_NAMES = 6
const MAX_NAME_CHARS = 48

/** The picture of a plan, or nothing where words say as much: folded where it is large. */
export function stagesPicture(rows: readonly Row[]): string {
  const boxes = hasNews(rows) ? boxesOf(rows) : []
  if (boxes.length < 2 || isToldInWords(boxes)) return ''
  return details('Stages', fence(flowchartLines(boxes), 'mermaid'), {
    isOpen: boxes.length <= MAX_BOXES_ABREAST && rows.length <= MAX_OPEN_OBJECTS,
  })
}

/** `main → prune`: one line says that the new objects come first and then the old ones go. */
function isToldInWords(boxes: readonly Box[]): boolean {
  const rows = boxes.flatMap((box) => box.rows)
  const isSpecial = rows.some(({ change, hook }) => hook !== undefined || change === 'await')
  return boxes.length === 2 && new Set(boxes.map(({ stage }) => stage)).size === 2 && !isSpecial
}

/**
 * The stages of a plan as a Mermaid flowchart: a frame per stage, in it a box per weight with the objects that
 * change, coloured by the riskiest change; at the arrows what is waited for. Lines of a `mermaid` fence.
 */
function flowchartLines(boxes: readonly Box[]): readonly string[] {
  const frames = [...Map.groupBy(boxes.entries(), ([, box]) => box.stage)]
  const direction = boxes.length > MAX_BOXES_ABREAST ? 'TB' : 'LR'
  return [
    `flowchart ${direction}`,
    ...frames.flatMap(([stage, members], index) => [
      `  subgraph s${index}["${stage}"]`,
      // Without it Mermaid turns a frame by a quarter.
      `    direction ${direction}`,
      ...members.map(([at, box]) => `    n${at}["${labelOf(box)}"]:::${box.colour}`),
      ...members.slice(1).map(([at], before) => `    n${at - 1} -->${arrowText(members[before]?.[1])} n${at}`),
      '  end',
    ]),
    // From frame to frame: an arrow to a box inside would cross the name of the stage.
    ...frames.slice(1).map((_frame, index) => {
      const last = frames[index]?.[1].at(-1)?.[1]
      return `  s${index} -->${arrowText(last)} s${index + 1}`
    }),
    ...frames.map((_frame, index) => `  style s${index} fill:none,stroke:#8c959f`),
    ...COLOURS.filter(([name]) => boxes.some(({ colour }) => colour === name)).map(
      ([name, look]) => `  classDef ${name} ${look}`,
    ),
  ]
}

/** Fill and text together, so that the boxes can be read in a dark theme as well. */
const COLOURS = [
  ['risk', 'fill:#ffebe9,stroke:#cf222e,color:#82071e'],
  ['grave', 'fill:#fff1e5,stroke:#bc4c00,color:#5c2200'],
  ['restart', 'fill:#fff8c5,stroke:#9a6700,color:#4d2d00'],
  ['new', 'fill:#dafbe1,stroke:#1a7f37,color:#0f3d1e'],
  ['change', 'fill:#fbefff,stroke:#8250df,color:#3e1f79'],
  ['hook', 'fill:#ddf4ff,stroke:#0969da,color:#0a3069'],
  ['quiet', 'fill:#f6f8fa,stroke:#8c959f,color:#57606a'],
] as const

type Colour = (typeof COLOURS)[number][0]

const COLOUR_OF_RISK: { readonly [risk in Risk]: Colour } = {
  deleted: 'risk',
  recreated: 'risk',
  stopped: 'risk',
  access: 'grave',
  schema: 'grave',
  restart: 'restart',
  reverted: 'change',
  removed: 'change',
  new: 'new',
  other: 'change',
}

interface Box {
  readonly stage: string
  /** Absent for all of a stage. */
  readonly title?: string
  readonly rows: readonly Row[]
  readonly colour: Colour
}

function boxesOf(rows: readonly Row[]): readonly Box[] {
  const byStep = [...Map.groupBy(rows, stepOf).values()]
  const steps = byStep.length <= MAX_BOXES ? byStep : [...Map.groupBy(rows, (row) => row.stage).values()]
  return steps.flatMap((members) => {
    const [first] = members
    if (first === undefined) return []
    const title = byStep.length <= MAX_BOXES ? { title: titleOf(first) } : {}
    return [{ stage: first.stage, ...title, rows: members, colour: colourOf(members) }]
  })
}

function stepOf({ change, deletionPhase, stage, weight }: Row): string {
  return JSON.stringify([stage, deletionPhase, weight, change === 'hook'])
}

function titleOf({ change, deletionPhase, weight }: Row): string {
  if (change === 'hook') return `hooks, weight ${weight}`
  return deletionPhase === undefined ? `weight ${weight}` : `phase ${deletionPhase}, weight ${weight}`
}

function colourOf(rows: readonly Row[]): Colour {
  const ranks = rows.filter(isShown).map(rankOf)
  const risk = risks[Math.min(...ranks)]
  if (risk !== undefined) return COLOUR_OF_RISK[risk]
  return ranks.length === 0 ? 'quiet' : 'hook'
}

/** A hook that runs replaces its last run, and changes nothing of the release: only what it may do counts. */
function rankOf({ change, impact, ref }: Row): number {
  const risk = impact?.risk ?? (change === 'delete' ? deletionRisk(ref) : 'other')
  const isRun = change === 'await' || (change === 'hook' && risk !== 'access' && risk !== 'schema')
  return isRun ? risks.length : risks.indexOf(risk)
}

/** A hook runs, whatever little has changed of it. */
function isShown(row: Row): boolean {
  return row.change === 'hook' || (row.change !== 'none' && !isFolded(row))
}

/** Weight, then what changes by name, the riskiest first, then how much else there is. */
function labelOf({ rows, title }: Box): string {
  const shown = rows.filter(isShown).toSorted((a, b) => rankOf(a) - rankOf(b))
  const names = shown.slice(0, MAX_NAMES).map(changedName)
  const more = shown.length - names.length
  const unchanged = rows.filter(({ change }) => change === 'none').length
  const folded = rows.length - shown.length - unchanged
  return [
    ...(title === undefined ? [] : [`<b>${title}</b>`]),
    ...names,
    ...(more === 0 ? [] : [`and ${more} more`]),
    ...(folded === 0 ? [] : [`${folded} ${folded === 1 ? 'changes' : 'change'} in metadata only`]),
    ...(unchanged === 0 ? [] : [`${unchanged} unchanged`]),
  ].join('<br/>')
}

/** Mermaid reads much as syntax: only a few harmless characters are let through. */
function changedName(row: Row): string {
  const kind = isBuiltIn(row.ref, 'CustomResourceDefinition') ? 'CRD' : row.ref.kind
  const name = `${kind} ${row.ref.name}`
    .replace(/[^A-Za-z0-9._/-]+/g, ' ')
    .slice(0, MAX_NAME_CHARS)
    .trim()
  return `${wordFor(row)} ${name}`
}

function wordFor({ change }: Row): string {
  return change === 'hook' ? 'run' : change === 'await' ? 'wait for' : change
}

/** What has to be reached before the next box: `until ready`. */
function arrowText(box: Box | undefined): string {
  const goals = new Set((box?.rows ?? []).flatMap(({ waits }) => waits.map(({ until }) => goalWord(until))))
  return goals.size === 0 ? '' : `|"until ${[...goals].join(', ')}"|`
}
