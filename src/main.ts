import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { createPullRequest } from './github/pull-request.ts'
import { createRunner } from './github/runner.ts'
import { systemClock } from './host/clock.ts'
import { workspaceFiles } from './host/files.ts'
import { readInputs, type Settings } from './inputs/inputs.ts'
import { createCluster, type OpenCluster } from './kube/cluster.ts'
import { loadConnection } from './kube/kubeconfig.ts'
import { ProblemsError } from './model/errors.ts'
import type { RunInfo } from './model/pass.ts'
import { createSecrets } from './model/secrets.ts'
import { outcomeOf, type StopReason } from './pass/failure.ts'
import type { Renderer } from './ports.ts'
import { freeAfterDeath } from './post-step.ts'
import { startRenderer } from './render/renderer.ts'
import { createReporter } from './reporter.ts'
import { run } from './run.ts'

const VERSION = '0.1.0'
/** States between the two processes of a step. */
const STATE = { isPost: 'is-post', held: 'held', isDone: 'is-done' } as const

const runner = createRunner()
const secrets = createSecrets()
const env = process.env
const workspace = env.GITHUB_WORKSPACE ?? process.cwd()
const holder = runUrl() ?? `process ${process.pid} on this machine`

process.exit(runner.state(STATE.isPost) === 'true' ? await postStep() : await mainStep())

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
    settings = await readSettings()
    secrets.add(settings.githubToken)
    setTimeout(() => stopWith('timeout'), settings.timeoutSeconds * 1000).unref()
    cluster = await openCluster(settings)
    const reporter = reporterFor(settings, cluster.server)
    const onHeld = (held: object) => runner.saveState(STATE.held, JSON.stringify(held))
    const results = await run(
      { settings, holder, signal, onHeld },
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

async function readSettings(): Promise<Settings> {
  const { settings, problems } = await readInputs((name) => runner.input(name), workspaceFiles(workspace))
  if (settings === undefined) throw new ProblemsError(problems)
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
    pullRequest:
      settings === undefined ? undefined : createPullRequest({ token: settings.githubToken, env, clock: systemClock }),
    secrets,
  })
}

/** The second process: does nothing where the first one came to its end. */
async function postStep(): Promise<number> {
  const held = runner.state(STATE.held)
  if (runner.state(STATE.isDone) === 'true' || held === undefined || held === '') return 0
  const cluster = await openCluster({
    kubeconfig: given(runner.input('kubeconfig')),
    context: given(runner.input('context')),
  })
  try {
    const text = await freeAfterDeath({ held, holder }, { cluster, clock: systemClock })
    runner.annotate('warning', secrets.redact(text))
    return 0
  } finally {
    await cluster.close()
  }
}

function given(text: string): string | undefined {
  return text === '' ? undefined : text
}

function runInfo(server: string): RunInfo {
  const number = (name: string) => (env[name] === undefined ? undefined : Number(env[name]))
  const url = runUrl()
  const [sha, runNumber, runAttempt, runId] = [
    env.GITHUB_SHA,
    number('GITHUB_RUN_NUMBER'),
    number('GITHUB_RUN_ATTEMPT'),
    number('GITHUB_RUN_ID'),
  ]
  return {
    cluster: server === '' ? '' : new URL(server).host,
    ...(sha === undefined ? {} : { commitSha: sha }),
    ...(url === undefined ? {} : { runUrl: url }),
    ...(runNumber === undefined ? {} : { runNumber }),
    ...(runAttempt === undefined ? {} : { runAttempt }),
    ...(runId === undefined ? {} : { runId }),
    actionVersion: VERSION,
  }
}

/** Address of this attempt of the run, without a request. */
function runUrl(): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id } = env
  if (server === undefined || repository === undefined || id === undefined) return undefined
  return `${server}/${repository}/actions/runs/${id}/attempts/${env.GITHUB_RUN_ATTEMPT ?? '1'}`
}
