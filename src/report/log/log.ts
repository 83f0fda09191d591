import type { Event, EventOf, OperationResult } from '../../model/event.ts'
import type { Evidence } from '../../model/evidence.ts'
import { statusRow } from '../../model/outcome.ts'
import type { Operation, Plan } from '../../model/plan.ts'
import type { Problem } from '../../model/problem.ts'
import { formatRef, refKey } from '../../model/ref.ts'
import { unreachable } from '../../model/unreachable.ts'
import type { StageName } from '../../model/verb.ts'
import { groupKey, operationsOfGroup, placesById } from '../rows/plan-places.ts'
import { planVerdict } from '../words/counts-text.ts'
import { durationText } from '../words/duration-text.ts'
import { evidenceLines, podLogLines } from '../words/evidence-text.ts'
import { failureHint, failureSentence, stageText } from '../words/failure-sentence.ts'
import { groupName, groupTitle } from '../words/group-title.ts'
import { type Phrase, phrase, plainText } from '../words/phrase.ts'
import { planText } from '../words/plan-text.ts'
import { printable, printableLines } from '../words/printable.ts'
import { problemText } from '../words/problem-text.ts'
import { readinessPhrase } from '../words/readiness-text.ts'
import { revisionBecauseText } from '../words/revision-text.ts'
import { operationLine } from './operation-line.ts'

/** What the caller does with the runner, in order. Every text is one line. */
export type LogAction =
  | { readonly kind: 'group-start' | 'line'; readonly text: string }
  | { readonly kind: 'group-end' }

/** The same reason is printed again after this long, in ms, so that a log that waits is not silent. */
const HEARTBEAT_MS = 30_000

/** The plan as a folded group, for the announcement before a run. */
export function planLog(plan: Plan): readonly LogAction[] {
  const title = `plan: ${plan.verb} ${plan.release} in ${plan.namespace}: ${planVerdict(plan)}`
  return [
    { kind: 'group-start', text: printable(title) },
    ...printableLines(planText(plan)).map(lineAction),
    { kind: 'group-end' },
  ]
}

/** All mistakes of a run that ended before any pass: of annotations the runner shows ten only. */
export function problemLog(problems: readonly Problem[]): readonly LogAction[] {
  return problems.map((problem) => lineAction(`${problem.severity}: ${problemText(problem)}`))
}

/**
 * Turns the events of one pass into the log: one group per weight group with every change, its stage and duration, and
 * what is still waited for and why; after it one verdict line. Times are those of the events; the last line counts from
 * `startedAtMs`, when the pass began.
 */
export function createLog(plan: Plan, startedAtMs?: number): (event: Event) => readonly LogAction[] {
  const places = placesById(plan)
  const startedAt = new Map<string, number>()
  const printed = new Map<string, { readonly text: string; readonly atMs: number }>()
  const results = new Map<string, OperationResult>()
  const evidences = new Map<string, Evidence>()
  let firstAtMs = startedAtMs
  let isGroupOpen = false

  return (event) => {
    firstAtMs ??= event.atMs
    switch (event.type) {
      case 'stage-started':
        startedAt.set(event.stage, event.atMs)
        return []
      case 'stage-finished':
        return stageVerdict(event)
      case 'group-started':
        startedAt.set(groupKey(event), event.atMs)
        isGroupOpen = true
        return [{ kind: 'group-start', text: printable(groupTitle(plan, event)) }]
      case 'group-finished':
        return [...unchangedLine(event), ...closeGroup(), lineAction(groupVerdict(event))]
      case 'operation-started':
        startedAt.set(event.id, event.atMs)
        return []
      case 'progress':
        return progressLine(event)
      case 'operation-finished':
        results.set(event.id, event.result)
        return finishedLine(event)
      case 'log':
        return [
          lineAction(`${prefixOf(event.id)}${plainText(phrase`${event.pod}/${event.container} | ${event.line}`)}`),
        ]
      case 'evidence':
        evidences.set(event.id, event.evidence)
        return evidenceLines(event.evidence).map((text) => lineAction(`${prefixOf(event.id)}${text}`))
      case 'hook-logs':
        return hookLogLines(event)
      case 'record':
        return [lineAction(plainText(phrase`release ${plan.release}: revision ${event.revision} is ${event.status}`))]
      case 'lock':
        return [lineAction(plainText(lockPhrase(event)))]
      case 'held-up':
        return [lineAction(plainText(heldUpPhrase(event)))]
      case 'namespace-created':
        return [lineAction(plainText(phrase`namespace ${event.namespace} created`))]
      case 'warning': {
        const about = event.ref === undefined ? [] : phrase`${formatRef(event.ref)}: `
        return [lineAction(plainText(phrase`warning: ${about}${event.message}`))]
      }
      case 'finished':
        return [...closeGroup(), ...outcomeLines(event)]
      default:
        return unreachable(event)
    }
  }

  function closeGroup(): readonly LogAction[] {
    if (!isGroupOpen) return []
    isGroupOpen = false
    return [{ kind: 'group-end' }]
  }

  function prefixOf(id: string): string {
    const place = places.get(id)
    return place === undefined ? '[?] ' : `[${place.stage} weight ${place.weight}] `
  }

  function elapsed(key: string, atMs: number): string {
    return durationText(atMs - (startedAt.get(key) ?? firstAtMs ?? atMs))
  }

  function progressLine(event: EventOf<'progress'>): readonly LogAction[] {
    const place = places.get(event.id)
    if (place === undefined) return []
    const text = plainText(phrase`${formatRef(place.operation.ref)} waits: ${readinessPhrase(event.reason)}`)
    const last = printed.get(event.id)
    if (last?.text === text && event.atMs - last.atMs < HEARTBEAT_MS) return []
    printed.set(event.id, { text, atMs: event.atMs })
    return [lineAction(`${prefixOf(event.id)}${text} (${elapsed(event.id, event.atMs)})`)]
  }

  function finishedLine(event: EventOf<'operation-finished'>): readonly LogAction[] {
    const place = places.get(event.id)
    if (place === undefined) return []
    const took = elapsed(event.id, event.atMs)
    const text = operationLine(place.operation, event, { took, evidence: evidences.get(event.id) })
    return text === undefined ? [] : [lineAction(`${prefixOf(event.id)}${text}`)]
  }

  /** Not where the same log was printed as evidence. */
  function hookLogLines(event: EventOf<'hook-logs'>): readonly LogAction[] {
    const place = places.get(event.id)
    if (place === undefined || evidences.has(event.id)) return []
    return podLogLines(place.operation.ref, event).map((text) => lineAction(`${prefixOf(event.id)}${text}`))
  }

  /** Unchanged resources share one line. */
  function unchangedLine(event: EventOf<'group-finished'>): readonly LogAction[] {
    const unchanged = operationsOfGroup(plan, event).filter(
      (operation) => isUnchanged(operation) && results.has(operation.id),
    )
    return unchanged.length === 0 ? [] : [lineAction(`[${groupName(plan, event)}] ${unchanged.length} unchanged`)]
  }

  function groupVerdict(event: EventOf<'group-finished'>): string {
    const counted = countDone(operationsOfGroup(plan, event), results)
    const took = elapsed(groupKey(event), event.atMs)
    return `= ${groupName(plan, event)} ${verdictWord(event)} ${took} (${counted.done} of ${counted.all})`
  }

  function stageVerdict(event: EventOf<'stage-finished'>): readonly LogAction[] {
    const stage = plan.stages.find((one) => one.name === event.stage)
    if (stage === undefined || stage.groups.length < 2) return []
    return [lineAction(`= ${event.stage} ${verdictWord(event)} ${elapsed(event.stage, event.atMs)}`)]
  }

  function outcomeLines(event: EventOf<'finished'>): readonly LogAction[] {
    const { status, failure } = event.outcome
    const took = durationText(event.atMs - (firstAtMs ?? event.atMs))
    const where = failure === undefined ? '' : stageText(failure)
    const revision =
      statusRow(status).wroteRevision === true && plan.writesRevision
        ? `, revision ${plan.revision}${revisionBecauseText(plan)}`
        : ''
    const head = plainText(
      phrase`${plan.release} in ${plan.namespace}: ${status}${[where]}${[revision]}, after ${[took]}`,
    )
    if (failure === undefined) return [lineAction(head)]
    const others = (failure.others ?? []).map((other) =>
      plainText(phrase`also: ${formatRef(other.ref)}: ${readinessPhrase(other.readiness)}`),
    )
    const sentence = failureSentence(failure, evidences.get(failure.operationId ?? ''))
    return [head, plainText(sentence), ...others, plainText(phrase`next: ${failureHint(failure)}`)].map(lineAction)
  }
}

function verdictWord(event: { readonly stage: StageName; readonly result: OperationResult }): string {
  switch (event.result) {
    case 'succeeded':
      return event.stage === 'main' ? 'ready in' : 'done in'
    case 'failed':
      return 'FAILED after'
    case 'skipped':
      return 'not started after'
    case 'cancelled':
      return 'stopped after'
    default:
      return unreachable(event.result)
  }
}

/** A write is not told again while it waits: since when is a time of day that can be compared with other logs. */
function heldUpPhrase({ state, doing, cause, sinceMs, atMs }: EventOf<'held-up'>): Phrase {
  const took = durationText(atMs - sinceMs)
  if (state === 'over') return phrase`${doing} goes on after ${[took]}: ${cause}`
  const since = new Date(sinceMs).toISOString().slice(11, 19)
  return phrase`${doing} is tried again since ${[since]} UTC (${[took]}): ${cause}`
}

function isUnchanged(operation: Operation): boolean {
  return operation.kind === 'apply' && operation.change === 'none'
}

/** Resources of which everything was done; deletions with a condition do not count. */
function countDone(
  operations: readonly Operation[],
  results: ReadonlyMap<string, OperationResult>,
): { readonly done: number; readonly all: number } {
  const all = new Set<string>()
  const open = new Set<string>()
  for (const operation of operations) {
    if (operation.kind === 'delete' && operation.onlyIf !== undefined) continue
    all.add(refKey(operation.ref))
    if (results.get(operation.id) !== 'succeeded') open.add(refKey(operation.ref))
  }
  return { done: all.size - open.size, all: all.size }
}

/** The last step of every text of the log: parts that are harmless alone may not be so together. */
function lineAction(text: string): LogAction {
  return { kind: 'line', text: printable(text) }
}

function lockPhrase({ state, holder }: EventOf<'lock'>): Phrase {
  if (state === 'waiting') return phrase`waiting for the lock of the release, held by ${holder}`
  return phrase`lock ${state}, holder ${holder}`
}
