import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import { ProblemsError, RenderError } from '../model/errors.ts'
import type { Outcome } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { Plan, Untouched } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { ReleaseOptions, ReleaseSpec } from '../model/release.ts'
import { makePlan } from '../plan/make-plan.ts'
import { isAsked } from './deploy-release.ts'
import { type Desired, desiredOf, type RenderSetting } from './desired.ts'
import { outcomeOf } from './failed-outcome.ts'
import type { PassPorts } from './intent.ts'
import { assumedKinds, withExternalTypes } from './offline-kinds.ts'
import { asRendered } from './offline-plan.ts'
import { sidesOf } from './offline-sides.ts'
import { type Progress, resultOf, startProgress } from './progress.ts'
import { type Provided, providedBy } from './provided.ts'

export interface OfflineRequest {
  readonly spec: ReleaseSpec
  /** The same release as the base has it; absent where the base has none. */
  readonly baseSpec?: ReleaseSpec
  /** Absent: the engine's own default. */
  readonly kubeVersion?: string
  /** `group/version` and `group/version/Kind`, beside the built-in ones. */
  readonly apiVersions: readonly string[]
  readonly options: ReleaseOptions
  readonly prune: boolean
  /** Documents of the inputs that are no part of any release; listed in this plan. */
  readonly leftOut: readonly Untouched[]
  /** What earlier releases of the run will serve. */
  readonly providedEarlier: Provided
  /** Fires with a StopReason. */
  readonly signal: AbortSignal
  readonly onPlan: (plan: Plan) => void
}

/** Namespace of a release that names none, as without a kubeconfig. */
const DEFAULT_NAMESPACE = 'default'

/**
 * The plan of one release without a cluster: what the head renders against what the base renders, by the same planner.
 * It knows nothing of live objects, and has no revision and no fingerprint. Never throws: whatever goes wrong is the
 * outcome.
 */
export async function offlinePass(
  request: OfflineRequest,
  ports: Pick<PassPorts, 'renderer' | 'clock' | 'secrets'>,
): Promise<{ readonly result: PassResult; readonly provided: Provided }> {
  const startedAtMs = ports.clock.now()
  const progress = startProgress(request.spec.namespace ?? DEFAULT_NAMESPACE)
  const outcome = await go(request, ports, progress)
  const finishedAtMs = ports.clock.now()
  const result = resultOf(progress, {
    command: 'plan',
    release: request.spec.release,
    events: [{ type: 'finished', atMs: finishedAtMs, outcome }],
    outcome,
    startedAtMs,
    finishedAtMs,
    requests: 0,
  })
  return { result, provided: progress.provided }
}

async function go(
  request: OfflineRequest,
  ports: Pick<PassPorts, 'renderer' | 'secrets'>,
  progress: Progress,
): Promise<Outcome> {
  try {
    progress.doing = 'render the chart'
    const kinds = assumedKinds(request.apiVersions)
    const setting: RenderSetting = {
      spec: request.spec,
      namespace: progress.namespace,
      discovery: { kinds, failed: [] },
      comingApiVersions: [...request.providedEarlier.apiVersions, ...request.apiVersions],
      ...(request.kubeVersion === undefined ? {} : { version: { gitVersion: request.kubeVersion } }),
      ports,
      signal: request.signal,
    }
    const base = await baseOf(request, setting)
    const head = await desiredOf(setting, targetOf(base.desired))
    const resources = asked(head, request)
    progress.chart = head.rendered.chart
    if (base.desired !== undefined) progress.previousChart = base.desired.rendered.chart
    progress.notes = head.rendered.notes
    progress.provided = providedBy(resources)
    progress.problems = [...head.problems, ...base.problems]

    progress.doing = 'compare the renders'
    const place = { release: request.spec.release, namespace: progress.namespace }
    const before = base.desired === undefined ? undefined : asked(base.desired, request)
    const planned = makePlan({
      ...place,
      ...sidesOf(before, resources, place),
      ...defined({ previousHooks: before }),
      verb: before === undefined ? 'install' : 'upgrade',
      revision: 0,
      desired: resources,
      served: withExternalTypes(kinds, resources),
      comingKinds: request.providedEarlier.kinds,
      comparedBy: 'base-render',
      // Whose the objects are can only be told by a cluster.
      options: { ...request.options, prune: request.prune, takeOwnership: true },
      isSameAsDeployed: true,
      leftOut: request.leftOut,
      problems: progress.problems,
    })
    progress.planned = { ...planned, plan: asRendered(planned.plan, before ?? []) }
    progress.problems = planned.plan.problems
    progress.doing = 'plan'
    request.onPlan(progress.planned.plan)
    if (planned.plan.problems.some(({ severity }) => severity === 'error')) {
      throw new ProblemsError(planned.plan.problems)
    }
    return { status: 'planned' }
  } catch (error) {
    return outcomeOf(error, progress.doing, request.signal)
  }
}

/** Problems of the base are passed over, as those of deployed revisions are. One that does not render is no base. */
async function baseOf(
  { baseSpec }: OfflineRequest,
  setting: RenderSetting,
): Promise<{ readonly desired?: Desired; readonly problems: readonly Problem[] }> {
  if (baseSpec === undefined) return { problems: [] }
  try {
    return { desired: await desiredOf({ ...setting, spec: baseSpec }, UPGRADE), problems: [] }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    const what = `the base does not render, so that everything counts as new: ${error.details.message}`
    return { problems: [{ severity: 'warning', reason: 'render-failed', place: {}, what }] }
  }
}

/** Both sides get the same revision, so that a chart that shows it does not change by it. */
const UPGRADE = { revision: 1, isUpgrade: true }

function targetOf(base: Desired | undefined): typeof UPGRADE {
  return { ...UPGRADE, isUpgrade: base !== undefined }
}

function asked({ resources }: Desired, { options }: OfflineRequest): readonly Resource[] {
  return resources.filter((resource) => isAsked(resource, options))
}
