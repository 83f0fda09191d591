import type { AccessMark, Account, BoundRole } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type KubeObject, stringAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'

/** Whom the bindings give the role, each account once. */
export function boundAccounts(role: Ref, bindings: readonly KubeObject[]): readonly Account[] {
  return once(bindings.filter((binding) => binds(binding, role)).flatMap((binding) => subjectsOf(binding)))
}

/** The accounts that a binding names, with where the rights count. */
export function subjectsOf(binding: JsonObject): readonly Account[] {
  const namespace = stringAt(binding, 'metadata', 'namespace')
  const isNamespaced = stringAt(binding, 'kind') === 'RoleBinding'
  const within = isNamespaced && namespace !== undefined ? { within: namespace } : {}
  return once(
    arrayAt(binding, 'subjects').flatMap((subject) => {
      const [kind, name] = [stringAt(subject, 'kind'), stringAt(subject, 'name')]
      if (kind === undefined || name === undefined) return []
      const own = kind === 'ServiceAccount' ? (stringAt(subject, 'namespace') ?? namespace) : undefined
      return [{ kind, name, ...(own === undefined ? {} : { namespace: own }), ...within }]
    }),
  )
}

export function boundRole(binding: JsonObject): BoundRole | undefined {
  const [kind, name] = [stringAt(binding, 'roleRef', 'kind'), stringAt(binding, 'roleRef', 'name')]
  return kind === undefined || name === undefined ? undefined : { kind, name }
}

/** The role of the release that a binding gives. */
export function roleOfBinding(binding: JsonObject, roles: readonly KubeObject[]): KubeObject | undefined {
  return roles.find(({ kind, metadata }) =>
    binds(binding, { kind, name: metadata.name ?? '', namespace: metadata.namespace ?? '' }),
  )
}

function binds(binding: JsonObject, { kind, name, namespace = '' }: Pick<Ref, 'kind' | 'name' | 'namespace'>): boolean {
  const given = boundRole(binding)
  if (given?.kind !== kind || given.name !== name) return false
  return kind !== 'Role' || (stringAt(binding, 'metadata', 'namespace') ?? '') === namespace
}

const AGGREGATE_TO = 'rbac.authorization.k8s.io/aggregate-to-'

/** Roles of Kubernetes that collect this one by its labels. Source: docs/sources.md#kubernetes-rbac-rules. */
export function aggregatedInto(role: JsonObject | undefined): readonly Account[] {
  const labels = at(role, 'metadata', 'labels')
  return Object.entries(isJsonObject(labels) ? labels : {})
    .filter(([key, value]) => key.startsWith(AGGREGATE_TO) && value === 'true')
    .map(([key]) => ({ kind: 'ClusterRole', name: key.slice(AGGREGATE_TO.length) }))
}

/** What is in the first list and not in the second. */
export function accountsNotIn(accounts: readonly Account[], others: readonly Account[]): readonly Account[] {
  const known = new Set(others.map(accountKey))
  return accounts.filter((account) => !known.has(accountKey(account)))
}

/** ClusterRoles of Kubernetes that read Secrets and run pods as any ServiceAccount; `view` does neither. */
const MARKS_OF_ROLES: ReadonlyMap<string, readonly AccessMark[]> = new Map([
  ['cluster-admin', ['cluster-admin']],
  ['admin', ['secrets', 'workloads', 'roles']],
  ['edit', ['secrets', 'workloads']],
])

/** Sources: docs/sources.md#kubernetes-rbac-good-practices, docs/sources.md#kubernetes-rbac-rules. */
export function accountMarks(accounts: readonly Account[], role: BoundRole | undefined): readonly AccessMark[] {
  const marksOfAll = new Set(accounts.flatMap((account) => markOfAccount(account) ?? []))
  return [
    ...(role?.kind === 'ClusterRole' ? (MARKS_OF_ROLES.get(role.name) ?? []) : []),
    ...MARKS_OF_ACCOUNTS.filter((mark) => marksOfAll.has(mark)),
  ]
}

/** The worst first. */
const MARKS_OF_ACCOUNTS = ['masters', 'anonymous', 'everyone', 'namespace-accounts', 'default-account'] as const

/** Of accounts that nobody has to be given. Source: docs/sources.md#kubernetes-rbac-rules. */
function markOfAccount({ kind, name }: Account): (typeof MARKS_OF_ACCOUNTS)[number] | undefined {
  if (kind === 'ServiceAccount') return name === 'default' ? 'default-account' : undefined
  if (kind === 'User') return name === 'system:anonymous' ? 'anonymous' : undefined
  switch (name) {
    case 'system:masters':
      return 'masters'
    case 'system:unauthenticated':
      return 'anonymous'
    case 'system:authenticated':
    case 'system:serviceaccounts':
      return 'everyone'
    default:
      return name.startsWith('system:serviceaccounts:') ? 'namespace-accounts' : undefined
  }
}

function once(accounts: readonly Account[]): readonly Account[] {
  return [...new Map(accounts.map((account) => [accountKey(account), account])).values()]
}

function accountKey({ kind, name, namespace = '', within = '' }: Account): string {
  return JSON.stringify([kind, name, namespace, within])
}
