import { builtInKind } from '../manifest/built-in-kinds.ts'
import type { TrafficChange } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { addedRanges, isAnyAddress, rangesIn } from './address-ranges.ts'
import { networkPolicyChanges, type Sides } from './network-policies.ts'
import { labelsOfPods, type Releases } from './release-objects.ts'
import { selects } from './selectors.ts'

/** Who comes to reach pods, and who no longer does. Source: docs/sources.md#kubernetes-services-and-network-policies. */
export function trafficChanges(ref: Ref, { after, before }: Sides, releases: Releases): readonly TrafficChange[] {
  switch (builtInKind(ref)?.kind) {
    case 'Service':
      return after === undefined ? [] : serviceChanges(ref, before, after, releases)
    case 'Ingress':
      return after === undefined ? [] : ingressChanges(before, after)
    case 'NetworkPolicy':
      return networkPolicyChanges(ref, { before, after }, releases)
    default:
      return []
  }
}

/** More can be reached than before, or what should be reached no longer is. */
export function changesReach({ effect }: TrafficChange): boolean {
  return effect !== 'hosts-removed' && effect !== 'tls-added' && effect !== 'inside-only'
}

/** From the narrowest on. */
const REACHES = ['inside-only', 'internal-load-balancer', 'node-port', 'load-balancer'] as const

function serviceChanges(
  ref: Ref,
  before: JsonObject | undefined,
  after: JsonObject,
  releases: Releases,
): readonly TrafficChange[] {
  const addresses = added(strings(before, 'spec', 'externalIPs'), strings(after, 'spec', 'externalIPs'))
  return [
    ...reachChanges(before, after),
    ...(addresses.length === 0 ? [] : [{ effect: 'external-ips' as const, names: addresses }]),
    ...(before !== undefined && losesItsPods(ref, before, after, releases)
      ? [{ effect: 'selects-none' } as const]
      : []),
  ]
}

function reachChanges(before: JsonObject | undefined, after: JsonObject): readonly TrafficChange[] {
  const [old, now] = [reachOf(before), reachOf(after)]
  const [had, has] = [sourceRanges(before), sourceRanges(after)]
  if (REACHES.indexOf(now) > REACHES.indexOf(old)) {
    const isLimited = now === 'load-balancer' && has.length > 0 && !has.some(isAnyAddress)
    if (old === 'internal-load-balancer')
      return [{ effect: 'no-longer-internal', ...(isLimited ? { names: has } : {}) }]
    return [{ effect: now, ...(isLimited ? { names: has } : {}) }]
  }
  if (now === 'inside-only') return old === 'inside-only' ? [] : [{ effect: 'inside-only' }]
  if (now === 'node-port' || had.length === 0 || had.some(isAnyAddress)) return []
  if (has.length === 0 || has.some(isAnyAddress)) return [{ effect: 'any-source' }]
  const more = addedRanges(had, has)
  return more.length === 0 ? [] : [{ effect: 'more-sources', names: more }]
}

function reachOf(service: JsonObject | undefined): (typeof REACHES)[number] {
  const type = stringAt(service, 'spec', 'type')
  if (type === 'NodePort') return 'node-port'
  if (type !== 'LoadBalancer') return 'inside-only'
  return annotationsOf(service).some(isInternal) || isInternalByDefault(service)
    ? 'internal-load-balancer'
    : 'load-balancer'
}

/**
 * As clouds name it: `...-load-balancer-internal: "true"`, `...-internal-load-balancer: "true"`, `...-load-balancer-scheme:
 * internal`, `...-type: Internal`, and words of their own. Source: docs/sources.md#labels-and-annotations-that-steer.
 */
function isInternal([key, value]: readonly [string, JsonValue | undefined]): boolean {
  const [name, text] = [key.toLowerCase(), String(value).toLowerCase()]
  if (name.includes('qcloud-loadbalancer-internal-subnetid')) return text !== ''
  if (!/load-?balancer/.test(name)) return false
  if (['internal', 'intranet', 'private'].includes(text)) return true
  const isFlag = /-internal(-vpc)?$|\/internal$|internal-load-balancer$|disable-public-network$/.test(name)
  return isFlag && text !== 'false'
}

/** The AWS Load Balancer Controller makes them internal where nothing is said; the cloud provider before it did not. */
function isInternalByDefault(service: JsonObject | undefined): boolean {
  const annotation = (end: string) =>
    stringAt(service, 'metadata', 'annotations', `service.beta.kubernetes.io/aws-load-balancer-${end}`)
  const isOfController =
    ['external', 'nlb-ip'].includes(annotation('type') ?? '') ||
    stringAt(service, 'spec', 'loadBalancerClass') === 'service.k8s.aws/nlb'
  return isOfController && annotation('scheme') === undefined && annotation('internal') === undefined
}

const RANGES_ANNOTATION = 'service.beta.kubernetes.io/load-balancer-source-ranges'

function sourceRanges(service: JsonObject | undefined): readonly string[] {
  const ranges = strings(service, 'spec', 'loadBalancerSourceRanges')
  if (ranges.length > 0) return ranges
  return rangesIn(stringAt(service, 'metadata', 'annotations', RANGES_ANNOTATION))
}

function annotationsOf(object: JsonObject | undefined): readonly (readonly [string, JsonValue | undefined])[] {
  const annotations = at(object, 'metadata', 'annotations')
  return isJsonObject(annotations) ? Object.entries(annotations) : []
}

/** Pods that are made outside of the release are not known: a Service that never selected one of the release says nothing. */
function losesItsPods(ref: Ref, before: JsonObject, after: JsonObject, releases: Releases): boolean {
  const finds = (service: JsonObject, side: keyof Releases) => {
    const matchLabels = at(service, 'spec', 'selector')
    if (!isJsonObject(matchLabels) || Object.keys(matchLabels).length === 0) return undefined
    return releases[side].workloads.some(
      (one) => one.metadata.namespace === ref.namespace && selects({ matchLabels }, labelsOfPods(one) ?? {}),
    )
  }
  return finds(before, 'before') === true && finds(after, 'after') === false
}

function ingressChanges(before: JsonObject | undefined, after: JsonObject): readonly TrafficChange[] {
  const [old, now] = [hostsOf(before), hostsOf(after)]
  const stayed = now.filter((host) => old.includes(host))
  const withTls = (ingress: JsonObject | undefined) => stayed.filter((host) => hasTls(ingress, host))
  const [had, has] = [withTls(before), withTls(after)]
  const changes: readonly TrafficChange[] = [
    { effect: 'hosts-added', names: added(old, now) },
    { effect: 'hosts-removed', names: added(now, old) },
    { effect: 'tls-removed', names: added(has, had) },
    { effect: 'tls-added', names: added(had, has) },
  ]
  return changes.filter(({ names = [] }) => names.length > 0)
}

/** `*`: any host. */
function hostsOf(ingress: JsonObject | undefined): readonly string[] {
  const rules = arrayAt(ingress, 'spec', 'rules').map((rule) => stringAt(rule, 'host') ?? '*')
  const isForAll = at(ingress, 'spec', 'defaultBackend') !== undefined
  return [...new Set([...rules, ...(isForAll ? ['*'] : [])])]
}

function hasTls(ingress: JsonObject | undefined, host: string): boolean {
  return arrayAt(ingress, 'spec', 'tls').some((tls) => {
    const named = strings(tls, 'hosts')
    const wildcard = `*${host.slice(host.indexOf('.'))}`
    return named.length === 0 || named.includes(host) || (host.includes('.') && named.includes(wildcard))
  })
}

function strings(value: JsonValue | undefined, ...path: readonly string[]): readonly string[] {
  return arrayAt(value, ...path).filter((one) => typeof one === 'string')
}

function added(before: readonly string[], after: readonly string[]): readonly string[] {
  return after.filter((one) => !before.includes(one))
}
