import { builtInKind } from '../manifest/built-in-kinds.ts'
import type { TrafficChange } from '../model/impact.ts'
import type { Ref } from '../model/ref.ts'
import { ingressChanges } from './ingress-hosts.ts'
import { networkPolicyChanges, type Sides } from './network-policies.ts'
import type { Releases } from './release-objects.ts'
import { serviceChanges, servicesThatLose } from './service-reach.ts'

/** Who comes to reach pods, and who no longer does. Source: docs/sources.md#kubernetes-services-and-network-policies. */
export function trafficChanges(ref: Ref, { after, before }: Sides, releases: Releases): readonly TrafficChange[] {
  switch (builtInKind(ref)?.kind) {
    case 'Service':
      return after === undefined ? [] : serviceChanges(ref, before, after, releases)
    case 'Ingress':
      return ingressChanges(ref, { before, after }, releases)
    case 'NetworkPolicy':
      return networkPolicyChanges(ref, { before, after }, releases)
    default:
      return servicesThatLose(ref, { before, after }, releases)
  }
}

/** More can be reached than before, or what should be reached no longer is. */
export function changesReach({ effect, isRedirected }: TrafficChange): boolean {
  if (effect === 'tls-first') return isRedirected === true
  return effect !== 'tls-added' && effect !== 'class-moved'
}
