import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { crdKind, servedVersions } from '../manifest/crd-kind.ts'
import { servedByCrd } from '../manifest/crd-served.ts'
import { isAppliedBy } from '../model/applied-by.ts'
import type { Resource } from '../model/directives.ts'
import type { Ref } from '../model/ref.ts'
import type { ServedKind } from '../model/served.ts'
import { stageOperations } from '../model/stage-operations.ts'
import type { Verb } from '../model/verb.ts'
import type { Planned } from '../plan/make-plan.ts'
import type { ComingChange } from '../plan/plan-input.ts'
import { isDeletedOnSuccess } from '../plan/work.ts'
import type { ObjectsAhead } from './lookup-ahead.ts'

/** What a release makes available to later releases of the run: by its CRDs and namespaces, and to their `lookup`. */
export interface Provided {
  /** As Helm lists them: `group/version` and `group/version/Kind`. */
  readonly apiVersions: readonly string[]
  /** `group/Kind` */
  readonly kinds: readonly string[]
  readonly types: readonly ServedKind[]
  readonly namespaces: readonly string[]
  readonly objects: readonly Ref[]
  /** What the release writes and deletes. Absent: nothing. */
  readonly changes?: readonly ComingChange[]
  /** What `lookup` will find of them, by release: worked out for charts that ask. Absent: nothing is known. */
  readonly contents?: readonly (() => ObjectsAhead)[]
}

export const nothingProvided: Provided = { apiVersions: [], kinds: [], types: [], namespaces: [], objects: [] }

/** What a pass of the verb makes available: what it leaves out provides nothing. */
export function providedBy(verb: Verb, resources: readonly Resource[]): Provided {
  const applied = resources.filter((resource) => isAppliedBy(verb, resource))
  const objects = applied.map(({ manifest }) => manifest.object)
  const namespaces = objects.flatMap((object) => (isBuiltIn(object, 'Namespace') ? (object.metadata.name ?? []) : []))
  const served = objects.flatMap((crd) => {
    const defined = crdKind(crd)
    if (defined === undefined) return []
    const { group, kind } = defined
    const apiVersions = servedVersions(crd).flatMap((version) => [`${group}/${version}`, `${group}/${version}/${kind}`])
    return [{ apiVersions, kind: `${group}/${kind}` }]
  })
  return {
    apiVersions: served.flatMap(({ apiVersions }) => apiVersions),
    kinds: served.map(({ kind }) => kind),
    types: objects.flatMap(servedByCrd),
    namespaces,
    objects: applied.map(({ manifest }) => manifest.ref),
  }
}

/** What the plan writes and deletes, by which the API server judges what comes later. */
export function plannedChanges({ plan, payloads }: Planned): readonly ComingChange[] {
  return plan.stages.flatMap(stageOperations).flatMap((operation): readonly ComingChange[] => {
    const { kind, ref } = operation
    if (kind === 'delete') return isDeletedOnSuccess(operation) ? [{ ref }] : []
    const object = payloads.get(operation.id)?.result
    return kind !== 'apply' || operation.change === 'none' || object === undefined ? [] : [{ ref, object }]
  })
}

export function joinProvided(a: Provided, b: Provided): Provided {
  return {
    apiVersions: [...a.apiVersions, ...b.apiVersions],
    kinds: [...a.kinds, ...b.kinds],
    types: [...a.types, ...b.types],
    namespaces: [...a.namespaces, ...b.namespaces],
    objects: [...a.objects, ...b.objects],
    changes: [...(a.changes ?? []), ...(b.changes ?? [])],
    contents: [...(a.contents ?? []), ...(b.contents ?? [])],
  }
}
