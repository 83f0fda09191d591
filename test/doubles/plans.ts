import type { Tracking } from '../../src/model/directives.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import type {
  ApplyOperation,
  ApplyPayload,
  AwaitOperation,
  ChangeKind,
  DeleteOperation,
  Group,
  Operation,
  Plan,
  Reason,
  Stage,
} from '../../src/model/plan.ts'
import { formatRef, type Ref } from '../../src/model/ref.ts'
import type { StageName } from '../../src/model/verb.ts'

/** Builders for plans and objects: only what a test is about is written in the test. */

const API_VERSIONS: { readonly [kind: string]: string } = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  ReplicaSet: 'apps/v1',
  Job: 'batch/v1',
  CustomResourceDefinition: 'apiextensions.k8s.io/v1',
}

/** `Deployment/web`, in namespace `shop`; `CustomResourceDefinition/x` and `Namespace/x` are cluster-scoped. */
export function refTo(text: string, namespace = 'shop'): Ref {
  const [kind = '', name = ''] = text.split('/')
  const ref = { apiVersion: API_VERSIONS[kind] ?? 'v1', kind, name }
  return kind === 'CustomResourceDefinition' || kind === 'Namespace' ? ref : { ...ref, namespace }
}

export function objectOf(text: string, rest: JsonObject & { readonly metadata?: JsonObject } = {}): KubeObject {
  const { apiVersion, kind, name, namespace } = refTo(text)
  const metadata = namespace === undefined ? { name } : { name, namespace }
  return { ...rest, apiVersion, kind, metadata: { ...metadata, ...rest.metadata } }
}

export const tracking: Tracking = {
  logs: { skip: false, skipContainers: [], onlyContainers: [], keep: [], drop: [] },
}

export function planOf(...stages: readonly Stage[]): Plan {
  return {
    verb: 'upgrade',
    release: 'shop',
    namespace: 'shop',
    revision: 2,
    comparedBy: 'dry-run',
    writesRevision: true,
    stages,
    untouched: [],
    problems: [],
  }
}

/** One group per list of ranks, weights counting from 0; the ids get the stage's name in front. */
export function stage(name: StageName, ...groups: readonly (readonly (readonly Operation[])[])[]): Stage {
  return {
    name,
    groups: groups.map(
      (ranks, weight): Group => ({
        weight,
        ranks: ranks.map((rank) => rank.map((operation) => ({ ...operation, id: `${name}/${operation.id}` }))),
      }),
    ),
  }
}

export function apply(target: string, rest: Partial<Omit<ApplyOperation, 'kind' | 'ref'>> = {}): ApplyOperation {
  const change = rest.change ?? 'create'
  return { kind: 'apply', id: idOf('apply', target), ref: refTo(target), change, reason: reasonOf(change), ...rest }
}

export function awaits(target: string, rest: Partial<Omit<AwaitOperation, 'kind' | 'ref'>> = {}): AwaitOperation {
  const base = { kind: 'await', until: 'ready', failure: 'stop', tracking } as const
  return { ...base, id: idOf('await', target), ref: refTo(target), ...rest }
}

export function deletes(target: string, rest: Partial<Omit<DeleteOperation, 'kind' | 'ref'>> = {}): DeleteOperation {
  const base = { kind: 'delete', reason: { code: 'pruned' }, propagation: 'Background' } as const
  return { ...base, id: idOf('delete', target), ref: refTo(target), ...rest }
}

/** A body for every apply of the plan: `{ apiVersion, kind, metadata }`, with what `contents` says of its target. */
export function bodiesOf(
  plan: Plan,
  contents: { readonly [target: string]: JsonObject } = {},
): ReadonlyMap<string, KubeObject> {
  const operations = plan.stages.flatMap((one) => one.groups).flatMap((group) => group.ranks.flat())
  return new Map(
    operations.flatMap((operation) => {
      if (operation.kind !== 'apply') return []
      const target = `${operation.ref.kind}/${operation.ref.name}`
      return [[operation.id, objectOf(target, contents[target])] as const]
    }),
  )
}

/** `handedOver`: ids of operations on objects that Helm applied client-side. */
export function payloadsOf(
  bodies: ReadonlyMap<string, KubeObject>,
  handedOver: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, ApplyPayload> {
  return new Map([...bodies].map(([id, body]) => [id, { body, ...(handedOver.has(id) ? { handOver: {} } : {}) }]))
}

function idOf(kind: string, target: string): string {
  return `${kind}/${formatRef(refTo(target))}`
}

function reasonOf(change: ChangeKind): Reason {
  if (change === 'none') return { code: 'unchanged' }
  if (change === 'create') return { code: 'new' }
  return { code: 'chart-changed', paths: [] }
}
