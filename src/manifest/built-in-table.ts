/** What is known about one built-in kind. A row has only what differs from the default of its column. */
export interface Row {
  /**
   * Versions that a kube-apiserver 1.37 serves without further settings, the preferred one first; `v1` by default. None
   * for lists and for removed kinds, which charts still contain. A test compares with discovery.
   */
  readonly versions?: readonly string[]
  /** Plural name in URLs; the regular plural by default. */
  readonly resource?: string
  /** Short names that kubectl takes; none by default. */
  readonly shortNames?: readonly string[]
  /** `namespaced` by default. */
  readonly scope?: Scope
  /** Whether there is a `status` subresource. */
  readonly hasStatus?: true
  /** Place in the order in which Helm creates kinds. Source: docs/sources.md#helm-kind-order. */
  readonly installOrder?: number
  /** The kind right after which it is deleted; by default the install order is reversed. Source: the same. */
  readonly uninstallAfter?: string
  /** `ready` by default. */
  readonly awaited?: Awaited
  /** Name of a rule in `readiness/`; `applied` by default. */
  readonly readiness?: ReadinessRule
  /** It runs to completion: as a hook it is waited for until it has finished. */
  readonly runsToEnd?: true
  /** None by default. */
  readonly pods?: PodPlace
  /** `count` by default. */
  readonly quota?: QuotaNames
  /** Nothing by default. */
  readonly serverChosen?: ServerChosen
  /** Runs containers: the diff of a change is shown before that of other kinds. */
  readonly isWorkload?: true
  /** Its deletion or recreation loses data or takes other objects with it. */
  readonly isPrecious?: true
  /** It serves, routes, guards or authenticates others: where it is deleted, they notice. */
  readonly isServing?: true
  /** Tools put a hash of the content into its name: each change makes a new object. */
  readonly isNamedByHash?: true
}

export type Scope = 'namespaced' | 'cluster'

/**
 * What is waited for after an object was applied: its readiness; nothing, because its status never changes; its
 * readiness where it is of type LoadBalancer; that it is established.
 */
export type Awaited = 'ready' | 'no' | 'load-balancer' | 'established'

/**
 * The rule for the readiness of a live object. `applied`: it is ready once it exists; among others, on purpose, for:
 * - Ingress: only some controllers write an address, and no other tool waits for it;
 * - HorizontalPodAutoscaler: its metrics may come from what a later group deploys;
 * - CronJob: runs nothing before its schedule.
 */
export type ReadinessRule =
  | 'applied'
  | 'api-service'
  | 'custom-resource-definition'
  | 'daemon-set'
  | 'deployment'
  | 'job'
  | 'namespace'
  | 'persistent-volume'
  | 'persistent-volume-claim'
  | 'pod'
  | 'pod-disruption-budget'
  | 'replica-set'
  | 'service'
  | 'stateful-set'

/**
 * Where the pods of an object are found, which show why it is not ready: it is a pod; it owns pods; it owns ReplicaSets
 * that own pods. Pods of the newest template are known by a label with the controller's revision, by one
 * with the template's generation, by the revision of their ReplicaSet; elsewhere they cannot be told from older ones.
 */
export type PodPlace = 'itself' | 'owned' | 'owned-by-revision' | 'owned-by-generation' | 'through-replica-sets'

/**
 * The limits of a ResourceQuota that an object counts against: `count/pods`, as any kind; its plural name as well, as
 * before Kubernetes 1.9; load balancers and node ports as well. Source: the quota evaluators of Kubernetes.
 */
export type QuotaNames = 'count' | 'by-name' | 'services'

/** What the API server or a controller chooses in an object on creation. */
export type ServerChosen = 'nothing' | 'addresses' | 'job-uid' | 'token-volumes'

/**
 * The built-in kinds of Kubernetes, by API group; `''` is the core group. All groups that the API server itself serves
 * are listed, also where none of their kinds needs a row: any kind in them is a built-in one.
 */
export const builtInTable: { readonly [group: string]: { readonly [kind: string]: Row } } = {
  '': {
    Binding: {},
    ComponentStatus: { shortNames: ['cs'], scope: 'cluster' },
    ConfigMap: { shortNames: ['cm'], installOrder: 10, awaited: 'no', quota: 'by-name', isNamedByHash: true },
    Endpoints: { resource: 'endpoints', shortNames: ['ep'], awaited: 'no' },
    Event: { shortNames: ['ev'] },
    LimitRange: { shortNames: ['limits'], installOrder: 4, awaited: 'no' },
    Namespace: {
      shortNames: ['ns'],
      scope: 'cluster',
      hasStatus: true,
      installOrder: 1,
      readiness: 'namespace',
      isPrecious: true,
    },
    Node: { shortNames: ['no'], scope: 'cluster', hasStatus: true },
    PersistentVolume: {
      shortNames: ['pv'],
      scope: 'cluster',
      hasStatus: true,
      installOrder: 12,
      readiness: 'persistent-volume',
      isPrecious: true,
    },
    PersistentVolumeClaim: {
      shortNames: ['pvc'],
      hasStatus: true,
      installOrder: 13,
      readiness: 'persistent-volume-claim',
      quota: 'by-name',
      isPrecious: true,
    },
    Pod: {
      shortNames: ['po'],
      hasStatus: true,
      installOrder: 25,
      readiness: 'pod',
      runsToEnd: true,
      pods: 'itself',
      quota: 'by-name',
      serverChosen: 'token-volumes',
      isWorkload: true,
    },
    PodTemplate: { awaited: 'no' },
    ReplicationController: {
      shortNames: ['rc'],
      hasStatus: true,
      installOrder: 26,
      readiness: 'replica-set',
      pods: 'owned',
      quota: 'by-name',
      isServing: true,
    },
    ResourceQuota: { shortNames: ['quota'], hasStatus: true, installOrder: 3, awaited: 'no', quota: 'by-name' },
    Secret: { installOrder: 8, awaited: 'no', quota: 'by-name', isServing: true, isNamedByHash: true },
    SecretList: { versions: [], installOrder: 9 },
    Service: {
      shortNames: ['svc'],
      hasStatus: true,
      installOrder: 23,
      uninstallAfter: 'IngressClass',
      awaited: 'load-balancer',
      readiness: 'service',
      quota: 'services',
      serverChosen: 'addresses',
      isServing: true,
    },
    ServiceAccount: { shortNames: ['sa'], installOrder: 7, awaited: 'no' },
  },
  'admissionregistration.k8s.io': {
    MutatingAdmissionPolicy: { scope: 'cluster', isServing: true },
    MutatingAdmissionPolicyBinding: { scope: 'cluster', isServing: true },
    MutatingWebhookConfiguration: { scope: 'cluster', installOrder: 36, awaited: 'no', isServing: true },
    ValidatingAdmissionPolicy: { scope: 'cluster', hasStatus: true, awaited: 'no', isServing: true },
    ValidatingAdmissionPolicyBinding: { scope: 'cluster', awaited: 'no', isServing: true },
    ValidatingWebhookConfiguration: { scope: 'cluster', installOrder: 37, awaited: 'no', isServing: true },
  },
  'apiextensions.k8s.io': {
    CustomResourceDefinition: {
      shortNames: ['crd', 'crds'],
      scope: 'cluster',
      hasStatus: true,
      installOrder: 14,
      awaited: 'established',
      readiness: 'custom-resource-definition',
      isPrecious: true,
    },
  },
  'apiregistration.k8s.io': {
    APIService: { scope: 'cluster', hasStatus: true, installOrder: 35, readiness: 'api-service', isServing: true },
  },
  apps: {
    ControllerRevision: {},
    DaemonSet: {
      shortNames: ['ds'],
      hasStatus: true,
      installOrder: 24,
      readiness: 'daemon-set',
      pods: 'owned-by-generation',
      isWorkload: true,
    },
    Deployment: {
      shortNames: ['deploy'],
      hasStatus: true,
      installOrder: 28,
      readiness: 'deployment',
      pods: 'through-replica-sets',
      isWorkload: true,
    },
    ReplicaSet: {
      shortNames: ['rs'],
      hasStatus: true,
      installOrder: 27,
      readiness: 'replica-set',
      pods: 'owned',
      isWorkload: true,
    },
    StatefulSet: {
      shortNames: ['sts'],
      hasStatus: true,
      installOrder: 30,
      readiness: 'stateful-set',
      pods: 'owned-by-revision',
      isWorkload: true,
      isPrecious: true,
    },
  },
  'authentication.k8s.io': {
    SelfSubjectReview: { scope: 'cluster' },
    TokenReview: { scope: 'cluster' },
  },
  'authorization.k8s.io': {
    LocalSubjectAccessReview: {},
    SelfSubjectAccessReview: { scope: 'cluster' },
    SelfSubjectRulesReview: { scope: 'cluster' },
    SubjectAccessReview: { scope: 'cluster' },
  },
  autoscaling: {
    HorizontalPodAutoscaler: { versions: ['v2', 'v1'], shortNames: ['hpa'], hasStatus: true, installOrder: 29 },
  },
  batch: {
    CronJob: { shortNames: ['cj'], hasStatus: true, installOrder: 32, awaited: 'no', isWorkload: true },
    Job: {
      hasStatus: true,
      installOrder: 31,
      readiness: 'job',
      runsToEnd: true,
      pods: 'owned',
      serverChosen: 'job-uid',
      isWorkload: true,
    },
  },
  'certificates.k8s.io': {
    CertificateSigningRequest: { shortNames: ['csr'], scope: 'cluster', hasStatus: true },
    ClusterTrustBundle: { scope: 'cluster' },
    PodCertificateRequest: { hasStatus: true },
  },
  'coordination.k8s.io': {
    Lease: { awaited: 'no' },
  },
  'discovery.k8s.io': {
    EndpointSlice: { awaited: 'no' },
  },
  'events.k8s.io': {
    Event: { shortNames: ['ev'] },
  },
  extensions: {
    PodSecurityPolicy: { versions: [], scope: 'cluster' },
  },
  'flowcontrol.apiserver.k8s.io': {
    FlowSchema: { scope: 'cluster', hasStatus: true },
    PriorityLevelConfiguration: { scope: 'cluster', hasStatus: true },
  },
  'internal.apiserver.k8s.io': {},
  'networking.k8s.io': {
    IPAddress: { shortNames: ['ip'], scope: 'cluster' },
    Ingress: { shortNames: ['ing'], hasStatus: true, installOrder: 34, isServing: true },
    IngressClass: { scope: 'cluster', installOrder: 33, awaited: 'no', isServing: true },
    NetworkPolicy: { shortNames: ['netpol'], installOrder: 2, awaited: 'no', isServing: true },
    ServiceCIDR: { scope: 'cluster', hasStatus: true },
  },
  'node.k8s.io': {
    RuntimeClass: { scope: 'cluster', awaited: 'no', isServing: true },
  },
  policy: {
    PodDisruptionBudget: { shortNames: ['pdb'], hasStatus: true, installOrder: 6, readiness: 'pod-disruption-budget' },
    PodSecurityPolicy: { versions: [], scope: 'cluster', installOrder: 5 },
  },
  'rbac.authorization.k8s.io': {
    ClusterRole: { scope: 'cluster', installOrder: 15, awaited: 'no' },
    ClusterRoleBinding: { scope: 'cluster', installOrder: 17, awaited: 'no' },
    ClusterRoleBindingList: { versions: [], installOrder: 18 },
    ClusterRoleList: { versions: [], installOrder: 16 },
    Role: { installOrder: 19, awaited: 'no' },
    RoleBinding: { installOrder: 21, awaited: 'no' },
    RoleBindingList: { versions: [], installOrder: 22 },
    RoleList: { versions: [], installOrder: 20 },
  },
  'resource.k8s.io': {
    DeviceClass: { scope: 'cluster' },
    DeviceTaintRule: { scope: 'cluster', hasStatus: true },
    ResourceClaim: { hasStatus: true },
    ResourceClaimTemplate: {},
    ResourceSlice: { scope: 'cluster' },
  },
  'scheduling.k8s.io': {
    PriorityClass: { shortNames: ['pc'], scope: 'cluster', installOrder: 0, awaited: 'no' },
  },
  'storage.k8s.io': {
    CSIDriver: { scope: 'cluster', awaited: 'no' },
    CSINode: { scope: 'cluster', hasStatus: true },
    CSIStorageCapacity: {},
    StorageClass: { shortNames: ['sc'], scope: 'cluster', installOrder: 11, awaited: 'no', isServing: true },
    VolumeAttachment: { scope: 'cluster', hasStatus: true },
    VolumeAttributesClass: { shortNames: ['vac'], scope: 'cluster' },
  },
  'storagemigration.k8s.io': {
    StorageVersionMigration: { scope: 'cluster', hasStatus: true },
  },
}
