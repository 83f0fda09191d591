import type { AccessRequest } from '../../model/access.ts'
import { defined } from '../../model/defined.ts'
import type { JsonObject } from '../../model/object.ts'
import { compareText } from '../../model/ref.ts'

/**
 * Roles that grant exactly these requests, to paste: one Role per namespace, one ClusterRole for what lives in none. On one
 * line, as JSON, which kubectl takes as well. Whom to bind them to is for people to say.
 */
export function roleLine(requests: readonly AccessRequest[]): string {
  return JSON.stringify(roleOf(requests))
}

/** The same as an object: a Role, or a List of several. */
export function roleOf(requests: readonly AccessRequest[]): JsonObject {
  const roles = rolesOf(requests).map(roleObject)
  const [only] = roles
  return roles.length === 1 && only !== undefined ? only : { apiVersion: 'v1', kind: 'List', items: roles }
}

const NAME = 'staged-helm-deploy'
const API_VERSION = 'rbac.authorization.k8s.io/v1'

interface Role {
  readonly kind: 'Role' | 'ClusterRole'
  readonly namespace?: string
  readonly rules: readonly Rule[]
}

interface Rule {
  readonly group: string
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/** Names are left out: the next release of the chart has others. */
function rolesOf(requests: readonly AccessRequest[]): readonly Role[] {
  const byNamespace = Map.groupBy(requests, ({ namespace }) => namespace)
  return [...byNamespace]
    .toSorted(([a = ''], [b = '']) => compareText(a, b))
    .map(([namespace, members]) => ({
      kind: namespace === undefined ? 'ClusterRole' : 'Role',
      ...defined({ namespace }),
      rules: roleRules(members),
    }))
}

/** Resources of one group that need the same verbs share a rule. */
function roleRules(requests: readonly AccessRequest[]): readonly Rule[] {
  const byResource = Map.groupBy(requests, ({ group, resource }) => `${group}/${resource}`)
  const single = [...byResource.values()].flatMap((members) => {
    const [first] = members
    return first === undefined ? [] : [{ ...first, verbs: sortedUnique(members.map(({ verb }) => verb)) }]
  })
  const shared = Map.groupBy(single, ({ group, verbs }) => `${group}/${verbs.join(',')}`)
  return [...shared]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, members]) => {
      const [first] = members
      const resources = sortedUnique(members.map(({ resource }) => resource))
      return first === undefined ? [] : [{ group: first.group, resources, verbs: first.verbs }]
    })
}

function roleObject({ kind, namespace, rules }: Role): JsonObject {
  return {
    apiVersion: API_VERSION,
    kind,
    metadata: { name: NAME, ...defined({ namespace }) },
    rules: rules.map(({ group, resources, verbs }) => ({ apiGroups: [group], resources, verbs })),
  }
}

function sortedUnique(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort(compareText)
}
