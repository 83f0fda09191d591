import type { JsonObject } from '../../src/model/object.ts'

/**
 * One object of nearly every built-in kind, written as charts write them: with empty maps and lists, nulls, quantities in
 * other units, numbers where texts are stored, defaults spelled out and left out, `status` and `creationTimestamp`.
 * Names end in `-n`, so that copies of one scene do not meet. The order is that in which they can be applied.
 */
export function everyKind(n: string): string {
  return `
apiVersion: v1
kind: Namespace
metadata: { name: every-${n}, labels: { team: a }, creationTimestamp: null }
spec: {}
status: {}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: policy-${n} }
spec:
  podSelector: {}
  policyTypes: [Ingress, Egress]
  ingress: [{ from: [{ namespaceSelector: {}, podSelector: { matchLabels: { app: web } } }], ports: [{ port: 80 }, { port: http, protocol: TCP }] }]
  egress: [{}]
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: quota-${n} }
spec: { hard: { requests.storage: 1048576Gi, pods: 10000, count/deployments.apps: "5000" } }
---
apiVersion: v1
kind: LimitRange
metadata: { name: range-${n} }
spec: { limits: [{ type: PersistentVolumeClaim, max: { storage: 1024Ti } }] }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: budget-${n} }
spec: { minAvailable: 1, selector: { matchLabels: { app: web-${n} } } }
status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: budget-percent-${n} }
spec: { maxUnavailable: "25%", selector: { matchExpressions: [{ key: app, operator: In, values: [b, a] }] } }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: account-${n}, annotations: {}, labels: null }
automountServiceAccountToken: false
imagePullSecrets: [{ name: pull }]
secrets: []
---
apiVersion: v1
kind: Secret
metadata: { name: text-${n} }
type: Opaque
stringData: { password: hunter2, empty: "", config.yaml: "a: 1\\nb: ü\\n" }
---
apiVersion: v1
kind: Secret
metadata: { name: both-${n} }
data: { user: YWRtaW4=, password: b2xk }
stringData: { password: new }
---
apiVersion: v1
kind: Secret
metadata: { name: data-${n} }
type: kubernetes.io/dockerconfigjson
data: { .dockerconfigjson: "eyJhdXRocyI6e319" }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: map-${n} }
data: { a: "1", text: "line\\n" }
binaryData: { blob: AAEC }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: empty-${n} }
data: {}
---
apiVersion: v1
kind: ConfigMap
metadata: { name: nothing-${n} }
data: null
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: claim-${n} }
spec: { storageClassName: class-${n}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1024Mi } } }
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: volume-${n} }
spec:
  capacity: { storage: 2048Mi }
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: manual-${n}
  hostPath: { path: /data }
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: class-${n} }
provisioner: example.com/none
parameters: { type: gp3 }
allowVolumeExpansion: true
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: priority-${n} }
value: 1000
globalDefault: false
description: ""
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader-${n}, labels: { aggregate-to-${n}: "true" } }
rules: [{ apiGroups: [""], resources: [pods], verbs: [get, list] }, { nonResourceURLs: [/metrics], verbs: [get] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: aggregated-${n} }
aggregationRule: { clusterRoleSelectors: [{ matchLabels: { aggregate-to-${n}: "true" } }] }
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: reader-${n} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader-${n} }
subjects: [{ kind: ServiceAccount, name: account-${n}, namespace: default }, { kind: User, name: jane }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: role-${n} }
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: role-${n} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: role-${n} }
subjects: [{ kind: Group, name: team, apiGroup: rbac.authorization.k8s.io }]
---
apiVersion: v1
kind: Service
metadata: { name: service-${n} }
spec:
  type: ClusterIP
  clusterIP: ""
  loadBalancerIP: ""
  externalIPs: []
  selector: { app: web }
  ports: [{ name: http, port: 80, targetPort: 8080 }, { name: dns, port: 53, targetPort: dns, protocol: UDP }, { name: dns-tcp, port: 53, targetPort: dns, protocol: TCP }]
status: { loadBalancer: {} }
---
apiVersion: v1
kind: Service
metadata: { name: headless-${n} }
spec: { clusterIP: None, selector: { app: db }, publishNotReadyAddresses: true, ports: [{ port: 5432 }] }
---
apiVersion: v1
kind: Service
metadata: { name: node-${n} }
spec: { type: NodePort, externalTrafficPolicy: Local, sessionAffinity: ClientIP, selector: { app: web }, ports: [{ port: 80, nodePort: null }] }
---
apiVersion: v1
kind: Service
metadata: { name: name-${n} }
spec: { type: ExternalName, externalName: example.com }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: daemon-${n} }
spec:
  selector: { matchLabels: { app: daemon } }
  updateStrategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 10% } }
  template:
    metadata: { labels: { app: daemon }, creationTimestamp: null }
    spec:
      nodeSelector: { none: "here" }
      tolerations: [{ operator: Exists }]
      containers: [{ name: a, image: a, resources: { limits: { cpu: 1, memory: 1024Mi } }, securityContext: {}, volumeMounts: [{ name: run, mountPath: /run }] }]
      volumes: [{ name: run, hostPath: { path: /run } }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web-${n}, annotations: null, labels: { app: web, version: "1" } }
spec:
  replicas: 0
  strategy: {}
  revisionHistoryLimit: 3
  selector: { matchLabels: { app: web-${n} } }
  template:
    metadata: { labels: { app: web-${n} }, annotations: {}, creationTimestamp: null }
    spec:
      serviceAccount: account-${n}
      affinity: {}
      nodeSelector: {}
      tolerations: []
      imagePullSecrets: null
      hostAliases: []
      securityContext: {}
      initContainers: []
      terminationGracePeriodSeconds: 30
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]
      containers:
        - name: web
          image: "web:1"
          args: []
          command: null
          env:
            - { name: EMPTY, value: "" }
            - { name: PLAIN, value: "1" }
            - { name: FIELD, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
            - { name: LIMIT, valueFrom: { resourceFieldRef: { resource: limits.cpu } } }
            - { name: KEY, valueFrom: { secretKeyRef: { name: text-${n}, key: password } } }
          envFrom: [{ configMapRef: { name: map-${n} } }]
          ports: [{ containerPort: 8080, name: http }, { containerPort: 8080, protocol: UDP, name: quic }]
          resources: { requests: { cpu: 0.5, memory: 1024Mi, ephemeral-storage: 1e9 }, limits: { cpu: 1000m, memory: 1.5Gi } }
          livenessProbe: { httpGet: { path: /, port: http }, initialDelaySeconds: 0 }
          readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 10 }
          startupProbe: { exec: { command: [a] } }
          lifecycle: { preStop: { exec: { command: [sleep, "1"] } } }
          securityContext: { capabilities: { drop: [ALL] }, runAsNonRoot: true }
          volumeMounts: [{ name: tmp, mountPath: /tmp }, { name: map, mountPath: /map, subPath: a, readOnly: true }, { name: all, mountPath: /all }]
      volumes:
        - { name: tmp, emptyDir: {} }
        - { name: memory, emptyDir: { medium: Memory, sizeLimit: 1024Mi } }
        - { name: map, configMap: { name: map-${n}, defaultMode: 420 } }
        - { name: key, secret: { secretName: text-${n} } }
        - { name: all, projected: { sources: [{ serviceAccountToken: { path: token } }, { configMap: { name: map-${n} } }, { downwardAPI: { items: [{ path: labels, fieldRef: { fieldPath: metadata.labels } }] } }] } }
status: {}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db-${n} }
spec:
  replicas: 0
  serviceName: headless-${n}
  podManagementPolicy: OrderedReady
  updateStrategy: { type: RollingUpdate, rollingUpdate: {} }
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: a, image: a, volumeMounts: [{ name: data, mountPath: /data }] }] }
  volumeClaimTemplates:
    - metadata: { name: data, creationTimestamp: null }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 10240Mi } } }
      status: {}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: { name: set-${n} }
spec: { replicas: 0, selector: { matchLabels: { app: set } }, template: { metadata: { labels: { app: set } }, spec: { containers: [{ name: a, image: a }] } } }
---
apiVersion: v1
kind: ReplicationController
metadata: { name: controller-${n} }
spec: { replicas: 0, selector: { app: rc }, template: { metadata: { labels: { app: rc } }, spec: { containers: [{ name: a, image: a }] } } }
---
apiVersion: v1
kind: Pod
metadata: { name: pod-${n} }
spec:
  containers: [{ name: a, image: a, resources: { requests: { cpu: "0.25" } } }]
---
apiVersion: v1
kind: PodTemplate
metadata: { name: template-${n} }
template: { metadata: { labels: { app: x } }, spec: { containers: [{ name: a, image: a }] } }
---
apiVersion: batch/v1
kind: Job
metadata: { name: job-${n} }
spec: { suspend: true, backoffLimit: 3, template: { spec: { restartPolicy: Never, containers: [{ name: a, image: a, resources: {} }] } } }
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: cron-${n} }
spec:
  schedule: "0 3 * * *"
  suspend: true
  jobTemplate: { spec: { template: { spec: { restartPolicy: OnFailure, containers: [{ name: a, image: a, env: [] }] } } } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: v2-${n} }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web-${n} }
  minReplicas: 1
  maxReplicas: 3
  metrics:
    - { type: Resource, resource: { name: memory, target: { type: AverageValue, averageValue: 1024Mi } } }
    - { type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 80 } } }
    - { type: Pods, pods: { metric: { name: rate }, target: { type: AverageValue, averageValue: "1.5" } } }
  behavior: { scaleDown: { stabilizationWindowSeconds: 300 } }
---
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: { name: v1-${n} }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web-${n} }
  maxReplicas: 3
  targetCPUUtilizationPercentage: 80
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: ingress-${n} }
spec: { controller: example.com/none }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ingress-${n}, annotations: { example.com/a: "1" } }
spec:
  ingressClassName: ingress-${n}
  tls: [{ hosts: [example.com], secretName: tls }]
  rules: [{ host: example.com, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: service-${n}, port: { number: 80 } } } }, { path: /b, pathType: Prefix, backend: { service: { name: service-${n}, port: { name: http } } } }] } }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: validating-${n} }
webhooks:
  - name: a.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Ignore
    clientConfig: { caBundle: "", service: { name: service-${n}, namespace: default, path: /validate } }
    rules: [{ apiGroups: [none.example.com], apiVersions: [v1], operations: [CREATE], resources: [widgets] }]
    namespaceSelector: {}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: mutating-${n} }
webhooks:
  - name: b.example.com
    admissionReviewVersions: [v1, v1beta1]
    sideEffects: None
    failurePolicy: Ignore
    timeoutSeconds: 5
    clientConfig: { caBundle: Cg==, service: { name: service-${n}, namespace: default, port: 443 } }
    rules: [{ apiGroups: [none.example.com], apiVersions: ["*"], operations: ["*"], resources: ["*"] }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: admission-${n} }
spec:
  failurePolicy: Ignore
  matchConstraints: { resourceRules: [{ apiGroups: [none.example.com], apiVersions: [v1], operations: [CREATE], resources: [widgets] }] }
  validations: [{ expression: "true" }]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: slice-${n} }
addressType: IPv4
endpoints: [{ addresses: [10.1.2.3], conditions: {} }]
ports: [{ name: "", port: 80 }]
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: { name: lease-${n} }
spec: {}
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: { name: runtime-${n} }
handler: none
overhead: { podFixed: { cpu: 0.25, memory: 120Mi } }
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: { name: driver-${n} }
spec: { attachRequired: false }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.g${n}.example.com, creationTimestamp: null, annotations: { controller-gen.kubebuilder.io/version: v0.14.0 } }
spec:
  group: g${n}.example.com
  names: { kind: Widget, plural: widgets }
  scope: Namespaced
  preserveUnknownFields: false
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .spec.size }]
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: { size: { type: integer, default: 1 }, name: { type: string }, port: { x-kubernetes-int-or-string: true }, items: { type: array, items: { type: string } } }
            status: { type: object, x-kubernetes-preserve-unknown-fields: true }
status: { acceptedNames: { kind: "", plural: "" }, conditions: [], storedVersions: [] }
`
}

/** Custom resources of the CRD of that scene. */
export function customResources(n: string): string {
  return `
apiVersion: g${n}.example.com/v1
kind: Widget
metadata: { name: plain-${n} }
spec: { name: a, port: 80, items: [] }
status: {}
---
apiVersion: g${n}.example.com/v1
kind: Widget
metadata: { name: empty-${n}, annotations: {} }
spec: {}
`
}

export interface Edit {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** JSON merge patch, sent by another manager than ours. */
  readonly patch: JsonObject
  /** An apply would leave it as it is: the plan shows nothing. */
  readonly isHarmless?: true
}

/** What people and controllers change in objects of that scene, above all where empty and left-out values meet. */
export function drifts(n: string): readonly Edit[] {
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', name: `map-${n}`, patch: { data: { a: '2' } } },
    { apiVersion: 'v1', kind: 'ConfigMap', name: `empty-${n}`, patch: { data: { theirs: '1' } }, isHarmless: true },
    { apiVersion: 'v1', kind: 'Secret', name: `text-${n}`, patch: { data: { password: 'b3RoZXI=' } } },
    { apiVersion: 'v1', kind: 'Secret', name: `both-${n}`, patch: { data: { theirs: 'eA==' } }, isHarmless: true },
    { apiVersion: 'v1', kind: 'ServiceAccount', name: `account-${n}`, patch: { automountServiceAccountToken: null } },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      name: `policy-${n}`,
      patch: { spec: { podSelector: { matchLabels: { app: 'other' } } } },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      name: `node-${n}`,
      patch: { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } } },
      isHarmless: true,
    },
    { apiVersion: 'v1', kind: 'ResourceQuota', name: `quota-${n}`, patch: { spec: { hard: { pods: '9k' } } } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: `web-${n}`,
      patch: {
        spec: { template: { spec: { nodeSelector: { disk: 'fast' }, tolerations: [{ operator: 'Exists' }] } } },
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      name: `daemon-${n}`,
      patch: { spec: { template: { metadata: { annotations: { restarted: 'now' } } } } },
      isHarmless: true,
    },
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      name: `v2-${n}`,
      patch: { spec: { maxReplicas: 9 } },
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      name: `role-${n}`,
      patch: { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
    },
    {
      apiVersion: `g${n}.example.com/v1`,
      kind: 'Widget',
      name: `plain-${n}`,
      patch: { spec: { name: null } },
    },
  ]
}

/** 1,000 objects of ten kinds, in one namespace, as YAML. */
export function thousandObjects(): string {
  const each = (name: string) => [
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { a: "1" }`,
    `apiVersion: v1\nkind: Secret\nmetadata: { name: ${name} }\nstringData: { password: "${name}" }`,
    `apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: ${name} }\nsecrets: []`,
    `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\nspec: { clusterIP: None, selector: { app: a }, ports: [{ port: 80 }] }`,
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: ${name} }\nrules: []`,
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: { name: ${name} }\nroleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${name} }\nsubjects: [{ kind: ServiceAccount, name: ${name} }]`,
    `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: ${name} }\nspec: { podSelector: {}, ingress: [{}] }`,
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: ${name} }\nspec: { minAvailable: 0, selector: { matchLabels: { app: ${name} } } }\nstatus: {}`,
    `apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: ${name} }\nspec: { schedule: "0 3 * * *", suspend: true, jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: a, env: [{ name: A, value: "" }], resources: { requests: { cpu: 0.5, memory: 1024Mi } } }] } } } } }`,
    `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: ${name}, annotations: {} }\nspec: { defaultBackend: { service: { name: ${name}, port: { number: 80 } } } }`,
  ]
  return Array.from({ length: 100 }, (_, index) => each(`object-${index}`))
    .flat()
    .join('\n---\n')
}
