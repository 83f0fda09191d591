import type { Failure } from '../../model/outcome.ts'
import { isPlan, type PassResult, type RunInfo } from '../../model/pass.ts'
import type { Problem } from '../../model/problem.ts'
import { problemList } from '../markdown/bullet-lists.ts'
import { changeDetails, fitting } from '../markdown/change-details.ts'
import { failureBox } from '../markdown/failure-section.ts'
import { byteLength, markdown } from '../markdown/markdown.ts'
import { nextStep } from '../markdown/next-step.ts'
import { headOfAll } from '../markdown/release-index.ts'
import { releaseCount } from '../rows/first-passes.ts'
import { leftAloneRows } from '../rows/left-alone-rows.ts'
import { rowsOf } from '../rows/rows.ts'
import { headline } from '../words/headline.ts'
import { type SummaryRung, summaryBlocks, summaryRungs } from './summary-section.ts'

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

/** The runner drops a summary above 1 MiB as a whole. Source: docs/sources.md#github-job-summary. */
const SUMMARY_LIMIT_BYTES = 900_000

/**
 * The job summary as Markdown: per pass a headline, the failure with its evidence, a table of stages, hooks and weights,
 * the timeline, the diffs. Fits into the limit by telling less of the same; what was left out is said.
 */
export function summary(input: SummaryInput): string {
  const limit = input.limitBytes ?? SUMMARY_LIMIT_BYTES
  for (const rung of summaryRungs) {
    const body = summaryBody(input, rung)
    const room = limit - byteLength(body)
    if (room >= 0) return withDiffs(body, input, room)
  }
  return shortestSummary(input, limit)
}

function summaryBody(input: SummaryInput, rung: SummaryRung): string {
  const { failure, info, passes, problems } = input
  const isAlone = releaseCount(passes) === 1
  const blocks = [
    ...(failure === undefined ? [] : ['### Failed before the first release', failureBox(failure, undefined)]),
    problemList(problems ?? []),
    ...headOfAll(passes, info),
    ...passes.map((pass) => summaryBlocks(pass, { info, isAlone, rung }).join('\n\n')),
    passes.length === 0 ? '' : nextStep(passes, info),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** Diffs come last, riskiest first where not all fit. */
function withDiffs(body: string, input: SummaryInput, roomBytes: number): string {
  const all = input.passes.flatMap((pass) => {
    if (pass.plan === undefined) return []
    const options = { verb: pass.plan.verb, context: input.diffContext ?? 3, mayOpen: isPlan(pass) }
    return changeDetails([...rowsOf(pass.plan, pass.events), ...leftAloneRows(pass.plan)], options)
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
function shortestSummary(input: SummaryInput, limitBytes: number): string {
  const lines = input.passes.map((pass) => `- ${markdown(headline(pass, input.info))}`)
  let text = '### Too much to show here: see the log\n\n'
  for (const line of lines) {
    if (byteLength(text) + byteLength(line) + 1 > limitBytes) break
    text += `${line}\n`
  }
  return text
}
