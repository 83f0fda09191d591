import {
  arrayAt,
  at,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  type KubeObject,
  numberAt,
  stringAt,
} from '../model/object.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { conditionOf, conditionReason, conditionsIn, conditionsOf, isTrue } from './conditions.ts'
import { judgeAll } from './generic-conditions.ts'
import { genericReadiness, staleStatus } from './generic-readiness.ts'
import { promoter } from './gitops-promoter.ts'
import { ERROR_GRACE_SECONDS, failedAfter, progressing, ready, tooFew, turning } from './verdict.ts'

/** Undefined: the generic rules decide. */
export type CustomKindRule = (object: KubeObject, facts: ReadinessFacts) => Readiness | undefined

/** How long Prometheus may have no ready pod, in seconds: it reads its whole write-ahead log before it is ready. */
const PROMETHEUS_GRACE_SECONDS = 300

/** How long a ready status without a generation is checked again, in seconds. */
const SETTLE_SECONDS = 2

/**
 * Custom kinds that the generic rules judge wrongly, by `group/Kind` or `group/*`.
 * Sources: docs/sources.md#kubedog-generic-tracker, the cases in test/readiness/cases.
 */
const RULES = new Map<string, CustomKindRule>([
  ['acid.zalan.do/postgresql', byField(['PostgresClusterStatus'], { ready: ['Running'], failed: /Failed$|^Invalid$/ })],
  ['argoproj.io/Application', byField(['health', 'status'], { ready: ['Healthy'], failed: /^Degraded$/ })],
  ['argoproj.io/Rollout', byField(['phase'], { ready: ['Healthy'], failed: /^Degraded$/ })],
  ['argoproj.io/ApplicationSet', byConditions(['ResourcesUpToDate'])],
  ['bitnami.com/SealedSecret', byConditions(['Synced'], { falseIsFailure: true })],
  ['cassandra.rook.io/Cluster', cassandraRacks],
  ['external-secrets.io/ClusterExternalSecret', partlyReady],
  ['flagger.app/Canary', byField(['phase'], { ready: ['Initialized', 'Succeeded'], failed: /^Failed$/ })],
  ['gateway.networking.k8s.io/Gateway', byConditions(['Accepted', 'Programmed'])],
  ['gateway.networking.k8s.io/GRPCRoute', routeParents],
  ['gateway.networking.k8s.io/HTTPRoute', routeParents],
  ['kafka.banzaicloud.io/KafkaCluster', kafkaCluster],
  ['longhorn.io/Backup', byField(['state'], { ready: ['Completed'], failed: /^Error$/ })],
  ['longhorn.io/Volume', byField(['state'], { ready: ['attached', 'detached'], failed: /^faulted$/ })],
  [
    'minio.min.io/Tenant',
    byField(['currentState'], {
      ready: ['Initialized'],
      failed: /^Another MinIO Tenant|not set properly$|not controlled by operator$|Not Allowed$|^Different versions/,
    }),
  ],
  ['monitoring.coreos.com/Alertmanager', prometheus],
  ['monitoring.coreos.com/Prometheus', prometheus],
  ['monitoring.coreos.com/ThanosRuler', prometheus],
  ['numaflow.numaproj.io/*', numaplane],
  ['promoter.argoproj.io/*', promoter],
  ['source.toolkit.fluxcd.io/HelmRepository', ociRepository],
])

/** Kinds whose controller always writes a Ready condition: where it is missing, it is waited for. */
const ALWAYS_REPORT: ReadonlySet<string> = new Set([
  'cert-manager.io/Certificate',
  'cert-manager.io/ClusterIssuer',
  'cert-manager.io/Issuer',
  'external-secrets.io/ClusterExternalSecret',
  'external-secrets.io/ClusterSecretStore',
  'external-secrets.io/ExternalSecret',
  'external-secrets.io/PushSecret',
  'external-secrets.io/SecretStore',
  'helm.toolkit.fluxcd.io/HelmRelease',
  'k8s.keycloak.org/Keycloak',
  'kafka.strimzi.io/Kafka',
  'kustomize.toolkit.fluxcd.io/Kustomization',
  'postgresql.cnpg.io/Cluster',
  'serving.knative.dev/Service',
])

export function customKindReadiness(group: string, object: KubeObject, facts: ReadinessFacts): Readiness {
  const key = `${group}/${object.kind}`
  const rule = RULES.get(key) ?? RULES.get(`${group}/*`)
  const verdict = rule?.(object, facts) ?? genericReadiness(object, facts)
  if (verdict.state === 'ready') return settled(verdict, object, facts)
  const mayStayUnknown = verdict.state === 'progressing' && verdict.then?.state === 'unknown'
  return mayStayUnknown && ALWAYS_REPORT.has(key) ? progressing(verdict.reason) : verdict
}

/**
 * A status without a generation may still be about the spec before this deploy: its controller gets a moment to observe
 * the new one. Source: docs/sources.md#kubedog-generic-tracker.
 */
function settled(verdict: Readiness, object: KubeObject, facts: ReadinessFacts): Readiness {
  const isNew = (object.metadata.generation ?? 1) <= 1
  const namesGeneration =
    numberAt(object, 'status', 'observedGeneration') !== undefined ||
    conditionsOf(object).some(({ observedGeneration }) => observedGeneration !== undefined)
  if (facts.waitingSinceMs === undefined || isNew || namesGeneration) return verdict
  const leftSeconds = SETTLE_SECONDS - (facts.nowMs - facts.waitingSinceMs) / 1_000
  return leftSeconds > 0 ? turning(verdict.reason, leftSeconds, verdict) : verdict
}

/** One field below `status` decides; any other value means progressing. */
function byField(
  path: readonly string[],
  says: { readonly ready: readonly string[]; readonly failed: RegExp },
): CustomKindRule {
  return (object, facts) => {
    const value = stringAt(object, 'status', ...path)
    if (value === undefined || value === '') return progressing({ code: 'no-status' })
    const reason = { code: 'field', path: `.status.${path.join('.')}`, value } as const
    if (says.failed.test(value)) return staleStatus(object) ?? failedAfter(ERROR_GRACE_SECONDS, { reason }, facts)
    return staleStatus(object) ?? (says.ready.includes(value) ? ready(reason) : progressing(reason))
  }
}

/** All of these conditions must be there and True. */
function byConditions(types: readonly string[], options: { readonly falseIsFailure?: boolean } = {}): CustomKindRule {
  return (object, facts) => {
    const found = types.flatMap((type) => conditionOf(conditionsOf(object), type) ?? [])
    const stale = staleStatus(object)
    if (stale !== undefined) return stale
    const verdict = judgeAll(found, { object, facts, isSuspended: false }, options)
    if (verdict === undefined) return progressing({ code: 'no-status' })
    return verdict.state === 'ready' && found.length < types.length ? progressing({ code: 'no-status' }) : verdict
  }
}

function cassandraRacks(object: KubeObject): Readiness {
  const racks = at(object, 'status', 'racks')
  const counts = isJsonObject(racks) ? Object.values(racks) : []
  if (counts.length === 0) return progressing({ code: 'no-status' })
  const want = sum(counts, 'members')
  const have = sum(counts, 'readyMembers')
  return have < want ? tooFew('ready', have, want) : ready({ code: 'replicas', what: 'ready', have, want })
}

function sum(counts: readonly (JsonValue | undefined)[], key: string): number {
  return counts.reduce<number>((total, entry) => total + (numberAt(entry, key) ?? 0), 0)
}

/** A secret that reached only some namespaces; there is no Ready condition meanwhile. */
function partlyReady(object: KubeObject, facts: ReadinessFacts): Readiness | undefined {
  const conditions = conditionsOf(object)
  const partly = conditionOf(conditions, 'PartiallyReady')
  if (partly === undefined || !isTrue(partly) || isTrue(conditionOf(conditions, 'Ready'))) return undefined
  const { lastTransitionTime: since } = partly
  return failedAfter(ERROR_GRACE_SECONDS, { reason: conditionReason(partly), since }, facts)
}

/** Running, the topic of its balancer ready, and every broker with the newest configuration. */
function kafkaCluster(object: KubeObject): Readiness {
  const brokers = at(object, 'status', 'brokersState')
  const states = isJsonObject(brokers) ? Object.entries(brokers) : []
  const words: readonly (readonly [path: string, value: string | undefined, want: string])[] = [
    ['.status.state', stringAt(object, 'status', 'state'), 'ClusterRunning'],
    [
      '.status.cruiseControlTopicStatus',
      stringAt(object, 'status', 'cruiseControlTopicStatus'),
      'CruiseControlTopicReady',
    ],
    ...states.map(
      ([name, state]) =>
        [`.status.brokersState.${name}`, stringAt(state, 'configurationState'), 'ConfigInSync'] as const,
    ),
  ]
  const open = words.find(([, value, want]) => value !== want) ?? words[0]
  if (open === undefined || open[1] === undefined) return progressing({ code: 'no-status' })
  const [path, value, want] = open
  const reason = { code: 'field', path, value } as const
  return value === want ? ready(reason) : progressing(reason)
}

/** Every start begins with `Available` False and no pod ready. */
function prometheus(object: KubeObject, facts: ReadinessFacts): Readiness | undefined {
  const available = conditionOf(conditionsOf(object), 'Available')
  if (available?.status !== 'False' || staleStatus(object) !== undefined) return undefined
  const { lastTransitionTime: since } = available
  return failedAfter(PROMETHEUS_GRACE_SECONDS, { reason: conditionReason(available), since }, facts)
}

/** Numaplane labels an upgrade that failed; the status is then about the old version. */
function numaplane(object: KubeObject, facts: ReadinessFacts): Readiness | undefined {
  const value = object.metadata.labels?.['numaplane.numaproj.io/progressive-result-state']
  if (value !== 'failed') return undefined
  const reason = { code: 'field', path: '.metadata.labels.progressive-result-state', value } as const
  return failedAfter(ERROR_GRACE_SECONDS, { reason }, facts)
}

/** Flux never writes a status for them: there is nothing to fetch. */
function ociRepository(object: KubeObject): Readiness | undefined {
  return stringAt(object, 'spec', 'type') === 'oci' ? ready() : undefined
}

/** Every gateway that the route names has accepted it. */
function routeParents(object: KubeObject, facts: ReadinessFacts): Readiness {
  const parents = arrayAt(object, 'status', 'parents')
  const conditions = parents.flatMap((parent) => {
    const entries = at(parent, 'conditions')
    return isJsonArray(entries) ? conditionsIn(entries) : []
  })
  const own = conditions.filter(({ type }) => type === 'Accepted' || type === 'ResolvedRefs')
  const verdict = judgeAll(own, { object, facts, isSuspended: false })
  return verdict ?? progressing({ code: 'no-status' })
}
