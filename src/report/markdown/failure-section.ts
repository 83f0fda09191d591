import type { Evidence, PodEvidence } from '../../model/evidence.ts'
import type { Failure } from '../../model/outcome.ts'
import type { PassResult } from '../../model/pass.ts'
import { formatRef, refKey } from '../../model/ref.ts'
import { isBlocked } from '../rows/blocked.ts'
import { allEvidence, evidenceOf } from '../rows/evidence-of-pass.ts'
import { hasStarted, type Row } from '../rows/rows.ts'
import { capitalized } from '../words/capitalized.ts'
import { eventPhrase } from '../words/evidence-text.ts'
import { failureHint, failureSentence } from '../words/failure-sentence.ts'
import { type Phrase, phrase } from '../words/phrase.ts'
import { differencePhrases, HASH_ONLY } from '../words/plan-differences.ts'
import { problemsOfPass } from '../words/problem-text.ts'
import { readinessPhrase } from '../words/readiness-text.ts'
import { doneWord, whyPhrase } from '../words/row-text.ts'
import { bulletList, problemMarkdown } from './bullet-lists.ts'
import { hintLines } from './hint-lines.ts'
import { box, code, details, fence, html, markdown, prose } from './markdown.ts'
import { podBlocks } from './pod-blocks.ts'

/** How many failed resources are shown in full; of the others one line each. */
const MAX_IN_FULL = 3
const MAX_EVENTS = 5
const MAX_CAUSES = 20

/** The box with the one sentence and what to do next. */
export function failureBox(failure: Failure, evidence: Evidence | undefined): string {
  const sentence = markdown(failureSentence(failure, evidence))
  const [next = '', ...more] = failure.hint === undefined ? [prose(failureHint(failure))] : hintLines(failure.hint)
  return box('CAUTION', [capitalized(sentence), '', `**Next:** ${next}${more.length === 0 ? '.' : ''}`, ...more])
}

/**
 * All about a failure: the box, what differs from the approved plan, other resources that were not ready, evidence, what
 * was done and what was not. Without log lines the box alone.
 */
export function failureSection(pass: PassResult, rows: readonly Row[], logLines: number): readonly string[] {
  const { failure } = pass.outcome
  if (isBlocked(pass)) return [blockedBox(pass, logLines)]
  if (failure === undefined) return []
  const evidence = evidenceOf(pass)
  if (logLines === 0) return [failureBox(failure, evidence)]
  const others = (failure.others ?? []).map((other) =>
    markdown(phrase`${formatRef(other.ref)}: ${readinessPhrase(other.readiness)}`),
  )
  return [
    failureBox(failure, evidence),
    ...changedBlock(failure, rows),
    ...messageBlock(failure),
    ...differenceBlock(pass, failure),
    ...(others.length === 0 ? [] : [`Also not ready:\n\n${bulletList(others)}`]),
    ...evidenceBlocks(pass, evidence, logLines),
    hasStarted(pass.events) ? progressText(rows) : '',
  ].filter((block) => block !== '')
}

/** All causes at once: whoever corrects one of three would be back here twice. */
function blockedBox(pass: PassResult, logLines: number): string {
  const errors = problemsOfPass(pass).filter(({ severity }) => severity === 'error')
  const what = errors.length === 1 ? 'this is corrected' : `these ${errors.length} problems are corrected`
  const entries = bulletList(errors.map(problemMarkdown), logLines === 0 ? 3 : MAX_CAUSES).split('\n')
  return box('CAUTION', [`**Blocked:** nothing can be deployed until ${what}.`, '', ...entries])
}

function differenceBlock(pass: PassResult, { reason }: Failure): readonly string[] {
  if (reason !== 'plan-changed') return []
  const differences = differencePhrases(pass.differences ?? [])
  if (differences.length === 0) return [`${HASH_ONLY} The plan as it is now follows.`]
  return [`What differs from the approved plan:\n\n${bulletList(differences.map(markdown))}`]
}

/** What this very run changed of the thing that failed: the likeliest cause. */
function changedBlock({ ref }: Failure, rows: readonly Row[]): readonly string[] {
  const key = ref === undefined ? undefined : refKey(ref)
  const row = rows.find((one) => refKey(one.ref) === key && (one.change === 'update' || one.change === 'recreate'))
  if (row === undefined) return []
  const why = whyPhrase(row)
  return why.length === 0 ? [] : [`**This run ${doneWord(row)} it:** ${markdown(why)}.`]
}

/** The whole message where the sentence does not hold it. */
function messageBlock(failure: Failure): readonly string[] {
  const isLong = failure.message.length > 300 || failure.message.includes('\n')
  return isLong ? [details('Full message', fence(failure.message.slice(0, 20_000).split(/\r\n|\r|\n/), 'text'))] : []
}

function evidenceBlocks(pass: PassResult, first: Evidence | undefined, logLines: number): readonly string[] {
  const key = first === undefined ? undefined : refKey(first.ref)
  const newest = new Map(allEvidence(pass).map((one) => [refKey(one.ref), one]))
  const rest = [...newest.values()].filter((one) => refKey(one.ref) !== key)
  const ordered = first === undefined ? rest : [first, ...rest]
  const left = ordered.length - MAX_IN_FULL
  return [
    ...ordered.slice(0, MAX_IN_FULL).map((one, index) => evidenceBlock(one, index === 0, logLines)),
    ...(left > 0 ? [`Diagnostics of ${left} more resources are in the log.`] : []),
  ]
}

function evidenceBlock(evidence: Evidence, isOpen: boolean, logLines: number): string {
  const troubled = evidence.pods.filter(hasTrouble)
  const fine = evidence.pods.length - troubled.length
  const blocks = [
    ...podBlocks(troubled.slice(0, MAX_IN_FULL), logLines),
    ...(troubled.length > MAX_IN_FULL ? [`${troubled.length - MAX_IN_FULL} more pods have the same problem.`] : []),
    ...(fine > 0 && troubled.length > 0 ? [`${fine} more ${fine === 1 ? 'pod has' : 'pods have'} no problem.`] : []),
    ...eventBlock(evidence),
    ...(evidence.missing.length === 0 ? [] : [`Not read: ${evidence.missing.slice(0, 5).map(code).join(', ')}`]),
  ]
  if (blocks.length === 0) return ''
  return details(html(phrase`Diagnostics of ${formatRef(evidence.ref)}`), blocks.join('\n\n'), { isOpen })
}

function hasTrouble(pod: PodEvidence): boolean {
  return pod.phase === 'Failed' || pod.containers.some((one) => one.reason !== undefined || one.logTail.length > 0)
}

function eventBlock(evidence: Evidence): readonly string[] {
  if (evidence.events.length === 0) return []
  return [
    `Events, newest first:\n\n${bulletList(evidence.events.slice(0, MAX_EVENTS).map((one) => markdown(eventPhrase(one))))}`,
  ]
}

/** `Done: pre weight 0 (1 of 1). Stopped in: main weight 0 (2 of 3). Not started: prune weight 0 (1).` */
function progressText(rows: readonly Row[]): string {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const name = `${row.stage} weight ${row.weight}`
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  const done: Phrase[] = []
  const stopped: Phrase[] = []
  const waiting: Phrase[] = []
  for (const [name, members] of groups) {
    const succeeded = members.filter((row) => row.result === 'succeeded' || row.result === 'ignored').length
    const isUntouched = members.every((row) => row.result === 'skipped' || row.result === 'planned')
    if (isUntouched) waiting.push([`${name} (${members.length})`])
    else if (succeeded < members.length) stopped.push([`${name} (${succeeded} of ${members.length})`])
    else done.push([`${name} (${succeeded} of ${members.length})`])
  }
  const parts = [
    done.length === 0 ? '' : `**Done:** ${done.flat().join(', ')}.`,
    stopped.length === 0 ? '' : `**Stopped in:** ${stopped.flat().join(', ')}.`,
    waiting.length === 0 ? '' : `**Not started:** ${waiting.flat().join(', ')}.`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}
