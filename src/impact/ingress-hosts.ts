import type { TrafficChange } from '../model/impact.ts'
import { arrayAt, at, type JsonObject, stringAt, stringsAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { Sides } from './network-policies.ts'
import { hostsOfRoute, type Releases } from './release-objects.ts'

/** Which hosts an Ingress serves, and how. A host that another object of the release serves is not gone. */
export function ingressChanges(ref: Ref, { after, before }: Sides, releases: Releases): readonly TrafficChange[] {
  const [old, now] = [hostsOf(before), hostsOf(after)]
  const stayed = now.filter((host) => old.includes(host))
  const [had, has] = [stayed.filter((host) => hasTls(before, host)), now.filter((host) => hasTls(after, host))]
  // What is new tells of its certificates itself.
  const encrypted = before === undefined ? [] : added(had, has)
  const changes: readonly TrafficChange[] = [
    { effect: 'hosts-added', names: added(old, now) },
    { effect: 'hosts-removed', names: added(now, old).filter((host) => !isServedByOthers(ref, host, releases)) },
    { effect: 'other-class', names: classes(before, after) },
    { effect: 'tls-removed', names: added(has, had) },
    { effect: 'tls-added', names: encrypted },
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
    const named = stringsAt(tls, 'hosts')
    const wildcard = `*${host.slice(host.indexOf('.'))}`
    return named.length === 0 || named.includes(host) || (host.includes('.') && named.includes(wildcard))
  })
}

/** The class before and after, where both are told and differ; an annotation told it before there was a field. */
function classes(before: JsonObject | undefined, after: JsonObject | undefined): readonly string[] {
  const [old, now] = [before, after].map(
    (ingress) =>
      stringAt(ingress, 'spec', 'ingressClassName') ??
      stringAt(ingress, 'metadata', 'annotations', 'kubernetes.io/ingress.class'),
  )
  return old === undefined || now === undefined || old === now ? [] : [old, now]
}

function isServedByOthers(ref: Ref, host: string, { after: { ingresses, routes } }: Releases): boolean {
  const others = ingresses.filter(({ metadata }) => metadata.name !== ref.name || metadata.namespace !== ref.namespace)
  return others.some((one) => hostsOf(one).includes(host)) || routes.some((one) => hostsOfRoute(one).includes(host))
}

function added(before: readonly string[], after: readonly string[]): readonly string[] {
  return after.filter((one) => !before.includes(one))
}
