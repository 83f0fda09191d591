import { isKept } from '../manifest/recreation.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { JsonObject } from '../model/object.ts'
import type { ApplyOperation, AwaitGoal, AwaitOperation, DeleteOperation, Reason } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import type { StageName } from '../model/verb.ts'
import type { ApplyChange } from './change.ts'
import { maskedPair } from './mask.ts'
import type { PlanInput } from './plan-input.ts'
import { type Planning, uniqueId } from './planning.ts'
import { trackingOf } from './tracking.ts'

/** Where an operation stands: its stage and, for a hook, the event it runs on. */
export interface Spot {
  readonly stage: StageName
  readonly hook?: string
}

export function applyOperation(
  resource: Resource,
  change: ApplyChange,
  spot: Spot,
  context: { readonly input: PlanInput; readonly planning: Planning },
): ApplyOperation {
  const { input, planning } = context
  const { manifest, directives } = resource
  const key = refKey(manifest.ref)
  const id = uniqueId(planning, `${spot.stage}/apply/${key}`)
  const body = input.observed.bodies.get(key) ?? manifest.object
  planning.payloads.set(id, {
    resource,
    body,
    result: change.result ?? (change.change === 'none' ? input.observed.live.get(key) : undefined) ?? body,
    needsMigration: input.observed.migrates.has(key) && change.change !== 'recreate',
  })
  planning.existing.add(key)
  const propagation = directives.deletePropagation ?? 'Foreground'
  return {
    ...base(resource, { id, spot, planning }),
    kind: 'apply',
    change: change.change,
    reason: change.reason,
    ...shown(resource, change, body, context),
    ...(change.change === 'recreate' ? { propagation } : {}),
    ...(manifest.varies === undefined || manifest.varies.length === 0 ? {} : { varies: manifest.varies }),
    ...(change.isWithoutDryRun === true ? { isWithoutDryRun: true } : {}),
  }
}

/** What the reader sees: live against result, or for what is made anew the last definition against this one. */
function shown(
  resource: Resource,
  change: ApplyChange,
  body: JsonObject,
  context: { readonly input: PlanInput; readonly planning: Planning },
): { readonly before?: JsonObject; readonly after?: JsonObject } {
  if (change.change === 'none') return {}
  const key = refKey(resource.manifest.ref)
  if (change.change === 'create') return maskedPair(resource, undefined, body)
  if (change.change === 'recreate') {
    const before = context.planning.previous.get(key)?.manifest.object
    return maskedPair(resource, before, resource.manifest.object)
  }
  return maskedPair(resource, context.input.observed.live.get(key), change.result ?? body)
}

export function awaitOperation(resource: Resource, until: AwaitGoal, spot: Spot, planning: Planning): AwaitOperation {
  const { directives, manifest } = resource
  const id = uniqueId(planning, `${spot.stage}/await-${until}/${refKey(manifest.ref)}`)
  return {
    ...base(resource, { id, spot, planning }),
    kind: 'await',
    until,
    failure: directives.failMode,
    tracking: trackingOf(directives),
    ...(until === 'properties' ? { properties: directives.propertyWaits } : {}),
    ...(directives.outputLogsOn.length > 0 ? { outputLogsOn: directives.outputLogsOn } : {}),
  }
}

/** Deletes that a policy asks for behind the result. Never for a CRD, never against `keep`. */
export function policyDeletes(
  resource: Resource,
  spot: Spot,
  context: { readonly input: PlanInput; readonly planning: Planning },
): readonly DeleteOperation[] {
  const { input, planning } = context
  const { directives, manifest } = resource
  if (manifest.ref.kind === 'CustomResourceDefinition') return []
  if (isKept(resource, input.observed.kept)) return []
  return (['succeeded', 'failed'] as const).flatMap((result) => {
    if (!directives.deletePolicies.includes(result)) return []
    const id = uniqueId(planning, `${spot.stage}/delete-if-${result}/${refKey(manifest.ref)}`)
    if (result === 'succeeded') planning.existing.delete(refKey(manifest.ref))
    return [{ ...deletion(resource, { code: 'delete-policy' }, { id, spot, planning }), onlyIf: result }]
  })
}

export function deleteOperation(resource: Resource, reason: Reason, spot: Spot, planning: Planning): DeleteOperation {
  const id = uniqueId(planning, `${spot.stage}/delete/${refKey(resource.manifest.ref)}`)
  return deletion(resource, reason, { id, spot, planning })
}

function deletion(
  resource: Resource,
  reason: Reason,
  { id, spot, planning }: { readonly id: string; readonly spot: Spot; readonly planning: Planning },
): DeleteOperation {
  const propagation = resource.directives.deletePropagation ?? 'Foreground'
  return { ...base(resource, { id, spot, planning }), kind: 'delete', reason, propagation }
}

function base(
  resource: Resource,
  { id, spot, planning }: { readonly id: string; readonly spot: Spot; readonly planning: Planning },
) {
  const { origin, ref } = resource.manifest
  return {
    id,
    ref,
    file: origin.file,
    ...defined({ hook: spot.hook }),
    ...(planning.dependsOnEarlier(ref) ? { dependsOnEarlier: true as const } : {}),
  }
}
