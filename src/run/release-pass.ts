import { type Deadline, startDeadline } from '../concurrency/deadline.ts'
import type { Settings } from '../inputs/inputs.ts'
import { commands } from '../model/command.ts'
import { defined } from '../model/defined.ts'
import type { StopReason } from '../model/outcome.ts'
import type { Untouched } from '../model/plan.ts'
import type { ReleaseOptions, ReleaseSpec } from '../model/release.ts'
import { unreachable } from '../model/unreachable.ts'
import type { Stop } from '../pass/last-writes.ts'
import { nothingProvided, type Provided } from '../pass/provided.ts'
import { type EndedPass, type PassRequest, runPass } from '../pass/run-pass.ts'
import type { PassPorts } from '../pass/setting.ts'
import type { Task } from '../pass/task.ts'
import type { Run } from './run-request.ts'

export type PassOfRun = Pick<
  PassRequest,
  'task' | 'isPlanOnly' | 'approval' | 'deployedEarlier' | 'madeEarlier' | 'knownRecord'
> & {
  /** Absent: nothing. */
  readonly providedEarlier?: Provided
  /** Absent: what the inputs leave out. */
  readonly leftOut?: readonly Untouched[]
  /** Absent: the time of the run, and that of the release within it. */
  readonly stop?: Stop
}

/** One pass of a release, with the settings of the run, its reports and its own time limit. */
export async function runReleasePass(
  spec: ReleaseSpec,
  { request, ports, reporter }: Run,
  pass: PassOfRun,
): Promise<EndedPass> {
  const { settings, holder, onHeld, onFreed } = request
  const bundle = settings.releases.length > 1 ? request.bundle : undefined
  reporter.started(spec.release, spec.namespace ?? ports.world.defaultNamespace, ports.clock.now())
  const options = releaseOptions(spec, settings)
  const deadline = pass.stop === undefined ? releaseDeadline(options, settings, ports) : undefined
  const stop = pass.stop ?? (deadline === undefined ? request.stop : stopAt(request.stop, deadline))
  try {
    return await runPass(
      {
        providedEarlier: nothingProvided,
        ...pass,
        spec,
        options,
        prune: settings.prune,
        approvalIgnore: settings.approvalIgnore,
        isUnderApproval: settings.approval === 'comment' || settings.expectPlanHash !== undefined,
        mayLackRights: !commands[settings.command].writes,
        ...defined({ approvalKey: settings.approvalKey, bundle }),
        leftOut: pass.leftOut ?? (spec === settings.releases[0] ? untouchedInputs(settings) : []),
        holder,
        stop,
        lockWaitMs: settings.lockTimeoutSeconds * 1000,
        onHeld,
        onFreed,
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

/** What the command does with each release, with the inputs that it counts. */
export function taskOfCommand(settings: Settings): Task {
  const { task } = commands[settings.command]
  switch (task) {
    case 'deploy':
      return { kind: 'deploy' }
    case 'rollback':
      return { kind: 'rollback', ...defined({ revision: settings.revision }) }
    case 'uninstall':
      return { kind: 'uninstall', keepHistory: settings.keepHistory }
    case 'test':
      return { kind: 'test', filter: settings.testFilter }
    default:
      return unreachable(task)
  }
}

/** What is undone where it fails has to be waited for, as in Helm (docs/sources.md#helm-install). */
export function releaseOptions(spec: ReleaseSpec, settings: Settings): ReleaseOptions {
  const options = { ...settings, ...spec.options }
  return { ...options, wait: options.wait || options.onFailure === 'undo' }
}

/** A release may have less time than the run; the run's own time is watched elsewhere. */
function releaseDeadline(options: ReleaseOptions, settings: Settings, { clock }: PassPorts): Deadline | undefined {
  if (options.timeoutSeconds >= settings.timeoutSeconds) return undefined
  const reason: StopReason = 'timeout'
  return startDeadline(clock, options.timeoutSeconds * 1000, reason)
}

function stopAt({ signal, cancelled }: Stop, deadline: Deadline): Stop {
  return { signal: AbortSignal.any([signal, deadline.signal]), cancelled }
}

function untouchedInputs(settings: Settings): readonly Untouched[] {
  return settings.leftOut.map(({ ref, reason }) => ({
    ref,
    reason: 'excluded',
    detail: reason === 'kots-only' ? 'read by KOTS only' : 'excluded by its HelmChart document',
  }))
}
