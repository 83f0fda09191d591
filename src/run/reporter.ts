import { CommentError, messageOf } from '../model/errors.ts'
import type { Event } from '../model/event.ts'
import type { Failure } from '../model/outcome.ts'
import type { PassResult, RunInfo } from '../model/pass.ts'
import type { Plan } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { Secrets } from '../ports.ts'
import { differenceLog } from '../report/log/difference-log.ts'
import { createLog, type LogAction, planLog, problemLog } from '../report/log/log.ts'
import { type AnnotationOptions, annotations } from '../report/outputs/annotations.ts'
import { outputs } from '../report/outputs/outputs.ts'
import { planJson, planTextFile } from '../report/outputs/plan-file.ts'
import { summary } from '../report/summary/summary.ts'
import type { AsIs } from '../secrecy/as-is.ts'
import { eventAsIs, failureAsIs, passAsIs, planAsIs, problemAsIs, runInfoAsIs } from '../secrecy/printed-as-is.ts'
import { asName, eachOf, madeFrom, type Redacted, redacted } from '../secrecy/redacted.ts'
import type { PlanReview } from '../trust/plan-review.ts'
import type { SafeRunner } from './safe-runner.ts'

/** Reports a run: log and summary while it goes on; comment, annotations and outputs at its end. */
export interface Reporter {
  /** One line of our own. */
  note(line: string): void
  /** A pass begins. */
  started(release: string, namespace: string, atMs: number): void
  planned(plan: Plan): void
  event(event: Event, soFar: () => PassResult): void
  /** The run is over. `problems` and `failure`: of a run that ended before any pass. */
  finished(passes: readonly PassResult[], before?: RunFailure): Promise<void>
}

export interface RunFailure {
  readonly failure: Failure
  readonly problems: readonly Problem[]
}

/** What the reports at the end are about, and the summary while the run goes on. */
interface RunState {
  readonly passes: readonly PassResult[]
  readonly before: RunFailure | undefined
  readonly info: RunInfo
}

const runStateAsIs: AsIs<RunState> = {
  passes: passAsIs,
  before: { failure: failureAsIs, problems: problemAsIs },
  info: runInfoAsIs,
}

export interface ReporterOptions {
  readonly info: RunInfo
  readonly writesSummary: boolean
  /** Unchanged lines around a change in diffs. */
  readonly diffContext: number
  /** Where the files of a release lie in the repository, for annotations. */
  readonly sourceOf: AnnotationOptions['sourceOf']
  readonly runner: SafeRunner
  /** Absent without a token. */
  readonly review?: PlanReview
  readonly secrets: Secrets
}

const noPlan = (release: string, namespace: string): Plan => ({
  verb: 'install',
  release,
  namespace,
  revision: 0,
  comparedBy: 'dry-run',
  writesRevision: false,
  stages: [],
  untouched: [],
  problems: [],
})

export function createReporter(options: ReporterOptions): Reporter {
  const { runner, secrets, info, diffContext } = options
  const earlier: PassResult[] = []
  let log = createLog(noPlan('', ''))
  let passStartedAtMs: number | undefined
  let summaryWrites: Promise<void> = Promise.resolve()
  const stateOf = (passes: readonly PassResult[], before?: RunFailure): Redacted<RunState> =>
    redacted({ passes, before, info }, runStateAsIs, secrets)

  /** Writes follow one another, so that the newest text stays. */
  const writeSummary = (state: Redacted<RunState>) => {
    if (!options.writesSummary) return
    const text = madeFrom(state, ({ before, ...run }) => summary({ ...run, ...before, diffContext }))
    summaryWrites = summaryWrites.then(() => runner.summary(text))
  }

  return {
    note: (line) => runner.info(line),
    started: (release, namespace, atMs) => {
      passStartedAtMs = atMs
      log = createLog(noPlan(release, namespace), passStartedAtMs)
    },
    planned: (plan) => {
      const clean = redacted(plan, planAsIs, secrets)
      print(runner, madeFrom(clean, planLog))
      log = createLog(clean.value, passStartedAtMs)
    },
    event: (event, soFar) => {
      print(runner, madeFrom(redacted(event, eventAsIs, secrets), log))
      // A killed run leaves the last state.
      const isStage = event.type === 'stage-started' || event.type === 'stage-finished'
      if (isStage) writeSummary(stateOf([...earlier, soFar()]))
      if (event.type === 'finished') earlier.push(soFar())
    },
    finished: async (passes, before) => {
      const state = stateOf(passes, before)
      print(runner, madeFrom(state, endLog))
      writeSummary(state)
      annotate(state, options)
      printOutputs(state, runner)
      const files = Object.entries(await keepPlans(state, runner))
      for (const [name, path] of files) runner.output(name, asName(path))
      await summaryWrites
      // Last: a GitHub that does not answer must not take the rest with it when the run is cancelled
      // (docs/decisions/0031).
      runner.output('comment-url', await postComment(state, options))
    },
  }
}

function print(runner: SafeRunner, actions: Redacted<readonly LogAction[]>): void {
  for (const action of eachOf(actions)) {
    const { kind } = action.value
    if (kind === 'group-end') runner.endGroup()
    else if (kind === 'group-start') runner.startGroup(madeFrom(action, logText))
    else runner.info(madeFrom(action, logText))
  }
}

function logText(action: LogAction): string {
  return action.kind === 'group-end' ? '' : action.text
}

/** What the log says of the whole run: its mistakes, and how plans differ from the approved ones. */
function endLog({ before, passes }: RunState): readonly LogAction[] {
  return [
    ...problemLog(before?.problems ?? []),
    ...passes.flatMap(({ differences, plan }) => (differences === undefined ? [] : differenceLog(differences, plan))),
  ]
}

function annotate(state: Redacted<RunState>, { runner, sourceOf }: ReporterOptions): void {
  const all = madeFrom(state, ({ before, passes }) => annotations(passes, { sourceOf, ...before }))
  for (const annotation of eachOf(all)) {
    const message = madeFrom(annotation, (one) => one.message)
    const place = madeFrom(annotation, (one) => one.place)
    runner.annotate(annotation.value.level, message, place)
  }
}

function printOutputs(state: Redacted<RunState>, runner: SafeRunner): void {
  const all = madeFrom(state, ({ before, passes }) => Object.entries(outputs(passes, before?.failure)))
  for (const output of eachOf(all)) {
    const value = madeFrom(output, ([, text]) => text)
    runner.output(output.value[0], value)
  }
}

/** A comment that cannot be posted is reported, and never fails a run. Gives its address, or nothing. */
async function postComment(state: Redacted<RunState>, { review, runner }: ReporterOptions): Promise<Redacted<string>> {
  try {
    const { url, note } = (await review?.post(madeFrom(state, ({ passes }) => passes))) ?? {}
    if (note !== undefined) runner.annotate('notice', note)
    return asName(url ?? '')
  } catch (error) {
    const isMissingRight = error instanceof CommentError && error.kind === 'permission'
    const level = isMissingRight ? 'notice' : 'warning'
    runner.annotate(level, `the plan could not be posted on the pull request: ${messageOf(error)}`)
    return asName('')
  }
}

/** The plan for later steps; a disk that is full must not fail a deploy that went well. */
async function keepPlans(state: Redacted<RunState>, runner: SafeRunner) {
  if (state.value.passes.every(({ plan }) => plan === undefined)) return noFiles
  try {
    return {
      'plan-path': await runner.keepFile(
        'plan.json',
        madeFrom(state, ({ passes }) => planJson(passes)),
      ),
      'plan-text-path': await runner.keepFile(
        'plan.txt',
        madeFrom(state, ({ passes }) => planTextFile(passes)),
      ),
    }
  } catch (error) {
    runner.annotate('warning', `the plan could not be written to a file: ${messageOf(error)}`)
    return noFiles
  }
}

const noFiles = { 'plan-path': '', 'plan-text-path': '' }
