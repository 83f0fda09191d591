import { arrayAt, at, isJsonObject, type JsonObject, type KubeObject, stringAt } from '../model/object.ts'
import { builtInKind } from './built-in-kinds.ts'
import { claimSpec, pod, podTemplate } from './pod-defaults.ts'
import { withSecretData } from './secret-data.ts'
import { type StoredType, storedAs } from './stored-type.ts'

/**
 * The object as the API server would store it: with its defaults, and without what it leaves out. Of kinds whose defaults
 * are not known here, as it is. Left open is what the cluster decides: addresses, node ports, families of addresses, and
 * what admission adds. The status is not taken. Source: `pkg/apis/.../defaults.go` of Kubernetes (docs/decisions/0040).
 */
export function withApiDefaults(object: KubeObject): KubeObject {
  const type = typeOf(object)
  if (type === undefined) return object
  const { status: _status, ...rest } = withSecretData(object)
  const stored = storedAs(rest, type)
  return { ...stored, apiVersion: object.apiVersion, kind: object.kind, metadata: storedMetadata(object) }
}

function storedMetadata({ metadata }: KubeObject): KubeObject['metadata'] {
  return { ...storedAs(metadata, {}) }
}

function typeOf(object: KubeObject): StoredType | undefined {
  const kind = builtInKind(object)?.kind ?? ''
  // Other versions of these have other fields.
  const version = object.apiVersion.split('/').at(-1)
  if (version !== (kind === 'HorizontalPodAutoscaler' ? 'v2' : 'v1')) return undefined
  return Object.hasOwn(types, kind) ? types[kind] : undefined
}

/** Members of `spec`, of most kinds. */
function withSpec(spec: StoredType, kind: StoredType = {}): StoredType {
  return { ...kind, members: { ...kind.members, spec } }
}

const replicas = { replicas: 1 }
const history = { revisionHistoryLimit: 10 }

/** Of a Job and of the template of a CronJob. */
const jobSpec: StoredType = {
  members: {
    template: podTemplate,
    podFailurePolicy: { items: { rules: { items: { onPodConditions: { defaults: { status: 'True' } } } } } },
  },
}

/** A Job with neither number runs once; with `parallelism` alone, until one of its pods succeeds. */
function filledJob(spec: JsonObject): JsonObject {
  return {
    ...(spec.completions === undefined && spec.parallelism === undefined ? { completions: 1 } : {}),
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647,
    completionMode: 'NonIndexed',
    manualSelector: false,
    parallelism: 1,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
    suspend: false,
    ...spec,
  }
}

const service: StoredType = {
  defaults: { sessionAffinity: 'None', type: 'ClusterIP' },
  zeros: ['clusterIP', 'externalName', 'healthCheckNodePort', 'loadBalancerIP', 'publishNotReadyAddresses'],
  maps: ['selector'],
  items: { ports: { defaults: { protocol: 'TCP' }, zeros: ['name', 'nodePort', 'targetPort'], fill: withTargetPort } },
  fill: filledService,
}

function withTargetPort(port: JsonObject): JsonObject {
  return { ...port, targetPort: port.targetPort ?? port.port }
}

function filledService({ sessionAffinityConfig, ...spec }: JsonObject): JsonObject {
  const type = stringAt(spec, 'type')
  const isOutside = type === 'NodePort' || type === 'LoadBalancer'
  const hasExternalIps = type === 'ClusterIP' && arrayAt(spec, 'externalIPs').length > 0
  return {
    ...(type === 'ExternalName' ? {} : { internalTrafficPolicy: 'Cluster' }),
    ...(isOutside || hasExternalIps ? { externalTrafficPolicy: 'Cluster' } : {}),
    ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: true } : {}),
    ...spec,
    ...(spec.sessionAffinity === 'ClientIP' ? { sessionAffinityConfig: withTimeout(sessionAffinityConfig) } : {}),
  }
}

function withTimeout(config: JsonObject[string]): JsonObject {
  const isSet = isJsonObject(config) && at(config, 'clientIP', 'timeoutSeconds') !== undefined
  return isSet ? config : { clientIP: { timeoutSeconds: 10_800 } }
}

/** A strategy of rolling updates has limits, also where none are given. */
function withRollingUpdate(field: string, limits: JsonObject): (spec: JsonObject) => JsonObject {
  return (spec) => {
    const strategy = at(spec, field)
    if (!isJsonObject(strategy) || strategy.type !== 'RollingUpdate') return spec
    const given = isJsonObject(strategy.rollingUpdate) ? strategy.rollingUpdate : {}
    return { ...spec, [field]: { ...strategy, rollingUpdate: { ...limits, ...given } } }
  }
}

const strategyType: StoredType = { defaults: { type: 'RollingUpdate' } }

/** Where the type is given and the limits are not, a StatefulSet is left without them. */
function filledStatefulSetStrategy(strategy: JsonObject): JsonObject {
  const isTyped = strategy.type !== undefined
  const given = strategy.rollingUpdate ?? (isTyped ? undefined : {})
  const type = strategy.type ?? 'RollingUpdate'
  if (type !== 'RollingUpdate' || !isJsonObject(given)) return { ...strategy, type }
  return { ...strategy, type, rollingUpdate: { maxUnavailable: 1, partition: 0, ...given } }
}

const scalingLimits = (type: string, value: number): JsonObject => ({ type, value, periodSeconds: 15 })
const scaleUp: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [scalingLimits('Pods', 4), scalingLimits('Percent', 100)],
}
const scaleDown: JsonObject = { selectPolicy: 'Max', policies: [scalingLimits('Percent', 100)] }
const cpuMetric: JsonObject = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
}

const metric: StoredType = { members: { target: { quantities: ['averageValue', 'value'] } } }

const autoscaler: StoredType = {
  defaults: { minReplicas: 1, metrics: [cpuMetric] },
  items: {
    metrics: {
      members: { containerResource: metric, external: metric, object: metric, pods: metric, resource: metric },
    },
  },
  fill: (spec) =>
    isJsonObject(spec.behavior)
      ? {
          ...spec,
          behavior: {
            scaleUp: { ...scaleUp, ...objectIn(spec.behavior, 'scaleUp') },
            scaleDown: { ...scaleDown, ...objectIn(spec.behavior, 'scaleDown') },
          },
        }
      : spec,
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = at(object, key)
  return isJsonObject(value) ? value : {}
}

const policyPorts: StoredType = { items: { ports: { defaults: { protocol: 'TCP' } } } }

const networkPolicy: StoredType = {
  defaults: { podSelector: {} },
  items: { ingress: policyPorts, egress: policyPorts },
  fill: (spec) =>
    spec.policyTypes === undefined
      ? { ...spec, policyTypes: spec.egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'] }
      : spec,
}

const RBAC = 'rbac.authorization.k8s.io'

const binding: StoredType = {
  members: { roleRef: { defaults: { apiGroup: RBAC } } },
  items: {
    subjects: {
      zeros: ['apiGroup', 'namespace'],
      fill: (subject) => (subject.kind === 'ServiceAccount' ? subject : { apiGroup: RBAC, ...subject }),
    },
  },
}

const admissionRule: StoredType = { defaults: { scope: '*' } }
const matching = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }
const serviceReference: StoredType = { members: { service: { defaults: { port: 443 } } } }

const webhook: StoredType = {
  defaults: { ...matching, failurePolicy: 'Fail', timeoutSeconds: 10 },
  members: { clientConfig: { ...serviceReference, zeros: ['caBundle'] } },
  items: { rules: admissionRule },
}
const mutatingWebhook: StoredType = {
  ...webhook,
  defaults: { ...webhook.defaults, reinvocationPolicy: 'Never' },
}

const matchResources: StoredType = {
  defaults: matching,
  items: { resourceRules: admissionRule, excludeResourceRules: admissionRule },
}
const admissionPolicy = withSpec({ defaults: { failurePolicy: 'Fail' }, members: { matchConstraints: matchResources } })
const admissionBinding = withSpec({ members: { matchResources } })

function filledLimit(limit: JsonObject): JsonObject {
  if (limit.type !== 'Container') return limit
  const most = { ...objectIn(limit, 'max'), ...objectIn(limit, 'default') }
  const usual = { ...objectIn(limit, 'min'), ...most, ...objectIn(limit, 'defaultRequest') }
  return {
    ...limit,
    ...(Object.keys(most).length === 0 ? {} : { default: most }),
    ...(Object.keys(usual).length === 0 ? {} : { defaultRequest: usual }),
  }
}

const crd: StoredType = {
  members: {
    spec: {
      // Null and empty lists say something in a schema.
      raw: ['versions'],
      defaults: { conversion: { strategy: 'None' } },
      zeros: ['preserveUnknownFields'],
      members: {
        conversion: { members: { webhook: { members: { clientConfig: serviceReference } } } },
        names: {
          zeros: ['singular', 'listKind'],
          fill: (names) => {
            const kind = stringAt(names, 'kind') ?? ''
            return { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names }
          },
        },
      },
    },
  },
}

const retention = { whenDeleted: 'Retain', whenScaled: 'Retain' }

const types: { readonly [kind: string]: StoredType } = {
  // apps
  Deployment: withSpec({
    defaults: { ...replicas, ...history, progressDeadlineSeconds: 600, strategy: { type: 'RollingUpdate' } },
    zeros: ['minReadySeconds', 'paused'],
    members: { template: podTemplate, strategy: strategyType },
    fill: withRollingUpdate('strategy', { maxSurge: '25%', maxUnavailable: '25%' }),
  }),
  DaemonSet: withSpec({
    defaults: { ...history, updateStrategy: { type: 'RollingUpdate' } },
    zeros: ['minReadySeconds'],
    members: { template: podTemplate, updateStrategy: strategyType },
    fill: withRollingUpdate('updateStrategy', { maxSurge: 0, maxUnavailable: 1 }),
  }),
  StatefulSet: withSpec({
    defaults: {
      ...replicas,
      ...history,
      podManagementPolicy: 'OrderedReady',
      persistentVolumeClaimRetentionPolicy: retention,
      serviceName: '',
    },
    zeros: ['minReadySeconds'],
    members: { template: podTemplate, persistentVolumeClaimRetentionPolicy: { defaults: retention } },
    items: {
      volumeClaimTemplates: {
        defaults: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } },
        members: { spec: claimSpec },
      },
    },
    fill: (spec) => ({ ...spec, updateStrategy: filledStatefulSetStrategy(objectIn(spec, 'updateStrategy')) }),
  }),
  ReplicaSet: withSpec({ defaults: replicas, zeros: ['minReadySeconds'], members: { template: podTemplate } }),
  // batch
  Job: withSpec({ ...jobSpec, fill: filledJob }),
  CronJob: withSpec({
    defaults: { concurrencyPolicy: 'Allow', failedJobsHistoryLimit: 1, successfulJobsHistoryLimit: 3, suspend: false },
    members: {
      jobTemplate: {
        defaults: { metadata: {} },
        members: { spec: jobSpec },
      },
    },
  }),
  // core
  ConfigMap: { maps: ['data', 'binaryData'] },
  Endpoints: { items: { subsets: { items: { ports: { defaults: { protocol: 'TCP' } } } } } },
  LimitRange: withSpec({
    items: {
      limits: {
        quantities: ['default', 'defaultRequest', 'max', 'maxLimitRequestRatio', 'min'],
        fill: filledLimit,
      },
    },
  }),
  Namespace: {},
  PersistentVolume: withSpec({
    defaults: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
    quantities: ['capacity'],
    zeros: ['storageClassName'],
    members: { hostPath: { defaults: { type: '' } } },
  }),
  PersistentVolumeClaim: withSpec(claimSpec),
  Pod: pod,
  ReplicationController: withSpec({
    defaults: replicas,
    zeros: ['minReadySeconds'],
    maps: ['selector'],
    members: { template: podTemplate },
  }),
  ResourceQuota: withSpec({ quantities: ['hard'] }),
  Secret: { defaults: { type: 'Opaque' }, maps: ['data'] },
  Service: withSpec(service),
  ServiceAccount: {},
  // autoscaling, networking, policy
  HorizontalPodAutoscaler: withSpec(autoscaler),
  Ingress: withSpec({
    items: { rules: { zeros: ['host'], members: { http: { items: { paths: { zeros: ['path'] } } } } } },
  }),
  IngressClass: withSpec({ members: { parameters: { defaults: { scope: 'Cluster' } } } }),
  NetworkPolicy: withSpec(networkPolicy),
  PodDisruptionBudget: {},
  // rbac
  ClusterRole: {},
  ClusterRoleBinding: binding,
  Role: {},
  RoleBinding: binding,
  // scheduling, storage
  PriorityClass: { defaults: { preemptionPolicy: 'PreemptLowerPriority' }, zeros: ['description', 'globalDefault'] },
  StorageClass: { defaults: { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }, maps: ['parameters'] },
  CSIDriver: withSpec({
    defaults: {
      attachRequired: true,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      podInfoOnMount: false,
      preventPodSchedulingIfMissing: false,
      requiresRepublish: false,
      seLinuxMount: false,
      storageCapacity: false,
      volumeLifecycleModes: ['Persistent'],
    },
  }),
  // admission and extension of the API
  MutatingAdmissionPolicy: admissionPolicy,
  MutatingAdmissionPolicyBinding: admissionBinding,
  ValidatingAdmissionPolicy: admissionPolicy,
  ValidatingAdmissionPolicyBinding: admissionBinding,
  MutatingWebhookConfiguration: { items: { webhooks: mutatingWebhook } },
  ValidatingWebhookConfiguration: { items: { webhooks: webhook } },
  APIService: withSpec(serviceReference),
  CustomResourceDefinition: crd,
}
