import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { permissionChanges } from '../../src/impact/permissions.ts'
import type { Permission } from '../../src/model/impact.ts'
import type { JsonObject } from '../../src/model/object.ts'

/** `get,list apps deployments`, `get "" pods=web`, `get /metrics`: verbs, groups, resources and names of objects. */
function rule(text: string): JsonObject {
  const [verbs = '', groups = '', named] = text.split(' ')
  const list = (words: string) => words.split(',').map((word) => (word === '""' ? '' : word))
  if (named === undefined) return { verbs: list(verbs), nonResourceURLs: list(groups) }
  const [resources = '', names] = named.split('=')
  const resourceNames = names === undefined ? {} : { resourceNames: list(names) }
  return { verbs: list(verbs), apiGroups: list(groups), resources: list(resources), ...resourceNames }
}

function shown({ apiGroups = [], nonResourceURLs, resourceNames, resources = [], verbs }: Permission): string {
  if (nonResourceURLs !== undefined) return `${verbs} ${nonResourceURLs}`
  const groups = apiGroups.map((group) => (group === '' ? '""' : group))
  return `${verbs} ${groups} ${resources}${resourceNames === undefined ? '' : `=${resourceNames}`}`
}

function changes(before: readonly string[], after: readonly string[], isNamespaced = false) {
  const side = (rules: readonly string[]) => ({ list: rules.map(rule), isNamespaced })
  const found = permissionChanges(side(before), side(after))
  if (found === undefined) throw new Error('too many rules to compare')
  return found
}

describe('what rules allow', () => {
  test.each<[string, readonly string[], readonly string[], readonly string[], readonly string[]]>([
    ['a verb more', ['get "" pods'], ['get,list "" pods'], ['list "" pods'], []],
    ['a verb less', ['get,list "" pods'], ['get "" pods'], [], ['list "" pods']],
    ['a new rule', [], ['list,get apps deployments'], ['get,list apps deployments'], []],
    ['the same in two rules', ['get,list "" pods,secrets'], ['get,list "" pods', 'list,get "" secrets'], [], []],
    [
      'the same in another order',
      ['get "" pods', 'get apps deployments'],
      ['get apps deployments', 'get "" pods'],
      [],
      [],
    ],
    ['a rule that stands twice', ['get "" pods'], ['get "" pods', 'get "" pods'], [], []],
    ['every verb covers each', ['* "" pods'], ['get,list "" pods', '* "" pods'], [], []],
    ['every verb is more than all that are known', ['get,list "" pods'], ['* "" pods'], ['* "" pods'], []],
    ['every group covers each', ['get * pods'], ['get "",apps pods'], [], ['get * pods']],
    ['every resource covers subresources', ['get "" *'], ['get "" pods/log', 'get "" *'], [], []],
    ['a subresource of every resource', ['get "" */scale'], ['get "" */scale,deployments/scale'], [], []],
    [
      'which is not the resource itself',
      ['get "" */scale'],
      ['get "" */scale,deployments'],
      ['get "" deployments'],
      [],
    ],
    ['a resource does not cover its subresources', ['get "" pods'], ['get "" pods,pods/log'], ['get "" pods/log'], []],
    [
      'a star behind the slash stands for nothing else',
      ['get "" pods/*'],
      ['get "" pods/*,pods/log'],
      ['get "" pods/log'],
      [],
    ],
    ['any name covers each', ['get "" secrets'], ['get "" secrets=a'], [], ['get "" secrets']],
    ['a name more', ['get "" secrets=a'], ['get "" secrets=a,b'], ['get "" secrets=b'], []],
    ['any name is more than all that are listed', ['get "" secrets=a'], ['get "" secrets'], ['get "" secrets'], []],
    ['a star is a name like any other', ['get "" secrets=*'], ['get "" secrets=*,a'], ['get "" secrets=a'], []],
    [
      'one rule of several resources',
      [],
      ['get "" pods', 'get "" nodes', 'list "" nodes,pods'],
      ['get,list "" nodes,pods'],
      [],
    ],
    ['a path of the API server', ['get /healthz'], ['get /healthz,/metrics'], ['get /metrics'], []],
    ['paths below another one', ['get /logs/*'], ['get /logs/*,/logs/a'], [], []],
    ['where the star stands at the end only', ['get /logs/*/a'], ['get /logs/*/a,/logs/b/a'], ['get /logs/b/a'], []],
    ['a path that is shorter', ['get /logs/*'], ['get /logs*'], ['get /logs*'], []],
  ])('%s', (_what, before, after, gained, lost) => {
    const found = changes(before, after)
    expect([found.gained.map(shown), found.lost.map(shown)]).toEqual([gained, lost])
  })

  test('is said once where a wildcard says it', () => {
    expect(changes([], ['get "" pods', '* "" pods', 'get "" *']).gained.map(shown)).toEqual(['get "" *', '* "" pods'])
  })

  test('is nothing without a verb', () => {
    const list = [{ verbs: [], apiGroups: [''], resources: ['pods'] }]
    expect(permissionChanges({ list: [], isNamespaced: true }, { list, isNamespaced: true })?.gained).toEqual([])
  })

  test('is not compared where nobody could list it', () => {
    const many = Array.from({ length: 200 }, (_, index) => `r${index}`).join(',')
    const list = [rule(`${many} ${many} ${many}`)]
    const started = performance.now()
    expect(permissionChanges({ list: [], isNamespaced: false }, { list, isNamespaced: false })).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  test.each<[string, string]>([
    ['text', 'x'],
    ['a list', '[["get"]]'],
    ['null', '[null]'],
    ['numbers', '[{"verbs":[1],"resources":"pods","apiGroups":[""]}]'],
  ])('is nothing where a rule is %s', (_what, text) => {
    const list = text === 'x' ? ['x'] : JSON.parse(text)
    expect(permissionChanges({ list: [], isNamespaced: true }, { list, isNamespaced: true })).toEqual({
      gained: [],
      lost: [],
    })
  })
})

describe('what is marked', () => {
  test.each<[string, readonly string[]]>([
    ['get,list,watch "" pods', []],
    ['get,list "" configmaps', []],
    ['* "" configmaps', ['wildcard']],
    ['get * configmaps', ['wildcard']],
    ['get "" */log', ['wildcard']],
    ['* * *', ['wildcard']],
    ['get * *', ['wildcard', 'secrets', 'exec', 'kubelet']],
    ['get /*', ['wildcard']],
    ['get /metrics', []],
    ['list "" secrets', ['secrets']],
    ['get "" secrets=one', []],
    ['create "" pods', ['workloads']],
    ['create apps deployments', ['workloads']],
    ['patch apps deployments', []],
    ['create batch jobs', ['workloads']],
    ['create "" persistentvolumes', ['volumes']],
    ['create "" persistentvolumeclaims', []],
    ['get "" nodes/proxy', ['kubelet']],
    ['get "" nodes', []],
    ['escalate rbac.authorization.k8s.io clusterroles', ['escalate']],
    ['bind rbac.authorization.k8s.io roles', ['bind']],
    ['impersonate "" serviceaccounts', ['impersonate']],
    ['impersonate authentication.k8s.io userextras/scopes', ['impersonate']],
    ['update certificates.k8s.io certificatesigningrequests/approval', ['certificates']],
    ['approve certificates.k8s.io signers', ['certificates']],
    ['create certificates.k8s.io certificatesigningrequests', []],
    ['create "" serviceaccounts/token', ['tokens']],
    ['patch admissionregistration.k8s.io mutatingwebhookconfigurations', ['admission']],
    ['delete admissionregistration.k8s.io validatingadmissionpolicybindings', ['admission']],
    ['get admissionregistration.k8s.io validatingadmissionpolicies', []],
    ['update apiregistration.k8s.io apiservices', ['apis']],
    ['update apiregistration.k8s.io apiservices/status', []],
    ['patch "" namespaces', ['namespaces']],
    ['create "" pods/exec', ['exec']],
    ['patch "" pods/ephemeralcontainers', ['exec']],
    ['update rbac.authorization.k8s.io rolebindings', ['roles']],
    ['* rbac.authorization.k8s.io clusterroles', ['wildcard', 'escalate', 'bind', 'roles']],
  ])('%s', (text, marks) => {
    expect(changes([], [text]).gained.map((permission) => permission.marks)).toEqual([marks])
  })

  test('is not what a role of one namespace cannot give', () => {
    expect(
      changes([], ['create "" persistentvolumes', 'get "" nodes/proxy'], true).gained.flatMap(({ marks }) => marks),
    ).toEqual([])
  })

  test('comes first', () => {
    expect(changes([], ['get "" pods', 'get "" secrets']).gained.map(shown)).toEqual(['get "" pods,secrets'])
    expect(changes([], ['list "" pods', 'get "" secrets']).gained.map(shown)).toEqual([
      'get "" secrets',
      'list "" pods',
    ])
  })
})

/** Of each part some values that rules name, a wildcard, and one that no rule names. */
const universe = {
  verbs: ['get', 'list', 'unknown'],
  groups: ['', 'apps', 'unknown'],
  resources: ['pods', 'pods/log', 'unknown', 'unknown/log', 'unknown/unknown'],
  names: ['a', 'b', 'unknown'],
}

interface Request {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly name: string
}

const requests: readonly Request[] = universe.verbs.flatMap((verb) =>
  universe.groups.flatMap((group) =>
    universe.resources.flatMap((resource) => universe.names.map((name) => ({ verb, group, resource, name }))),
  ),
)

interface Rule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** As the authorizer of Kubernetes decides. Source: docs/sources.md#kubernetes-rbac-rules. */
function allows(rules: readonly Rule[], { group, name, resource, verb }: Request): boolean {
  const sub = resource.split('/')[1]
  return rules.some(
    ({ apiGroups, resourceNames = [], resources, verbs }) =>
      (verbs.includes('*') || verbs.includes(verb)) &&
      (apiGroups.includes('*') || apiGroups.includes(group)) &&
      (resources.includes('*') ||
        resources.includes(resource) ||
        (sub !== undefined && resources.includes(`*/${sub}`))) &&
      (resourceNames.length === 0 || resourceNames.includes(name)),
  )
}

describe('of any rules', () => {
  const some = (...values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 })
  const anyRule = fc.record({
    verbs: some('get', 'list', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/log', '*', '*/log'),
    resourceNames: fc.uniqueArray(fc.constantFrom('a', 'b')),
  })
  const anyRules = fc.array(anyRule, { maxLength: 4 })

  test('what is gained and lost is all that differs, and nothing else', () => {
    fc.assert(
      fc.property(anyRules, anyRules, (before, after) => {
        const side = (list: readonly Rule[]) => ({ list: list.map((one) => ({ ...one })), isNamespaced: false })
        const found = permissionChanges(side(before), side(after))
        const asRules = (permissions: readonly Permission[] = []): readonly Rule[] =>
          permissions.map(({ apiGroups = [], resourceNames = [], resources = [], verbs }) => ({
            verbs,
            apiGroups,
            resources,
            resourceNames,
          }))
        for (const [was, is, told] of [
          [before, after, asRules(found?.gained)],
          [after, before, asRules(found?.lost)],
        ] as const) {
          // Nothing that differs is left out, and nothing is told that is not so.
          for (const request of requests) {
            if (allows(is, request) && !allows(was, request)) expect(allows(told, request)).toBe(true)
            if (allows(told, request)) expect(allows(is, request)).toBe(true)
          }
          // Each verb, group, resource and name that is told says something new.
          for (const one of told.flatMap(singles)) {
            const isNew = requests.some((request) => allows([one], request) && !allows(was, request))
            expect(isNew, JSON.stringify(one)).toBe(true)
          }
        }
      }),
      { numRuns: 400 },
    )
  })
})

function singles({ apiGroups, resourceNames = [], resources, verbs }: Rule): readonly Rule[] {
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name])
  return verbs.flatMap((verb) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        names.map((name) => ({ verbs: [verb], apiGroups: [group], resources: [resource], resourceNames: name })),
      ),
    ),
  )
}
