import { builtInKind } from '../manifest/built-in-kinds.ts'
import { defined } from '../model/defined.ts'
import type { ObjectEffect, ObjectEffectWord } from '../model/impact.ts'
import { at, type JsonObject, type JsonValue, type KubeObject, numberAt, stringAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { crdEffects, kindAndName } from './custom-objects.ts'
import { limitEffects } from './limits.ts'
import type { Sides } from './network-policies.ts'
import { podSpecOf, type ReleaseObjects, type Releases } from './release-objects.ts'

/** Workloads and objects that are named by one effect. */
const MAX_NAMES = 50

/** What the change means for others that name the object, or that it decides about by what it is. */
export function objectEffects(ref: Ref, sides: Sides, releases: Releases): readonly ObjectEffect[] {
  const found = sides.after === undefined ? goneEffects(ref, sides, releases) : ownEffects(ref, sides, releases)
  return found.map((effect) => ({ ...effect, ...defined({ names: effect.names?.slice(0, MAX_NAMES) }) }))
}

/** Something is refused, lost, exposed or taken from others. */
export function isHarmfulEffect({ effect }: ObjectEffect): boolean {
  return !HARMLESS.has(effect)
}

const HARMLESS: ReadonlySet<ObjectEffectWord> = new Set<ObjectEffectWord>([
  'objects-deleted',
  'default-class-no-more',
  'priority',
  'evicts-no-more',
  'volumes-kept',
  'token-not-mounted',
  'handler',
  'no-service',
])

function goneEffects(ref: Ref, { before }: Sides, releases: Releases): readonly ObjectEffect[] {
  switch (builtInKind(ref)?.kind) {
    case 'CustomResourceDefinition':
      return crdEffects({ before }, releases)
    case 'Namespace':
      return [{ effect: 'objects-deleted' }]
    case 'APIService':
      // Without a Service it only gives priorities to what the API server itself serves.
      return at(before, 'spec', 'service') === undefined ? [] : listed('api-gone', [ref.name])
    case 'PriorityClass':
      return isDefault(before) ? [{ effect: 'default-class-no-more' }] : []
    default:
      return []
  }
}

function ownEffects(ref: Ref, sides: Sides, releases: Releases): readonly ObjectEffect[] {
  const { after, before } = sides
  switch (builtInKind(ref)?.kind) {
    case 'CustomResourceDefinition':
      return crdEffects(sides, releases)
    case 'APIService':
      return apiEffects(before, after)
    case 'PriorityClass':
      return [...defaultEffects(before, after), ...priorityEffects(before, after)]
    case 'StorageClass':
      return volumeEffects(before, after)
    case 'ResourceQuota':
    case 'LimitRange':
      return limitEffects(ref, sides, releases.after)
    case 'ServiceAccount':
      return tokenEffects(ref, sides, releases.after.all)
    case 'StatefulSet':
      return before === undefined ? withoutService(ref, after, releases.after) : []
    case 'RuntimeClass': {
      const handler = stringAt(after, 'handler')
      return handler === undefined || handler === stringAt(before, 'handler')
        ? []
        : [{ effect: 'handler', after: handler }]
    }
    default:
      return []
  }
}

/** Its pods have no names of their own in DNS. Source: the docs of Kubernetes, "StatefulSets". */
function withoutService(
  { namespace }: Ref,
  after: JsonObject | undefined,
  { hasHidden, services }: ReleaseObjects,
): readonly ObjectEffect[] {
  const name = stringAt(after, 'spec', 'serviceName') ?? ''
  const isThere = services.some(({ metadata }) => metadata.name === name && metadata.namespace === namespace)
  return name === '' || isThere || hasHidden ? [] : [{ effect: 'no-service', names: [`Service/${name}`] }]
}

function listed(effect: ObjectEffectWord, names: readonly string[]): readonly ObjectEffect[] {
  return names.length === 0 ? [] : [{ effect, names }]
}

type Object = JsonObject | undefined

/** Requests for the group and version go to the Service, with the account of who asks. */
function apiEffects(before: Object, after: Object): readonly ObjectEffect[] {
  const [old, now] = [backendOf(before), backendOf(after)]
  const isUnverified = (one: Object) => at(one, 'spec', 'insecureSkipTLSVerify') === true
  const served = before === undefined || now === undefined || now === old ? [] : [now]
  return [
    ...listed('api-served-otherwise', served),
    ...(isUnverified(after) && !isUnverified(before) ? [{ effect: 'api-unverified' as const }] : []),
  ]
}

function backendOf(one: Object): string | undefined {
  const [namespace, name] = [stringAt(one, 'spec', 'service', 'namespace'), stringAt(one, 'spec', 'service', 'name')]
  return name === undefined ? undefined : `Service/${namespace ?? ''}/${name}`
}

function isDefault(one: Object): boolean {
  return at(one, 'globalDefault') === true
}

function defaultEffects(before: Object, after: Object): readonly ObjectEffect[] {
  if (isDefault(before) === isDefault(after)) return []
  return [{ effect: isDefault(after) ? 'default-class' : 'default-class-no-more' }]
}

/** Pods of the class push out others of lower priority unless it says otherwise. */
function priorityEffects(before: Object, after: Object): readonly ObjectEffect[] {
  const evicts = (one: Object) => stringAt(one, 'preemptionPolicy') !== 'Never' && (numberAt(one, 'value') ?? 0) > 0
  const value = String(numberAt(after, 'value') ?? 0)
  if (before === undefined) return [{ effect: evicts(after) ? 'evicts' : 'priority', after: value }]
  if (evicts(before) !== evicts(after)) return [{ effect: evicts(after) ? 'evicts' : 'evicts-no-more', after: value }]
  const was = String(numberAt(before, 'value') ?? 0)
  return was === value ? [] : [{ effect: 'priority', before: was, after: value }]
}

/** Delete is the default of the API server. */
function volumeEffects(before: Object, after: Object): readonly ObjectEffect[] {
  const isKept = (one: Object) => stringAt(one, 'reclaimPolicy') === 'Retain'
  if (before === undefined || isKept(before) === isKept(after)) return []
  return [{ effect: isKept(after) ? 'volumes-kept' : 'volumes-deleted' }]
}

/** A pod may say otherwise for itself; without either the token is mounted. */
function tokenEffects(
  { name, namespace }: Ref,
  { after, before }: Sides,
  all: readonly KubeObject[],
): readonly ObjectEffect[] {
  const isMounted = (one: JsonValue | undefined) => at(one, 'automountServiceAccountToken') !== false
  if (before === undefined || isMounted(before) === isMounted(after)) return []
  const users = all.filter((object) => {
    const spec = podSpecOf(object)
    const isOwn =
      (stringAt(spec, 'serviceAccountName') ?? 'default') === name && object.metadata.namespace === namespace
    return spec !== undefined && isOwn && at(spec, 'automountServiceAccountToken') === undefined
  })
  return listed(isMounted(after) ? 'token-mounted' : 'token-not-mounted', users.map(kindAndName))
}
