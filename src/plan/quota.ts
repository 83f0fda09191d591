import { builtInKind } from '../manifest/built-in-kinds.ts'
import { quantityOf } from '../manifest/quantity.ts'
import { servedAs } from '../manifest/resolve-type.ts'
import { arrayAt, at, isJsonObject, type JsonValue, type KubeObject, numberAt, stringAt } from '../model/object.ts'
import type { ApplyOperation, ApplyPayload, Operation, Stage } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { compareText, refKey, refOfObject } from '../model/ref.ts'
import type { ServedKind } from '../model/served.ts'
import { stageOperations } from '../model/stage-operations.ts'
import type { PlanInput } from './plan-input.ts'
import { isDeletedOnSuccess } from './work.ts'

/**
 * Quotas on the number of objects that all creations of the plan together would exceed: a dry run judges each object
 * alone. What the plan also deletes is not counted, before it is created or after, nor are the objects that controllers
 * make.
 */
export function quotaProblems(
  stages: readonly Stage[],
  payloads: ReadonlyMap<string, ApplyPayload>,
  { comingChanges = [], observed, served }: Pick<PlanInput, 'comingChanges' | 'observed' | 'served'>,
): readonly Problem[] {
  const operations = stages.flatMap(stageOperations)
  const transient = new Set(operations.flatMap((one) => (isDeletedOnSuccess(one) ? [refKey(one.ref)] : [])))
  const created = new Map(
    operations.filter(isCreation).flatMap((one) => (transient.has(refKey(one.ref)) ? [] : [[refKey(one.ref), one]])),
  )
  const added = new Map<string, number>()
  for (const operation of created.values()) {
    for (const [name, amount] of usageOf(operation, payloads.get(operation.id)?.body, served)) {
      const key = `${operation.ref.namespace ?? ''}/${name}`
      added.set(key, (added.get(key) ?? 0) + amount)
    }
  }
  const changed = new Map<string, KubeObject | undefined>([
    ...comingChanges.map(({ object, ref }) => [refKey(ref), object] as const),
    ...operations.flatMap((one) => changedQuota(one, payloads.get(one.id))),
  ])
  return (observed.quotas ?? []).flatMap((quota) => {
    const key = refKey(refOfObject(quota))
    const isGone = changed.has(key) && changed.get(key) === undefined
    return isGone ? [] : exceeded(quota, changed.get(key), added)
  })
}

/** A quota that the plan changes, as it is then. */
function changedQuota(
  operation: Operation,
  payload: ApplyPayload | undefined,
): readonly (readonly [string, KubeObject])[] {
  const isChanged = operation.kind === 'apply' && operation.change !== 'none'
  return isChanged && payload !== undefined ? [[refKey(operation.ref), payload.body]] : []
}

function isCreation(operation: Operation): operation is ApplyOperation {
  return operation.kind === 'apply' && operation.change === 'create' && operation.ref.namespace !== undefined
}

/** What one object counts for, by the name of the limit. Source: the quota evaluators of Kubernetes. */
function usageOf(
  { ref }: ApplyOperation,
  body: KubeObject | undefined,
  served: readonly ServedKind[],
): readonly (readonly [string, number])[] {
  const kind = servedAs(ref, served)
  if (kind === undefined) return []
  const { group, resource } = kind
  const names = builtInKind(ref)?.quota ?? 'count'
  return [
    [group === '' ? `count/${resource}` : `count/${resource}.${group}`, 1],
    ...(names === 'count' ? [] : [[resource, 1] as const]),
    ...(names === 'services' && body !== undefined ? serviceUsage(body) : []),
  ]
}

function serviceUsage(service: KubeObject): readonly (readonly [string, number])[] {
  const type = stringAt(service, 'spec', 'type')
  const ports = arrayAt(service, 'spec', 'ports')
  if (type === 'NodePort') return [['services.nodeports', ports.length]]
  if (type !== 'LoadBalancer') return []
  const allocates = at(service, 'spec', 'allocateLoadBalancerNodePorts') !== false
  const nodePorts = allocates ? ports : ports.filter((port) => (numberAt(port, 'nodePort') ?? 0) > 0)
  return [
    ['services.loadbalancers', 1],
    ['services.nodeports', nodePorts.length],
  ]
}

/** A quota with scopes counts some pods only: it is left to the API server. */
function exceeded(
  quota: KubeObject,
  changed: KubeObject | undefined,
  added: ReadonlyMap<string, number>,
): readonly Problem[] {
  const { name = '', namespace = '' } = quota.metadata
  const isScoped = arrayAt(quota, 'spec', 'scopes').length > 0 || at(quota, 'spec', 'scopeSelector') !== undefined
  const hard = at(quota, 'status', 'hard')
  if (isScoped || !isJsonObject(hard)) return []
  return Object.keys(hard)
    .toSorted(compareText)
    .flatMap((limit): readonly Problem[] => {
      const adds = added.get(`${namespace}/${limit}`) ?? 0
      const allowed = countOf(stringAt(hard, limit))
      const used = countOf(stringAt(quota, 'status', 'used', limit)) ?? 0
      if (allowed === undefined || adds === 0 || used + adds <= allowed) return []
      if (changed !== undefined && isEnough(at(changed, 'spec', 'hard', limit), used + adds)) return []
      return [
        {
          severity: 'error',
          reason: 'rejected',
          place: { ref: { apiVersion: 'v1', kind: 'ResourceQuota', namespace, name } },
          what: `allows ${allowed} ${limit}, ${used} are used, and this plan adds ${adds}`,
          hint: { kind: 'raise-quota-for-plan' },
        },
      ]
    })
}

/** Of a limit that the plan changes or removes. When it does so is left to the API server. */
function isEnough(limit: JsonValue | undefined, used: number): boolean {
  const allowed = typeof limit === 'number' ? limit : countOf(typeof limit === 'string' ? limit : undefined)
  return allowed === undefined || used <= allowed
}

/** A number of objects is whole. */
function countOf(text: string | undefined): number | undefined {
  const amount = quantityOf(text)
  return Number.isInteger(amount) ? amount : undefined
}
