import { builtInKind } from '../manifest/built-in-kinds.ts'
import { podTemplateOf } from '../manifest/pod-places.ts'
import { at, isJsonObject, type JsonObject, type KubeObject, stringsAt } from '../model/object.ts'
import { refKey, refOfObject } from '../model/ref.ts'
import { imagesOf } from './pod-specs.ts'
import { type Referrers, referrersOf } from './references.ts'

/** Objects of a release that tell what a change of another one means. Namespaces are filled in. */
export interface ReleaseObjects {
  readonly all: readonly KubeObject[]
  readonly budgets: readonly KubeObject[]
  readonly autoscalers: readonly KubeObject[]
  readonly bindings: readonly KubeObject[]
  readonly roles: readonly KubeObject[]
  readonly services: readonly KubeObject[]
  readonly ingresses: readonly KubeObject[]
  /** Custom resources that name hosts, such as HTTPRoutes. */
  readonly routes: readonly KubeObject[]
  /** NetworkPolicies. */
  readonly policies: readonly KubeObject[]
  /** Whatever makes pods with labels of its own. */
  readonly workloads: readonly KubeObject[]
  /** Keys of the objects whose containers run it, by image. */
  readonly images: ReadonlyMap<string, ReadonlySet<string>>
  /** Which of its objects refer to which others by name. */
  readonly referrers: Referrers
  /** It holds custom resources: their controllers may make pods with any labels. */
  readonly hasCustomKinds: boolean
  /** Some of its objects are hidden and not among these: that another one is missing here says nothing. */
  readonly hasHidden: boolean
}

/** What the release held before, and what it is to hold. */
export interface Releases {
  readonly before: ReleaseObjects
  readonly after: ReleaseObjects
}

export function releaseObjects(objects: readonly KubeObject[], hasHidden = false): ReleaseObjects {
  const ofKind = (...kinds: readonly string[]) =>
    objects.filter((object) => kinds.includes(builtInKind(object)?.kind ?? ''))
  return {
    all: objects,
    budgets: ofKind('PodDisruptionBudget'),
    autoscalers: ofKind('HorizontalPodAutoscaler'),
    bindings: ofKind('RoleBinding', 'ClusterRoleBinding'),
    roles: ofKind('Role', 'ClusterRole'),
    services: ofKind('Service'),
    ingresses: ofKind('Ingress'),
    routes: objects.filter((object) => builtInKind(object) === undefined && hostsOfRoute(object).length > 0),
    policies: ofKind('NetworkPolicy'),
    workloads: objects.filter((object) => labelsOfPods(object) !== undefined),
    images: usersOfImages(objects),
    referrers: referrersOf(objects),
    hasCustomKinds: objects.some((object) => builtInKind(object) === undefined),
    hasHidden,
  }
}

function usersOfImages(objects: readonly KubeObject[]): ReleaseObjects['images'] {
  const users = new Map<string, Set<string>>()
  for (const object of objects) {
    const key = refKey(refOfObject(object))
    for (const image of imagesOf(object).values()) users.set(image, (users.get(image) ?? new Set()).add(key))
  }
  return users
}

/** As the Gateway API and Istio name them. */
export function hostsOfRoute({ spec }: JsonObject): readonly string[] {
  return [...stringsAt(spec, 'hostnames'), ...stringsAt(spec, 'hosts')]
}

/** Of the pods that it makes, or its own if it is one; undefined where it makes none. */
export function labelsOfPods(object: JsonObject): JsonObject | undefined {
  const labels = at(object.kind === 'Pod' ? object : podTemplateOf(object), 'metadata', 'labels')
  return isJsonObject(labels) ? labels : undefined
}

/** Of the pods that it makes, or its own if it is one; undefined where it makes none. */
export function podSpecOf(object: KubeObject): JsonObject | undefined {
  const kind = builtInKind(object)
  if (kind?.isWorkload !== true && kind?.kind !== 'ReplicationController') return undefined
  const spec = at(kind.kind === 'Pod' ? object : podTemplateOf(object), 'spec')
  return isJsonObject(spec) ? spec : undefined
}
