import { commands } from '../model/command.ts'
import { defined } from '../model/defined.ts'
import { messageOf } from '../model/errors.ts'
import type { PassResult } from '../model/pass.ts'
import type { ReleaseSpec } from '../model/release.ts'
import { goneFromBundle } from '../pass/bundle.ts'
import { joinProvided, nothingProvided, type Provided } from '../pass/provided.ts'
import type { Task } from '../pass/task.ts'
import {
  approvalUnderLock,
  asRefused,
  type RequiredApproval,
  readRequiredApproval,
  refusalOfForecasts,
} from '../trust/required-approval.ts'
import { type PassOfRun, runReleasePass, taskOfCommand } from './release-pass.ts'
import type { Reporter } from './reporter.ts'
import type { Run, RunPorts, RunRequest } from './run-request.ts'
import { undo } from './undo.ts'

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

/** One release, and what follows a deploy of it: its test hooks, or what undoes it where it failed. */
async function runRelease(
  spec: ReleaseSpec,
  all: Run,
  comparison: Pick<PassOfRun, 'approval' | 'deployedEarlier' | 'madeEarlier' | 'providedEarlier'>,
): Promise<{ readonly results: readonly PassResult[]; readonly provided: Provided }> {
  const { settings } = all.request
  const pass = { task: taskOfCommand(settings), isPlanOnly: false, ...comparison }
  const ended = await runReleasePass(spec, all, pass)
  const { provided, record, result } = ended
  if (commands[settings.command].hasFollowUps !== true) return { results: [result], provided }
  if (hasFailed(result)) return { results: [result, ...(await undo(spec, ended, all))], provided }
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
