import type { AccessMark, Permission } from '../model/impact.ts'

/** A right that lets an account reach further than its rules say. Resources by group: `pods.`, `roles.rbac.authorization.k8s.io`. */
interface RiskyRight {
  readonly mark: AccessMark
  /** Any of them. */
  readonly verbs: readonly string[]
  readonly group: string
  readonly resources: readonly string[]
  /** A role of one namespace cannot give it. */
  readonly isOfCluster?: true
  /** Harmless for objects that are named one by one. */
  readonly isForAnyName?: true
}

const READ = ['get', 'list', 'watch']
const WRITE = ['create', 'update', 'patch']
const RBAC = 'rbac.authorization.k8s.io'
const ROLES = ['roles', 'clusterroles']

/** Source: docs/sources.md#kubernetes-rbac-good-practices. */
const riskyRights: readonly RiskyRight[] = [
  { mark: 'escalate', verbs: ['escalate'], group: RBAC, resources: ROLES },
  { mark: 'bind', verbs: ['bind'], group: RBAC, resources: ROLES },
  { mark: 'impersonate', verbs: ['impersonate'], group: '', resources: ['users', 'groups', 'serviceaccounts'] },
  {
    mark: 'impersonate',
    verbs: ['impersonate'],
    group: 'authentication.k8s.io',
    resources: ['uids', 'userextras', 'userextras/*'],
    isOfCluster: true,
  },
  { mark: 'roles', verbs: WRITE, group: RBAC, resources: [...ROLES, 'rolebindings', 'clusterrolebindings'] },
  { mark: 'secrets', verbs: READ, group: '', resources: ['secrets'], isForAnyName: true },
  { mark: 'exec', verbs: ['create', 'get'], group: '', resources: ['pods/exec', 'pods/attach'] },
  { mark: 'exec', verbs: ['update', 'patch'], group: '', resources: ['pods/ephemeralcontainers'] },
  { mark: 'kubelet', verbs: [...READ, ...WRITE, 'delete'], group: '', resources: ['nodes/proxy'], isOfCluster: true },
  { mark: 'tokens', verbs: ['create'], group: '', resources: ['serviceaccounts/token'] },
  {
    mark: 'certificates',
    verbs: ['update', 'patch'],
    group: 'certificates.k8s.io',
    resources: ['certificatesigningrequests/approval'],
    isOfCluster: true,
  },
  {
    mark: 'certificates',
    verbs: ['approve', 'sign'],
    group: 'certificates.k8s.io',
    resources: ['signers'],
    isOfCluster: true,
  },
  {
    mark: 'admission',
    // Who deletes one takes away what it guards.
    verbs: [...WRITE, 'delete', 'deletecollection'],
    group: 'admissionregistration.k8s.io',
    resources: [
      'validatingwebhookconfigurations',
      'mutatingwebhookconfigurations',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
    ],
    isOfCluster: true,
  },
  { mark: 'apis', verbs: WRITE, group: 'apiregistration.k8s.io', resources: ['apiservices'], isOfCluster: true },
  { mark: 'volumes', verbs: ['create'], group: '', resources: ['persistentvolumes'], isOfCluster: true },
  { mark: 'namespaces', verbs: ['update', 'patch'], group: '', resources: ['namespaces'] },
  { mark: 'workloads', verbs: ['create'], group: '', resources: ['pods', 'replicationcontrollers'] },
  {
    mark: 'workloads',
    verbs: ['create'],
    group: 'apps',
    resources: ['deployments', 'statefulsets', 'daemonsets', 'replicasets'],
  },
  { mark: 'workloads', verbs: ['create'], group: 'batch', resources: ['jobs', 'cronjobs'] },
]

/** What is risky about a permission on resources, the worst first. */
export function permissionMarks(permission: Omit<Permission, 'marks'>, isNamespaced: boolean): readonly AccessMark[] {
  const { apiGroups = [], resources = [], verbs } = permission
  const isWildcard =
    [...verbs, ...apiGroups].includes('*') || resources.some((one) => one === '*' || one.startsWith('*/'))
  // Who may do everything needs no list of it.
  if ([verbs, apiGroups, resources].every((values) => values.includes('*'))) return ['wildcard']
  const risky = riskyRights.filter((right) => !(isNamespaced && right.isOfCluster) && gives(permission, right))
  return [...new Set<AccessMark>([...(isWildcard ? (['wildcard'] as const) : []), ...risky.map(({ mark }) => mark)])]
}

function gives(
  { apiGroups = [], resourceNames, resources = [], verbs }: Omit<Permission, 'marks'>,
  right: RiskyRight,
): boolean {
  if (right.isForAnyName && resourceNames !== undefined) return false
  const hasVerb = verbs.includes('*') || right.verbs.some((verb) => verbs.includes(verb))
  const hasGroup = apiGroups.includes('*') || apiGroups.includes(right.group)
  return hasVerb && hasGroup && right.resources.some((resource) => resources.some((one) => isSame(one, resource)))
}

/** `userextras/*` of the table stands for a subresource of any name. */
function isSame(listed: string, risky: string): boolean {
  if (listed === '*' || listed === risky) return true
  const [resource, sub] = risky.split('/', 2)
  if (sub === undefined) return false
  return sub === '*' ? listed.startsWith(`${resource}/`) : listed === `*/${sub}`
}
