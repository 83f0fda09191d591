import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { runFacts } from './github/event.ts'
import { createPullRequest } from './github/pull-request.ts'
import { createRunner } from './github/runner.ts'
import { systemClock } from './host/clock.ts'
import { workspaceFiles } from './host/files.ts'
import { readInputs, type Settings } from './inputs/inputs.ts'
import type { InputName } from './inputs/names.ts'
import { createCluster, type OpenCluster } from './kube/cluster.ts'
import { loadConnection } from './kube/kubeconfig.ts'
import { isWorthMasking } from './model/entropy.ts'
import { messageOf, ProblemsError } from './model/errors.ts'
import type { StopReason } from './model/outcome.ts'
import type { RunInfo } from './model/pass.ts'
import { createSecrets } from './model/secrets.ts'
import { bundleId } from './pass/bundle.ts'
import { outcomeOf } from './pass/failure.ts'
import type { PullRequest, Renderer } from './ports.ts'
import { freeAfterDeath } from './post-step.ts'
import { startRenderer } from './render/renderer.ts'
import { printable } from './report/printable.ts'
import { problemText } from './report/problem.ts'
import { createReporter } from './reporter.ts'
import { run } from './run.ts'

const VERSION = '0.1.0'
/** States between the two processes of a step. */
const STATE = { isPost: 'is-post', held: 'held', isDone: 'is-done' } as const

const env = process.env
const runner = createRunner(env)
const secrets = createSecrets()
const workspace = env.GITHUB_WORKSPACE ?? process.cwd()
const payload = readPayload()
const facts = runFacts(env, payload)
const holder = facts.runUrl ?? `process ${process.pid} of a machine without a run`

// Node would print the line of the bundle that threw: megabytes.
process.on('uncaughtException', (error) => process.exit(internalError(error)))
try {
  process.exit(runner.state(STATE.isPost) === 'true' ? await postStep() : await mainStep())
} catch (error) {
  process.exit(internalError(error))
}

/** A defect of ours. Gives the exit code. */
function internalError(error: unknown): number {
  runner.annotate('error', printable(secrets.redact(`internal error, please report it: ${messageOf(error)}`)))
  if (error instanceof Error) runner.debug(printable(secrets.redact(error.stack ?? '')))
  return 1
}

async function mainStep(): Promise<number> {
  runner.saveState(STATE.isPost, 'true')
  // The engine takes longest to load: it starts first.
  const renderer = startRenderer({ folder: dirname(process.argv[1] ?? '') })
  const stop = new AbortController()
  const stopWith = (reason: StopReason) => stop.abort(reason)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => (stop.signal.aborted ? process.exit(1) : stopWith('cancelled')))
  }
  try {
    return await deployAll(renderer, stop.signal, stopWith)
  } finally {
    runner.saveState(STATE.isDone, 'true')
    await renderer.close()
  }
}

async function deployAll(
  renderer: Renderer,
  signal: AbortSignal,
  stopWith: (reason: StopReason) => void,
): Promise<number> {
  let cluster: OpenCluster | undefined
  let settings: Settings | undefined
  try {
    settings = await readSettings(renderer)
    secrets.add(settings.githubToken)
    setTimeout(() => stopWith('timeout'), settings.timeoutSeconds * 1000).unref()
    cluster = await openCluster(settings)
    const reporter = reporterFor(settings, cluster.server)
    const onHeld = (held: object) => runner.saveState(STATE.held, JSON.stringify(held))
    const results = await run(
      { settings, holder, bundle: bundleId(stepOf(env)), signal, onHeld },
      { cluster, renderer, clock: systemClock, secrets },
      reporter,
    )
    return results.some(({ outcome }) => outcome.failure !== undefined) ? 1 : 0
  } catch (error) {
    const { failure } = outcomeOf(error, 'read the inputs', signal)
    const problems = error instanceof ProblemsError ? error.problems : []
    if (failure === undefined) throw error
    await reporterFor(settings, cluster?.server ?? '').finished([], { failure, problems })
    return 1
  } finally {
    await cluster?.close()
  }
}

async function readSettings(renderer: Renderer): Promise<Settings> {
  const { settings, problems } = await readInputs(input, { files: workspaceFiles(workspace), renderer })
  if (settings === undefined) throw new ProblemsError(problems)
  for (const problem of problems) runner.annotate('warning', printable(secrets.redact(problemText(problem))))
  return settings
}

async function openCluster(settings: Pick<Settings, 'kubeconfig' | 'context'>): Promise<OpenCluster> {
  const { kubeconfig, context } = settings
  const connection = await loadConnection({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    env,
    home: homedir(),
    directory: workspace,
  })
  for (const secret of connection.secrets) if (isWorthMasking(secret)) runner.mask(secret)
  for (const warning of connection.warnings) runner.annotate('warning', warning)
  return createCluster({ connection, clock: systemClock, secrets })
}

function reporterFor(settings: Settings | undefined, server: string) {
  const [chart] = settings?.releases ?? []
  const directory =
    chart?.source.kind === 'chart' && !chart.source.path.endsWith('.tgz') ? chart.source.path : undefined
  return createReporter({
    info: runInfo(server),
    writesSummary: settings?.summary ?? true,
    comment: settings?.comment ?? 'never',
    ...(directory === undefined ? {} : { chartDirectory: directory }),
    runner,
    pullRequest: pullRequestFor(settings),
    secrets,
  })
}

/** Without a token there is nobody to write as. */
function pullRequestFor(settings: Settings | undefined): PullRequest | undefined {
  if (settings === undefined || settings.githubToken === '') return undefined
  return createPullRequest({ token: settings.githubToken, environment: env, payload })
}

/** The second process: does nothing where the first one came to its end. */
async function postStep(): Promise<number> {
  const held = runner.state(STATE.held)
  if (runner.state(STATE.isDone) === 'true' || held === undefined || held === '') return 0
  const cluster = await openCluster({
    kubeconfig: given(input('kubeconfig')),
    context: given(input('context')),
  })
  try {
    const text = await freeAfterDeath({ held, holder }, { cluster, clock: systemClock })
    runner.annotate('warning', secrets.redact(text))
    return 0
  } finally {
    await cluster.close()
  }
}

function input(name: InputName): string {
  return runner.input(name).trim() === '' ? '' : runner.input(name)
}

/** What tells this step from any other of the repository, whatever it deploys. */
function stepOf(environment: NodeJS.ProcessEnv): readonly string[] {
  const names = ['GITHUB_REPOSITORY', 'GITHUB_WORKFLOW', 'GITHUB_JOB', 'GITHUB_ACTION']
  return names.map((name) => environment[name] ?? '')
}

function given(text: string): string | undefined {
  return text === '' ? undefined : text
}

function runInfo(server: string): RunInfo {
  return { cluster: server === '' ? '' : new URL(server).host, ...facts, actionVersion: VERSION }
}

/** What the event was about. Foreign JSON, checked field by field where it is used. */
function readPayload(): unknown {
  try {
    return JSON.parse(readFileSync(env.GITHUB_EVENT_PATH ?? '', 'utf8'))
  } catch {
    // No event, or no JSON: a run without a pull request.
    return {}
  }
}
