import { type Command, commands } from '../model/command.ts'
import { defined } from '../model/defined.ts'
import type { Hint } from '../model/hint.ts'
import type { Problem } from '../model/problem.ts'
import type { LeftOut, ReleaseOptions, ReleaseSpec } from '../model/release.ts'
import type { ChartSources, FetchSettings } from '../ports.ts'
import { readFetchInputs } from './fetch-inputs.ts'
import { parseDuration } from './go-duration.ts'
import { type IdleFlag, withHelmArgs } from './helm-args.ts'
import { inputLines } from './input-lines.ts'
import { type InputName, type RawInputs, withDefaults } from './input-names.ts'
import { inputProblem, shorten } from './input-problem.ts'
import { locatedRelease } from './located-release.ts'
import { type Offline, readOffline } from './offline-inputs.ts'
import { readRecordInputs } from './record-inputs.ts'
import { type InputPorts, readReleases } from './releases.ts'
import { type ReviewInputs, readReviewInputs } from './review-inputs.ts'
import { strayFlagProblems } from './stray-flags.ts'
import { filesFromStart, pathsFromStart, workingDirectoryProblems } from './working-directory.ts'

/** What the user asks for, parsed once. */
export interface Settings extends ReleaseOptions, ReviewInputs, Offline {
  readonly command: Command
  /** In the order in which `command` works on them. `{ ...settings, ...spec.options }` holds for one of them. */
  readonly releases: readonly ReleaseSpec[]
  /** Documents of `manifests` that are not deployed. */
  readonly leftOut: readonly LeftOut[]
  /** How long a rollback after a failed deploy may take. */
  readonly rollbackTimeoutSeconds: number
  /** How long a living holder of a release's lock is waited for; 0: not at all. */
  readonly lockTimeoutSeconds: number
  /** Of `rollback`; undefined for the last good one. */
  readonly revision: number | undefined
  /** Of `uninstall`. */
  readonly keepHistory: boolean
  readonly prune: boolean
  /** Whether test hooks run after a deploy. */
  readonly test: boolean
  /** Names of the test hooks that run; empty for all. */
  readonly testFilter: readonly string[]
  /** Where relative paths of the inputs start; empty for the workspace. */
  readonly workingDirectory: string
  /** Path or content; undefined for the machine's own. */
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  /** Whether a kubeconfig that lies in the workspace may start programs and name files outside of its folder. */
  readonly allowWorkspaceKubeconfig: boolean
  /** Programs that a kubeconfig may start beside the known plugins. */
  readonly credentialPlugins: readonly string[]
  /** Names of variables of the job that a credential plugin sees beside the usual ones. */
  readonly credentialPluginEnv: readonly string[]
  readonly comment: 'always' | 'changes' | 'never'
  readonly commentMode: 'update' | 'always-new'
  /** Number of the pull request; undefined: the one behind the event. */
  readonly pullRequest: number | undefined
  /** Of `plan`: the step fails where anything would change. */
  readonly failOnChanges: boolean
  /** Unchanged lines around a change in diffs. */
  readonly diffContext: number
  readonly cluster: 'auto' | 'none'
  /** Whether code of a fork may reach the cluster under events that have the repository's secrets. */
  readonly allowFork: boolean
  readonly githubToken: string
  readonly fetching: FetchSettings
  readonly summary: boolean
}

/** All but the charts, which are read with these. */
export type SettingsOfRun = Omit<Settings, 'releases' | 'leftOut'>

/** How charts are fetched is said by inputs, too. */
export interface ReadPorts extends Omit<InputPorts, 'sources'> {
  openSources(settings: SettingsOfRun): ChartSources
}

export interface InputsRead {
  readonly settings?: Settings
  readonly problems: readonly Problem[]
  readonly notices: readonly string[]
  readonly idleFlags: readonly IdleFlag[]
}

/**
 * All mistakes at once, each naming input, value and accepted form; for secret inputs only line and key. Where there
 * are settings, `problems` holds warnings only. `idleFlags`: flags of `helm-args` that change nothing.
 */
export async function readInputs(read: RawInputs, ports: ReadPorts): Promise<InputsRead> {
  const written = withDefaults(read)
  const strays = strayFlagProblems(written)
  const { idleFlags, atFlag, ...args } = withHelmArgs(written)
  const { settings, problems, notices } = await readSettings(args.raw, ports)
  // What else is wrong with an input that begins with a flag follows from that.
  const others = problems.filter(({ place }) => !strays.some((stray) => stray.place.input === place.input))
  const all = [...args.problems, ...strays, ...others.flatMap((problem) => atFlag(problem) ?? [])]
  return { idleFlags, notices, problems: all, ...(all.some(isError) ? {} : defined({ settings })) }
}

async function readSettings(raw: RawInputs, ports: ReadPorts): Promise<Omit<InputsRead, 'idleFlags'>> {
  const problems: Problem[] = []
  const wrong = (input: InputName, hint: Hint): undefined => {
    problems.push(inputProblem(input, `"${shorten(raw(input))}" is not valid`, hint))
  }
  const oneOf = <T extends string>(input: InputName, allowed: readonly [T, ...T[]]): T => {
    const found = allowed.find((value) => value === raw(input))
    if (found === undefined) wrong(input, { kind: 'write-one-of', choices: allowed })
    return found ?? allowed[0]
  }
  const isTrue = (input: InputName): boolean => {
    if (/^(true|True|TRUE)$/.test(raw(input))) return true
    if (!/^(false|False|FALSE)$/.test(raw(input))) wrong(input, { kind: 'write-boolean' })
    return false
  }
  const integer = (input: InputName, min: number, hint: Hint): number => {
    const found = /^\d{1,9}$/.test(raw(input)) ? Number(raw(input)) : -1
    if (found < min) wrong(input, hint)
    return found
  }

  const duration = (input: InputName): number =>
    parseDuration(raw(input)) ?? wrong(input, { kind: 'write-duration' }) ?? Number.NaN
  const times = () => {
    const timeoutSeconds = duration('timeout')
    return {
      timeoutSeconds,
      rollbackTimeoutSeconds: raw('rollback-timeout') === '' ? timeoutSeconds : duration('rollback-timeout'),
      lockTimeoutSeconds: raw('lock-timeout') === '' ? 0 : duration('lock-timeout'),
    }
  }

  /** `stop` is the default, so that nobody can tell whether it was written beside `atomic`. */
  const onFailure = (): ReleaseOptions['onFailure'] => {
    const written = oneOf('on-failure', ['stop', 'rollback'])
    return isTrue('atomic') ? 'undo' : written
  }

  const command = oneOf('command', COMMANDS)
  const { review, problems: reviewProblems } = readReviewInputs(raw, oneOf('approval', ['none', 'comment']))
  const { offline, problems: offlineProblems } = readOffline(raw, command, pathsFromStart(raw, ports.files))
  const { recorded, problems: recordProblems } = readRecordInputs(raw)
  problems.push(...reviewProblems, ...offlineProblems, ...recordProblems)
  if (commands[command].usesWorkspace) problems.push(...(await workingDirectoryProblems(raw, ports.files)))
  const { fetching, problems: fetchProblems } = await readFetchInputs(raw, filesFromStart(raw, ports.files))
  problems.push(...fetchProblems)
  const settings = {
    ...review,
    ...offline,
    ...recorded,
    command,
    comment: oneOf('comment', ['changes', 'always', 'never']),
    commentMode: oneOf('comment-mode', ['update', 'always-new']),
    cluster: oneOf('cluster', ['auto', 'none']),
    pullRequest: raw('pull-request') === '' ? undefined : integer('pull-request', 1, { kind: 'write-pull-request' }),
    failOnChanges: isTrue('fail-on-changes'),
    diffContext: integer('diff-context', 0, { kind: 'write-lines' }),
    allowFork: isTrue('allow-fork'),
    onFailure: onFailure(),
    reuseValues: oneOf('reuse-values', ['none', 'reuse', 'reset-then-reuse']),
    ...times(),
    historyMax: integer('history-max', 0, { kind: 'write-history-max' }),
    revision: raw('revision') === '' ? undefined : integer('revision', 1, { kind: 'write-revision' }),
    createNamespace: isTrue('create-namespace'),
    takeOwnership: isTrue('take-ownership'),
    forceConflicts: isTrue('force-conflicts'),
    wait: isTrue('wait'),
    prune: isTrue('prune'),
    withHooks: isTrue('hooks'),
    test: isTrue('test'),
    keepHistory: isTrue('keep-history'),
    summary: isTrue('summary'),
    testFilter: inputLines(raw('test-filter')).map(({ text }) => text),
    withCrds: !isTrue('skip-crds'),
    workingDirectory: raw('working-directory'),
    kubeconfig: unlessEmpty(raw('kubeconfig')),
    context: unlessEmpty(raw('context')),
    allowWorkspaceKubeconfig: isTrue('allow-workspace-kubeconfig'),
    credentialPlugins: inputLines(raw('credential-plugins')).map(({ text }) => text),
    credentialPluginEnv: inputLines(raw('credential-plugin-env')).map(({ text }) => text),
    githubToken: raw('github-token'),
    fetching,
  }
  const found = await readReleases(raw, command, { ...ports, sources: ports.openSources(settings) })
  problems.push(...found.problems)
  if (commands[command].takesRevision === true && settings.revision !== undefined && found.releases.length > 1) {
    problems.push(inputProblem('revision', 'belongs to one release, and more are given', { kind: 'roll-back-one' }))
  }
  const { notices } = found
  if (problems.some(isError)) return { problems, notices }
  const releases = found.releases.map((spec) => locatedRelease(spec, ports.files))
  return { problems, notices, settings: { ...settings, releases, leftOut: found.leftOut } }
}

function isError({ severity }: Problem): boolean {
  return severity === 'error'
}

const COMMANDS = Object.keys(commands) as [Command, ...Command[]]

function unlessEmpty(text: string): string | undefined {
  return text === '' ? undefined : text
}
