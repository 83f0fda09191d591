import { builtInKind } from '../manifest/built-in-kinds.ts'
import { ingressBackends } from '../manifest/ingress-backends.ts'
import type { TrafficChange } from '../model/impact.ts'
import {
  arrayAt,
  at,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  stringAt,
} from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { isAnybody, peersOf } from './policy-peers.ts'
import { labelsOfPods, podSpecOf, type ReleaseObjects } from './release-objects.ts'
import { selects, selectsPods } from './selectors.ts'

/** Without `policyTypes` it is about connections to the pods, and about those from them where it has such rules. */
export function limitsPods(policy: JsonObject | undefined, direction: 'ingress' | 'egress'): boolean {
  if (policy === undefined) return false
  const types = arrayAt(policy, 'spec', 'policyTypes')
  if (types.length > 0) return types.includes(direction === 'ingress' ? 'Ingress' : 'Egress')
  return direction === 'ingress' || arrayAt(policy, 'spec', 'egress').length > 0
}

export type PolicyCover = Pick<TrafficChange, 'isBlocked' | 'policies'>

/** Policies of the release that limit who reaches pods behind the Service; none where one of them lets everybody through. */
export function policiesBefore(
  { namespace }: Pick<Ref, 'namespace'>,
  service: JsonObject,
  release: ReleaseObjects,
): PolicyCover {
  const covers = podsBehind(namespace, service, release).map((labels) => policiesOn(labels, namespace, release))
  const limiting = covers.filter((all) => !all.some((policy) => peersOf(policy, 'ingress').some(isAnybody)))
  const names = limiting.flat().map(nameOf)
  if (names.length === 0) return {}
  return { policies: [...new Set(names)].sort(), ...(covers.every(lettingNothing) ? { isBlocked: true } : {}) }
}

/** There are policies, and none of them has a rule that lets connections through. */
function lettingNothing(policies: readonly KubeObject[]): boolean {
  return policies.length > 0 && policies.every((one) => arrayAt(one, 'spec', 'ingress').length === 0)
}

/**
 * Services of the namespace, and what leads requests to them, where the policy selects pods behind them and no policy of the release
 * lets connections to these through. Those that are reached from outside come first.
 */
export function cutOffBy(policy: JsonObject, { namespace }: Ref, release: ReleaseObjects): readonly string[] {
  const selector = at(policy, 'spec', 'podSelector') ?? {}
  const isCutOff = (service: KubeObject) =>
    podsBehind(namespace, service, release).some(
      (labels) => selects(selector, labels) && lettingNothing(policiesOn(labels, namespace, release)),
    )
  const cutOff = release.services.filter((one) => one.metadata.namespace === namespace && isCutOff(one))
  const isExposed = (service: KubeObject) =>
    ['LoadBalancer', 'NodePort'].includes(stringAt(service, 'spec', 'type') ?? '')
  const leading = cutOff.flatMap((service) => release.all.filter((one) => leadsTo(one, service)))
  const inside = cutOff.filter((service) => !isExposed(service))
  return [...new Set([...cutOff.filter(isExposed), ...leading, ...inside].map(nameOf))]
}

/**
 * Labels of its pods: those of the workloads of the release, or else at least those that it asks for; none where pods are in the network of
 * their node, which most policies do not count for. Source: the docs of Kubernetes, "Network Policies".
 */
function podsBehind(
  namespace: string | undefined,
  service: JsonObject,
  { workloads }: ReleaseObjects,
): readonly JsonObject[] {
  const asked = at(service, 'spec', 'selector')
  if (!isJsonObject(asked) || Object.keys(asked).length === 0) return []
  const found = workloads
    .filter(({ metadata }) => metadata.namespace === namespace)
    .filter((one) => selectsPods(service, labelsOfPods(one) ?? {}))
  if (found.some((one) => at(podSpecOf(one), 'hostNetwork') === true)) return []
  return found.length === 0 ? [asked] : found.map((one) => labelsOfPods(one) ?? {})
}

function policiesOn(
  labels: JsonObject,
  namespace: string | undefined,
  { policies }: ReleaseObjects,
): readonly KubeObject[] {
  return policies.filter(
    (one) =>
      one.metadata.namespace === namespace &&
      limitsPods(one, 'ingress') &&
      // A missing selector selects all, as an empty one does.
      selects(at(one, 'spec', 'podSelector') ?? {}, labels),
  )
}

/** Whether requests from elsewhere come to the Service by it. */
function leadsTo(object: KubeObject, { metadata }: KubeObject): boolean {
  const isMeant = (service: JsonValue | undefined) =>
    stringAt(service, 'name') === metadata.name && stringAt(service, 'namespace') === metadata.namespace
  switch (builtInKind(object)?.kind) {
    case 'Ingress':
      return (
        object.metadata.namespace === metadata.namespace &&
        ingressBackends(object).some((backend) => stringAt(backend, 'service', 'name') === metadata.name)
      )
    case 'ValidatingWebhookConfiguration':
    case 'MutatingWebhookConfiguration':
      return arrayAt(object, 'webhooks').some((webhook) => isMeant(at(webhook, 'clientConfig', 'service')))
    case 'APIService':
      return isMeant(at(object, 'spec', 'service'))
    case 'CustomResourceDefinition':
      return isMeant(at(object, 'spec', 'conversion', 'webhook', 'clientConfig', 'service'))
    default:
      return false
  }
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name ?? ''}`
}
