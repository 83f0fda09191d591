import type { PassResult, RunInfo } from '../../model/pass.ts'
import { keptLine, problemList, untouchedDetails } from '../markdown/bullet-lists.ts'
import { type ChangeDetails, changeDetails } from '../markdown/change-details.ts'
import { failureSection } from '../markdown/failure-section.ts'
import { stagesPicture } from '../markdown/flowchart.ts'
import { markdown } from '../markdown/markdown.ts'
import { factsLine, factsOfRelease } from '../markdown/release-facts.ts'
import { rowTable } from '../markdown/row-table.ts'
import { sharedRows } from '../markdown/shared-rows.ts'
import { warningBoxes } from '../markdown/warning-boxes.ts'
import { isBlocked } from '../rows/blocked.ts'
import { leftAloneRows } from '../rows/left-alone-rows.ts'
import { hasStarted, type Row, rowsOf } from '../rows/rows.ts'
import { headline } from '../words/headline.ts'
import { warningsOfPass } from '../words/problem-text.ts'
import { hasNews, type TableDetail } from '../words/table-lines.ts'

/** One pass of a comment, with what is computed once for all rungs. */
export interface Section {
  readonly pass: PassResult
  readonly hasRun: boolean
  readonly rows: readonly Row[]
  readonly diffs: readonly ChangeDetails[]
}

/** How much of a pass the comment shows. */
export interface CommentRung {
  readonly table: TableDetail | 'none'
  /** Lines of a log; 0: no evidence at all. */
  readonly logLines: number
  readonly maxProblems: number
  readonly isFolded: boolean
  /** Whether the picture of the stages is there; only beside all diffs. */
  readonly hasPicture: boolean
}

/** From all to the least. */
export const commentRungs: readonly CommentRung[] = [
  { table: 'rows', logLines: 20, maxProblems: 50, isFolded: true, hasPicture: true },
  { table: 'rows', logLines: 20, maxProblems: 50, isFolded: true, hasPicture: false },
  { table: 'rows', logLines: 20, maxProblems: 50, isFolded: false, hasPicture: false },
  { table: 'kinds', logLines: 20, maxProblems: 50, isFolded: false, hasPicture: false },
  { table: 'kinds', logLines: 5, maxProblems: 10, isFolded: false, hasPicture: false },
  { table: 'none', logLines: 0, maxProblems: 3, isFolded: false, hasPicture: false },
]

export function sectionOf(pass: PassResult, context: number): Section {
  const hasRun = hasStarted(pass.events)
  if (pass.plan === undefined) return { pass, hasRun, rows: [], diffs: [] }
  const rows = rowsOf(pass.plan, pass.events)
  return {
    pass,
    hasRun,
    rows,
    diffs: changeDetails([...rows, ...leftAloneRows(pass.plan)], {
      verb: pass.plan.verb,
      context,
      mayOpen: !hasRun,
      maxLines: MAX_DIFF_LINES,
    }),
  }
}

export function sectionText(
  section: Section,
  options: {
    readonly rung: CommentRung
    readonly shown: readonly ChangeDetails[]
    readonly info: RunInfo
    /** Whether the comment is about this release alone. */
    readonly isAlone: boolean
  },
): string {
  const { diffs, hasRun, pass, rows } = section
  const { info, isAlone, rung } = options
  const shown = new Set(options.shown)
  const named = new Set(options.shown.flatMap((one) => (one.rows.length > 1 ? one.rows : [])))
  const kind = hasRun ? 'run' : 'plan'
  const detail = hasNews(rows) ? rung.table : 'none'
  const isCounted = !hasRun && pass.outcome.failure === undefined && !isBlocked(pass)
  const blocks = [
    `${isAlone ? '###' : '####'} ${markdown(headline(pass, info))}`,
    isAlone ? factsLine(pass, info, rows) : factsOfRelease(pass, rows),
    ...failureSection(pass, rows, rung.logLines),
    ...warningBoxes(rows, !hasRun),
    problemList(warningsOfPass(pass), rung.maxProblems),
    detail === 'none'
      ? ''
      : rowTable(rows, { kind, detail, namespace: pass.namespace, isBrief: isCounted, isBelowBox: true }),
    rung.maxProblems < 10 ? '' : keptLine(pass),
    ...diffs.flatMap((one) => (shown.has(one) ? [one.markdown] : [])),
    rung.hasPicture && !hasRun ? stagesPicture(rows) : '',
    ...(rung.isFolded ? sharedRows(rows, { kind, namespace: pass.namespace, maxNames: MAX_NAMES, named }) : []),
    rung.isFolded ? untouchedDetails(pass) : '',
  ]
  return blocks.filter((block) => block !== '').join('\n\n')
}

const MAX_NAMES = 30
/** Most lines of one diff; the summary has more. */
const MAX_DIFF_LINES = 40
