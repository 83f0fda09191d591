import { builtInKind } from '../manifest/built-in-kinds.ts'
import type { Budget, Restart } from '../model/impact.ts'
import {
  at,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  numberAt,
  stringAt,
} from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { FieldDifference } from './fields.ts'
import { isChecksum } from './noise.ts'

/** The pods that a workload keeps running, and how an update of its template replaces them; undefined where it does not. */
export function restartOf(
  ref: Ref,
  after: JsonObject,
  differences: readonly FieldDifference[],
  budgets: readonly KubeObject[],
): Restart | undefined {
  const how = strategyOf(ref, after)
  const inTemplate = differences.filter(({ path }) => path.startsWith('spec.template.') || path === 'spec.template')
  if (how === undefined || inTemplate.length === 0) return undefined
  const replicas = numberAt(after, 'spec', 'replicas')
  const budget = budgetOf(ref, after, budgets)
  return {
    how,
    because: causeOf(inTemplate),
    ...(replicas === undefined ? {} : { replicas }),
    ...(budget === undefined ? {} : { budget }),
  }
}

/** Source: the API reference of Kubernetes, `DeploymentStrategy`, `StatefulSetUpdateStrategy`, `DaemonSetUpdateStrategy`. */
function strategyOf(ref: Ref, after: JsonObject): Restart['how'] | undefined {
  switch (builtInKind(ref)?.kind) {
    case 'Deployment':
      return stringAt(after, 'spec', 'strategy', 'type') === 'Recreate' ? 'recreate' : 'rolling'
    case 'StatefulSet':
      if (stringAt(after, 'spec', 'updateStrategy', 'type') === 'OnDelete') return 'on-delete'
      return (numberAt(after, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0) > 0 ? 'partial' : 'rolling'
    case 'DaemonSet':
      return stringAt(after, 'spec', 'updateStrategy', 'type') === 'OnDelete' ? 'on-delete' : 'rolling'
    // A ReplicaSet and a ReplicationController never replace the pods that they have.
    case 'ReplicaSet':
    case 'ReplicationController':
      return 'on-delete'
    default:
      return undefined
  }
}

function causeOf(inTemplate: readonly FieldDifference[]): Restart['because'] {
  if (inTemplate.some(({ path }) => /\bimage$/.test(path))) return 'image'
  const keys = inTemplate.map(({ stepsAfter }) => stepsAfter.slice(2).map(String))
  const isMetadata = keys.every(([first]) => first === 'metadata')
  if (!isMetadata) return 'template'
  const isSum = ([, map, key]: readonly string[]) => map === 'annotations' && key !== undefined && isChecksum(key)
  return keys.every(isSum) ? 'checksum' : 'labels'
}

function budgetOf(ref: Ref, after: JsonObject, budgets: readonly KubeObject[]): Budget | undefined {
  const labels = at(after, 'spec', 'template', 'metadata', 'labels')
  const covering = budgets.find(
    (budget) =>
      budget.metadata.namespace === ref.namespace &&
      selects(at(budget, 'spec', 'selector'), isJsonObject(labels) ? labels : {}),
  )
  if (covering === undefined) return undefined
  const min = at(covering, 'spec', 'minAvailable')
  const max = at(covering, 'spec', 'maxUnavailable')
  return {
    name: covering.metadata.name ?? '',
    ...(min === undefined ? {} : { minAvailable: String(min) }),
    ...(max === undefined ? {} : { maxUnavailable: String(max) }),
  }
}

/** Source: the API reference of Kubernetes, `LabelSelector`. An empty selector selects every pod, a missing one none. */
function selects(selector: JsonValue | undefined, labels: JsonObject): boolean {
  if (!isJsonObject(selector)) return false
  const wanted = at(selector, 'matchLabels')
  const isEqual = Object.entries(isJsonObject(wanted) ? wanted : {}).every(([key, value]) => labels[key] === value)
  const expressions = at(selector, 'matchExpressions')
  return isEqual && (Array.isArray(expressions) ? expressions : []).every((one) => fulfils(one, labels))
}

function fulfils(expression: JsonValue, labels: JsonObject): boolean {
  const key = stringAt(expression, 'key') ?? ''
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  const values = at(expression, 'values')
  const isOneOf = Array.isArray(values) && value !== undefined && values.includes(value)
  switch (stringAt(expression, 'operator')) {
    case 'In':
      return isOneOf
    case 'NotIn':
      return !isOneOf
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return false
  }
}
