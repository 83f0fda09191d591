import { podPlaceOf } from '../manifest/built-in-kinds.ts'
import { servedAs } from '../manifest/resolve-type.ts'
import type { NeededRight } from '../model/access.ts'
import type { Operation, Plan } from '../model/plan.ts'
import type { Ref } from '../model/ref.ts'
import type { ServedKind } from '../model/served.ts'
import { stageOperations } from '../model/stage-operations.ts'
import { unreachable } from '../model/unreachable.ts'
import { rowOf } from '../model/verb.ts'
import { isWork } from './work.ts'

/**
 * What the account that executes the plan must be allowed to do, of all operations at once; nothing where nothing is to
 * be done. Of what was refused for lack of a right, and so has no operation, all that it could need. Kinds that nobody
 * serves yet are left out. With names, so that a Role with `resourceNames` counts.
 */
export function neededRights(plan: Plan, served: readonly ServedKind[]): readonly NeededRight[] {
  const refused = plan.problems.flatMap(({ reason, place }) => (reason === 'forbidden' ? (place.ref ?? []) : []))
  if (refused.length === 0 && !plan.writesRevision && !plan.stages.some(isWork)) return []
  const operations = plan.stages.flatMap(stageOperations).flatMap((operation) => {
    const kind = servedAs(operation.ref, served)
    return kind === undefined ? [] : operationRights(operation, kind)
  })
  return [...recordRights(plan), ...operations, ...refused.flatMap((ref) => writingRights(ref, served))]
}

/** Of the release record and its lock. Old revisions that cannot be removed are a warning only. */
export function recordRights({ namespace, verb }: Pick<Plan, 'namespace' | 'verb'>): readonly NeededRight[] {
  const secrets = { group: '', resource: 'secrets', namespace }
  const leases = { group: 'coordination.k8s.io', resource: 'leases', namespace }
  return [
    ...['get', 'list', 'create', 'update'].map((one) => ({ verb: one, ...secrets })),
    { verb: 'delete', ...secrets, ...(rowOf(verb).removes === true ? {} : { isAdvisory: true as const }) },
    ...['get', 'create', 'update'].map((one) => ({ verb: one, ...leases })),
  ]
}

/** To read one object, alone and among the others of its kind. */
export function readingRights(ref: Ref, served: readonly ServedKind[]): readonly NeededRight[] {
  const kind = servedAs(ref, served)
  return kind === undefined ? [] : ['get', 'list'].map((verb) => rightTo(verb, ref, kind))
}

function writingRights(ref: Ref, served: readonly ServedKind[]): readonly NeededRight[] {
  const kind = servedAs(ref, served)
  return kind === undefined ? [] : ['get', 'list', 'create', 'patch'].map((verb) => rightTo(verb, ref, kind))
}

function operationRights(operation: Operation, kind: ServedKind): readonly NeededRight[] {
  const { ref } = operation
  const to = (...verbs: readonly string[]) => verbs.map((verb) => rightTo(verb, ref, kind))
  switch (operation.kind) {
    case 'apply':
      switch (operation.change) {
        case 'none':
          return []
        case 'update':
          return to('patch')
        case 'create':
          return to('create', 'patch')
        case 'recreate':
          return to('get', 'list', 'watch', 'delete', 'create', 'patch')
        default:
          return unreachable(operation.change)
      }
    case 'delete':
      return to('get', 'list', 'watch', 'delete')
    case 'await':
      return [...to('get', 'list', 'watch'), ...evidenceRights(ref)]
    default:
      return unreachable(operation)
  }
}

/** To show why a workload is not ready: its pods, their logs and events. */
function evidenceRights(ref: Ref): readonly NeededRight[] {
  const { namespace } = ref
  const place = podPlaceOf(ref)
  if (namespace === undefined || place === undefined) return []
  const advisory = (verb: string, group: string, resource: string): NeededRight => ({
    verb,
    group,
    resource,
    namespace,
    isAdvisory: true,
  })
  return [
    ...['list', 'watch'].map((verb) => advisory(verb, '', 'pods')),
    ...(place === 'through-replica-sets' ? ['list', 'watch'].map((verb) => advisory(verb, 'apps', 'replicasets')) : []),
    advisory('get', '', 'pods/log'),
    advisory('list', '', 'events'),
  ]
}

/** A creation cannot be granted by name. */
function rightTo(verb: string, ref: Ref, { group, resource }: ServedKind): NeededRight {
  const place = ref.namespace === undefined ? {} : { namespace: ref.namespace }
  return { verb, group, resource, ...place, ...(verb === 'create' ? {} : { name: ref.name }) }
}
