import { homedir, tmpdir } from 'node:os'
import { resolve } from 'node:path'
import project from '../../package.json' with { type: 'json' }
import { type Deadline, startDeadline } from '../concurrency/deadline.ts'
import { createPullRequest } from '../github/pull-request.ts'
import { eventFacts, runFacts } from '../github/workflow-event.ts'
import { openBaseTree } from '../host/base-tree.ts'
import { localGit } from '../host/local-git.ts'
import { namesInWorkspace } from '../host/names-in-workspace.ts'
import { filesOfReleases } from '../host/release-files.ts'
import { decryptSops } from '../host/sops.ts'
import { systemClock } from '../host/system-clock.ts'
import { filesOfCopy, workspaceFiles } from '../host/workspace-files.ts'
import { readBaseReleases } from '../inputs/base-releases.ts'
import { readInputs, type Settings, type SettingsOfRun } from '../inputs/inputs.ts'
import { createCluster, type OpenCluster } from '../kube/cluster-adapter.ts'
import type { Connection } from '../kube/connection.ts'
import { findConnection, type KubeconfigInput } from '../kube/kubeconfig.ts'
import { commands } from '../model/command.ts'
import { defined } from '../model/defined.ts'
import { ProblemsError } from '../model/errors.ts'
import type { PassResult, RunInfo } from '../model/pass.ts'
import type { ReleaseSpec } from '../model/release.ts'
import { bundleId } from '../pass/bundle.ts'
import { clusterWorld } from '../pass/cluster-world.ts'
import { outcomeOfError } from '../pass/failed-outcome.ts'
import type { Stop } from '../pass/last-writes.ts'
import type { PassPorts } from '../pass/setting.ts'

import type { ChartRules, Decrypter, PullRequest, Renderer } from '../ports.ts'
import { outputs } from '../report/outputs/outputs.ts'
import { idleFlagsText } from '../report/words/idle-flags-text.ts'
import { problemText } from '../report/words/problem-text.ts'
import { isWorthMasking } from '../secrecy/entropy.ts'
import { decideClusterAccess } from '../trust/cluster-access.ts'
import { createPlanReview, type PlanReview } from '../trust/plan-review.ts'
import { runAgainstBase } from './base-render-run.ts'
import { type OpenSources, openChartSources } from './chart-sources.ts'
import type { Machine } from './machine.ts'
import { createReporter, type Reporter } from './reporter.ts'
import { runReleases } from './run.ts'
import type { RunRequest } from './run-request.ts'
import type { SafeRunner } from './safe-runner.ts'

export interface StepRequest {
  readonly renderer: Renderer & ChartRules
  readonly stop: Stop
  readonly onTimeout: () => void
  /** Keeps what the post step needs, should this process die. */
  readonly onHeld: RunRequest['onHeld']
  readonly onFreed: RunRequest['onFreed']
  /** Keeps what the post step needs to find the comment. */
  readonly onReview: (review: SavedReview) => void
}

/** What identifies the comment of a step, and how it is written. */
export interface SavedReview
  extends Pick<Settings, 'approval' | 'comment' | 'commentMode' | 'diffContext' | 'label' | 'pullRequest'> {
  readonly releases: readonly Pick<ReleaseSpec, 'release' | 'namespace'>[]
}

/** The first process: reads the inputs, builds the real ports, runs. Gives the exit code. */
export async function runStep(machine: Machine, given: StepRequest): Promise<number> {
  const renderer = namesInWorkspace(given.renderer, machine.workspace)
  const request = { ...given, renderer }
  const { stop } = request
  const known: { settings?: Settings; review?: PlanReview; server: string } = { server: '' }
  let cluster: OpenCluster | undefined
  let deadline: Deadline | undefined
  let sources: OpenSources | undefined
  try {
    const read = await readSettings(machine, request)
    const { settings, pullRequest } = read
    sources = read.sources
    known.settings = settings
    machine.secrets.add(settings.githubToken)
    if (settings.approvalKey !== undefined) {
      machine.secrets.add(settings.approvalKey)
      machine.runner.mask(settings.approvalKey)
    }
    deadline = startDeadline(systemClock, settings.timeoutSeconds * 1000)
    deadline.signal.addEventListener('abort', request.onTimeout, { once: true })
    // Asked now, while the deploy runs: the comment at the end does not wait for it.
    if (settings.comment !== 'never') void pullRequest?.find().catch(() => undefined)
    const connection = await findConnection(kubeconfigInput(machine, settings))
    const access = await decideClusterAccess(settings, {
      event: eventOf(machine),
      git: localGit(machine.workspace, machine.env),
      hasKubeconfig: connection !== undefined,
      ...defined({ pullRequest }),
    })
    if (access === 'cluster' && connection !== undefined) {
      cluster = openCluster(machine, connection)
      known.server = cluster.server
    }
    if (pullRequest !== undefined) {
      const saved = savedReview(settings)
      request.onReview(saved)
      known.review = reviewOf(machine, saved, {
        cluster,
        pullRequest,
        ...defined({ approvalKey: settings.approvalKey }),
      })
    }
    const reporter = await reporterOf(machine, known)
    const passes =
      cluster === undefined
        ? await planAgainstBase(machine, request, { settings, pullRequest, reporter, sources })
        : await deployAll(machine, request, { settings, cluster, reporter, review: known.review })
    return exitCode(passes, settings, machine.runner)
  } catch (error) {
    const { failure } = outcomeOfError(error, 'read the inputs', { signal: stop.signal })
    const problems = error instanceof ProblemsError ? error.problems : []
    if (failure === undefined) throw error
    await (await reporterOf(machine, known)).finished([], { failure, problems })
    return 1
  } finally {
    await deadline?.close()
    await cluster?.close()
    await sources?.close()
  }
}

export function openCluster({ runner, secrets }: Machine, connection: Connection): OpenCluster {
  for (const secret of connection.secrets) if (isWorthMasking(secret)) runner.mask(secret)
  for (const warning of connection.warnings) runner.annotate('warning', warning)
  return createCluster({ connection, clock: systemClock, secrets })
}

export function kubeconfigInput({ env, workspace }: Machine, settings: KubeconfigSettings): KubeconfigInput {
  const { kubeconfig, context, workingDirectory, allowWorkspaceKubeconfig, credentialPlugins, credentialPluginEnv } =
    settings
  return {
    ...defined({ kubeconfig, context }),
    env,
    home: homedir(),
    directory: workspace,
    start: resolve(workspace, workingDirectory),
    allowWorkspace: allowWorkspaceKubeconfig,
    plugins: credentialPlugins,
    pluginVariables: credentialPluginEnv,
  }
}

export type KubeconfigSettings = Pick<
  Settings,
  | 'kubeconfig'
  | 'context'
  | 'workingDirectory'
  | 'allowWorkspaceKubeconfig'
  | 'credentialPlugins'
  | 'credentialPluginEnv'
>

interface SettingsRead {
  readonly settings: Settings
  readonly sources: OpenSources
  readonly pullRequest: PullRequest | undefined
}

async function readSettings(machine: Machine, { renderer, stop }: StepRequest): Promise<SettingsRead> {
  const { input, runner, workspace } = machine
  let opened: Pick<SettingsRead, 'sources' | 'pullRequest'> | undefined
  const openSources = (settings: SettingsOfRun) => {
    const pullRequest = pullRequestPort(machine, settings)
    const sources = openChartSources(machine, { rules: renderer, settings, pullRequest, signal: stop.signal })
    opened = { sources, pullRequest }
    return sources
  }
  try {
    const files = workspaceFiles(workspace)
    const decrypter = decrypterOf(machine, async () => (await opened?.sources.mayUseLogins()) === true)
    const ports = { files, renderer, openSources, decrypter }
    const { settings, problems, notices, idleFlags } = await readInputs(input, ports)
    if (settings === undefined || opened === undefined) throw new ProblemsError(problems)
    for (const problem of problems) runner.annotate('warning', problemText(problem))
    for (const notice of notices) runner.annotate('notice', notice)
    if (idleFlags.length > 0) runner.annotate('notice', idleFlagsText(idleFlags))
    return { settings, ...opened }
  } catch (error) {
    await opened?.sources.close()
    throw error
  }
}

/** The code of a fork gets no keys of the job: its templates could print what was encrypted. */
function decrypterOf({ env, runner, secrets }: Machine, isAllowed: () => Promise<boolean>): Decrypter {
  return {
    decrypt: async (file) =>
      (await isAllowed())
        ? decryptSops(file, { env, temp: env.RUNNER_TEMP ?? tmpdir() })
        : { fault: 'is encrypted, and the code of a fork gets no keys of the job', hint: { kind: 'allow-fork' } },
    hide: (value) => {
      secrets.add(value)
      if (isWorthMasking(value)) runner.mask(value)
    },
  }
}

function deployAll(
  machine: Machine,
  request: StepRequest,
  parts: {
    readonly settings: Settings
    readonly cluster: OpenCluster
    readonly reporter: Reporter
    readonly review: PlanReview | undefined
  },
): Promise<readonly PassResult[]> {
  const { settings, cluster, reporter, review } = parts
  const ports = { ...passPorts(machine, request), world: clusterWorld(cluster), ...defined({ review }) }
  return runReleases(runRequest(machine, request, settings), ports, reporter)
}

function runRequest({ env, holder }: Machine, { stop, onHeld, onFreed }: StepRequest, settings: Settings): RunRequest {
  return { settings, holder, bundle: bundleId(stepId(env)), stop, onHeld, onFreed }
}

function passPorts({ secrets }: Machine, { renderer }: StepRequest): PassPorts {
  return { renderer, clock: systemClock, secrets }
}

async function planAgainstBase(
  machine: Machine,
  request: StepRequest,
  parts: {
    readonly settings: Settings
    readonly pullRequest: PullRequest | undefined
    readonly reporter: Reporter
    readonly sources: OpenSources
  },
): Promise<readonly PassResult[]> {
  const { settings, pullRequest, reporter, sources } = parts
  const { env, input, workspace } = machine
  const openBase = () =>
    openBaseTree({
      workspace,
      environment: env,
      temp: env.RUNNER_TEMP ?? tmpdir(),
      ...defined({ basePath: settings.basePath, findPullRequest: pullRequest?.find, api: pullRequest }),
    })
  const readBase = (folder: string) =>
    readBaseReleases(input, {
      files: filesOfCopy(workspace, folder),
      renderer: request.renderer,
      sources,
      decrypter: decrypterOf(machine, () => sources.mayUseLogins()),
    })
  const run = { ...runRequest(machine, request, settings), openBase, readBase }
  return runAgainstBase(run, passPorts(machine, request), reporter)
}

/** With `fail-on-changes`, a plan that has changes fails the step. */
function exitCode(passes: readonly PassResult[], { failOnChanges, command }: Settings, runner: SafeRunner): number {
  if (passes.some(({ outcome }) => outcome.failure !== undefined)) return 1
  if (!failOnChanges || commands[command].writes || outputs(passes).changed === 'false') return 0
  runner.annotate('error', 'the plan has changes, and fail-on-changes is true')
  return 1
}

async function reporterOf(
  machine: Machine,
  { settings, review, server }: { readonly settings?: Settings; readonly review?: PlanReview; readonly server: string },
): Promise<Reporter> {
  const files = await filesOfReleases(settings?.releases ?? [], machine.workspace)
  return createReporter({
    info: runInfo(machine, server, settings),
    writesSummary: settings?.summary ?? true,
    diffContext: settings?.diffContext ?? 3,
    sourceOf: (release, namespace) => files.get(`${namespace}/${release}`) ?? files.get(`/${release}`),
    runner: machine.runner,
    secrets: machine.secrets,
    ...defined({ review }),
  })
}

function savedReview(settings: Settings): SavedReview {
  const { approval, comment, commentMode, diffContext, label, pullRequest } = settings
  const releases = settings.releases.map(({ release, namespace }) => ({ release, ...defined({ namespace }) }))
  return { approval, comment, commentMode, diffContext, label, pullRequest, releases }
}

/** The review of the step whose first process died; undefined without a token. */
export function reviewAfterDeath(
  machine: Machine,
  {
    saved,
    githubToken,
    cluster,
  }: { readonly saved: SavedReview; readonly githubToken: string; readonly cluster: OpenCluster },
): PlanReview | undefined {
  const pullRequest = pullRequestPort(machine, { ...saved, githubToken })
  return pullRequest === undefined ? undefined : reviewOf(machine, saved, { cluster, pullRequest })
}

function reviewOf(
  machine: Machine,
  saved: SavedReview,
  parts: {
    readonly cluster: OpenCluster | undefined
    readonly pullRequest: PullRequest
    readonly approvalKey?: string
  },
): PlanReview {
  const { env } = machine
  const { cluster, pullRequest, approvalKey } = parts
  const { comment, commentMode, diffContext } = saved
  const info = runInfo(machine, cluster?.server ?? '', saved)
  const releases = saved.releases.map(({ release, namespace }) => ({
    release,
    namespace: namespace ?? cluster?.defaultNamespace ?? 'default',
  }))
  const repository = `${env.GITHUB_SERVER_URL ?? ''}/${env.GITHUB_REPOSITORY ?? ''}`
  return createPlanReview({
    pullRequest,
    info,
    releases,
    event: eventOf(machine),
    comment,
    commentMode,
    diffContext,
    repository,
    ...defined({ approvalKey }),
  })
}

/** Undefined without a token. */
function pullRequestPort(
  { env, payload }: Machine,
  { githubToken, pullRequest }: Pick<Settings, 'githubToken' | 'pullRequest'>,
): PullRequest | undefined {
  if (githubToken === '') return undefined
  const override = pullRequest === undefined ? {} : { override: pullRequest }
  return createPullRequest({ token: githubToken, environment: env, payload, ...override })
}

function eventOf({ env, payload }: Machine) {
  return eventFacts(env, payload)
}

/** Identifies this step among those of the repository, independent of what it deploys. */
function stepId(env: NodeJS.ProcessEnv): readonly string[] {
  const names = ['GITHUB_REPOSITORY', 'GITHUB_WORKFLOW', 'GITHUB_JOB', 'GITHUB_ACTION']
  return names.map((name) => env[name] ?? '')
}

function runInfo(
  { env, payload }: Machine,
  server: string,
  settings: Pick<Settings, 'approval' | 'label'> | undefined,
): RunInfo {
  return {
    cluster: server === '' ? '' : new URL(server).host,
    ...defined({ label: settings?.label }),
    ...(settings?.approval === 'comment' ? { needsApproval: true } : {}),
    ...runFacts(env, payload),
    actionVersion: project.version,
  }
}
