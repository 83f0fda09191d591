import { messageOf } from './model/errors.ts'
import type { Event } from './model/event.ts'
import type { Failure } from './model/outcome.ts'
import type { PassResult, RunInfo } from './model/pass.ts'
import type { Plan } from './model/plan.ts'
import type { Problem } from './model/problem.ts'
import type { Secrets } from './model/secrets.ts'
import type { PullRequest, Runner } from './ports.ts'
import { annotations } from './report/annotations.ts'
import { comment, commentKey, isWorthPosting } from './report/comment.ts'
import { createLog, type LogAction, planLog, problemLog } from './report/log.ts'
import { outputs } from './report/outputs.ts'
import { printable, printableLines } from './report/printable.ts'
import { redactedPass } from './report/redacted.ts'
import { summary } from './report/summary.ts'

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
  readonly comment: 'always' | 'changes' | 'never'
  /** Directory of the chart in the repository, for annotations. */
  readonly chartDirectory?: string
  readonly runner: Runner
  readonly pullRequest: PullRequest | undefined
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
  const redacted = (pass: PassResult) => redactedPass(pass, secrets)

  const print = (actions: readonly LogAction[]) => {
    for (const action of actions) printAction(runner, action, secrets)
  }
  /** One write after the other; the newest text wins. */
  const writeSummary = (passes: readonly PassResult[], before?: RunFailure) => {
    if (!options.writesSummary) return
    const text = secrets.redact(summary({ passes: passes.map(redacted), info: options.info, ...before }))
    summaryWrites = summaryWrites.then(() => runner.summary(text))
  }

  return {
    note: (line) => runner.info(printable(secrets.redact(line))),
    started: (release, namespace, atMs) => {
      passStartedAtMs = atMs
      log = createLog(noPlan(release, namespace), passStartedAtMs)
    },
    planned: (plan) => {
      print(planLog(plan))
      log = createLog(plan, passStartedAtMs)
    },
    event: (event, soFar) => {
      print(log(event))
      // A killed run leaves the last state.
      if (event.type === 'stage-started' || event.type === 'stage-finished') writeSummary([...earlier, soFar()])
      if (event.type === 'finished') earlier.push(soFar())
    },
    finished: async (passes, before) => {
      if (before !== undefined) print(problemLog(before.problems))
      writeSummary(passes, before)
      const commentUrl = await postComment(passes.map(redacted), options)
      annotate(passes, options, before)
      const values = { ...outputs(passes, before?.failure), 'comment-url': commentUrl }
      for (const [name, value] of Object.entries(values)) runner.output(name, secrets.redact(value))
      await summaryWrites
    },
  }
}

function printAction(runner: Runner, action: LogAction, secrets: Secrets): void {
  if (action.kind === 'group-end') runner.endGroup()
  else if (action.kind === 'group-start') runner.startGroup(secrets.redact(action.title))
  else runner.info(secrets.redact(action.text))
}

function annotate(passes: readonly PassResult[], options: ReporterOptions, before: RunFailure | undefined): void {
  const { chartDirectory, runner, secrets } = options
  const found = annotations(passes, { ...(chartDirectory === undefined ? {} : { chartDirectory }), ...before })
  for (const { level, message, place } of found) runner.annotate(level, secrets.redact(message), place)
}

/** A comment that cannot be posted is a warning, never a failed run. Gives its address, or nothing. */
async function postComment(passes: readonly PassResult[], options: ReporterOptions): Promise<string> {
  const { pullRequest, runner, secrets, info } = options
  if (pullRequest === undefined || options.comment === 'never' || passes.length === 0) return ''
  try {
    const found = await pullRequest.find()
    if (found === undefined) return ''
    const key = commentKey(passes, info, found.url)
    const posted = await pullRequest.writeComment(found, {
      key,
      mode: 'update',
      mayCreate: options.comment === 'always' || isWorthPosting(passes),
      isNewerThan: () => true,
      body: () => secrets.redact(comment({ key, passes, info })),
    })
    return posted?.url ?? ''
  } catch (error) {
    const message = `the plan could not be posted on the pull request: ${messageOf(error)}`
    runner.annotate('warning', printableLines(secrets.redact(message)).join('\n'))
    return ''
  }
}
