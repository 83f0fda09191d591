import { commands } from '../../model/command.ts'
import type { Failure } from '../../model/outcome.ts'
import type { PassResult } from '../../model/pass.ts'
import { formatRef } from '../../model/ref.ts'
import { chartOrigin } from '../rows/chart-origin.ts'
import { addCounts, countsOf, hasChanges, noCounts } from '../rows/counts.ts'
import { releaseCount } from '../rows/first-passes.ts'
import { hashOf, planHash } from '../rows/plan-hash.ts'
import { runStatus } from '../rows/run-status.ts'

/** Names of the action's outputs that follow from passes. Those of files and comments are set elsewhere. */
export type OutputName =
  | 'status'
  | 'revision'
  | 'previous-revision'
  | 'chart-version'
  | 'chart-digest'
  | 'changed'
  | 'to-create'
  | 'to-update'
  | 'to-recreate'
  | 'to-delete'
  | 'unchanged'
  | 'plan-hash'
  | 'failed-stage'
  | 'failed-resource'
  | 'failure-reason'
  | 'releases'

/**
 * The outputs of a run. `status`, `changed` and the counts cover all passes, `revision` is that of the last one that has
 * a plan and empty for several releases, the failure is the first. `failure`: of a run that ended before any pass, such as a mistake in the inputs.
 */
export function outputs(passes: readonly PassResult[], failure?: Failure): Readonly<Record<OutputName, string>> {
  const counts = passes.map(countsOf).reduce(addCounts, noCounts)
  const first = failure ?? passes.find((pass) => pass.outcome.failure !== undefined)?.outcome.failure
  const last =
    passes.findLast((pass) => pass.plan !== undefined && commands[pass.command].changesRelease) ?? passes.at(-1)
  const isOfSeveral = releaseCount(passes) > 1
  return {
    status: failure === undefined ? runStatus(passes) : 'failed',
    revision: last === undefined || isOfSeveral ? '' : revisionOutput(last),
    'previous-revision': isOfSeveral ? '' : String(last?.previousRevision ?? ''),
    'chart-version': last?.chart?.version ?? '',
    'chart-digest': chartOrigin(last?.plan)?.digest ?? '',
    changed: String(hasChanges(counts)),
    'to-create': String(counts.create),
    'to-update': String(counts.update),
    'to-recreate': String(counts.recreate),
    'to-delete': String(counts.delete),
    unchanged: String(counts.unchanged),
    'plan-hash': planHash(passes),
    'failed-stage': first === undefined ? '' : failedStage(first),
    'failed-resource': first?.ref === undefined ? '' : formatRef(first.ref),
    'failure-reason': first?.reason ?? '',
    releases: JSON.stringify(passes.map(releaseEntry)),
  }
}

/** `main/10`, as `action.yml` says. */
function failedStage({ stage, weight }: Failure): string {
  if (stage === undefined) return ''
  return weight === undefined ? stage : `${stage}/${weight}`
}

/** The revision that was written; of a plan the one it would write; without a change the one that stands. */
function revisionOutput(pass: PassResult): string {
  if (pass.plan === undefined) return ''
  return String(pass.plan.writesRevision ? pass.plan.revision : (pass.previousRevision ?? ''))
}

/** One entry of the output `releases`. */
function releaseEntry(pass: PassResult) {
  const counts = countsOf(pass)
  const { failure, status } = pass.outcome
  return {
    release: pass.release,
    namespace: pass.namespace,
    command: pass.command,
    verb: pass.plan?.verb,
    status,
    revision: revisionOutput(pass),
    previousRevision: pass.previousRevision,
    chart: pass.chart?.name,
    chartVersion: pass.chart?.version,
    chartDigest: chartOrigin(pass.plan)?.digest,
    changed: hasChanges(counts),
    toCreate: counts.create,
    toUpdate: counts.update,
    toRecreate: counts.recreate,
    toDelete: counts.delete,
    unchanged: counts.unchanged,
    planHash: hashOf(pass),
    failedStage: failure?.stage,
    failedWeight: failure?.weight,
    failedResource: failure?.ref === undefined ? undefined : formatRef(failure.ref),
    failureReason: failure?.reason,
    seconds: Math.round((pass.finishedAtMs - pass.startedAtMs) / 100) / 10,
  }
}
