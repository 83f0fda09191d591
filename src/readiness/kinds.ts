import type { KubeObject } from '../model/object.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { groupOf } from '../model/ref.ts'
import * as builtIn from './built-in.ts'
import { contributedReadiness } from './contributed.ts'
import * as runToEnd from './run-to-end.ts'
import { ready } from './verdict.ts'
import * as workloads from './workloads.ts'

/** Verdict on a live object that is not being deleted. */
export type KindRule = (object: KubeObject, relatives: readonly KubeObject[], facts: ReadinessFacts) => Readiness

/**
 * Kinds of Kubernetes whose readiness is more than being there. All others of its groups are ready once applied, among
 * them on purpose:
 * - Ingress: only some controllers write an address, and no other tool waits for it;
 * - HorizontalPodAutoscaler: its metrics may come from what a later group deploys;
 * - CronJob: has nothing to do before its time.
 */
const KINDS = new Map<string, KindRule>([
  ['apps/Deployment', workloads.deployment],
  ['apps/StatefulSet', workloads.statefulSet],
  ['apps/DaemonSet', workloads.daemonSet],
  ['apps/ReplicaSet', workloads.replicaSet],
  ['/ReplicationController', workloads.replicaSet],
  ['batch/Job', runToEnd.job],
  ['/Pod', runToEnd.pod],
  ['/PersistentVolumeClaim', (object, _relatives, facts) => builtIn.persistentVolumeClaim(object, facts)],
  ['/PersistentVolume', builtIn.persistentVolume],
  ['/Service', builtIn.service],
  ['/Namespace', builtIn.namespace],
  ['policy/PodDisruptionBudget', builtIn.podDisruptionBudget],
  ['apiregistration.k8s.io/APIService', builtIn.apiService],
  [
    'apiextensions.k8s.io/CustomResourceDefinition',
    (object, _relatives, facts) => builtIn.customResourceDefinition(object, facts),
  ],
])

/** Groups that the API server itself serves: what they hold is Kubernetes' own. */
const BUILT_IN_GROUPS: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'extensions',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
])

export function ruleOf(object: KubeObject): KindRule {
  const group = groupOf(object.apiVersion)
  const rule = KINDS.get(`${group}/${object.kind}`)
  if (rule !== undefined) return rule
  if (BUILT_IN_GROUPS.has(group)) return () => ready()
  return (live, _relatives, facts) => contributedReadiness(group, live, facts)
}
