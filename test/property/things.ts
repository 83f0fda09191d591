/** One object of a random release, as small numbers: what a number means is the kind's affair. */
export interface Thing {
  readonly kind: KindName
  /** Which of the objects of its kind. */
  readonly name: number
  /** The field that changes most often. */
  readonly value: number
  /** How many keys or list items there are, and how they are called. */
  readonly shape: number
  readonly labels: number
  /** A field that the API server lets nobody change. */
  readonly fixed: number
  /** Index in POLICIES. */
  readonly policy: number
}

export type KindName = Exclude<keyof typeof resources, 'CustomResourceDefinition'>

export interface Place {
  readonly namespace: string
  /** API group of this release's own kind. */
  readonly group: string
}

/** Annotations that say how an object is deployed; most objects have none. */
export const POLICIES: readonly { readonly [key: string]: string }[] = [
  {},
  { 'werf.io/weight': '-5' },
  { 'werf.io/weight': '10' },
  { 'helm.sh/resource-policy': 'keep' },
  { 'werf.io/ownership': 'anyone' },
  { 'werf.io/delete-policy': 'before-creation' },
  { 'werf.io/delete-policy': 'before-creation-if-immutable' },
  { 'werf.io/delete-policy': 'succeeded' },
  { 'werf.io/resource-policy': 'skip-update' },
  { 'werf.io/resource-policy': 'skip-create' },
  { 'werf.io/deploy-on': 'upgrade' },
  { 'werf.io/deploy-on': 'pre-upgrade,install' },
  { 'kots.io/creation-phase': '2' },
  { 'kots.io/keep': 'true' },
  { 'werf.io/sensitive': 'true' },
  { 'helm.sh/hook': 'pre-install,pre-upgrade' },
  { 'helm.sh/hook': 'post-upgrade', 'helm.sh/hook-weight': '3' },
  { 'helm.sh/hook': 'pre-upgrade,post-upgrade', 'helm.sh/hook-delete-policy': 'hook-succeeded' },
  { 'helm.sh/hook': 'post-install,post-upgrade', 'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded' },
  { 'helm.sh/hook': 'pre-upgrade', 'helm.sh/hook-delete-policy': 'hook-failed' },
  { 'helm.sh/hook': 'pre-rollback' },
]

export function nameOf({ kind, name }: Thing): string {
  return `${kind.toLowerCase()}-${name}`
}

/** Plurals as the API server's audit log has them. */
export const resources = {
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  Service: 'services',
  ServiceAccount: 'serviceaccounts',
  Deployment: 'deployments',
  StatefulSet: 'statefulsets',
  Job: 'jobs',
  CronJob: 'cronjobs',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  Ingress: 'ingresses',
  NetworkPolicy: 'networkpolicies',
  PodDisruptionBudget: 'poddisruptionbudgets',
  HorizontalPodAutoscaler: 'horizontalpodautoscalers',
  PersistentVolumeClaim: 'persistentvolumeclaims',
  Widget: 'widgets',
  CustomResourceDefinition: 'customresourcedefinitions',
} as const
