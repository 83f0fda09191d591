import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import { accessOf, hasGains } from '../../src/impact/role-access.ts'
import type { KubeObject } from '../../src/model/object.ts'
import { refOfObject } from '../../src/model/ref.ts'
import { accessBullets, accessPhrase } from '../../src/report/words/access-text.ts'
import { bulletLines } from '../../src/report/words/bullet.ts'
import { plainText } from '../../src/report/words/phrase.ts'

const RBAC = 'rbac.authorization.k8s.io/v1'

function object(text: string, kind: string, name: string): KubeObject {
  const isOfCluster = kind.startsWith('Cluster')
  const { labels, ...rest } = load(text) as { labels?: Record<string, string> }
  const metadata = { name, ...(isOfCluster ? {} : { namespace: 'shop' }), ...(labels && { labels }) }
  return { apiVersion: RBAC, kind, metadata, ...rest }
}

const role = (text: string, kind = 'Role') => object(text, kind, 'web')
const binding = (subjects: string, kind = 'RoleBinding', of = 'Role', name = 'web') =>
  object(`{ roleRef: { kind: ${of}, name: ${name} }, subjects: [${subjects}] }`, kind, 'web')

const shopWeb = '{ kind: ServiceAccount, name: web, namespace: shop }'
const get = (resource: string) => `{ verbs: [get], apiGroups: [''], resources: [${resource}] }`
const rules = (...all: readonly string[]) => `{ rules: [${all.join(', ')}] }`

interface Given {
  readonly before?: KubeObject
  readonly after?: KubeObject
  /** Beside it in the release, before and after. */
  readonly beside?: readonly KubeObject[]
}

function access({ after, before, beside = [] }: Given) {
  const one = after ?? before
  if (one === undefined) throw new Error('nothing to compare')
  const release = (own: KubeObject | undefined) => releaseObjects([...beside, ...(own === undefined ? [] : [own])])
  const releases = { before: release(before), after: release(after) }
  return accessOf(refOfObject(one), { before, after }, releases)
}

describe('what a role or a binding gives and takes', () => {
  test.each<[string, Given, readonly string[]]>([
    [
      'a rule more, to the account that the release binds',
      { before: role(rules(get('pods'))), after: role(rules(get('pods'), get('secrets'))), beside: [binding(shopWeb)] },
      ['- ServiceAccount/shop/web gains get on secrets (⚠️ reads Secrets)'],
    ],
    ['to nobody of the release', { before: role(rules()), after: role(rules(get('pods'))) }, ['- allows get on pods']],
    [
      'a rule less',
      { before: role(rules(get('pods'))), after: role(rules()), beside: [binding(shopWeb)] },
      ['- ServiceAccount/shop/web no longer gets get on pods by this role'],
    ],
    [
      'a new role',
      {
        after: role(rules(get('pods'), "{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }")),
        beside: [binding(shopWeb)],
      },
      ['- ServiceAccount/shop/web gains all verbs on all resources of all API groups (⚠️ wildcard)'],
    ],
    [
      'a role that goes',
      {
        before: role(
          rules(get('pods'), '{ verbs: [list], apiGroups: [apps], resources: [deployments], resourceNames: [a, b] }'),
        ),
      },
      ['- no longer allows:', '  - get on pods', '  - list on deployments of apps named a, b'],
    ],
    [
      'handing on a named role',
      {
        after: role(
          rules(
            '{ verbs: [bind], apiGroups: [rbac.authorization.k8s.io], resources: [roles], resourceNames: [a, b] }',
            '{ verbs: [escalate], apiGroups: [rbac.authorization.k8s.io], resources: [roles] }',
          ),
        ),
      },
      [
        '- allows:',
        '  - bind on roles of rbac.authorization.k8s.io named a, b',
        '  - escalate on roles of rbac.authorization.k8s.io',
      ],
    ],
    [
      'the same to a role that others may have bound already',
      {
        before: role(rules()),
        after: role(rules('{ verbs: [escalate], apiGroups: [rbac.authorization.k8s.io], resources: [roles] }')),
      },
      ['- allows escalate on roles of rbac.authorization.k8s.io (⚠️ escalate verb)'],
    ],
    [
      'a new role that another one of the release collects',
      {
        after: object(`{ labels: { a: b }, rules: [${get('secrets')}] }`, 'ClusterRole', 'web'),
        beside: [
          object('{ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: b } }] } }', 'ClusterRole', 'all'),
        ],
      },
      ['- allows get on secrets (⚠️ reads Secrets)'],
    ],
    [
      'a new role that roles of others may collect',
      {
        after: object(
          `{ labels: { example.com/aggregate-to-all: "true" }, rules: [${get('secrets')}] }`,
          'ClusterRole',
          'web',
        ),
      },
      ['- allows get on secrets (⚠️ reads Secrets)'],
    ],
    [
      'a new role that collects others, and that nobody has',
      {
        after: role(
          '{ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: b } }] }, rules: [] }',
          'ClusterRole',
        ),
      },
      ['- collects the rules of other ClusterRoles by their labels'],
    ],
    [
      'the same rights, written otherwise',
      { before: role(rules(get('pods'), get('nodes'))), after: role(rules(get('nodes, pods'))) },
      ['- the same rights, written otherwise'],
    ],
    ['nothing, where nothing of it changes', { before: role(rules(get('pods'))), after: role(rules(get('pods'))) }, []],
    [
      'paths of the API server',
      { after: role("{ rules: [{ verbs: [get], nonResourceURLs: [/metrics, '/logs/*'] }] }", 'ClusterRole') },
      ['- allows get on /logs/*, /metrics'],
    ],
    [
      'rights of a ClusterRole in all namespaces, and in one',
      {
        before: role(rules(), 'ClusterRole'),
        after: role(rules(get('pods')), 'ClusterRole'),
        beside: [
          binding(shopWeb, 'ClusterRoleBinding', 'ClusterRole'),
          binding('{ kind: User, name: ann }', 'RoleBinding', 'ClusterRole'),
        ],
      },
      ['- ServiceAccount/shop/web, User/ann in namespace shop gain get on pods in the whole cluster'],
    ],
    [
      'a role to an account more',
      { before: binding(shopWeb), after: binding(`${shopWeb}, { kind: Group, name: dev }`) },
      ['- Group/dev in namespace shop gains Role/web'],
    ],
    [
      'a role of the release that was there already, with what it allows',
      {
        before: binding(shopWeb),
        after: binding('{ kind: ServiceAccount, name: job }'),
        beside: [role(rules(get('secrets')))],
      },
      [
        '- ServiceAccount/shop/job gains Role/web:',
        '  - ⚠️ get on secrets',
        '- ServiceAccount/shop/web no longer gets Role/web by this binding:',
        '  - get on secrets',
      ],
    ],
    [
      'cluster-admin to everybody',
      {
        after: binding(
          "{ kind: Group, name: 'system:authenticated' }",
          'ClusterRoleBinding',
          'ClusterRole',
          'cluster-admin',
        ),
      },
      [
        '- Group/system:authenticated gains ClusterRole/cluster-admin in the whole cluster (⚠️ may do everything, every authenticated account)',
      ],
    ],
    ...(
      [
        [
          "{ kind: Group, name: 'system:unauthenticated' }",
          'Group/system:unauthenticated',
          'anybody, without an account',
        ],
        ["{ kind: User, name: 'system:anonymous' }", 'User/system:anonymous', 'anybody, without an account'],
        [
          "{ kind: Group, name: 'system:serviceaccounts:shop' }",
          'Group/system:serviceaccounts:shop',
          'all ServiceAccounts of a namespace',
        ],
        [
          '{ kind: ServiceAccount, name: default, namespace: shop }',
          'ServiceAccount/shop/default',
          'all pods without a ServiceAccount of their own',
        ],
      ] as const
    ).map(([subject, name, words]): [string, Given, readonly string[]] => [
      `a role of others to ${name}`,
      { after: binding(subject, 'ClusterRoleBinding', 'ClusterRole', 'view') },
      [`- ${name} gains ClusterRole/view in the whole cluster (⚠️ ${words})`],
    ]),
    [
      'a role of others to a user who is called like a group',
      { after: binding("{ kind: User, name: 'system:authenticated' }", 'ClusterRoleBinding', 'ClusterRole', 'view') },
      ['- User/system:authenticated gains ClusterRole/view in the whole cluster'],
    ],
    [
      'admin of Kubernetes, in a namespace',
      { after: binding(shopWeb, 'RoleBinding', 'ClusterRole', 'admin') },
      ['- ServiceAccount/shop/web gains ClusterRole/admin (⚠️ reads Secrets, runs pods, changes roles)'],
    ],
    [
      'edit of Kubernetes, in a namespace',
      { after: binding(shopWeb, 'RoleBinding', 'ClusterRole', 'edit') },
      ['- ServiceAccount/shop/web gains ClusterRole/edit (⚠️ reads Secrets, runs pods)'],
    ],
    [
      'view of Kubernetes, which is marked as nothing',
      { after: binding(shopWeb, 'RoleBinding', 'ClusterRole', 'view') },
      ['- ServiceAccount/shop/web gains ClusterRole/view'],
    ],
    [
      'a role of the release with the name of one of Kubernetes',
      { after: binding(shopWeb, 'RoleBinding', 'Role', 'edit') },
      ['- ServiceAccount/shop/web gains Role/edit'],
    ],
    [
      'another role, which takes another object',
      { before: binding(shopWeb), after: binding(shopWeb, 'RoleBinding', 'ClusterRole', 'view') },
      [
        '- ServiceAccount/shop/web gains ClusterRole/view',
        '- ServiceAccount/shop/web no longer gets Role/web by this binding',
      ],
    ],
    [
      'its rules to a role of Kubernetes that collects it, by a label alone',
      {
        before: role(rules(get('pods')), 'ClusterRole'),
        after: role(
          `{ labels: { rbac.authorization.k8s.io/aggregate-to-view: 'true' }, rules: [${get('pods')}] }`,
          'ClusterRole',
        ),
      },
      ['- all who have ClusterRole/view gain get on pods'],
    ],
    [
      'rules of others, collected by label',
      {
        before: role(rules(), 'ClusterRole'),
        after: role(
          '{ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: b } }] }, rules: [] }',
          'ClusterRole',
        ),
      },
      ['- ⚠️ collects the rules of other ClusterRoles by their labels'],
    ],
    [
      'nothing by the rules that a controller writes into such a role',
      {
        before: role(`{ aggregationRule: { clusterRoleSelectors: [] }, rules: [${get('pods')}] }`, 'ClusterRole'),
        after: role('{ aggregationRule: { clusterRoleSelectors: [] }, rules: [] }', 'ClusterRole'),
      },
      [],
    ],
  ])('%s', (_what, given, expected) => {
    const found = access(given)
    expect(found === undefined ? [] : bulletLines(accessBullets(found))).toEqual(expected)
  })

  test('is nothing for a kind of the same name in another group', () => {
    const other = { ...role(rules(get('pods'))), apiVersion: 'example.com/v1' }
    expect(access({ after: other })).toBeUndefined()
  })

  test('is bounded where a role has more rules than anybody reads', () => {
    const list = Array.from(
      { length: 300 },
      (_, index) => `{ verbs: [v${index}], apiGroups: [''], resources: [r${index}] }`,
    )
    const [grant] = access({ after: role(rules(...list)) })?.gained ?? []
    expect([grant?.permissions.length, grant?.omitted]).toEqual([200, 100])
  })

  test('is not compared where nobody could list it, and counts as more', () => {
    const many = Array.from({ length: 200 }, (_, index) => `r${index}`).join(',')
    const found = access({ after: role(`{ rules: [{ verbs: [${many}], apiGroups: [${many}], resources: [a] }] }`) })
    expect(found?.rules).toBe('too-large')
    expect(found !== undefined && hasGains(found)).toBe(true)
  })
})

test.each<[string, Given, string]>([
  [
    'a new role is no risk',
    { after: role(rules("{ verbs: ['*'], apiGroups: [''], resources: [pods] }")) },
    'allows all verbs on pods (wildcard, runs pods); bound to nobody in the release',
  ],
  [
    'others may have bound one that was there',
    { before: role(rules()), after: role(rules("{ verbs: ['*'], apiGroups: [''], resources: [pods] }")) },
    'allows all verbs on pods (⚠️ wildcard, runs pods); bound to nobody in the release',
  ],
  [
    'it is bound',
    { after: role(rules(get('pods'))), beside: [binding(shopWeb)] },
    'ServiceAccount/shop/web gains get on pods',
  ],
])('a row says whether the release gives the role to anybody: %s', (_what, given, expected) => {
  const found = access(given)
  expect(found === undefined ? '' : plainText(accessPhrase(found))).toBe(expected)
})
