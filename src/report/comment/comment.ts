import { createHash } from 'node:crypto'
import type { PassResult, RunInfo } from '../../model/pass.ts'
import { compareText } from '../../model/ref.ts'
import { rowOf } from '../../model/verb.ts'
import { bulletList } from '../markdown/bullet-lists.ts'
import { type ChangeDetails, fitting } from '../markdown/change-details.ts'
import { byteLength, code, link, markdown } from '../markdown/markdown.ts'
import { nextStep } from '../markdown/next-step.ts'
import { headOfAll } from '../markdown/release-index.ts'
import { countsOf, hasChanges } from '../rows/counts.ts'
import { releaseCount } from '../rows/first-passes.ts'
import { rowsOf } from '../rows/rows.ts'
import { headline, headlineOfAll } from '../words/headline.ts'
import { type CommentRung, commentRungs, sectionOf, sectionText } from './comment-section.ts'
import { statusBlock } from './status-line.ts'

export interface CommentInput {
  /** In the order of the run. */
  readonly passes: readonly PassResult[]
  readonly info: RunInfo
  /** Lines of context in diffs; 3 where absent. */
  readonly diffContext?: number
  readonly limitBytes: number
}

/** What a comment is about; known from the inputs alone, before anything was planned. */
export interface CommentSubject {
  /** Input `label`; takes the place of the cluster and of nothing else. */
  readonly label?: string
  /** Host of the API server; empty where there is none. */
  readonly cluster: string
  readonly releases: readonly { readonly namespace: string; readonly release: string }[]
}

/** All diffs together; beyond that nobody reads on, and the job summary has them all. */
const DIFF_BYTES = 16_000
/** How much longer the note about diffs left out may become when some are shown. */
const NOTE_BYTES = 1_500
/** Names of what is left out, in that note. */
const NAMES_BYTES = 1_200
const MAX_NAMES = 10

/**
 * What people see of the comment on the pull request: the plan, and after a deploy how it ended. Counts and verdict first,
 * so that the preview of an e-mail shows the result; the status comes last. Fits into the limit rung by rung, one ladder for
 * all releases (the picture of the stages, all diffs, the riskiest diffs, the tables, kinds, counts); markup is never cut.
 */
export function comment(input: CommentInput): string {
  const { limitBytes } = input
  const sections = input.passes.map((pass) => sectionOf(pass, input.diffContext ?? 3))
  const diffs = sections.flatMap((section) => section.diffs)
  const textOfRung = (rung: CommentRung, shown: readonly ChangeDetails[]) => {
    const isAlone = releaseCount(input.passes) === 1
    const texts = sections.map((section) => sectionText(section, { rung, shown, info: input.info, isAlone }))
    return framed(input, [...texts, noteText(shown, diffs, input.info)])
  }
  for (const rung of commentRungs) {
    const room = limitBytes - byteLength(textOfRung(rung, []))
    if (room < 0) continue
    const all = fitting(diffs, Math.min(room, DIFF_BYTES))
    const shown = all.length === diffs.length ? all : fitting(diffs, Math.min(room - NOTE_BYTES, DIFF_BYTES))
    if (!rung.hasPicture || shown.length === diffs.length) return textOfRung(rung, shown)
  }
  return headlinesOnly(input)
}

/**
 * Identity of the comment: label or cluster, namespaces and releases, hashed, so that the comment does not name
 * the cluster. `salt`: the addresses of repository and pull request. See docs/decisions/0024.
 */
export function commentKey(of: CommentSubject, salt: string): string {
  const place = of.label === undefined ? ['cluster', of.cluster] : ['label', of.label]
  const releases = new Set(of.releases.map(({ namespace, release }) => `${namespace}/${release}`))
  const parts = JSON.stringify([salt, place, [...releases].sort(compareText)])
  return createHash('sha256').update(parts).digest('hex').slice(0, 32)
}

/**
 * Whether `comment: changes` posts: a change, a failure, the end of a release, or a hook that is new or whose definition changed
 * (docs/decisions/0024).
 */
export function isWorthPosting(passes: readonly PassResult[]): boolean {
  return passes.some(
    (pass) =>
      pass.outcome.failure !== undefined ||
      hasChanges(countsOf(pass)) ||
      pass.plan?.recordEnd !== undefined ||
      hasChangedHook(pass),
  )
}

function hasChangedHook(pass: PassResult): boolean {
  const { plan } = pass
  if (plan === undefined) return false
  // On an install all of them are new, and so is everything else.
  if (plan.goneHooks !== undefined) return true
  if (rowOf(plan.verb).isFirst !== true && plan.changedHooks !== undefined) return true
  return rowsOf(plan, []).some(
    (row) => row.change === 'hook' && ['new', 'chart-changed', 'both'].includes(row.reason.code),
  )
}

/** Which diffs are elsewhere, and where; nothing where all of them are here, and whole. */
function noteText(shown: readonly ChangeDetails[], all: readonly ChangeDetails[], info: RunInfo): string {
  const place = link('job summary', info.runUrl)
  const left = all.length - shown.length
  const isCut = shown.some(({ omittedLines }) => omittedLines > 0)
  if (left === 0) return isCut ? `Long diffs are whole in the ${place}.` : ''
  const are = left === 1 ? 'is' : 'are'
  if (shown.length === 0) return `The diffs are in the ${place} only.`
  return `${left} of ${all.length} diffs ${are} in the ${place} only: ${leftOut(shown, all)}.${isCut ? ' Long ones are whole there.' : ''}`
}

/** By name, unless they are many. */
function leftOut(shown: readonly ChangeDetails[], all: readonly ChangeDetails[]): string {
  const left = all.filter((one) => !shown.includes(one))
  const first = left.length <= MAX_NAMES + 1 ? left : left.slice(0, MAX_NAMES)
  const names = first.flatMap(({ rows: [row] }) => (row === undefined ? [] : [`${row.ref.kind}/${row.ref.name}`]))
  const named: string[] = []
  let bytes = 0
  for (const name of names.map(code)) {
    bytes += byteLength(name) + 2
    if (bytes > NAMES_BYTES) break
    named.push(name)
  }
  const more = left.length - named.length
  if (named.length === 0) return `${more}`
  return `${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}

/** Around the sections: index of several releases, what to copy next, status. */
function framed({ info, passes }: CommentInput, blocks: readonly string[]): string {
  const all = [...headOfAll(passes, info), ...blocks, nextStep(passes, info), statusBlock(passes, info)]
  return `${all.filter((block) => block !== '').join('\n\n')}\n`
}

/** Headlines only, as many as fit. */
function headlinesOnly(input: CommentInput): string {
  const { info, limitBytes, passes } = input
  const note = `Too much to show here. All: ${link('job summary', info.runUrl)}.`
  const entries = passes.map((pass) => markdown(headline(pass, info)))
  for (let amount = entries.length; amount > 0; amount = Math.floor(amount / 2)) {
    const text = framed(input, [bulletList(entries.slice(0, amount)), note])
    if (byteLength(text) <= limitBytes) return text
  }
  return `${[`### ${markdown(headlineOfAll(passes))}`, note, statusBlock(passes, info)].join('\n\n')}\n`
}
