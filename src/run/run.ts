import { startDeadline } from '../concurrency/deadline.ts'
import { commands } from '../model/command.ts'
import { defined } from '../model/defined.ts'
import { messageOf } from '../model/errors.ts'
import type { StopReason } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { ReleaseSpec } from '../model/release.ts'
import { rowOf } from '../model/verb.ts'
import { goneFromBundle } from '../pass/bundle.ts'
import { joinProvided, nothingProvided, type Provided } from '../pass/provided.ts'
import type { Task } from '../pass/task.ts'
import type { KnownRecord } from '../record/known-record.ts'
import {
  approvalUnderLock,
  asRefused,
  type RequiredApproval,
  readRequiredApproval,
  refusalOfForecasts,
} from '../trust/required-approval.ts'
import { type PassOfRun, releaseOptions, runReleasePass, taskOfCommand } from './release-pass.ts'
import type { Reporter } from './reporter.ts'
import type { Run, RunPorts, RunRequest } from './run-request.ts'

/**
 * All releases of the run, one after the other in the order of the settings; the first that fails ends it. Gives the
 * passes in the order in which they ran. Where a run deploys several releases, all are planned first, so that mistakes
 * of any of them are shown before anything is written.
 */
export async function runReleases(
  request: RunRequest,
  ports: RunPorts,
  reporter: Reporter,
): Promise<readonly PassResult[]> {
  const all: Run = { request, ports, reporter }
  const results = await planOrDeploy(all)
  await noteGone(all, results)
  await reporter.finished(results)
  return results
}

/** A chart that left the list is reported and left alone: whether its data may go is for people to say. */
async function noteGone({ request, ports, reporter }: Run, results: readonly PassResult[]): Promise<void> {
  const { bundle, settings, stop } = request
  const { usesWorkspace, writes } = commands[settings.command]
  const { cluster } = ports.world
  if (cluster === undefined || !usesWorkspace || !writes) return
  if (settings.releases.length < 2 || results.some(hasFailed)) return
  try {
    for (const place of await goneFromBundle(cluster, bundle, settings.releases, stop.signal)) {
      reporter.note(`Release ${place} is no longer in this list. It stays deployed; command: uninstall removes it.`)
    }
  } catch (error) {
    reporter.note(`Releases that left this list could not be looked up: ${messageOf(error)}`)
  }
}

async function planOrDeploy(all: Run): Promise<readonly PassResult[]> {
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
    if (refusal !== undefined) return asRefused(forecasts, refusal, commands[command].task)
    if (forecasts.some(isMistake)) return forecasts
  }
  const results: PassResult[] = []
  let madeEarlier = nothingProvided
  for (const [index, spec] of releases.entries()) {
    const approval = required.kind === 'none' ? undefined : approvalUnderLock(spec, required, forecasts[index])
    const deployedEarlier = releases.slice(0, index).map(({ release }) => release)
    // What is deployed stands in the cluster, but the API server may judge by what was there a moment ago.
    const providedEarlier = { ...nothingProvided, changes: madeEarlier.changes ?? [] }
    const ended = await runRelease(spec, all, { approval, deployedEarlier, madeEarlier, providedEarlier })
    results.push(...ended.results)
    madeEarlier = joinProvided(madeEarlier, ended.provided)
    if (results.some(hasFailed)) break
  }
  return results
}

async function planAll(all: Run, required: RequiredApproval | undefined): Promise<readonly PassResult[]> {
  const { settings } = all.request
  const results: PassResult[] = []
  let providedEarlier = nothingProvided
  for (const spec of settings.releases) {
    const approval = required?.kind === 'plans' ? required.planOf(spec) : undefined
    const pass = { task: taskOfCommand(settings), isPlanOnly: true, providedEarlier, approval }
    const { result, provided } = await runReleasePass(spec, all, pass)
    results.push(result)
    providedEarlier = joinProvided(providedEarlier, provided)
  }
  return results
}

const FORECAST = 'Forecast of all releases; each is planned again right before its deploy.'
const COMPARISON = 'The plan is compared with the approved one now, and again right before the first write.'

/**
 * Whether a failed forecast stops the run: one of the first release, or a mistake in the inputs. What a later release
 * lacks may be provided by an earlier one.
 */
function isMistake({ outcome }: PassResult, index: number): boolean {
  return outcome.failure !== undefined && (index === 0 || outcome.failure.reason === 'invalid-input')
}

function hasFailed({ outcome }: PassResult): boolean {
  return outcome.failure !== undefined
}

/** One release, and what follows a deploy of it: its test hooks, or a rollback where it failed. */
async function runRelease(
  spec: ReleaseSpec,
  all: Run,
  comparison: Pick<PassOfRun, 'approval' | 'deployedEarlier' | 'madeEarlier' | 'providedEarlier'>,
): Promise<{ readonly results: readonly PassResult[]; readonly provided: Provided }> {
  const { settings } = all.request
  const pass = { task: taskOfCommand(settings), isPlanOnly: false, ...comparison }
  const { provided, record, result } = await runReleasePass(spec, all, pass)
  if (commands[settings.command].hasFollowUps !== true) return { results: [result], provided }
  if (hasFailed(result)) {
    const mayRollBack = releaseOptions(spec, settings).onFailure === 'rollback' && result.outcome.status !== 'cancelled'
    const rolledBack = mayRollBack ? await rollBack(spec, { failed: result, record }, all) : []
    return { results: [result, ...rolledBack], provided }
  }
  if (!settings.test) return { results: [result], provided }
  const task: Task = { kind: 'test', filter: settings.testFilter }
  const tested = await runReleasePass(spec, all, {
    task,
    isPlanOnly: false,
    approval: undefined,
    ...defined({ knownRecord: record }),
  })
  return { results: [result, tested.result], provided }
}

/**
 * Only what has been changed can be rolled back, and only to a revision that was deployed (docs/decisions/0009). It has its own
 * time: that of the run may be over, which is why it failed.
 */
async function rollBack(
  spec: ReleaseSpec,
  { failed, record }: { readonly failed: PassResult; readonly record: KnownRecord | undefined },
  all: Run,
): Promise<readonly PassResult[]> {
  const hasStarted = failed.events.some(({ type }) => type === 'stage-started')
  if (!hasStarted || record === undefined) return []
  if (record.written === undefined) {
    all.reporter.note('Nothing is rolled back: this deploy has changed nothing.')
    return []
  }
  if (failed.plan === undefined || rowOf(failed.plan.verb).mayGoBack !== true) {
    all.reporter.note('Nothing is rolled back: no revision of this release was ever deployed. What was created stays.')
    return []
  }
  const { settings, stop } = all.request
  const reason: StopReason = 'timeout'
  const deadline = startDeadline(all.ports.clock, settings.rollbackTimeoutSeconds * 1000, reason)
  try {
    const { result } = await runReleasePass(spec, all, {
      task: { kind: 'rollback' },
      isPlanOnly: false,
      approval: undefined,
      knownRecord: record,
      stop: { signal: AbortSignal.any([stop.cancelled, deadline.signal]), cancelled: stop.cancelled },
    })
    return [result]
  } finally {
    await deadline.close()
  }
}
