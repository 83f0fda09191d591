import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import { RenderError } from '../model/errors.ts'
import type { Operation, Plan } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { refKey } from '../model/ref.ts'
import type { ReleaseSpec } from '../model/release.ts'
import { maskedPair } from '../plan/mask.ts'
import { assumedKinds, withExternalTypes } from './assumed-kinds.ts'
import { compareRenders } from './compared-renders.ts'
import { isAsked } from './deploy-release.ts'
import { type Desired, desiredOf } from './desired.ts'
import type { Intent, RecordSteps } from './intent.ts'
import { assertNothingReused } from './reused-values.ts'
import type { Setting } from './setting.ts'
import type { World } from './world.ts'

export interface BaseRender {
  /** The releases of the base; one that is not among them is a first install. */
  readonly releases: readonly ReleaseSpec[]
  /** Absent: the engine's own default. */
  readonly kubeVersion?: string
  /** `group/version` and `group/version/Kind`, beside the built-in ones. */
  readonly apiVersions: readonly string[]
}

/**
 * Releases are compared with their render at the base, without a cluster: nothing is known of live objects, there is no
 * history, and of the tasks only a deploy can be planned.
 */
export function baseRenderWorld({ releases, kubeVersion, apiVersions }: BaseRender): World {
  const discovery = { kinds: assumedKinds(apiVersions), failed: [] }
  return {
    defaultNamespace: 'default', // As without a kubeconfig.
    comparison: 'compare the renders',
    requestCount: () => 0,
    capabilities: async () => ({ discovery, apiVersions, ...defined({ kubeVersion }) }),
    hasNamespace: async () => true,
    history: async () => ({ revisions: [], unreadable: [] }),
    intent: (_task, setting) => renderIntent(releases.find(isSameRelease(setting.spec)), setting),
    compare: async ({ desired, previous }, { spec, namespace }) => ({
      ...compareRenders(previous, desired, { release: spec.release, namespace }),
      served: withExternalTypes(discovery.kinds, desired),
      comparedBy: 'base-render',
      // Only a cluster knows who owns an object.
      options: { takeOwnership: true },
    }),
    complete: async (planned, { previous }) => ({ ...planned, plan: asRendered(planned.plan, previous) }),
  }
}

function isSameRelease(spec: ReleaseSpec): (other: ReleaseSpec) => boolean {
  return (other) => other.release === spec.release && other.namespace === spec.namespace
}

/** Both renders get the same revision, so that a chart that shows it does not change by it. */
const RENDERED_REVISION = 1

async function renderIntent(baseSpec: ReleaseSpec | undefined, setting: Setting): Promise<Intent> {
  assertNothingReused(setting.options)
  const base = await renderBase(baseSpec, setting)
  const isUpgrade = base.desired !== undefined
  const head = await desiredOf(setting, { revision: RENDERED_REVISION, isUpgrade })
  const previous = base.desired === undefined ? undefined : askedOf(base.desired, setting)
  return {
    verb: isUpgrade ? 'upgrade' : 'install',
    revision: 0, // Not known.
    desired: askedOf(head, setting),
    previous: previous ?? [],
    ...defined({ previousHooks: previous, previousChart: base.desired?.rendered.chart }),
    problems: [...head.problems, ...base.problems],
    revisionCauses: [],
    chart: head.rendered.chart,
    notes: head.rendered.notes,
    record: noRecord,
  }
}

/** Problems of the base are ignored, as those of deployed revisions are. A base that does not render counts as none. */
async function renderBase(
  spec: ReleaseSpec | undefined,
  setting: Setting,
): Promise<{ readonly desired?: Desired; readonly problems: readonly Problem[] }> {
  if (spec === undefined) return { problems: [] }
  try {
    const desired = await desiredOf({ ...setting, spec }, { revision: RENDERED_REVISION, isUpgrade: true })
    return { desired, problems: [] }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    const what = `the base does not render, so that everything counts as new: ${error.details.message}`
    return { problems: [{ severity: 'warning', reason: 'render-failed', place: {}, what }] }
  }
}

function askedOf({ resources }: Desired, { options }: Setting): readonly Resource[] {
  return resources.filter((resource) => isAsked(resource, options))
}

const noRecord: RecordSteps = {
  status: 'planned',
  begin: async () => undefined,
  succeed: async () => {},
  fail: async () => {},
}

/**
 * The plan as a comparison of renders: a deletion shows the object as the base renders it, without the marks of the
 * release; and the revision that a deploy would write is not known.
 */
function asRendered({ revisionBecause: _unknown, ...plan }: Plan, previous: readonly Resource[]): Plan {
  const base = new Map(previous.map((resource) => [refKey(resource.manifest.ref), resource]))
  const withRenderedBefore = (operation: Operation): Operation => {
    const before = base.get(refKey(operation.ref))
    if (operation.kind !== 'delete' || operation.before === undefined || before === undefined) return operation
    return { ...operation, before: maskedPair(before, undefined, before.manifest.object).after }
  }
  const stages = plan.stages.map((stage) => ({
    ...stage,
    groups: stage.groups.map((group) => ({ ...group, ranks: group.ranks.map((rank) => rank.map(withRenderedBefore)) })),
  }))
  return { ...plan, stages, writesRevision: false }
}
