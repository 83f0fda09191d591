import { builtInKind } from '../manifest/built-in-kinds.ts'
import type { TrafficChange } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject, stringAt, stringsAt } from '../model/object.ts'
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
  const [first, others] = [encrypted.filter((host) => stayed.includes(host)), added(stayed, encrypted)]
  const changes: readonly TrafficChange[] = [
    { effect: 'hosts-added', names: added(old, now) },
    { effect: 'hosts-removed', names: added(now, old).filter((host) => !isServedByOthers(ref, host, releases)) },
    { effect: 'other-class', names: classes(before, after) },
    { effect: 'tls-removed', names: added(has, had) },
    { effect: 'tls-first', names: first, ...(isRedirected(after, releases) && { isRedirected: true }) },
    { effect: 'tls-added', names: others },
    { effect: 'class-moved', names: movedClass(before, after) },
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

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class'

/** Told by an annotation before, and by its field now. */
function movedClass(before: JsonObject | undefined, after: JsonObject | undefined): readonly string[] {
  const [old, now] = [stringAt(before, 'spec', 'ingressClassName'), stringAt(after, 'spec', 'ingressClassName')]
  const isMoved = old === undefined && now !== undefined && now === annotation(before, CLASS_ANNOTATION)
  return isMoved && annotation(after, CLASS_ANNOTATION) === undefined ? [now] : []
}

function annotation(ingress: JsonObject | undefined, key: string): string | undefined {
  return stringAt(ingress, 'metadata', 'annotations', key)
}

/** ingress-nginx redirects where a host has TLS, unless it is told not to. Source: docs/sources.md#labels-and-annotations-that-steer. */
function isRedirected(ingress: JsonObject | undefined, { after: { all } }: Releases): boolean {
  const name = stringAt(ingress, 'spec', 'ingressClassName') ?? annotation(ingress, CLASS_ANNOTATION)
  const known = all.find((one) => builtInKind(one)?.kind === 'IngressClass' && one.metadata.name === name)
  const annotations = at(ingress, 'metadata', 'annotations')
  const isItsOwn = Object.keys(isJsonObject(annotations) ? annotations : {}).some((key) => key.startsWith(NGINX))
  const isNginx =
    known === undefined
      ? name === 'nginx' || isItsOwn
      : stringAt(known, 'spec', 'controller') === 'k8s.io/ingress-nginx'
  return isNginx && annotation(ingress, `${NGINX}ssl-redirect`) !== 'false'
}

const NGINX = 'nginx.ingress.kubernetes.io/'

/** The class before and after, where both are told and differ; an annotation told it before there was a field. */
function classes(before: JsonObject | undefined, after: JsonObject | undefined): readonly string[] {
  const [old, now] = [before, after].map(
    (ingress) => stringAt(ingress, 'spec', 'ingressClassName') ?? annotation(ingress, CLASS_ANNOTATION),
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
