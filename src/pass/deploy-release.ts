import type { Resource } from '../model/directives.ts'
import type { ReleaseOptions } from '../model/release.ts'
import { rowOf } from '../model/verb.ts'
import { deployVerb, newest, nextRevision } from '../record/history.ts'
import { draftDeploy } from '../record/new-record.ts'
import { createRevision, finishDeployed, finishFailed } from '../record/writer.ts'
import { bundleLabels } from './bundle.ts'
import { desiredOf } from './desired.ts'
import type { Intent } from './intent.ts'
import { previousHooksIn, previousResources, recordContext } from './recorded.ts'
import type { Setting } from './setting.ts'
import { causesSinceDeployed } from './since-deployed.ts'

/** Install or upgrade: a new render becomes a new revision. */
export async function deployIntent(setting: Setting): Promise<Intent> {
  const { history, namespace, spec, ports } = setting
  const verb = deployVerb(history)
  const revision = nextRevision(history)
  const desired = await desiredOf(setting, { revision, isUpgrade: rowOf(verb).isFirst !== true })
  const { rendered } = desired
  const context = recordContext(setting)
  const previous = await previousResources(history, context)
  const hooks = await previousHooksIn(history, context)
  const { previousHooks = [] } = hooks
  const objects = { previous, previousHooks, desired: desired.resources }
  return {
    verb,
    revision,
    desired: desired.resources.filter((resource) => isAsked(resource, setting.options)),
    previous,
    ...hooks,
    problems: desired.problems,
    revisionCauses: causesSinceDeployed(newest(history)?.record, rendered, objects),
    chart: rendered.chart,
    notes: rendered.notes,
    record: {
      status: 'deployed',
      begin: async (record, plan, repaired) => {
        if (!plan.writesRevision) return undefined
        const draft = draftDeploy(repaired, {
          verb,
          release: spec.release,
          namespace,
          parts: rendered.record,
          notes: rendered.notes,
          holder: setting.holder,
          nowMs: ports.clock.now(),
        })
        const labels = { ...draft.labels, ...bundleLabels(setting.bundle) }
        const kept = { history: repaired, historyMax: setting.options.historyMax }
        return createRevision(record, { ...draft, labels }, kept)
      },
      succeed: async (record, begun, repaired) => {
        await finishDeployed(record, begun, repaired)
      },
      fail: async (record, begun, message) => {
        await finishFailed(record, begun, message)
      },
    },
  }
}

/** A HelmChart document may leave hooks and `crds/` out (`--no-hooks`, `--skip-crds`). */
export function isAsked({ directives, manifest }: Resource, options: ReleaseOptions): boolean {
  return (options.withHooks || !directives.isHook) && (options.withCrds || manifest.source !== 'crds')
}
