import { builtInKind } from '../manifest/built-in-kinds.ts'
import type { KubeObject } from '../model/object.ts'

/** Objects of a release that tell what a change of another one means. Namespaces are filled in. */
export interface ReleaseObjects {
  readonly budgets: readonly KubeObject[]
  readonly autoscalers: readonly KubeObject[]
  readonly bindings: readonly KubeObject[]
  readonly roles: readonly KubeObject[]
}

/** What the release held before, and what it is to hold. */
export interface Releases {
  readonly before: ReleaseObjects
  readonly after: ReleaseObjects
}

export function releaseObjects(objects: readonly KubeObject[]): ReleaseObjects {
  const ofKind = (...kinds: readonly string[]) =>
    objects.filter((object) => kinds.includes(builtInKind(object)?.kind ?? ''))
  return {
    budgets: ofKind('PodDisruptionBudget'),
    autoscalers: ofKind('HorizontalPodAutoscaler'),
    bindings: ofKind('RoleBinding', 'ClusterRoleBinding'),
    roles: ofKind('Role', 'ClusterRole'),
  }
}
