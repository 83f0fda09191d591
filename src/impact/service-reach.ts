import { defined } from '../model/defined.ts'
import type { TrafficChange } from '../model/impact.ts'
import {
  arrayAt,
  at,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  numberAt,
  stringAt,
  stringsAt,
} from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { addedRanges, isAnyAddress, rangesIn } from './address-ranges.ts'
import type { Sides } from './network-policies.ts'
import { type PolicyCover, policiesBefore } from './policy-cover.ts'
import { labelsOfPods, type Releases } from './release-objects.ts'
import { selects, selectsPods } from './selectors.ts'
import { portChanges, portText } from './service-ports.ts'
import { isEqual } from './side-by-side.ts'

/** From the narrowest on. */
const REACHES = ['inside-only', 'internal-load-balancer', 'node-port', 'load-balancer'] as const

/** From where a Service is reached, and whether those that use it still find it as they did. */
export function serviceChanges(
  ref: Ref,
  before: JsonObject | undefined,
  after: JsonObject,
  releases: Releases,
): readonly TrafficChange[] {
  const had = stringsAt(before, 'spec', 'externalIPs')
  const addresses = stringsAt(after, 'spec', 'externalIPs').filter((one) => !had.includes(one))
  const cover = policiesBefore(ref, after, releases.after)
  const isHeadless = (service: JsonObject) => stringAt(service, 'spec', 'clusterIP') === 'None'
  return [
    ...reachChanges(before, after, cover),
    ...(before !== undefined && !isHeadless(before) && isHeadless(after) ? [{ effect: 'headless' } as const] : []),
    ...(before === undefined ? [] : portChanges(ref, before, after, releases.after)),
    ...(addresses.length === 0 ? [] : [{ effect: 'external-ips' as const, names: addresses, ...cover }]),
    ...(before !== undefined && losesItsPods(ref, before, after, releases)
      ? [{ effect: 'selects-none' } as const]
      : []),
  ]
}

function reachChanges(before: JsonObject | undefined, after: JsonObject, cover: PolicyCover): readonly TrafficChange[] {
  const [old, now] = [reachOf(before), reachOf(after)]
  const [had, has] = [sourceRanges(before), sourceRanges(after)]
  if (REACHES.indexOf(now) > REACHES.indexOf(old)) {
    const effect = old === 'internal-load-balancer' && now === 'load-balancer' ? 'no-longer-internal' : now
    const from: Sources = now === 'load-balancer' ? sourcesOf(after) : {}
    // Whom its policies let through is not anybody.
    const { isFromAnywhere: _, ...limited } = from
    return [{ effect, ...(cover.policies === undefined ? from : { ...limited, ...cover }), ...reachedPorts(after) }]
  }
  if (now !== old)
    return [{ effect: now === 'node-port' ? 'no-load-balancer' : now === 'inside-only' ? now : 'now-internal' }]
  if (now === 'inside-only') return []
  if (now === 'node-port' || had.length === 0 || had.some(isAnyAddress)) return []
  if (has.length === 0 || has.some(isAnyAddress)) return [{ effect: 'any-source' }]
  const more = addedRanges(had, has)
  return more.length === 0 ? [] : [{ effect: 'more-sources', names: more }]
}

type Sources = Pick<TrafficChange, 'isFromAnywhere' | 'names'>

/** From which addresses a load balancer takes connections; nothing where an annotation may narrow it that only its cloud reads. */
function sourcesOf(service: JsonObject): Sources {
  const ranges = sourceRanges(service)
  if (ranges.length > 0 && !ranges.some(isAnyAddress)) return { names: ranges }
  const isNarrowed = ranges.length === 0 && annotationsOf(service).some(([key]) => NARROWING.test(key))
  return isNarrowed ? {} : { isFromAnywhere: true }
}

/** As clouds name what limits the sources of a load balancer. Source: docs/sources.md#labels-and-annotations-that-steer. */
const NARROWING =
  /(^|[./-])((source-ranges?|allowed-ip-ranges|allowed-service-tags|inbound-cidrs|allow-?list|white-?list)$|security-(group|list)|acl|firewall)/

/** Of a Service of type NodePort with those of the nodes, where they are given. */
function reachedPorts(service: JsonObject): Pick<TrafficChange, 'ports'> {
  const isOfNodes = stringAt(service, 'spec', 'type') === 'NodePort'
  const ports = arrayAt(service, 'spec', 'ports').flatMap((one) => {
    const [port, nodePort] = [portText(one), isOfNodes ? numberAt(one, 'nodePort') : undefined]
    return port === undefined ? [] : [{ port, ...defined({ nodePort }) }]
  })
  return ports.length === 0 ? {} : { ports }
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
  const ranges = stringsAt(service, 'spec', 'loadBalancerSourceRanges')
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

/** Services of the release that stay as they are, and no longer find the pods of a workload by their labels. */
export function servicesThatLose(ref: Ref, { after, before }: Sides, releases: Releases): readonly TrafficChange[] {
  if (before === undefined || after === undefined) return []
  const [old, now] = [labelsOfPods(before), labelsOfPods(after)]
  if (old === undefined || now === undefined) return []
  const names = releases.after.services
    .filter((service) => service.metadata.namespace === ref.namespace && selectsPods(service, old))
    .filter((service) => !selectsPods(service, now) && isAsBefore(service, releases))
    .map(({ metadata }) => `Service/${metadata.name ?? ''}`)
  return names.length === 0 ? [] : [{ effect: 'unselected', names }]
}

function isAsBefore({ metadata, spec }: KubeObject, { before }: Releases): boolean {
  const old = before.services.find(
    (one) => one.metadata.name === metadata.name && one.metadata.namespace === metadata.namespace,
  )
  return old !== undefined && isEqual(at(old, 'spec', 'selector'), at(spec, 'selector'))
}
