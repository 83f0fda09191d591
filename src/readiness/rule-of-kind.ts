import { builtInKind, isBuiltInGroup } from '../manifest/built-in-kinds.ts'
import type { ReadinessRule } from '../manifest/built-in-table.ts'
import type { KubeObject } from '../model/object.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { groupOf } from '../model/ref.ts'
import * as builtIn from './built-in-rules.ts'
import { customKindReadiness } from './custom-kinds.ts'
import * as runToEnd from './run-to-end.ts'
import { ready } from './verdict.ts'
import * as workloads from './workloads.ts'

/** Verdict on a live object that is not being deleted. */
export type KindRule = (object: KubeObject, relatives: readonly KubeObject[], facts: ReadinessFacts) => Readiness

const RULES: Readonly<Record<ReadinessRule, KindRule>> = {
  applied: () => ready(),
  'api-service': builtIn.apiService,
  'custom-resource-definition': (object, _relatives, facts) => builtIn.customResourceDefinition(object, facts),
  'daemon-set': workloads.daemonSet,
  deployment: workloads.deployment,
  job: runToEnd.job,
  namespace: builtIn.namespace,
  'persistent-volume': builtIn.persistentVolume,
  'persistent-volume-claim': (object, _relatives, facts) => builtIn.persistentVolumeClaim(object, facts),
  pod: runToEnd.pod,
  'pod-disruption-budget': builtIn.podDisruptionBudget,
  'replica-set': workloads.replicaSet,
  service: builtIn.service,
  'stateful-set': workloads.statefulSet,
}

/** Of Kubernetes' own groups a kind that the table does not know is ready once applied. */
export function ruleOf(object: KubeObject): KindRule {
  const kind = builtInKind(object)
  if (kind !== undefined) return RULES[kind.readiness]
  const group = groupOf(object.apiVersion)
  if (isBuiltInGroup(group)) return RULES.applied
  return (live, _relatives, facts) => customKindReadiness(group, live, facts)
}
