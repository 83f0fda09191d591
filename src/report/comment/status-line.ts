import { isPlan, type PassResult, type RunInfo } from '../../model/pass.ts'
import { unreachable } from '../../model/unreachable.ts'
import { code, link, prose } from '../markdown/markdown.ts'
import { planHash } from '../rows/plan-hash.ts'
import { planVerdict } from '../words/counts-text.ts'
import { durationText } from '../words/duration-text.ts'

/** Before the last block of a comment: the only block that is ever replaced in place. */
const MARK = '<!-- status -->'
const STATUS = '**Status:**'

/** The last block of a comment: where the releases stand now, in which run, and what a deploy asks for. */
export function statusBlock(passes: readonly PassResult[], info: RunInfo): string {
  return `${MARK}\n${statusText(passes, info)}`
}

/** The same, to put in the place of another one. */
export function statusText(passes: readonly PassResult[], info: RunInfo): string {
  const [only] = passes
  const what = passes.length === 1 && only !== undefined ? passStatus(only) : passStatuses(passes)
  return `${STATUS} ${what}${runLink(info)}.${planHashSentence(passes, info)}`
}

/** The status where the merge queue has planned the same once more; what was approved stays as it is. */
export function mergeGroupStatus(passes: readonly PassResult[], info: RunInfo): string {
  const failed = passes.some(({ outcome }) => outcome.failure !== undefined)
  const [only] = passes
  const what = passes.length === 1 && only?.plan !== undefined ? planVerdict(only.plan) : passStatuses(passes)
  return `${STATUS} in the merge queue, ${failed ? 'blocked' : 'planned again'} (${what})${runLink(info)}.${planHashSentence(passes, info)}`
}

/** The status where the process of a run was killed; `sentence`: what its post step did about it. */
export function endedEarlyStatus(sentence: string, info: RunInfo): string {
  return `${STATUS} killed${runLink(info)}: ${prose(sentence)}`
}

/** The text of a comment with another status. Undefined where it has no such block: somebody has changed it. */
export function withStatus(text: string, statusMarkdown: string): string | undefined {
  // Foreign text is above our block only, so the last mark is ours.
  const index = text.lastIndexOf(`\n${MARK}\n`)
  return index === -1 ? undefined : `${text.slice(0, index)}\n${MARK}\n${statusMarkdown}\n`
}

/**
 * The text of a comment without what runs that have no key replace: the one line of its status. What else stands there counts, and so do
 * all other lines; how they end does not.
 */
export function withoutStatus(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd())
  const last = lines.findLastIndex((line) => line !== '')
  const isStatus = lines[last]?.startsWith(STATUS) === true && lines[last - 1] === MARK
  return lines.slice(0, isStatus ? last : last + 1).join('\n')
}

/** `2 deployed, 1 failed`. */
function passStatuses(passes: readonly PassResult[]): string {
  const amounts = new Map<string, number>()
  for (const pass of passes) {
    const { outcome } = pass
    const word = isPlan(pass) && outcome.failure !== undefined ? 'blocked' : outcome.status
    amounts.set(word, (amounts.get(word) ?? 0) + 1)
  }
  return [...amounts].map(([word, amount]) => `${amount} ${word}`).join(', ')
}

function passStatus(pass: PassResult): string {
  const took = durationText(pass.finishedAtMs - pass.startedAtMs)
  const { status } = pass.outcome
  switch (status) {
    case 'running':
      return `running for ${took}`
    case 'planned':
      return 'planned'
    case 'deployed':
      return `deployed after ${took}`
    case 'uninstalled':
      return `uninstalled after ${took}`
    case 'tested':
      return `tested after ${took}`
    case 'failed':
      return isPlan(pass) ? `blocked${failureReason(pass)}` : `failed after ${took}${failureReason(pass)}`
    case 'rolled-back':
      return `rolled back after ${took}`
    case 'taken-down':
      return `taken down after ${took}`
    case 'no-changes':
      return 'no changes'
    case 'cancelled':
      return `cancelled after ${took}`
    default:
      return unreachable(status)
  }
}

/** ` (not-ready)`, the output `failure-reason`. */
function failureReason({ outcome }: PassResult): string {
  return outcome.failure === undefined ? '' : ` (${code(outcome.failure.reason)})`
}

function runLink(info: RunInfo): string {
  if (info.runNumber === undefined) return ''
  const attempt = info.runAttempt === undefined || info.runAttempt === 1 ? '' : `, attempt ${info.runAttempt}`
  return ` in ${link(`run ${info.runNumber}`, info.runUrl)}${attempt}`
}

function planHashSentence(passes: readonly PassResult[], info: RunInfo): string {
  const hash = planHash(passes)
  if (hash === '') return ''
  const short = code(hash.slice(0, 12))
  const isPlanned = passes.every(isPlan)
  if (!isPlanned) return ` Plan ${short}.`
  return info.needsApproval === true ? ` A deploy runs only if the plan is still ${short}.` : ` Plan ${short}.`
}
