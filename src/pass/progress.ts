import type { Event } from '../model/event.ts'
import type { Outcome } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { Fingerprint, PlanDifference } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { Ref } from '../model/ref.ts'
import type { History } from '../model/release.ts'
import type { ChartInfo } from '../model/rendered.ts'
import type { Planned } from '../plan/make-plan.ts'
import { newest } from '../record/history.ts'
import type { KnownRecord } from '../record/known-record.ts'
import type { Intent } from './intent.ts'
import { nothingProvided, type Provided, providedBy } from './provided.ts'
import { recordedChart } from './recorded.ts'

/** What is known of a pass so far, so that a failed one reports it. */
export interface Progress {
  /** What is being done, in the infinitive; the first words of a failure. */
  doing: string
  readonly namespace: string
  problems: readonly Problem[]
  planned?: Planned
  fingerprint?: Fingerprint
  readAtMs?: number
  differences?: readonly PlanDifference[]
  chart?: ChartInfo
  previousChart?: ChartInfo
  previousRevision?: number
  notes?: string
  provided: Provided
  record?: KnownRecord
  /** What others had, and the plan makes the release's own. */
  adopted: readonly Ref[]
}

export function startProgress(namespace: string): Progress {
  return { doing: 'reach the cluster', namespace, problems: [], provided: nothingProvided, adopted: [] }
}

/** What is known so far, with this outcome. */
export function passResultOf(
  { planned, doing: _doing, provided: _provided, record: _record, adopted: _adopted, ...known }: Progress,
  pass: Pick<PassResult, 'command' | 'release' | 'startedAtMs' | 'finishedAtMs' | 'requests'> & {
    readonly events: readonly Event[]
    readonly outcome: Outcome
  },
): PassResult {
  return { ...pass, ...(planned === undefined ? {} : { plan: planned.plan }), ...known, events: [...pass.events] }
}

export function noteHistory(progress: Progress, history: History): void {
  const last = newest(history)?.record
  if (last === undefined) return
  progress.previousRevision = last.version
  const chart = recordedChart(last)
  if (chart !== undefined) progress.previousChart = chart
}

export function noteIntent(progress: Progress, intent: Intent): void {
  const { chart, previousChart, notes, problems, desired, verb } = intent
  if (chart !== undefined) progress.chart = chart
  if (previousChart !== undefined) progress.previousChart = previousChart
  if (notes !== undefined) progress.notes = notes
  progress.problems = [...progress.problems, ...problems]
  progress.provided = providedBy(verb, desired)
}
