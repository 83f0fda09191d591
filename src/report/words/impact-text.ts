import type { FieldChange, Impact, TrafficChange } from '../../model/impact.ts'
import { accessBullets, accessPhrase } from './access-text.ts'
import { admissionBullets, admissionPhrase } from './admission-text.ts'
import type { Bullet } from './bullet.ts'
import { fieldChangesPhrase } from './field-changes.ts'
import { objectEffectsPhrase } from './object-effects-text.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'
import { isToldLimit, podLimitsPhrase } from './pod-limits-text.ts'
import { isToldLoss, podLossesPhrase } from './pod-losses-text.ts'
import { isToldPrivilege, podSecurityPhrase } from './pod-security-text.ts'
import { isToldSource, podSourcesPhrase } from './pod-sources-text.ts'
import {
  atOncePhrase,
  evictablePhrase,
  evictionsPhrase,
  isDip,
  restartPhrase,
  scalePhrase,
  takeoverPhrase,
} from './restart-text.ts'
import { schedulePhrase } from './schedule-text.ts'
import { schemaBullets, schemaPhrase } from './schema-text.ts'
import { steeringPhrase } from './steering-text.ts'
import { trafficPhrase } from './traffic-text.ts'

/** What the change means, in one line; empty where the fields say it all. */
export function impactPhrase({
  access,
  admission,
  atOnce,
  effects,
  evictable,
  evictions,
  fields,
  immutable,
  podLimits,
  podLosses,
  podSecurity,
  podSources,
  restart,
  runsFirst,
  scale,
  scaledBy,
  schedule,
  schema,
  staleIn,
  startsAfter,
  steering,
  traffic,
}: Impact): Phrase {
  const isSuspended = schedule !== undefined && schedule.after === undefined
  const parts = [
    immutable === undefined ? [] : refusedPhrase(fields.filter(({ path }) => immutable.includes(path))),
    runsFirst === undefined ? [] : marked(['runs before the rest: if it fails, the rest is not changed']),
    schedule === undefined ? [] : schedulePhrase(schedule),
    podSecurity === undefined ? [] : podSecurityPhrase(podSecurity),
    podLimits === undefined ? [] : podLimitsPhrase(podLimits),
    podLosses === undefined ? [] : podLossesPhrase(podLosses),
    traffic === undefined ? [] : trafficPhrase(traffic),
    steering === undefined ? [] : steeringPhrase(steering),
    restart === undefined || isSuspended ? [] : restartPhrase(restart),
    startsAfter === undefined ? [] : startsAfterPhrase(startsAfter),
    atOnce === undefined ? [] : atOncePhrase(atOnce),
    scale === undefined ? [] : scalePhrase(scale, isSuspended ? undefined : restart, scaledBy),
    // Where pods restart or stop until it acts, the autoscaler is named there.
    scaledBy === undefined || restart?.autoscaler !== undefined || isDip(scale) ? [] : takeoverPhrase(scaledBy),
    podSources === undefined ? [] : podSourcesPhrase(podSources),
    // The number of pods says more than that they are more or fewer.
    evictions === undefined || (evictable !== undefined && evictions !== 'closed') ? [] : evictionsPhrase(evictions),
    evictable === undefined || evictions === 'closed' ? [] : evictablePhrase(evictable),
    access === undefined ? [] : accessPhrase(access),
    admission === undefined ? [] : admissionPhrase(admission),
    schema === undefined ? [] : schemaPhrase(schema),
    staleIn === undefined ? [] : stalePhrase(staleIn),
    effects === undefined ? [] : objectEffectsPhrase(effects),
  ]
  return joinPhrases(
    parts.filter((part) => part.length > 0),
    '; ',
  )
}

function startsAfterPhrase(names: readonly string[]): Phrase {
  const isOne = names.length === 1
  return phrase`pods start only after ${[isOne ? 'init container' : 'init containers']} ${nameList(names)} ${[isOne ? 'has' : 'have']} ended`
}

function stalePhrase(names: readonly string[]): Phrase {
  return phrase`${nameList(names)} ${[names.length === 1 ? 'keeps' : 'keep']} the old values until a restart`
}

/** Of a plan without dry runs: the row would else announce what never comes. */
function refusedPhrase(fields: readonly FieldChange[]): Phrase {
  return marked(phrase`the API server refuses this update (immutable: ${fieldChangesPhrase(fields)})`)
}

/** The same at length, where one line says too little. */
export function impactBullets({ access, admission, schema }: Impact): readonly Bullet[] {
  return [
    ...(access === undefined ? [] : accessBullets(access)),
    ...(admission === undefined ? [] : admissionBullets(admission)),
    ...(schema === undefined ? [] : schemaBullets(schema)),
  ]
}

/** Fields that `impactPhrase` does not speak of. */
export function unspokenFields({
  access,
  admission,
  atOnce,
  effects,
  fields,
  immutable,
  podLimits = [],
  podLosses = [],
  podSecurity,
  podSources = [],
  scale,
  scaledBy,
  schedule,
  schema,
  traffic = [],
}: Impact): readonly FieldChange[] {
  const toldRules = traffic.flatMap(({ effect, peers }) =>
    peers === undefined ? [] : [effect.startsWith('accepts') ? INGRESS_RULES : EGRESS_RULES],
  )
  const gonePorts = traffic.find(({ effect }) => effect === 'port-gone')?.names ?? []
  const removedPorts = fields.filter(isRemovedPort)
  // A port under two names may lose but one of them.
  const arePortsTold = removedPorts.length === gonePorts.length
  const toldHosts = traffic.flatMap(hostFieldsOf)
  // What else changes of a CRD is metadata.
  if (schema !== undefined) return []
  return fields.filter((field) => {
    const { kind, path } = field
    return (
      !(arePortsTold && isRemovedPort({ kind, path })) &&
      !toldHosts.some((told) => told.kind === kind && told.paths.includes(path)) &&
      !(immutable?.includes(path) === true) &&
      !(access !== undefined && ACCESS.test(path)) &&
      !(admission !== undefined && ADMISSION.test(path)) &&
      !(podSecurity !== undefined && isToldPrivilege(path, podSecurity)) &&
      !(atOnce !== undefined && AT_ONCE.test(path)) &&
      !isToldLimit(path, podLimits) &&
      !isToldLoss(path, podLosses) &&
      !isToldSource(field, podSources) &&
      !(schedule !== undefined && SCHEDULE.test(path)) &&
      !toldRules.some((rules) => rules.test(path)) &&
      !(effects !== undefined && EFFECTS.test(path)) &&
      !(scaledBy !== undefined && scale === undefined && path === 'spec.replicas')
    )
  })
}

function isRemovedPort({ kind, path }: Pick<FieldChange, 'kind' | 'path'>): boolean {
  return kind === 'removed' && /^spec\.ports\[[^\]]*\]$/.test(path)
}

/** Most hosts that are named in one clause. */
const MAX_HOSTS = 4

interface ToldFields {
  readonly kind: FieldChange['kind']
  readonly paths: readonly string[]
}

/** Fields of an Ingress that hold no other hosts than those that are named. */
function hostFieldsOf({ effect, names = [] }: TrafficChange): readonly ToldFields[] {
  if (names.length > MAX_HOSTS) return []
  const rules = names.map((host) => `spec.rules[${host}]`)
  switch (effect) {
    case 'hosts-added':
      return [{ kind: 'added', paths: ['spec.rules', ...rules] }]
    case 'hosts-removed':
      return [{ kind: 'removed', paths: rules }]
    case 'class-moved':
      return [{ kind: 'added', paths: ['spec.ingressClassName'] }]
    case 'tls-first':
    case 'tls-added':
      return [{ kind: 'added', paths: ['spec.tls'] }]
    case 'tls-removed':
      return [{ kind: 'removed', paths: ['spec.tls'] }]
    default:
      return []
  }
}

/** Of a NetworkPolicy. */
const INGRESS_RULES = /^spec\.(ingress|policyTypes)\b/
const EGRESS_RULES = /^spec\.(egress|policyTypes)\b/
const ACCESS = /^(rules|subjects|roleRef|aggregationRule)\b/
const SCHEDULE = /^spec\.(schedule|timeZone|suspend)$/
const AT_ONCE = /^spec\.(strategy|updateStrategy)\.rollingUpdate\.maxUnavailable$/
const ADMISSION =
  /^(webhooks\[[^\]]*\]|spec\.(matchConstraints|matchResources)|spec)(\.(rules|resourceRules|excludeResourceRules|namespaceSelector|objectSelector|failurePolicy|matchPolicy|matchConditions|validationActions)\b|$)/
const EFFECTS =
  /^(globalDefault|preemptionPolicy|reclaimPolicy|handler|automountServiceAccountToken|spec\.insecureSkipTLSVerify)$/
