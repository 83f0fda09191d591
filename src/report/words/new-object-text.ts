import { builtInKind } from '../../manifest/built-in-kinds.ts'
import { ingressBackends } from '../../manifest/ingress-backends.ts'
import type { Impact } from '../../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue, numberAt, stringAt } from '../../model/object.ts'
import { groupOf } from '../../model/ref.ts'
import type { Row } from '../rows/rows.ts'
import { causePhrase } from './cause-text.ts'
import { impactPhrase } from './impact-text.ts'
import { joinPhrases, nameList, type Phrase, phrase } from './phrase.ts'
import { newWorkloadPhrase } from './workload-text.ts'

/** Objects, keys, ports and hosts that are named; the rest is counted. */
const MAX_NAMES = 3

/** Itself, masked, and what else of the release has to do with it. */
type NewObject = Pick<Row, 'after' | 'impact' | 'reason' | 'ref'>

/** Why an object is made: what it brings, and what that means. */
export function newObjectCause(one: NewObject): Phrase {
  return joined([newObjectPhrase(one), causePhrase(one.reason, one.impact && withoutHosts(one.impact))], '; ')
}

export function newHookCause(one: NewObject): Phrase {
  const what = joined([['new hook'], newObjectPhrase(one)], ', ')
  return joined([what, one.impact === undefined ? [] : impactPhrase(withoutHosts(one.impact))], '; ')
}

/** What is new says itself which hosts it serves. */
function withoutHosts(impact: Impact): Impact {
  const traffic = (impact.traffic ?? []).filter(({ effect }) => effect !== 'hosts-added')
  return impact.traffic === undefined ? impact : { ...impact, traffic }
}

/** In a clause: `runs example.com/shop:2, 3 pods`; empty where its kind and name say it all. */
function newObjectPhrase({ after, impact, ref }: NewObject): Phrase {
  if (after === undefined) return []
  const one = { after, ref, ...(impact && { impact }) }
  return joined([ownPhrase(one), userPhrase(one)], ', ')
}

function joined(parts: readonly Phrase[], separator: string): Phrase {
  return joinPhrases(
    parts.filter((part) => part.length > 0),
    separator,
  )
}

type Rendered = Pick<Row, 'impact' | 'ref'> & { readonly after: JsonObject }

function ownPhrase(one: Rendered): Phrase {
  const kind = builtInKind(one.ref)
  if (kind?.isWorkload === true) return newWorkloadPhrase(kind.kind, one.after, one.impact?.usedBy ?? [])
  switch (kind?.kind) {
    case 'Service':
      return servicePhrase(one)
    case 'Ingress':
      return ingressPhrase(one.after)
    case 'HorizontalPodAutoscaler':
      return autoscalerPhrase(one.after)
    case 'PodDisruptionBudget':
      return budgetPhrase(one)
    case 'PersistentVolumeClaim':
      return claimPhrase(one.after)
    case 'ResourceQuota':
      return quotaPhrase(one.after)
    case 'LimitRange':
      return limitsPhrase(one.after)
    case 'ConfigMap':
    case 'Secret':
      return keysPhrase(one.after)
    case 'APIService':
      return one.after.spec === undefined ? [] : backendPhrase(stringAt(one.after, 'spec', 'service', 'name'))
    case undefined:
      return routePhrase(one)
    default:
      return []
  }
}

/** Who reads it, runs as it or claims it; of other kinds it is told in another way, or says little. */
const USES: Readonly<Record<string, string>> = {
  ConfigMap: 'read by',
  Secret: 'read by',
  ServiceAccount: 'used by',
  PersistentVolumeClaim: 'used by',
  PriorityClass: 'used by',
}

function userPhrase({ impact, ref }: Rendered): Phrase {
  const use = USES[builtInKind(ref)?.kind ?? '']
  const users = impact?.usedBy ?? []
  return use === undefined || users.length === 0 ? [] : phrase`${[use]} ${nameList(users, MAX_NAMES)}`
}

/** Type NodePort and LoadBalancer are told as who reaches it, with the ports. */
function servicePhrase({ after, impact }: Rendered): Phrase {
  const alias = stringAt(after, 'spec', 'externalName')
  if (stringAt(after, 'spec', 'type') === 'ExternalName') {
    return alias === undefined ? phrase`type ${'ExternalName'}` : phrase`an alias of ${alias}`
  }
  const isTold = impact?.traffic?.some(({ ports }) => ports !== undefined) === true
  const ports = isTold ? [] : arrayAt(after, 'spec', 'ports').flatMap((port) => numberAt(port, 'port') ?? [])
  const pods = impact?.workloads
  const to = pods === undefined || pods.length === 0 ? [] : phrase` to pods of ${nameList(pods, MAX_NAMES)}`
  const none = pods?.length === 0 ? phrase`selects no pods of the release` : []
  const own =
    ports.length === 0
      ? to.length === 0
        ? []
        : phrase`leads${to}`
      : phrase`port${[ports.length === 1 ? '' : 's']} ${[namedNumbers([...new Set(ports)])]}${to}`
  return joinPhrases(
    [own, none].filter((part) => part.length > 0),
    ', ',
  )
}

function ingressPhrase(ingress: JsonObject): Phrase {
  const rules = arrayAt(ingress, 'spec', 'rules')
  const paths = rules.flatMap((rule) => {
    const host = stringAt(rule, 'host') ?? '*'
    const below = arrayAt(rule, 'http', 'paths').map((path) => stringAt(path, 'path') ?? '/')
    return below.length === 0 ? [host] : below.map((path) => `${host}${path === '/' ? '' : path}`)
  })
  const services = namesOf(ingressBackends(ingress), 'service', 'name')
  const served = [...new Set(paths)]
  const isEncrypted = arrayAt(ingress, 'spec', 'tls').length > 0
  if (served.length === 0 && services.length === 0) return []
  return phrase`serves ${served.length === 0 ? ['any host'] : nameList(served, MAX_NAMES)}${servedBy(services)}${[isEncrypted ? ', with TLS' : '']}`
}

/** Of the Gateway API. Source: its API reference, `HTTPRouteSpec`. */
function routePhrase({ after: { spec }, ref }: Rendered): Phrase {
  if (groupOf(ref.apiVersion) !== 'gateway.networking.k8s.io' || !/^(HTTP|GRPC|TLS)Route$/.test(ref.kind)) return []
  const hosts = arrayAt(spec, 'hostnames').filter((host) => typeof host === 'string')
  const backends = arrayAt(spec, 'rules').flatMap((rule) => arrayAt(rule, 'backendRefs'))
  const services = namesOf(
    backends.filter((one) => (stringAt(one, 'kind') ?? 'Service') === 'Service'),
    'name',
  )
  if (hosts.length === 0 && services.length === 0) return []
  return phrase`serves ${hosts.length === 0 ? ['all hosts of its Gateway'] : nameList(hosts, MAX_NAMES)}${servedBy(services)}`
}

function servedBy(services: readonly string[]): Phrase {
  return services.length === 0
    ? []
    : phrase` by ${nameList(
        services.map((name) => `Service/${name}`),
        MAX_NAMES,
      )}`
}

function backendPhrase(service: string | undefined): Phrase {
  return service === undefined ? [] : phrase`served by ${`Service/${service}`}`
}

/** `scales Deployment/web between 2 and 10 pods at 80 % CPU`. Source: the API reference, `HorizontalPodAutoscalerSpec`. */
function autoscalerPhrase({ spec }: JsonObject): Phrase {
  const [kind, name] = [stringAt(spec, 'scaleTargetRef', 'kind'), stringAt(spec, 'scaleTargetRef', 'name')]
  const max = numberAt(spec, 'maxReplicas')
  if (kind === undefined || name === undefined || max === undefined) return []
  const min = numberAt(spec, 'minReplicas') ?? 1
  const share = numberAt(spec, 'targetCPUUtilizationPercentage')
  const metrics = [
    ...(share === undefined ? [] : [phrase`${share} % CPU`]),
    ...arrayAt(spec, 'metrics').flatMap(metricPhrases),
  ]
  const by = metrics.length === 0 ? [] : phrase` at ${joinPhrases(metrics.slice(0, MAX_NAMES), ', ')}`
  return phrase`scales ${`${kind}/${name}`} between ${min} and ${max} pods${by}`
}

function metricPhrases(metric: JsonValue): readonly Phrase[] {
  const type = stringAt(metric, 'type') ?? ''
  const source = at(metric, `${type.charAt(0).toLowerCase()}${type.slice(1)}`)
  const name = stringAt(source, 'name') ?? stringAt(source, 'metric', 'name')
  if (name === undefined) return []
  const shown = name === 'cpu' ? ['CPU'] : name === 'memory' ? ['memory'] : phrase`${name}`
  const share = numberAt(source, 'target', 'averageUtilization')
  if (share !== undefined) return [phrase`${share} % ${shown}`]
  const [average, value] = ['averageValue', 'value'].map((key) => at(source, 'target', key))
  if (isScalar(average)) return [phrase`${String(average)} ${shown} per pod`]
  return [isScalar(value) ? phrase`${String(value)} ${shown}` : shown]
}

/** `keeps at least 1 pod of Deployment/web available`. */
function budgetPhrase({ after: { spec }, impact }: Rendered): Phrase {
  const [min, max] = [at(spec, 'minAvailable'), at(spec, 'maxUnavailable')]
  const pods = impact?.workloads
  const of = pods === undefined || pods.length === 0 ? ['the pods'] : phrase`the pods of ${nameList(pods, MAX_NAMES)}`
  const none = pods?.length === 0 ? [', selects no pods of the release'] : []
  if (isScalar(min)) return phrase`keeps at least ${String(min)} of ${of} available${none}`
  return isScalar(max) ? phrase`lets at most ${String(max)} of ${of} be unavailable${none}` : []
}

function claimPhrase({ spec }: JsonObject): Phrase {
  const size = stringAt(spec, 'resources', 'requests', 'storage')
  if (size === undefined) return []
  const storage = stringAt(spec, 'storageClassName') ?? ''
  const modes = arrayAt(spec, 'accessModes').filter((mode) => typeof mode === 'string')
  return phrase`asks for ${size}${storage === '' ? [] : phrase` of storage class ${storage}`}${modes.length === 0 ? [] : phrase`, ${nameList(modes, MAX_NAMES)}`}`
}

function quotaPhrase({ spec }: JsonObject): Phrase {
  const hard = at(spec, 'hard')
  const limits = Object.entries(isJsonObject(hard) ? hard : {}).filter(([, limit]) => isScalar(limit))
  if (limits.length === 0) return []
  const shown = limits.slice(0, MAX_NAMES).map(([name, limit]) => phrase`${name} ${String(limit)}`)
  return phrase`limits the namespace to ${joinPhrases(shown, ', ')}${moreThan(limits.length)}`
}

/** Source: the API reference of Kubernetes, `LimitRangeItem`. */
function limitsPhrase({ spec }: JsonObject): Phrase {
  const items = arrayAt(spec, 'limits').filter(isJsonObject)
  const kindsWith = (...fields: readonly string[]) =>
    namesOf(
      items.filter((item) => fields.some((field) => item[field] !== undefined)),
      'type',
    )
  const [limited, defaulted] = [kindsWith('min', 'max', 'maxLimitRequestRatio'), kindsWith('default', 'defaultRequest')]
  return joinPhrases(
    [
      limited.length === 0 ? [] : phrase`limits each ${nameList(limited)}`,
      defaulted.length === 0 ? [] : phrase`sets defaults for each ${nameList(defaulted)}`,
    ].filter((part) => part.length > 0),
    ', ',
  )
}

/** The names of its keys: their values are read in the diff, or hidden. */
function keysPhrase(object: JsonObject): Phrase {
  const keys = ['data', 'binaryData', 'stringData'].flatMap((field) => {
    const map = object[field]
    return isJsonObject(map) ? Object.keys(map) : []
  })
  const names = [...new Set(keys)]
  if (names.length === 0) return []
  return phrase`${[names.length === 1 ? 'key' : 'keys']} ${nameList(names, MAX_NAMES)}`
}

function namesOf(values: readonly (JsonValue | undefined)[], ...path: readonly string[]): readonly string[] {
  return [...new Set(values.flatMap((value) => stringAt(value, ...path) ?? []))]
}

function namedNumbers(numbers: readonly number[]): string {
  return `${numbers.slice(0, MAX_NAMES).join(', ')}${moreThan(numbers.length)[0] ?? ''}`
}

function moreThan(amount: number): readonly string[] {
  return amount > MAX_NAMES ? [` and ${amount - MAX_NAMES} more`] : []
}

function isScalar(value: JsonValue | undefined): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
