import type { KubeObject } from '../../src/model/object.ts'
import { contents, crdOf } from './contents.ts'
import { nameOf, type Place, POLICIES, type Thing } from './things.ts'

/** The objects of a thing: for a custom resource its CRD as well. */
export function objectsOf(thing: Thing, place: Place): readonly KubeObject[] {
  const { apiVersion, kind, rest } = contents[thing.kind](thing, place)
  const metadata = {
    name: nameOf(thing),
    namespace: place.namespace,
    labels: {
      app: nameOf(thing),
      'helm.sh/chart': `shop-${thing.labels}`,
      ...(thing.labels === 2 ? { tier: 'b' } : {}),
    },
    annotations: { ...POLICIES[thing.policy], ...waitingOf(thing) },
  }
  const object: KubeObject = { apiVersion, kind, metadata, ...rest }
  return thing.kind === 'Widget' ? [crdOf(thing, place), object] : [object]
}

/** No controller here makes these ready: they count once they are applied. */
function waitingOf({ kind }: Thing): { readonly [key: string]: string } {
  const isEndless = ['HorizontalPodAutoscaler', 'Ingress', 'PodDisruptionBudget'].includes(kind)
  return isEndless ? { 'werf.io/track-termination-mode': 'NonBlocking' } : {}
}
