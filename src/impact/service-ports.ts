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
  numberAt,
  stringAt,
  stringsAt,
} from '../model/object.ts'
import { groupOf, type Ref } from '../model/ref.ts'
import type { ReleaseObjects } from './release-objects.ts'
import { selects } from './selectors.ts'

/**
 * Numbers that a Service no longer answers on, and objects of the release that still name a port which goes, be it only its
 * name. Source: docs/sources.md#kubernetes-services-and-network-policies.
 */
export function portChanges(
  ref: Ref,
  before: JsonObject,
  after: JsonObject,
  release: ReleaseObjects,
): readonly TrafficChange[] {
  const ports = isForwarding(before) && isForwarding(after) ? lostPorts(before, after) : []
  const users = usersOfLostPorts(ref, before, after, release)
  return [
    ...(ports.length === 0 ? [] : [{ effect: 'port-gone' as const, names: ports }]),
    ...(users.length === 0 ? [] : [{ effect: 'port-still-used' as const, names: users }]),
  ]
}

/** A headless Service and one of type ExternalName only give a name: what is asked there listens on ports of its own. */
function isForwarding(service: JsonObject): boolean {
  return stringAt(service, 'spec', 'clusterIP') !== 'None' && stringAt(service, 'spec', 'type') !== 'ExternalName'
}

/** By number and protocol: under which name it is served does not matter to those who connect. */
function lostPorts(before: JsonObject, after: JsonObject): readonly string[] {
  const numbers = (service: JsonObject) => [...new Set(portsOf(service).flatMap((port) => portText(port) ?? []))]
  const now = numbers(after)
  return numbers(before).filter((port) => !now.includes(port))
}

/** `9090`, `53/UDP`. */
export function portText(port: JsonValue): string | undefined {
  const [number, protocol] = [numberAt(port, 'port'), stringAt(port, 'protocol') ?? 'TCP']
  return number === undefined ? undefined : protocol === 'TCP' ? String(number) : `${number}/${protocol}`
}

function portsOf(service: JsonObject): readonly JsonValue[] {
  return arrayAt(service, 'spec', 'ports')
}

/** A port as others name it. */
interface Named {
  readonly name?: string
  readonly number?: number
}

function usersOfLostPorts(ref: Ref, before: JsonObject, after: JsonObject, { all }: ReleaseObjects): readonly string[] {
  const has = (service: JsonObject, { name, number }: Named) =>
    portsOf(service).some((port) =>
      name === undefined ? numberAt(port, 'port') === number : stringAt(port, 'name') === name,
    )
  const hasLost = portsOf(before).some(
    (port) =>
      !has(after, { number: numberAt(port, 'port') ?? 0 }) || !has(after, { name: stringAt(port, 'name') ?? '' }),
  )
  if (!hasLost) return []
  return all
    .filter((object) => usedPorts(object, ref, after).some((port) => has(before, port) && !has(after, port)))
    .map(({ kind, metadata }) => `${kind}/${metadata.name ?? ''}`)
}

/** Ports of the Service that the object names. Source: the API references of these kinds. */
function usedPorts(object: KubeObject, ref: Ref, service: JsonObject): readonly Named[] {
  const isHere = object.metadata.namespace === ref.namespace
  switch (builtInKind(object)?.kind) {
    case 'Ingress':
      return isHere ? ingressBackends(object).flatMap((backend) => ofBackend(at(backend, 'service'), ref)) : []
    case 'ValidatingWebhookConfiguration':
    case 'MutatingWebhookConfiguration':
      return arrayAt(object, 'webhooks').flatMap((webhook) => ofServer(at(webhook, 'clientConfig', 'service'), ref))
    case 'APIService':
      return ofServer(at(object, 'spec', 'service'), ref)
    case undefined:
      return [...ofRoute(object, ref), ...ofMonitor(object, ref, service)]
    default:
      return []
  }
}

function ofBackend(backend: JsonValue | undefined, ref: Ref): readonly Named[] {
  if (stringAt(backend, 'name') !== ref.name) return []
  const [name, number] = [stringAt(backend, 'port', 'name'), numberAt(backend, 'port', 'number')]
  return name === undefined ? [{ ...(number !== undefined && { number }) }] : [{ name }]
}

/** The API server asks on 443 where nothing is said. */
function ofServer(server: JsonValue | undefined, ref: Ref): readonly Named[] {
  const isMeant = stringAt(server, 'name') === ref.name && stringAt(server, 'namespace') === ref.namespace
  return isMeant ? [{ number: numberAt(server, 'port') ?? 443 }] : []
}

/** Of the Gateway API. */
function ofRoute(route: KubeObject, ref: Ref): readonly Named[] {
  if (groupOf(route.apiVersion) !== 'gateway.networking.k8s.io') return []
  return arrayAt(route, 'spec', 'rules')
    .flatMap((rule) => arrayAt(rule, 'backendRefs'))
    .flatMap((backend) => {
      const namespace = stringAt(backend, 'namespace') ?? route.metadata.namespace
      const isService = (stringAt(backend, 'kind') ?? 'Service') === 'Service'
      const number = numberAt(backend, 'port')
      const isMeant = isService && stringAt(backend, 'name') === ref.name && namespace === ref.namespace
      return isMeant && number !== undefined ? [{ number }] : []
    })
}

/** Of the Prometheus Operator: it finds Services by their labels, and their ports by name. */
function ofMonitor(monitor: KubeObject, ref: Ref, service: JsonObject): readonly Named[] {
  if (groupOf(monitor.apiVersion) !== 'monitoring.coreos.com' || monitor.kind !== 'ServiceMonitor') return []
  const places = at(monitor, 'spec', 'namespaceSelector')
  const names = stringsAt(places, 'matchNames')
  const isHere =
    at(places, 'any') === true ||
    (names.length === 0 ? [monitor.metadata.namespace] : names).includes(ref.namespace ?? '')
  const labels = at(service, 'metadata', 'labels')
  const selector = at(monitor, 'spec', 'selector')
  if (!isHere || selector === undefined || !selects(selector, isJsonObject(labels) ? labels : {})) return []
  return arrayAt(monitor, 'spec', 'endpoints').flatMap((endpoint) => {
    const name = stringAt(endpoint, 'port')
    return name === undefined ? [] : [{ name }]
  })
}
