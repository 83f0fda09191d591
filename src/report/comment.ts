import { createHash } from 'node:crypto'
import { formatMarker } from '../model/marker.ts'
import type { PassResult, RunInfo } from '../model/pass.ts'
import { compareText } from '../model/ref.ts'
import { type ChangeDetails, changeDetails, fitting } from './change-details.ts'
import { addCounts, type Counts, countsText, isChange, noCounts } from './counts.ts'
import { failureSection } from './failure-markdown.ts'
import { list, problemList, untouchedDetails } from './folded.ts'
import { factsLine, headline } from './headline.ts'
import { byteLength, code, link, markdown, table } from './markdown.ts'
import { countsOf } from './outputs.ts'
import { phrase } from './phrase.ts'
import { warningBoxes } from './risks.ts'
import { rowTable, type TableDetail } from './row-table.ts'
import { type Row, rowsOf } from './rows.ts'
import { statusLine } from './status-line.ts'

export interface CommentInput {
  readonly key: string
  /** One pass per release, in the order of the run. */
  readonly passes: readonly PassResult[]
  readonly info: RunInfo
  /** Lines of context in diffs; 3 where absent. */
  readonly diffContext?: number
  readonly limitBytes?: number
}

/** How much longer the note about diffs left out may become when some are shown. */
const NOTE_BYTES = 100

/** GitHub refuses bodies above 65,536 characters; counted in UTF-8 bytes, with room to spare. Source: action-ux 2.3. */
export const COMMENT_LIMIT_BYTES = 60_000

/**
 * The comment on the pull request: the plan, and after a deploy how it ended. Marker on line 1, then counts and verdict,
 * so that an e-mail's preview tells the result. Fits into the limit rung by rung (all diffs, the riskiest diffs, the
 * table, kinds, counts); markup is never cut.
 */
export function comment(input: CommentInput): string {
  const limit = input.limitBytes ?? COMMENT_LIMIT_BYTES
  const sections = input.passes.map((pass) => sectionOf(pass, input.diffContext ?? 3))
  const diffs = sections.flatMap((section) => section.diffs)
  for (const detail of ['rows', 'kinds'] as const) {
    const base = bodyOf(input, sections, { detail, shown: new Set() })
    const room = limit - byteLength(base)
    if (room >= 0) return bodyOf(input, sections, { detail, shown: new Set(fitting(diffs, room - NOTE_BYTES)) })
  }
  return shortest(input, limit)
}

/**
 * Identity of the comment: cluster, namespace and releases of one pull request, hashed, so that the marker does not tell
 * the cluster's name. `salt`: the pull request's address. Source: action-ux 2.1.
 */
export function commentKey(passes: readonly PassResult[], info: RunInfo, salt: string): string {
  const releases = passes.map((pass) => `${pass.namespace}/${pass.release}`).sort(compareText)
  const parts = JSON.stringify([salt, info.cluster, releases])
  return createHash('sha256').update(parts).digest('hex').slice(0, 32)
}

/** Whether `comment: changes` posts: a change, a failure, or a hook whose definition changed (issue 5). */
export function isWorthPosting(passes: readonly PassResult[]): boolean {
  return passes.some((pass) => pass.outcome.failure !== undefined || isChange(countsOf(pass)) || hasChangedHook(pass))
}

function hasChangedHook(pass: PassResult): boolean {
  const rows = pass.plan === undefined ? [] : rowsOf(pass.plan, [])
  return rows.some(
    (row) => row.change === 'hook' && (row.reason.code === 'chart-changed' || row.reason.code === 'both'),
  )
}

/** A pass with what is computed once for all rungs. */
interface Section {
  readonly pass: PassResult
  readonly hasRun: boolean
  readonly rows: readonly Row[]
  readonly diffs: readonly ChangeDetails[]
}

interface Rung {
  readonly detail: TableDetail
  readonly shown: ReadonlySet<ChangeDetails>
}

function sectionOf(pass: PassResult, context: number): Section {
  const hasRun = pass.command !== 'plan' && pass.events.length > 0
  if (pass.plan === undefined) return { pass, hasRun, rows: [], diffs: [] }
  const rows = rowsOf(pass.plan, pass.events)
  return { pass, hasRun, rows, diffs: changeDetails(rows, { verb: pass.plan.verb, context, mayOpen: !hasRun }) }
}

function bodyOf(input: CommentInput, sections: readonly Section[], rung: Rung): string {
  const { passes, info } = input
  const isAlone = passes.length === 1
  const all = sections.flatMap((section) => section.diffs)
  const left = all.length - rung.shown.size
  const blocks = [
    markerLine(input),
    ...(isAlone ? [] : indexBlocks(passes)),
    ...sections.map((section) => sectionText(section, rung, { info, level: isAlone ? '###' : '####' })),
    left === 0 ? '' : `${leftOut(left, all.length)} All: ${link('job summary', info.runUrl)}.`,
    ...passes.map((pass) => `${isAlone ? '' : `${code(pass.release)}: `}${statusLine(pass, info)}`),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function leftOut(left: number, all: number): string {
  return left === all ? 'The diffs are left out here.' : `${left} of ${all} diffs, the least risky, are left out here.`
}

function sectionText(
  section: Section,
  rung: Rung,
  options: { readonly info: RunInfo; readonly level: string },
): string {
  const { pass, hasRun, rows, diffs } = section
  const blocks = [
    `${options.level} ${markdown(headline(pass))}`,
    factsLine(pass, options.info),
    ...failureSection(pass, hasRun ? rows : [], LOG_LINES),
    ...warningBoxes(rows, !hasRun),
    problemList(pass.problems),
    rowTable(rows, { kind: hasRun ? 'run' : 'plan', detail: rung.detail, namespace: pass.namespace }),
    ...diffs.flatMap((one) => (rung.shown.has(one) ? [one.markdown] : [])),
    untouchedDetails(pass),
  ]
  return blocks.filter((block) => block !== '').join('\n\n')
}

const LOG_LINES = 20

function indexBlocks(passes: readonly PassResult[]): readonly string[] {
  const counts: Counts = passes.map(countsOf).reduce(addCounts, noCounts)
  const index = table(
    [{ title: 'release' }, { title: 'namespace' }, { title: 'verdict' }],
    passes.map((pass) => [
      code(pass.release),
      code(pass.namespace),
      `${pass.outcome.status}: ${countsText(countsOf(pass))}`,
    ]),
  )
  return [`### ${passes.length} releases: ${countsText(counts)}`, index]
}

function markerLine(input: CommentInput): string {
  const { key, passes, info } = input
  const [only] = passes
  const planHash = passes.length === 1 ? only?.fingerprint?.hash : undefined
  return formatMarker({
    key,
    ...(info.commitSha === undefined ? {} : { headSha: info.commitSha }),
    ...(info.runId === undefined ? {} : { runId: info.runId }),
    ...(info.runAttempt === undefined ? {} : { runAttempt: info.runAttempt }),
    ...(planHash === undefined ? {} : { planHash }),
  })
}

/** Counts only, as many releases as fit. */
function shortest(input: CommentInput, limitBytes: number): string {
  const counts: Counts = input.passes.map(countsOf).reduce(addCounts, noCounts)
  const head = [
    markerLine(input),
    `### Plan: ${countsText(counts)}`,
    `Too much to show here. All: ${link('job summary', input.info.runUrl)}.`,
  ].join('\n\n')
  const entries = input.passes.map((pass) => markdown(phrase`${headline(pass)}`))
  for (let amount = entries.length; amount > 0; amount = Math.floor(amount / 2)) {
    const text = `${head}\n\n${list(entries.slice(0, amount))}\n`
    if (byteLength(text) <= limitBytes) return text
  }
  return `${head}\n`
}
