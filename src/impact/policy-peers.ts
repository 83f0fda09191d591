import type { TrafficPeer } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'
import { selectorText } from './selectors.ts'

type Direction = 'ingress' | 'egress'

/** Whom the rules of a NetworkPolicy let through, each peer of each rule. Source: the API reference of Kubernetes, `NetworkPolicySpec`. */
export function peersOf(policy: JsonObject | undefined, direction: Direction): readonly TrafficPeer[] {
  const all = arrayAt(policy, 'spec', direction).flatMap((rule) => {
    const peers = arrayAt(rule, direction === 'ingress' ? 'from' : 'to')
    const ports = portsOf(rule)
    return (peers.length === 0 ? [undefined] : peers).map((peer) => ({ ...peerOf(peer), ...ports }))
  })
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

/** Those of the second list that the first one has not. */
export function addedPeers(before: readonly TrafficPeer[], after: readonly TrafficPeer[]): readonly TrafficPeer[] {
  const known = new Set(before.map((one) => JSON.stringify(one)))
  return after.filter((one) => !known.has(JSON.stringify(one)))
}

/** Somebody, by any port: nothing is limited. */
export function isAnybody({ namespaces, pods, ports, range }: TrafficPeer): boolean {
  return ports === undefined && pods === undefined && namespaces === undefined && (range ?? '/0').endsWith('/0')
}

function peerOf(peer: JsonValue | undefined): TrafficPeer {
  const range = stringAt(peer, 'ipBlock', 'cidr')
  const except = arrayAt(peer, 'ipBlock', 'except')
  if (range !== undefined) return { range: except.length === 0 ? range : `${range} except ${except.join(', ')}` }
  const [pods, namespaces] = [at(peer, 'podSelector'), at(peer, 'namespaceSelector')]
  return {
    ...(isJsonObject(pods) ? { pods: selectorText(pods) ?? LONG } : {}),
    ...(isJsonObject(namespaces) ? { namespaces: selectorText(namespaces) ?? LONG } : {}),
  }
}

/** In the place of a selector that is too long to be told. */
const LONG = '...'

function portsOf(rule: JsonValue): Pick<TrafficPeer, 'ports'> {
  const all = arrayAt(rule, 'ports').map((one) => {
    const [port, end, protocol] = [at(one, 'port'), at(one, 'endPort'), stringAt(one, 'protocol') ?? 'TCP']
    return { numbers: port === undefined ? 'all' : end === undefined ? String(port) : `${port}-${end}`, protocol }
  })
  // TCP goes without saying, unless another protocol has the same port.
  const others = new Set(all.flatMap(({ numbers, protocol }) => (protocol === 'TCP' ? [] : [numbers])))
  const ports = all.map(({ numbers, protocol }) =>
    protocol === 'TCP' && !others.has(numbers) ? numbers : `${numbers}/${protocol}`,
  )
  return ports.length === 0 ? {} : { ports }
}
