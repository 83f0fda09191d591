import { CommentError, messageOf } from '../model/errors.ts'
import type { Event } from '../model/event.ts'
import type { Failure } from '../model/outcome.ts'
import type { PassResult, RunInfo } from '../model/pass.ts'
import type { Plan } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { Runner, Secrets } from '../ports.ts'
import { differenceLog } from '../report/log/difference-log.ts'
import { createLog, type LogAction, planLog, problemLog } from '../report/log/log.ts'
import { type AnnotationOptions, annotations } from '../report/outputs/annotations.ts'
import { outputs } from '../report/outputs/outputs.ts'
import { planJson, planTextFile } from '../report/outputs/plan-file.ts'
import { summary } from '../report/summary/summary.ts'
import { printable, printableLines } from '../report/words/printable.ts'
import { redacted } from '../secrecy/redacted.ts'
import type { PlanReview } from '../trust/plan-review.ts'

/** Shows a run while it goes on: log and summary as things happen; comment, annotations and outputs at its end. */
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

export interface ReporterOptions {
  readonly info: RunInfo
  readonly writesSummary: boolean
  /** Unchanged lines around a change in diffs. */
  readonly diffContext: number
  /** Where the files of a release lie in the repository, for annotations. */
  readonly sourceOf: AnnotationOptions['sourceOf']
  readonly runner: Runner
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
  const { runner, secrets } = options
  const earlier: PassResult[] = []
  let log = createLog(noPlan('', ''))
  let passStartedAtMs: number | undefined
  let summaryWrites: Promise<void> = Promise.resolve()
  const shown = <T>(value: T): T => redacted(value, secrets)

  const print = (actions: readonly LogAction[]) => {
    for (const action of actions) printAction(runner, action)
  }
  /** One write after the other; the newest text wins. What is given has been redacted. */
  const writeSummary = (passes: readonly PassResult[], before?: RunFailure) => {
    if (!options.writesSummary) return
    const { info, diffContext } = options
    const text = summary({ passes, info, diffContext, ...before })
    summaryWrites = summaryWrites.then(() => runner.summary(text))
  }

  return {
    note: (line) => runner.info(printable(secrets.redact(line))),
    started: (release, namespace, atMs) => {
      passStartedAtMs = atMs
      log = createLog(noPlan(release, namespace), passStartedAtMs)
    },
    planned: (plan) => {
      const told = shown(plan)
      print(planLog(told))
      log = createLog(told, passStartedAtMs)
    },
    event: (event, soFar) => {
      print(log(shown(event)))
      // A killed run leaves the last state.
      if (event.type === 'stage-started' || event.type === 'stage-finished') writeSummary(shown([...earlier, soFar()]))
      if (event.type === 'finished') earlier.push(soFar())
    },
    finished: async (passes, before) => {
      const [told, toldBefore] = [shown(passes), shown(before)]
      if (toldBefore !== undefined) print(problemLog(toldBefore.problems))
      for (const { differences, plan } of told) if (differences !== undefined) print(differenceLog(differences, plan))
      writeSummary(told, toldBefore)
      annotate(told, options, toldBefore)
      const files = await keepPlans(told, options)
      const values = { ...outputs(told, toldBefore?.failure), ...files }
      for (const [name, value] of Object.entries(values)) runner.output(name, value)
      await summaryWrites
      // Last: a GitHub that does not answer must not take the rest with it when the run is cancelled
      // (docs/decisions/0031).
      runner.output('comment-url', await postComment(told, options))
    },
  }
}

function printAction(runner: Runner, action: LogAction): void {
  if (action.kind === 'group-end') runner.endGroup()
  else if (action.kind === 'group-start') runner.startGroup(action.title)
  else runner.info(action.text)
}

function annotate(passes: readonly PassResult[], options: ReporterOptions, before: RunFailure | undefined): void {
  const { runner, sourceOf } = options
  const found = annotations(passes, { sourceOf, ...before })
  for (const { level, message, place } of found) runner.annotate(level, message, place)
}

/** A comment that cannot be posted is told, and never fails a run. Gives its address, or nothing. */
async function postComment(
  passes: readonly PassResult[],
  { review, runner, secrets }: ReporterOptions,
): Promise<string> {
  const tell = (level: 'notice' | 'warning', message: string) =>
    runner.annotate(level, printableLines(secrets.redact(message)).join('\n'))
  try {
    const { url, note } = (await review?.post(passes)) ?? {}
    if (note !== undefined) tell('notice', note)
    return url ?? ''
  } catch (error) {
    const isMissingRight = error instanceof CommentError && error.kind === 'permission'
    tell(isMissingRight ? 'notice' : 'warning', `the plan could not be posted on the pull request: ${messageOf(error)}`)
    return ''
  }
}

/** The plan for later steps; a disk that is full must not fail a deploy that went well. */
async function keepPlans(passes: readonly PassResult[], { runner }: ReporterOptions) {
  if (passes.every(({ plan }) => plan === undefined)) return { 'plan-path': '', 'plan-text-path': '' }
  try {
    return {
      'plan-path': await runner.keepFile('plan.json', planJson(passes)),
      'plan-text-path': await runner.keepFile('plan.txt', planTextFile(passes)),
    }
  } catch (error) {
    runner.annotate('warning', printable(`the plan could not be written to a file: ${messageOf(error)}`))
    return { 'plan-path': '', 'plan-text-path': '' }
  }
}
