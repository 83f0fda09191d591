import { statusRow } from '../../model/outcome.ts'
import { isPlan, type PassResult, type RunInfo } from '../../model/pass.ts'
import { keptLine, problemList, untouchedDetails } from '../markdown/bullet-lists.ts'
import { failureSection } from '../markdown/failure-section.ts'
import { stagesPicture } from '../markdown/flowchart.ts'
import { code, details, fence, markdown } from '../markdown/markdown.ts'
import { factsLine, factsOfRelease } from '../markdown/release-facts.ts'
import { rowTable } from '../markdown/row-table.ts'
import { sharedRows } from '../markdown/shared-rows.ts'
import { warningBoxes } from '../markdown/warning-boxes.ts'
import { countsOf } from '../rows/counts.ts'
import { hashOf } from '../rows/plan-hash.ts'
import { hasStarted, type Row, rowsOf } from '../rows/rows.ts'
import { countsDone } from '../words/counts-text.ts'
import { headline } from '../words/headline.ts'
import { warningsOfPass } from '../words/problem-text.ts'
import { hasNews, type TableDetail } from '../words/table-lines.ts'
import { ganttLines } from './gantt.ts'
import { hookLogDetails } from './hook-log-details.ts'

/** How much of a pass the summary shows. */
export interface SummaryRung {
  readonly table: TableDetail
  readonly logLines: number
  readonly isFolded: boolean
}

/** From all to the least. */
export const summaryRungs: readonly SummaryRung[] = [
  { table: 'rows', logLines: 50, isFolded: true },
  { table: 'kinds', logLines: 20, isFolded: true },
  { table: 'kinds', logLines: 5, isFolded: false },
]

/** One pass as Markdown blocks, without its diffs. */
export function summaryBlocks(
  pass: PassResult,
  options: { readonly info: RunInfo; readonly isAlone: boolean; readonly rung: SummaryRung },
): readonly string[] {
  const { info, isAlone, rung } = options
  const rows = pass.plan === undefined ? [] : rowsOf(pass.plan, pass.events)
  const hasRun = hasStarted(pass.events)
  const kind = hasRun ? 'run' : 'plan'
  const isTold = !isPlan(pass) && statusRow(pass.outcome.status).isDone && pass.plan !== undefined
  return [
    `${isAlone ? '###' : '####'} ${markdown(headline(pass, info))}`,
    isAlone ? factsLine(pass, info, rows) : factsOfRelease(pass, rows),
    isTold ? `${countsDone(countsOf(pass))}.` : '',
    ...failureSection(pass, rows, rung.logLines),
    ...warningBoxes(rows, !hasRun),
    problemList(warningsOfPass(pass)),
    hasNews(rows) ? rowTable(rows, { kind, detail: rung.table, namespace: pass.namespace, isBelowBox: true }) : '',
    keptLine(pass),
    ...hookLogDetails(pass, rung.logLines),
    ...(rung.isFolded ? foldedBlocks(pass, rows, info) : []),
  ].filter((block) => block !== '')
}

const MAX_NAMES = 1_000

function foldedBlocks(pass: PassResult, rows: readonly Row[], info: RunInfo): readonly string[] {
  const hasRun = hasStarted(pass.events)
  const kind = hasRun ? 'run' : 'plan'
  const bars = ganttLines(rows)
  return [
    bars.length === 0 ? '' : details('Timeline', fence(bars, 'mermaid'), { isOpen: true }),
    hasRun ? '' : stagesPicture(rows),
    ...sharedRows(rows, { kind, namespace: pass.namespace, maxNames: MAX_NAMES, named: new Set() }),
    untouchedDetails(pass),
    pass.outcome.failure === undefined ? notesDetails(pass) : '',
    details('About this run', aboutText(pass, info)),
  ]
}

function aboutText(pass: PassResult, info: RunInfo): string {
  const hash = hashOf(pass)
  const facts = [
    `Staged Helm Deploy ${code(info.actionVersion)}`,
    `command ${code(pass.command)}`,
    info.cluster === '' ? 'without a cluster' : `${pass.requests} requests to ${code(info.cluster)}`,
    ...(hash === undefined ? [] : [`plan ${code(hash)}`]),
  ]
  return facts.map((fact) => `- ${fact}`).join('\n')
}

/** NOTES.txt of the chart, folded; empty where the chart has none. */
function notesDetails(pass: PassResult): string {
  const notes = (pass.notes ?? '').trim()
  return notes === '' ? '' : details('Notes of the chart', fence(notes.split(/\r\n|\r|\n/), 'text'))
}
