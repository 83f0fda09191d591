import { builtInKind } from '../manifest/built-in-kinds.ts'
import type { Awaited } from '../manifest/built-in-table.ts'
import { runsToCompletion } from '../manifest/recreation.ts'
import type { Resource } from '../model/directives.ts'
import { stringAt } from '../model/object.ts'
import type { AwaitGoal } from '../model/plan.ts'
import type { StageName } from '../model/verb.ts'

/**
 * What is waited for after applying the resource, or undefined. A hook: Job or Pod complete, a CRD established, else
 * nothing (docs/sources.md#helm-3-chart-hooks); Helm 2's `test-failure`: failed (docs/sources.md#helm-2-hooks). A
 * `deploy-on` resource of pre or post: Job or Pod complete, else ready.
 */
export function goalOf(resource: Resource, stage: StageName): AwaitGoal | undefined {
  // Kinds that are not in the table are waited for, custom resources above all.
  const awaited = builtInKind(resource.manifest.ref)?.awaited ?? 'ready'
  if (awaited === 'established') return 'established'
  if (stage === 'main') return isReadyOnceApplied(resource, awaited) ? undefined : 'ready'
  if (runsToCompletion(resource)) return resource.directives.expectsFailure === true ? 'failed' : 'complete'
  if (resource.directives.isHook || isReadyOnceApplied(resource, awaited)) return undefined
  return 'ready'
}

/** Whether an annotation alone keeps the resource from being waited for. */
export function isNotAwaited(resource: Resource, stage: StageName): boolean {
  if (resource.directives.wait !== 'non-blocking' || goalOf(resource, stage) !== undefined) return false
  const directives = { ...resource.directives, wait: 'until-ready' as const }
  return goalOf({ ...resource, directives }, stage) !== undefined
}

function isReadyOnceApplied(resource: Resource, awaited: Awaited): boolean {
  if (resource.directives.wait === 'non-blocking') return true
  if (awaited === 'load-balancer') return stringAt(resource.manifest.object, 'spec', 'type') !== 'LoadBalancer'
  return awaited === 'no'
}
