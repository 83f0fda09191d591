import { runsToItsEnd } from '../manifest/recreation.ts'
import type { Resource } from '../model/directives.ts'
import { stringAt } from '../model/object.ts'
import type { AwaitGoal } from '../model/plan.ts'
import { groupOf } from '../model/ref.ts'
import type { StageName } from '../model/verb.ts'

/**
 * Built-in kinds that are ready as soon as they are applied: nothing ever changes in them that anybody could wait for.
 * Everything else, custom resources first of all, is awaited.
 */
const READY_ONCE_APPLIED: ReadonlySet<string> = new Set([
  '/ConfigMap',
  '/Endpoints',
  '/LimitRange',
  '/PodTemplate',
  '/ResourceQuota',
  '/Secret',
  '/ServiceAccount',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'batch/CronJob',
  'coordination.k8s.io/Lease',
  'discovery.k8s.io/EndpointSlice',
  'networking.k8s.io/IngressClass',
  'networking.k8s.io/NetworkPolicy',
  'node.k8s.io/RuntimeClass',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
  'scheduling.k8s.io/PriorityClass',
  'storage.k8s.io/CSIDriver',
  'storage.k8s.io/StorageClass',
])

/**
 * What is waited for after applying the resource, or undefined. A hook: Job or Pod complete, a CRD established, else
 * nothing (docs/sources.md#helm-3-chart-hooks); Helm 2's `test-failure`: failed (docs/sources.md#helm-2-hooks). A
 * `deploy-on` resource of pre or post: Job or Pod complete, else ready.
 */
export function goalOf(resource: Resource, stage: StageName): AwaitGoal | undefined {
  const { apiVersion, kind } = resource.manifest.ref
  const groupKind = `${groupOf(apiVersion)}/${kind}`
  if (groupKind === 'apiextensions.k8s.io/CustomResourceDefinition') return 'established'
  if (stage === 'main') return isReadyOnceApplied(resource, groupKind) ? undefined : 'ready'
  if (runsToItsEnd(resource)) return resource.directives.expectsFailure === true ? 'failed' : 'complete'
  if (resource.directives.isHook || isReadyOnceApplied(resource, groupKind)) return undefined
  return 'ready'
}

function isReadyOnceApplied(resource: Resource, groupKind: string): boolean {
  if (resource.directives.wait === 'non-blocking') return true
  if (groupKind === '/Service') return stringAt(resource.manifest.object, 'spec', 'type') !== 'LoadBalancer'
  return READY_ONCE_APPLIED.has(groupKind)
}
