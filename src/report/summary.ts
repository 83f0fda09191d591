import type { Failure } from '../model/outcome.ts'
import type { PassResult, RunInfo } from '../model/pass.ts'
import type { Problem } from '../model/problem.ts'
import { changeDetails, fitting } from './change-details.ts'
import { failureBox, failureSection } from './failure-markdown.ts'
import { notesDetails, problemList, untouchedDetails } from './folded.ts'
import { ganttLines } from './gantt.ts'
import { countsDone, factsLine, headline, isDone } from './headline.ts'
import { byteLength, code, details, fence, markdown } from './markdown.ts'
import { countsOf } from './outputs.ts'
import { warningBoxes } from './risks.ts'
import { rowTable, type TableDetail } from './row-table.ts'
import { type Row, rowsOf } from './rows.ts'

export interface SummaryInput {
  readonly passes: readonly PassResult[]
  readonly info: RunInfo
  /** Of a run that ended before any pass. */
  readonly problems?: readonly Problem[]
  readonly failure?: Failure
  /** Lines of context in diffs; 3 where absent. */
  readonly diffContext?: number
  readonly limitBytes?: number
}

/** The runner drops a summary above 1 MiB as a whole. Source: action-ux 3.1. */
export const SUMMARY_LIMIT_BYTES = 900_000

/** How much of a pass is told, from all to the least. */
interface Detail {
  readonly table: TableDetail
  readonly logLines: number
  readonly isFolded: boolean
}

const LADDER: readonly Detail[] = [
  { table: 'rows', logLines: 50, isFolded: true },
  { table: 'kinds', logLines: 20, isFolded: true },
  { table: 'kinds', logLines: 5, isFolded: false },
]

/**
 * The job summary as Markdown: per pass a headline, the failure with its evidence, a table of stages, hooks and weights,
 * the timeline, the diffs. Fits into the limit by telling less of the same; what was left out is said.
 */
export function summary(input: SummaryInput): string {
  const limit = input.limitBytes ?? SUMMARY_LIMIT_BYTES
  for (const detail of LADDER) {
    const body = bodyOf(input, detail)
    const room = limit - byteLength(body)
    if (room >= 0) return withDiffs(body, input, room)
  }
  return shortest(input, limit)
}

function bodyOf(input: SummaryInput, detail: Detail): string {
  const ended =
    input.failure === undefined ? [] : ['### Failed before the first release', failureBox(input.failure, undefined)]
  const blocks = [
    ...ended,
    problemList(input.problems ?? []),
    ...input.passes.map((pass) => passBlocks(pass, input, detail).join('\n\n')),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function passBlocks(pass: PassResult, input: SummaryInput, detail: Detail): readonly string[] {
  const rows = pass.plan === undefined ? [] : rowsOf(pass.plan, pass.events)
  const isPlan = pass.command === 'plan'
  return [
    `### ${markdown(headline(pass))}`,
    factsLine(pass, input.info),
    !isDone(pass.outcome) || pass.plan === undefined ? '' : `${countsDone(countsOf(pass))}.`,
    ...failureSection(pass, rows, detail.logLines),
    ...warningBoxes(rows, isPlan),
    problemList(pass.problems),
    rowTable(rows, { kind: isPlan ? 'plan' : 'run', detail: detail.table, namespace: pass.namespace }),
    ...(detail.isFolded ? foldedBlocks(pass, rows, input.info) : []),
  ].filter((block) => block !== '')
}

function foldedBlocks(pass: PassResult, rows: readonly Row[], info: RunInfo): readonly string[] {
  const bars = ganttLines(rows)
  return [
    bars.length === 0 ? '' : details('Timeline', fence(bars, 'mermaid'), { isOpen: true }),
    untouchedDetails(pass),
    pass.outcome.failure === undefined ? notesDetails(pass) : '',
    details('About this run', aboutText(pass, info)),
  ]
}

function aboutText(pass: PassResult, info: RunInfo): string {
  const facts = [
    `Staged Helm Deploy ${code(info.actionVersion)}`,
    `command ${code(pass.command)}`,
    `${pass.requests} requests to ${code(info.cluster)}`,
    ...(pass.fingerprint === undefined ? [] : [`plan ${code(pass.fingerprint.hash)}`]),
  ]
  return facts.map((fact) => `- ${fact}`).join('\n')
}

/** Diffs come last, riskiest first where not all fit. */
function withDiffs(body: string, input: SummaryInput, roomBytes: number): string {
  const all = input.passes.flatMap((pass) => {
    if (pass.plan === undefined) return []
    return changeDetails(rowsOf(pass.plan, pass.events), {
      verb: pass.plan.verb,
      context: input.diffContext ?? 3,
      mayOpen: pass.command === 'plan',
    })
  })
  if (all.length === 0) return body
  const shown = fitting(all, roomBytes - NOTE_BYTES)
  const left = all.length - shown.length
  const note = left === 0 ? [] : [`${left} of ${all.length} diffs are left out here, the least risky ones.`]
  const blocks = ['#### Changes', ...note, ...shown.map((one) => one.markdown)]
  const text = `${body}\n${blocks.join('\n\n')}\n`
  return shown.length === 0 || byteLength(text) > byteLength(body) + roomBytes ? body : text
}

const NOTE_BYTES = 200

/** One line per pass, as many as fit. */
function shortest(input: SummaryInput, limitBytes: number): string {
  const lines = input.passes.map((pass) => `- ${markdown(headline(pass))}`)
  let text = '### Too much to show here: see the log\n\n'
  for (const line of lines) {
    if (byteLength(text) + byteLength(line) + 1 > limitBytes) break
    text += `${line}\n`
  }
  return text
}
