import type { TrafficChange, TrafficPeer } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'

/** `⚠️ reachable from outside the cluster (LoadBalancer); ⚠️ selects no pods of the release`. */
export function trafficPhrase(changes: readonly TrafficChange[]): Phrase {
  return joinPhrases(changes.map(changePhrase), '; ')
}

function changePhrase(change: TrafficChange): Phrase {
  const { effect, names = [], peers = [] } = change
  const listed = nameList(names)
  switch (effect) {
    case 'load-balancer':
      return marked(phrase`reachable from outside the cluster (LoadBalancer)${reachPhrase(change)}`)
    case 'internal-load-balancer':
      return phrase`reachable by an internal load balancer (LoadBalancer)${reachPhrase(change)}`
    case 'no-longer-internal':
      return marked(phrase`its load balancer is no longer internal: reachable from outside${reachPhrase(change)}`)
    case 'node-port':
      return marked(phrase`reachable from outside the cluster by ${nodePortsPhrase(change)}${policiesPhrase(change)}`)
    case 'inside-only':
      return marked(phrase`no longer reachable from outside the cluster`)
    case 'now-internal':
      return marked(phrase`no longer reachable from outside: its load balancer becomes internal`)
    case 'no-load-balancer':
      return marked(phrase`no load balancer any more: reachable by ports of the nodes only (NodePort)`)
    case 'headless':
      return marked(phrase`no address of its own any more (headless): its name leads to the pods themselves`)
    case 'port-gone':
      return marked(phrase`no longer answers on ${[names.length === 1 ? 'port' : 'ports']} ${listed}`)
    case 'port-still-used':
      return marked(phrase`${listed} still ${[names.length === 1 ? 'names' : 'name']} a port that goes`)
    case 'unselected':
      return marked(phrase`${listed} no longer ${[names.length === 1 ? 'finds' : 'find']} its pods by their labels`)
    case 'other-class':
      return marked(phrase`served by another ingress class: ${names[0] ?? ''} → ${names[1] ?? ''}`)
    case 'external-ips':
      return marked(phrase`reachable by ${listed}${policiesPhrase(change)}`)
    case 'any-source':
      return marked(phrase`reachable from any address`)
    case 'more-sources':
      return marked(phrase`reachable from ${listed} as well`)
    case 'selects-none':
      return marked(phrase`selects no pods of the release`)
    case 'cuts-off':
      return marked(phrase`no policy of the release lets connections through to the pods behind ${listed}`)
    case 'accepts-nothing':
      return names.length === 0
        ? marked(phrase`no pod of the namespace accepts connections unless another policy allows it`)
        : marked(phrase`pods of ${listed} accept no connections`)
    case 'connects-nowhere':
      return names.length === 0
        ? marked(phrase`no pod of the namespace can connect anywhere unless another policy allows it`)
        : marked(phrase`pods of ${listed} can connect nowhere`)
    case 'accepts-only':
      return marked(
        phrase`${names.length === 0 ? ['its pods'] : phrase`pods of ${listed}`} accept connections only from ${peersPhrase(peers)}`,
      )
    case 'connects-only':
      return marked(
        phrase`${names.length === 0 ? ['its pods'] : phrase`pods of ${listed}`} can connect only to ${peersPhrase(peers)}`,
      )
    case 'accepts-also':
      return phrase`its pods also accept connections from ${peersPhrase(peers)}`
    case 'connects-also':
      return phrase`its pods can also connect to ${peersPhrase(peers)}`
    case 'accepts-no-longer':
      return marked(phrase`its pods no longer accept connections from ${peersPhrase(peers)}`)
    case 'connects-no-longer':
      return marked(phrase`its pods can no longer connect to ${peersPhrase(peers)}`)
    case 'accepts-all':
      return marked(phrase`${podsPhrase(names)} accept all connections${unselected(names)}`)
    case 'connects-anywhere':
      return marked(phrase`${podsPhrase(names)} can connect anywhere${unselected(names)}`)
    case 'from-anywhere':
      return marked(phrase`its pods accept connections from anywhere`)
    case 'to-anywhere':
      return marked(phrase`its pods can connect to anywhere`)
    case 'hosts-added':
      return phrase`serves ${listed}`
    case 'hosts-removed':
      return marked(phrase`no longer serves ${listed}`)
    case 'tls-first':
      return change.isRedirected === true
        ? marked(
            phrase`${listed} ${[names.length === 1 ? 'is' : 'are']} served by TLS now, and plain HTTP is redirected to it`,
          )
        : phrase`${listed} ${[names.length === 1 ? 'is' : 'are']} served by TLS now`
    case 'class-moved':
      return phrase`its ingress class ${listed} moves from the annotation to ${'ingressClassName'}`
    case 'tls-added':
      return phrase`TLS for ${listed}`
    case 'tls-removed':
      return marked(phrase`no TLS for ${listed} any more`)
    default:
      return unreachable(effect)
  }
}

/** ` on ports 80, 443, from any address`. */
function reachPhrase(change: TrafficChange): Phrase {
  return phrase`${sourcesPhrase(change)}${policiesPhrase(change)}`
}

function policiesPhrase({ isBlocked, policies = [] }: TrafficChange): Phrase {
  if (isBlocked === true)
    return phrase`, but ${nameList(policies)} ${[policies.length === 1 ? 'lets' : 'let']} nothing pass to its pods unless another policy does`
  return policies.length === 0
    ? []
    : phrase`, as far as ${nameList(policies)} ${[policies.length === 1 ? 'lets' : 'let']} pass`
}

/** `ports of the nodes (NodePort): 30080 for 80, one that the cluster picks for 443`. */
function nodePortsPhrase({ ports = [] }: TrafficChange): Phrase {
  const picked = ports.filter(({ nodePort }) => nodePort === undefined).map(({ port }) => port)
  const given = ports.flatMap(({ nodePort, port }) =>
    nodePort === undefined ? [] : [phrase`${String(nodePort)} for ${port}`],
  )
  const free =
    picked.length === 0
      ? []
      : [
          phrase`${[picked.length === 1 ? 'one that the cluster picks' : 'some that the cluster picks']} for ${nameList(picked)}`,
        ]
  const listed = joinPhrases([...given, ...free], ', ')
  return listed.length === 0 ? ['ports of the nodes (NodePort)'] : phrase`ports of the nodes (NodePort): ${listed}`
}

function sourcesPhrase({ isFromAnywhere, names = [], ports = [] }: TrafficChange): Phrase {
  const numbers = [...new Set(ports.map(({ port }) => port))]
  const on = numbers.length === 0 ? [] : phrase` on ${[numbers.length === 1 ? 'port' : 'ports']} ${nameList(numbers)}`
  if (isFromAnywhere === true) return phrase`${on}, from any address`
  return names.length === 0 ? on : phrase`${on}, from ${nameList(names)} only`
}

const MAX_PEERS = 4

/** `10.0.0.0/8, pods app=db on 5432`. */
function peersPhrase(peers: readonly TrafficPeer[]): Phrase {
  const shown = joinPhrases(peers.slice(0, MAX_PEERS).map(peerPhrase), ', ')
  return peers.length > MAX_PEERS ? [...shown, ` and ${peers.length - MAX_PEERS} more`] : shown
}

function peerPhrase({ namespaces, pods, ports = [], range }: TrafficPeer): Phrase {
  const on = ports.length === 0 ? [] : phrase` on ${nameList(ports)}`
  if (range !== undefined) return phrase`${range}${on}`
  const where =
    namespaces === undefined ? [] : namespaces === '' ? ['all namespaces'] : phrase`namespaces ${namespaces}`
  if (pods === undefined) return phrase`${where.length === 0 ? ['anywhere'] : where}${on}`
  const what = pods === '' ? ['all pods'] : phrase`pods ${pods}`
  const own = namespaces === undefined ? (pods === '' ? [' of the namespace'] : []) : phrase` of ${where}`
  return phrase`${what}${own}${on}`
}

/** Without names they are all of the namespace. */
function podsPhrase(names: readonly string[]): Phrase {
  return names.length === 0 ? phrase`pods of the namespace` : phrase`pods of ${nameList(names)}`
}

function unselected(names: readonly string[]): Phrase {
  return names.length === 0
    ? phrase` unless another policy selects them`
    : phrase`: no policy of the release selects them any more`
}
