import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import type { RevisionCause } from '../model/plan.ts'
import type { History, ReleaseOptions, ReleaseRecord } from '../model/release.ts'
import { rowOf } from '../model/verb.ts'
import { deployVerb, newest, nextRevision } from '../record/history.ts'
import { draftDeploy } from '../record/new-record.ts'
import { requireFit } from '../record/size.ts'
import { createRevision, finishDeployed, finishFailed } from '../record/writer.ts'
import { bundleLabels } from './bundle.ts'
import { desiredOf } from './desired.ts'
import type { Intent } from './intent.ts'
import { learnSecrets } from './learn-secrets.ts'
import { previousHooksIn, previousResources, recordContext } from './recorded.ts'
import { reusedValues } from './reused-values.ts'
import type { Setting } from './setting.ts'
import { causesSinceDeployed } from './since-deployed.ts'

/** Install or upgrade: a new render becomes a new revision. */
export async function deployIntent(setting: Setting): Promise<Intent> {
  const { history, namespace, spec, ports } = setting
  const verb = deployVerb(history)
  const revision = nextRevision(history)
  const context = recordContext(setting)
  const previous = await previousResources(history, context)
  const hooks = await previousHooksIn(history, context)
  const reuse = reusedValues(setting)
  // Templates may print old values when they fail.
  if (reuse !== undefined) learnSecrets(objectsOf([...previous, ...(hooks.previousHooks ?? [])]), ports.secrets)
  const toRender: Setting = { ...setting, ...defined({ reuse }) }
  const desired = await desiredOf(toRender, { revision, isUpgrade: rowOf(verb).isFirst !== true })
  const { rendered } = desired
  const { previousHooks = [] } = hooks
  const objects = { previous, previousHooks, desired: desired.resources }
  const last = newest(history)?.record
  const causes = causesSinceDeployed(last, rendered, objects)
  const draftOn = (known: History) =>
    draftDeploy(known, {
      verb,
      release: spec.release,
      namespace,
      parts: rendered.record,
      notes: rendered.notes,
      holder: setting.holder,
      nowMs: ports.clock.now(),
      ...defined({ labels: setting.options.labels }),
    })
  return {
    verb,
    revision,
    desired: desired.resources.filter((resource) => isAsked(resource, setting.options)),
    previous,
    ...hooks,
    problems: desired.problems,
    revisionCauses: await withoutChance(causes, { last, notes: rendered.notes, revision }, toRender),
    chart: rendered.chart,
    notes: rendered.notes,
    content: rendered.record,
    record: {
      status: 'deployed',
      requireFit: (known) => requireFit(draftOn(known).record),
      begin: async (record, plan, repaired) => {
        if (!plan.writesRevision) return undefined
        const draft = draftOn(repaired)
        const labels = { ...draft.labels, ...bundleLabels(setting.bundle) }
        const kept = { history: repaired, historyMax: setting.options.historyMax }
        return createRevision(record, { ...draft, labels }, kept)
      },
      succeed: async (record, begun, repaired) => {
        await finishDeployed(record, begun, repaired, setting.options.description)
      },
      fail: async (record, begun, message) => {
        await finishFailed(record, begun, message)
      },
    },
  }
}

function objectsOf(resources: readonly Resource[]): readonly KubeObject[] {
  return resources.map(({ manifest }) => manifest.object)
}

/**
 * Notes that name the revision, or something random, differ at each render: where nothing else does, they are no cause. To
 * know it costs a render or two.
 */
async function withoutChance(
  causes: readonly RevisionCause[],
  {
    last,
    notes,
    revision,
  }: { readonly last: ReleaseRecord | undefined; readonly notes: string; readonly revision: number },
  setting: Setting,
): Promise<readonly RevisionCause[]> {
  if (last === undefined || causes.length !== 1 || causes[0] !== 'notes') return causes
  const notesAs = async (asRevision: number) =>
    (await desiredOf(setting, { revision: asRevision, isUpgrade: true })).rendered.notes
  const isChance = (await notesAs(revision)) !== notes || (await notesAs(last.version)) === last.info.notes
  return isChance ? [] : causes
}

/** Input `skip-crds`, or `--skip-crds` of a HelmChart document, leaves `crds/` out. */
export function isAsked({ manifest }: Resource, options: ReleaseOptions): boolean {
  return options.withCrds || manifest.source !== 'crds'
}
