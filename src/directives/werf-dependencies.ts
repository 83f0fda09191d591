import type { ExternalDependency, ResourceDependency } from '../model/directives.ts'
import { groupOf, versionOf } from '../model/ref.ts'
import type { ParseContext, Reading, Row } from './dialect.ts'
import { readProperties } from './property-list.ts'
import { shortValue } from './value-forms.ts'

const EXTERNAL = 'external-dependency.werf.io'

/**
 * Dependencies of one resource on others. Keys are matched as a whole, unlike in nelm
 * (docs/sources.md#nelm-annotations).
 */
export const dependencyRows: readonly Row[] = [
  {
    key: '<id>.external-dependency.werf.io/resource',
    pattern: /^(?<id>[^/]+)\.external-dependency\.werf\.io\/resource$/,
    form: 'type[.version.group]/name, as "statefulset/my-database" or "certificates.v1.cert-manager.io/tls"',
    default: 'none',
    verbs: 'install, upgrade, rollback',
    meaning:
      'An object outside the release. It is waited for until it exists and is ready, before anything of the weight group starts; of a hook: before that hook.',
    differs: 'nelm waits for existence only, and delays this resource only; we do what werf documents.',
    severity: 'error',
    parse: externalResource,
  },
  {
    key: '<id>.external-dependency.werf.io/namespace',
    pattern: /^(?<id>[^/]+)\.external-dependency\.werf\.io\/namespace$/,
    form: 'a namespace, together with <id>.external-dependency.werf.io/resource',
    default: 'the namespace of the release',
    verbs: 'install, upgrade, rollback',
    meaning: 'Where the external dependency of this id lives.',
    differs: '',
    severity: 'error',
    parse: (value, { annotations, groups }) => {
      if (value.trim() === '') return { asked: {}, fault: 'empty' }
      const isNeeded = annotations.has(`${groups.id}.${EXTERNAL}/resource`)
      return isNeeded
        ? { asked: { externalDependencies: [] } }
        : { asked: {}, fault: `there is no ${groups.id}.${EXTERNAL}/resource` }
    },
  },
  {
    key: '<id>.external-dependency.werf.io',
    pattern: /^(?<id>[^/]+)\.external-dependency\.werf\.io$/,
    form: 'apiVersion:kind[:namespace]:name, as "apps/v1:Deployment:db:postgres"',
    default: 'none',
    verbs: 'install, upgrade, rollback',
    meaning: 'Another form of the same; where an id has both, this one counts.',
    differs: 'The resource keeps its weight; in nelm this form removes it.',
    severity: 'error',
    parse: externalObject,
  },
  {
    key: 'werf.io/deploy-dependency-<id>',
    pattern: /^werf\.io\/deploy-dependency-(?<id>.+)$/,
    form: 'state=present|ready and one or more of kind, name, namespace, group, version, as "state=ready,kind=Job,name=migrate"',
    default: 'none',
    verbs: 'install, upgrade, rollback',
    meaning: 'Another resource of the release that is applied, or ready, before this one.',
    differs:
      'The resource keeps its weight; a dependency that contradicts weights or forms a cycle is an error that prints the whole path.',
    severity: 'error',
    parse: (value, context) => resourceDependency(value, context, ['present', 'ready'], 'deployDependencies'),
  },
  {
    key: 'werf.io/delete-dependency-<id>',
    pattern: /^werf\.io\/delete-dependency-(?<id>.+)$/,
    form: 'state=absent and one or more of kind, name, namespace, group, version, as "state=absent,kind=Job,name=a"',
    default: 'none',
    verbs: 'uninstall, and prune on upgrade and rollback',
    meaning: 'Another resource of the release that is gone before this one is deleted.',
    differs: 'A malformed value is an error; nelm ignores it.',
    severity: 'error',
    parse: (value, context) => resourceDependency(value, context, ['absent'], 'deleteDependencies'),
  },
  {
    key: '<id>.dependency.werf.io',
    pattern: /^(?<id>[^/]+)\.dependency\.werf\.io$/,
    form: 'apiVersion:kind[:namespace]:name, as "v1:Secret:db-password"',
    default: 'none',
    verbs: 'install, upgrade, rollback',
    meaning: 'Old form of werf.io/deploy-dependency-<id> with state=present. An empty value means none.',
    differs: 'The resource keeps its weight.',
    severity: 'error',
    parse: (value, context) => {
      if (value.trim() === '') return { asked: { deployDependencies: [] } }
      const target = parseTarget(value)
      if (target === undefined) return { asked: {}, fault: 'not three or four parts between colons' }
      const { apiVersion, ...rest } = target
      const id = context.groups.id ?? ''
      const [group, version] = [groupOf(apiVersion), versionOf(apiVersion)]
      return { asked: { deployDependencies: [{ id, state: 'present', ...rest, group, version }] } }
    },
  },
]

function externalResource(value: string, { annotations, groups }: ParseContext): Reading {
  const id = groups.id ?? ''
  const parts = value.trim().split('/')
  const [type = '', name = ''] = parts
  if (parts.length !== 2) return { asked: {}, fault: 'not two parts around one slash' }
  if (type === '' || type.split('.').includes('')) return { asked: {}, fault: 'an empty type' }
  if (type === 'all') return { asked: {}, fault: 'the type may not be "all"' }
  if (name === '') return { asked: {}, fault: 'an empty name' }
  // The other form of the same id counts; this key then stays unused.
  if (annotations.has(`${id}.${EXTERNAL}`)) return { asked: {} }
  const namespace = annotations.get(`${id}.${EXTERNAL}/namespace`)?.trim()
  return { asked: { externalDependencies: [dependency({ key: `${id}.${EXTERNAL}/resource`, type, name }, namespace)] } }
}

function externalObject(value: string, { groups }: ParseContext): Reading {
  const target = parseTarget(value)
  if (target === undefined) return { asked: {}, fault: 'not three or four parts between colons' }
  const group = groupOf(target.apiVersion)
  const version = versionOf(target.apiVersion)
  const kind = target.kind.toLowerCase()
  const type = group === '' ? kind : `${kind}.${version}.${group}`
  const id = groups.id ?? ''
  const named = { key: `${id}.${EXTERNAL}`, type, name: target.name }
  return { asked: { externalDependencies: [dependency(named, target.namespace)] } }
}

function dependency(named: ExternalDependency, namespace: string | undefined): ExternalDependency {
  return namespace === undefined || namespace === '' ? named : { ...named, namespace }
}

function parseTarget(value: string) {
  const parts = value.split(':').map((part) => part.trim())
  const [apiVersion = '', kind = '', third = '', fourth] = parts
  if (parts.length < 3 || parts.length > 4 || parts.includes('')) return undefined
  return fourth === undefined ? { apiVersion, kind, name: third } : { apiVersion, kind, namespace: third, name: fourth }
}

const targets = ['kind', 'name', 'namespace', 'group', 'version'] as const

function resourceDependency(
  value: string,
  { groups }: ParseContext,
  states: readonly ResourceDependency['state'][],
  field: 'deployDependencies' | 'deleteDependencies',
): Reading {
  const fail = (fault: string): Reading => ({ asked: {}, fault })
  const read = readProperties(value)
  if ('fault' in read) return fail(read.fault)
  const given = read.value
  const unknown = [...given.keys()].filter((key) => key !== 'state' && !targets.some((target) => target === key))
  if (unknown.length > 0) return fail(`unknown property "${shortValue(unknown[0] ?? '')}"`)
  const state = states.find((known) => known === given.get('state'))
  if (state === undefined) return fail(`state must be ${states.join(' or ')}`)
  const target = Object.fromEntries(targets.flatMap((key) => (given.has(key) ? [[key, given.get(key) ?? '']] : [])))
  if (Object.keys(target).length === 0) return fail(`none of ${targets.join(', ')}`)
  return { asked: { [field]: [{ id: groups.id ?? '', state, ...target }] } }
}
