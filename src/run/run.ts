import type { Settings } from '../inputs/inputs.ts'
import { commands } from '../model/command.ts'
import { type Deadline, startDeadline } from '../model/deadline.ts'
import { defined } from '../model/defined.ts'
import { messageOf } from '../model/errors.ts'
import type { StopReason } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { Untouched } from '../model/plan.ts'
import type { ReleaseOptions, ReleaseSpec } from '../model/release.ts'
import { unreachable } from '../model/unreachable.ts'
import { rowOf } from '../model/verb.ts'
import type { ApprovalCheck } from '../pass/assert-approved.ts'
import { goneFromBundle } from '../pass/bundle.ts'
import { joinProvided, nothingProvided, type Provided } from '../pass/provided.ts'
import { runPass } from '../pass/run-pass.ts'
import type { PassPorts } from '../pass/setting.ts'
import type { Task } from '../pass/task.ts'
import type { World } from '../pass/world.ts'
import type { PlanReview } from '../trust/plan-review.ts'
import {
  asRefused,
  checkAgainstForecast,
  type RequiredApproval,
  readRequiredApproval,
  refusalOfForecasts,
} from '../trust/required-approval.ts'
import type { Reporter } from './reporter.ts'

export interface RunRequest {
  readonly settings: Settings
  /** Identity in the lock. */
  readonly holder: string
  /** Id of the list of releases that this workflow step deploys. */
  readonly bundle: string
  /** Fires with a StopReason. */
  readonly signal: AbortSignal
  /** Keeps what the post step needs, should this process die. */
  readonly onHeld: (held: { readonly release: string; readonly namespace: string; readonly claim: string }) => void
}

export interface RunPorts extends PassPorts {
  /** What all releases are planned against, and where they are deployed. */
  readonly world: World
  /** Absent without a token. */
  readonly review?: PlanReview
}

interface Run {
  readonly request: RunRequest
  readonly ports: RunPorts
  readonly reporter: Reporter
}

/**
 * All releases of the run, one after the other in the order of the settings; the first that fails ends it. Gives the
 * passes in the order in which they ran. Where a run deploys several releases, all are planned first, so that mistakes
 * of any of them are shown before anything is written.
 */
export async function run(request: RunRequest, ports: RunPorts, reporter: Reporter): Promise<readonly PassResult[]> {
  const all: Run = { request, ports, reporter }
  const results = await passes(all)
  await noteGone(all, results)
  await reporter.finished(results)
  return results
}

/** A chart that left the list is reported and left alone: whether its data may go is for people to say. */
async function noteGone({ request, ports, reporter }: Run, results: readonly PassResult[]): Promise<void> {
  const { bundle, settings, signal } = request
  const { usesWorkspace, writes } = commands[settings.command]
  const { cluster } = ports.world
  if (cluster === undefined || !usesWorkspace || !writes) return
  if (settings.releases.length < 2 || results.some(hasFailed)) return
  try {
    for (const place of await goneFromBundle(cluster, bundle, settings.releases, signal)) {
      reporter.note(
        `Release ${place} was in this list and is not any more. It stays as it is; command: uninstall removes it.`,
      )
    }
  } catch (error) {
    reporter.note(`Releases that left this list could not be looked up: ${messageOf(error)}`)
  }
}

async function passes(all: Run): Promise<readonly PassResult[]> {
  const { settings } = all.request
  const { command, releases } = settings
  const { world, review } = all.ports
  if (!commands[command].writes || world.cluster === undefined) return planAll(all, undefined)
  const required = await readRequiredApproval(settings, { cluster: world.cluster, ...defined({ review }) })
  let forecasts: readonly PassResult[] = []
  if (required.kind !== 'none' || (commands[command].usesWorkspace && releases.length > 1)) {
    all.reporter.note(required.kind === 'none' ? FORECAST : COMPARISON)
    forecasts = await planAll(all, required)
    const refusal = refusalOfForecasts(required, forecasts)
    if (refusal !== undefined) return asRefused(forecasts, refusal, taskOf(settings).kind)
    if (forecasts.some(isMistake)) return forecasts
  }
  const results: PassResult[] = []
  for (const [index, spec] of releases.entries()) {
    const approval = required.kind === 'none' ? undefined : checkAgainstForecast(forecasts[index], index)
    results.push(...(await workOn(spec, all, approval)))
    if (results.at(-1)?.outcome.failure !== undefined || results.some(hasFailed)) break
  }
  return results
}

async function planAll(all: Run, required: RequiredApproval | undefined): Promise<readonly PassResult[]> {
  const { settings } = all.request
  const results: PassResult[] = []
  let providedEarlier = nothingProvided
  for (const spec of settings.releases) {
    const approval = required?.kind === 'plans' ? { plan: required.planOf(spec), mayDependOnEarlier: false } : undefined
    const how = { task: taskOf(settings), isPlanOnly: true, providedEarlier }
    const { result, provided } = await onePass(spec, all, approval === undefined ? how : { ...how, approval })
    results.push(result)
    providedEarlier = joinProvided(providedEarlier, provided)
  }
  return results
}

const FORECAST = 'Forecast of all releases; each is planned again right before its own turn.'
const COMPARISON = 'The plan is compared with the approved one now, and once more right before the first write.'

/** What a later release lacks now an earlier one may bring; a mistake in the inputs or the first release stops the run. */
function isMistake({ outcome }: PassResult, index: number): boolean {
  return outcome.failure !== undefined && (index === 0 || outcome.failure.reason === 'invalid-input')
}

function hasFailed({ outcome }: PassResult): boolean {
  return outcome.failure !== undefined
}

/** One release, and what follows from how it went: test hooks after a deploy, a rollback after a failed one. */
async function workOn(
  spec: ReleaseSpec,
  all: Run,
  approval: ApprovalCheck | undefined,
): Promise<readonly PassResult[]> {
  const { settings } = all.request
  const task = taskOf(settings)
  const how = { task, isPlanOnly: false, providedEarlier: nothingProvided }
  const { result } = await onePass(spec, all, approval === undefined ? how : { ...how, approval })
  if (commands[settings.command].hasFollowUps !== true) return [result]
  if (hasFailed(result)) {
    const mayRollBack = optionsOf(spec, settings).onFailure === 'rollback' && result.outcome.status !== 'cancelled'
    return mayRollBack ? [result, ...(await rollBack(spec, result, all))] : [result]
  }
  if (!settings.test) return [result]
  const tested = await onePass(spec, all, {
    task: { kind: 'test', filter: settings.testFilter },
    isPlanOnly: false,
    providedEarlier: nothingProvided,
  })
  return [result, tested.result]
}

/** Only what has been changed can be rolled back, and only to a revision that was deployed (docs/decisions/0009). */
async function rollBack(spec: ReleaseSpec, failed: PassResult, all: Run): Promise<readonly PassResult[]> {
  const hasStarted = failed.events.some(({ type }) => type === 'stage-started')
  if (!hasStarted) return []
  if (failed.plan === undefined || rowOf(failed.plan.verb).mayGoBack !== true) {
    all.reporter.note('Nothing is rolled back: no revision of this release was ever deployed. What was created stays.')
    return []
  }
  const { result } = await onePass(spec, all, {
    task: { kind: 'rollback' },
    isPlanOnly: false,
    providedEarlier: nothingProvided,
  })
  return [result]
}

function taskOf(settings: Settings): Task {
  const { task } = commands[settings.command]
  switch (task) {
    case 'deploy':
      return { kind: 'deploy' }
    case 'rollback':
      return settings.revision === undefined ? { kind: 'rollback' } : { kind: 'rollback', revision: settings.revision }
    case 'uninstall':
      return { kind: 'uninstall', keepHistory: settings.keepHistory }
    case 'test':
      return { kind: 'test', filter: settings.testFilter }
    default:
      return unreachable(task)
  }
}

async function onePass(
  spec: ReleaseSpec,
  { request, ports, reporter }: Run,
  how: {
    readonly task: Task
    readonly isPlanOnly: boolean
    readonly providedEarlier: Provided
    readonly approval?: ApprovalCheck
  },
): Promise<{ readonly result: PassResult; readonly provided: Provided }> {
  const { settings, holder, onHeld } = request
  reporter.started(spec.release, spec.namespace ?? ports.world.defaultNamespace, ports.clock.now())
  const options = optionsOf(spec, settings)
  const deadline = deadlineOf(options, settings, ports)
  const signal = deadline === undefined ? request.signal : AbortSignal.any([request.signal, deadline.signal])
  try {
    return await runPass(
      {
        ...how,
        spec,
        options,
        prune: settings.prune,
        approvalIgnore: settings.approvalIgnore,
        mayLackRights: !commands[settings.command].writes,
        ...(settings.releases.length > 1 ? { bundle: request.bundle } : {}),
        leftOut: spec === settings.releases[0] ? leftOutOf(settings) : [],
        holder,
        signal,
        onHeld,
        onPlan: (plan) => reporter.planned(plan),
        onEvent: (event, soFar) => reporter.event(event, soFar),
      },
      ports.world,
      ports,
    )
  } finally {
    await deadline?.close()
  }
}

function optionsOf(spec: ReleaseSpec, settings: Settings): ReleaseOptions {
  return { ...settings, ...spec.options }
}

/** A release may have less time than the run; the run's own time is watched elsewhere. */
function deadlineOf(options: ReleaseOptions, settings: Settings, { clock }: PassPorts): Deadline | undefined {
  if (options.timeoutSeconds >= settings.timeoutSeconds) return undefined
  const reason: StopReason = 'timeout'
  return startDeadline(clock, options.timeoutSeconds * 1000, reason)
}

function leftOutOf(settings: Settings): readonly Untouched[] {
  return settings.leftOut.map(({ ref, reason }) => ({
    ref,
    reason: 'excluded',
    detail: reason === 'kots-only' ? 'read by KOTS for itself' : 'excluded by its HelmChart document',
  }))
}
