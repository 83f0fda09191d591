import { fieldDifferences } from '../impact/fields.ts'
import { noiseOf } from '../impact/noise.ts'
import { labelsOfPods } from '../impact/release-objects.ts'
import { withoutBookkeeping } from '../manifest/bookkeeping.ts'
import { isVersionKey } from '../manifest/metadata-keys.ts'
import { withReleaseMarks } from '../manifest/new-names.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import { type JsonObject, type KubeObject, stringAt } from '../model/object.ts'
import type { ApplyOperation, Operation, PodLabel, Stage } from '../model/plan.ts'
import { groupOf, type Ref, refKey } from '../model/ref.ts'
import { stageOperations } from '../model/stage-operations.ts'
import type { PlanContext } from './context.ts'
import type { Payload } from './draft.ts'
import { type Predecessor, renamedObjects } from './renamed-objects.ts'
import { reviewed } from './reviewed.ts'

/** The stages in which an object that is created knows the one that is pruned and whose place it takes. */
export function withRenamings(
  stages: readonly Stage[],
  payloads: ReadonlyMap<string, Payload>,
  { previous, releases }: Pick<PlanContext, 'previous' | 'releases'>,
): readonly Stage[] {
  const operations = stages.flatMap(stageOperations)
  const created = operations.flatMap((operation) =>
    isNew(operation) ? (payloads.get(operation.id)?.resource ?? []) : [],
  )
  const pruned = operations.flatMap(
    ({ kind, reason, ref }: Operation & { readonly reason?: { readonly code: string } }) =>
      kind === 'delete' && reason?.code === 'pruned' ? (previous.get(refKey(ref)) ?? []) : [],
  )
  if (created.length === 0 || pruned.length === 0) return stages
  const renamed = renamedObjects(created, pruned)
  const shown = (operation: Operation): Operation => {
    const payload = isNew(operation) ? payloads.get(operation.id) : undefined
    const old = payload === undefined ? undefined : renamed.get(payload.resource)
    return payload === undefined || old === undefined || operation.kind !== 'apply'
      ? operation
      : withPredecessor(operation, old, { resource: payload.resource, body: payload.body, releases })
  }
  return stages.map((stage) => ({
    ...stage,
    groups: stage.groups.map((group) => ({ ...group, ranks: group.ranks.map((rank) => rank.map(shown)) })),
  }))
}

interface Now extends Pick<PlanContext, 'releases'> {
  readonly resource: Resource
  readonly body: KubeObject
}

function withPredecessor(
  operation: ApplyOperation,
  predecessor: Predecessor,
  { body, releases, resource }: Now,
): ApplyOperation {
  const object = withReleaseMarks(predecessor.object, body)
  const { after, before, impact } = reviewed(
    resource,
    { before: object, after: body },
    { change: 'create', isDrifted: false, releases },
  )
  const differences = fieldDifferences(withoutBookkeeping(object), withoutBookkeeping(body))
  const isSame = differences.length === 0 || noiseOf(differences) === 'labels'
  const { impact: alone } = operation
  return {
    ...operation,
    ...(after === undefined ? {} : { after }),
    impact: isGuard(operation.ref) && alone !== undefined ? { ...alone, fields: impact.fields } : impact,
    renamedFrom: {
      ref: predecessor.resource.manifest.ref,
      ...defined({ podLabels: otherPodLabels(predecessor.resource.manifest.object, { now: body, shown: after }) }),
      ...(isSame ? { isSame } : {}),
      ...(differences.length === 0 || before === undefined ? {} : { object: before }),
    },
  }
}

/** Labels of pods that have another value, those of versions aside; undefined where there are none. */
function otherPodLabels(before: KubeObject, { now, shown }: LabelSides): readonly PodLabel[] | undefined {
  const [was, is] = [labelsOfPods(before), labelsOfPods(now)]
  if (was === undefined || is === undefined) return undefined
  const told = shown === undefined ? undefined : labelsOfPods(shown)
  const other = Object.keys(was).filter((key) => was[key] !== is[key] && !isVersionKey(key))
  if (other.length === 0) return undefined
  return other.map((key) => {
    const isMasked = told?.[key] !== is[key]
    return { key, ...(isMasked ? {} : defined({ before: stringAt(was, key), after: stringAt(is, key) })) }
  })
}

interface LabelSides {
  readonly now: KubeObject
  /** The same, masked. */
  readonly shown: JsonObject | undefined
}

/** Who may do what and reach whom is told as of any new object: whoever it is about has got another name as well. */
function isGuard({ apiVersion, kind }: Ref): boolean {
  const group = groupOf(apiVersion)
  return group === 'rbac.authorization.k8s.io' || group === 'admissionregistration.k8s.io' || kind === 'NetworkPolicy'
}

function isNew(operation: Operation): operation is ApplyOperation {
  return operation.kind === 'apply' && operation.change === 'create' && operation.hook === undefined
}
