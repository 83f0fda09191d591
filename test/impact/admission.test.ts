import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { admissionChanges, decidesMore } from '../../src/impact/admission.ts'
import { impactOf } from '../../src/impact/assess.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { admissionBullets, admissionPhrase } from '../../src/report/words/admission-text.ts'
import { bulletLines } from '../../src/report/words/bullet.ts'
import { plainText } from '../../src/report/words/phrase.ts'

const yaml = (text: string) => load(text) as JsonObject

const kube = (apiVersion: string, kind: string, spec: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'guard', namespace: 'shop' },
  spec: yaml(spec),
})

function changes(kind: string, before: JsonObject | undefined, after: JsonObject | undefined) {
  const ref = { apiVersion: 'admissionregistration.k8s.io/v1', kind, name: 'guard' }
  const found = admissionChanges(ref, before, after)
  return [found.some(decidesMore) ? 'more' : 'no more', ...bulletLines(admissionBullets(found))]
}

const pods = "rules: [{ operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods] }]"
const webhook = (text: string) => yaml(`{ webhooks: [{ name: a.example.com, ${text} }] }`)

describe('a certificate that is masked', () => {
  const told = (shownName: string, shownRules = pods) => {
    const ref = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', name: 'guard' }
    const real = {
      before: webhook(`${pods}, clientConfig: { caBundle: a }`),
      after: webhook(`${pods}, clientConfig: { caBundle: b }`),
    }
    const masked = yaml(`{ webhooks: [{ name: ${shownName}, ${shownRules}, clientConfig: { caBundle: (hidden) } }] }`)
    const shown = { before: masked, after: masked }
    const releases = { before: releaseObjects([]), after: releaseObjects([]) }
    return impactOf({ ref, change: 'update', real, shown, isDrifted: false, releases }).admission ?? []
  }

  test('is told as another one', () => {
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }]
    expect(told('a.example.com')).toEqual([{ webhook: 'a.example.com', effect: 'other-authority', rules }])
  })

  test('does not show rules that are masked as well', () => {
    expect(told('a.example.com', pods.replace('pods', "'***'"))).toEqual([
      { webhook: 'a.example.com', effect: 'other-authority' },
    ])
  })

  test('does not hide that a policy cuts off who answers', () => {
    const ref = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', name: 'guard' }
    const one = (caBundle: string, more = '') =>
      webhook(`${pods}, clientConfig: { service: { name: guard, namespace: shop }, caBundle: ${caBundle} }${more}`)
    const exact = ', matchPolicy: Exact'
    const releases = {
      before: releaseObjects([]),
      after: releaseObjects([
        kube('v1', 'Service', '{ selector: { app: guard } }'),
        kube('networking.k8s.io/v1', 'NetworkPolicy', '{ podSelector: {} }'),
      ]),
    }
    const pair = { real: { before: one('a'), after: one('b', exact) } }
    const shown = { before: one('(hidden)'), after: one('(hidden)', exact) }
    const { admission = [] } = impactOf({ ref, change: 'update', ...pair, shown, isDrifted: false, releases })
    expect(admission.map(({ effect, policies }) => [effect, policies])).toEqual([
      ['exact-versions', undefined],
      ['other-authority', ['NetworkPolicy/guard']],
    ])
  })

  test('is not told of a webhook whose name is masked as well', () => {
    expect(told('a.***')).toEqual([])
  })
})

describe('a webhook', () => {
  test.each<[string, string, string, readonly string[]]>([
    ['that stays', pods, pods, ['no more']],
    [
      'with one operation more',
      pods,
      pods.replace('CREATE', 'UPDATE, CREATE'),
      ['more', '- webhook a.example.com: ⚠️ decides about more requests: UPDATE of pods (v1)'],
    ],
    [
      'with one resource less',
      pods.replace('pods', 'pods, services'),
      pods,
      ['no more', '- webhook a.example.com: no longer decides about CREATE of services (v1)'],
    ],
    [
      'with rules written otherwise',
      pods.replace('CREATE', "'*'"),
      pods.replace('CREATE', 'CREATE, UPDATE, DELETE, CONNECT'),
      ['no more'],
    ],
    ['with both scopes, which are all', `${pods.replace('}]', ", scope: '*' }]")}`, pods, ['no more']],
    [
      'with subresources',
      pods,
      pods.replace('pods', 'pods/*'),
      ['more', '- webhook a.example.com: ⚠️ decides about more requests: CREATE of pods/* (v1)'],
    ],
    [
      'that had all subresources',
      pods.replace('pods', "'*/*'"),
      pods.replace('pods', "'*/*', pods, pods/exec, '*', '*/scale'"),
      ['no more'],
    ],
    [
      'in all namespaces but one, then in all',
      `${pods}, namespaceSelector: { matchExpressions: [{ key: a, operator: NotIn, values: [b] }] }`,
      `${pods}, namespaceSelector: {}`,
      ['more', '- webhook a.example.com: ⚠️ now in all namespaces, before a!=b'],
    ],
    [
      'in fewer namespaces',
      pods,
      `${pods}, namespaceSelector: { matchLabels: { a: b } }`,
      ['no more', '- webhook a.example.com: now in namespaces with a=b, before all'],
    ],
    [
      'in namespaces with another label',
      `${pods}, namespaceSelector: { matchLabels: { a: b } }`,
      `${pods}, namespaceSelector: { matchLabels: { a: c } }`,
      ['more', '- webhook a.example.com: now in namespaces with a=c, before a=b'],
    ],
    [
      'for a selector that says the same',
      `${pods}, objectSelector: { matchLabels: { a: b } }`,
      `${pods}, objectSelector: { matchExpressions: [{ key: a, operator: In, values: [b] }] }`,
      ['no more'],
    ],
    [
      'for objects with one of more values',
      `${pods}, objectSelector: { matchExpressions: [{ key: a, operator: In, values: [b] }] }`,
      `${pods}, objectSelector: { matchExpressions: [{ key: a, operator: In, values: [b, c] }] }`,
      ['more', '- webhook a.example.com: ⚠️ now about objects with a in (b, c), before a=b'],
    ],
    [
      'for labels that are too long for a line',
      pods,
      `${pods}, objectSelector: { matchLabels: { ${'a'.repeat(60)}: b } }`,
      ['no more', '- webhook a.example.com: decides about fewer objects, by their labels'],
    ],
    [
      'in namespaces with a label of the name all',
      `${pods}, namespaceSelector: { matchExpressions: [{ key: all, operator: Exists }] }`,
      pods,
      ['more', '- webhook a.example.com: ⚠️ now in all namespaces, before all'],
    ],
    [
      'that fails closed',
      `${pods}, failurePolicy: Ignore`,
      pods,
      ['more', '- webhook a.example.com: ⚠️ refuses CREATE of pods while it does not answer (failurePolicy Fail)'],
    ],
    [
      'that fails open',
      `${pods}, failurePolicy: Fail`,
      `${pods}, failurePolicy: Ignore`,
      ['no more', '- webhook a.example.com: lets CREATE of pods pass while it does not answer (failurePolicy Ignore)'],
    ],
    [
      'with fewer conditions',
      `${pods}, matchConditions: [{ name: a, expression: x }]`,
      pods,
      ['more', '- webhook a.example.com: ⚠️ decides about more requests: fewer match conditions'],
    ],
    [
      'without rules, which is never asked',
      'failurePolicy: Ignore',
      'failurePolicy: Fail',
      ['more', '- webhook a.example.com: ⚠️ refuses requests while it does not answer (failurePolicy Fail)'],
    ],
    [
      'that another service answers',
      `${pods}, clientConfig: { service: { name: a } }`,
      `${pods}, clientConfig: { service: { name: b } }`,
      ['more', '- webhook a.example.com: ⚠️ another service decides'],
    ],
    [
      'with another certificate',
      `${pods}, clientConfig: { caBundle: a }`,
      `${pods}, clientConfig: { caBundle: b }`,
      [
        'more',
        '- webhook a.example.com: ⚠️ refuses CREATE of pods until its pods answer with a certificate of the new CA (failurePolicy Fail)',
      ],
    ],
    [
      'with another certificate, where requests may pass without it',
      `${pods}, failurePolicy: Ignore, clientConfig: { caBundle: a }`,
      `${pods}, failurePolicy: Ignore, clientConfig: { caBundle: b }`,
      [
        'no more',
        '- webhook a.example.com: lets CREATE of pods pass until its pods answer with a certificate of the new CA (failurePolicy Ignore)',
      ],
    ],
    [
      'with a certificate that somebody else puts in',
      `${pods}, clientConfig: { caBundle: a }`,
      `${pods}, clientConfig: {}`,
      ['no more'],
    ],
    [
      'for the listed versions only',
      pods,
      `${pods}, matchPolicy: Exact`,
      ['no more', '- webhook a.example.com: decides about the listed versions of a kind only (matchPolicy Exact)'],
    ],
  ])('%s', (_what, before, after, expected) => {
    expect(changes('MutatingWebhookConfiguration', webhook(before), webhook(after))).toEqual(expected)
    // Requests that one which validates would have refused may pass.
    const [verdict, ...lines] = expected
    const holes = lines.map((line) => line.replace('a.example.com: ', 'a.example.com: ⚠️ '))
    const isHole = verdict === 'no more' && lines.length > 0
    expect(changes('ValidatingWebhookConfiguration', webhook(before), webhook(after))).toEqual(
      isHole ? ['more', ...holes] : expected,
    )
  })

  test('that is new, in a configuration that is new', () => {
    expect(changes('MutatingWebhookConfiguration', undefined, webhook(pods))).toEqual([
      'more',
      '- new webhook a.example.com:',
      '  - ⚠️ decides about CREATE of pods (v1) in all namespaces',
      '  - ⚠️ refuses requests while it does not answer (failurePolicy Fail)',
    ])
  })

  test.each<[string, string, string]>([
    [
      'in some namespaces',
      `${pods}, namespaceSelector: { matchLabels: { guarded: 'yes' } }, failurePolicy: Ignore`,
      '⚠️ decides about CREATE of pods in namespaces with guarded=yes',
    ],
    [
      'about some objects',
      `${pods}, objectSelector: { matchLabels: { app: web } }, failurePolicy: Ignore`,
      '⚠️ decides about CREATE of pods in all namespaces, only with app=web',
    ],
    [
      'for labels that are too long for a line',
      `${pods}, namespaceSelector: { matchLabels: { ${'a'.repeat(60)}: b } }, failurePolicy: Ignore`,
      '⚠️ decides about CREATE of pods in some namespaces',
    ],
    [
      'about objects of the cluster',
      `${pods.replace('pods', 'nodes').replace('}]', ', scope: Cluster }]')}, failurePolicy: Ignore`,
      '⚠️ decides about CREATE of nodes (Cluster only)',
    ],
    [
      'that refuses while it does not answer',
      pods,
      '⚠️ decides about CREATE of pods in all namespaces, refuses requests while it does not answer (failurePolicy Fail)',
    ],
    ['about nothing', 'failurePolicy: Ignore', '⚠️ has no rules'],
    [
      'about more than a line takes',
      `rules: [${['a', 'b', 'c', 'd'].map((name) => `{ operations: [CREATE], apiGroups: [${name}], apiVersions: [v1], resources: [${name}] }`).join(', ')}], failurePolicy: Ignore`,
      '⚠️ decides about CREATE of a of a, CREATE of b of b and 2 more rules in all namespaces',
    ],
  ])('that is new, in one line: %s', (_what, text, expected) => {
    const ref = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', name: 'guard' }
    const found = admissionChanges(ref, undefined, webhook(text))

    expect(plainText(admissionPhrase(found))).toBe(`new webhook a.example.com: ${expected}`)
  })

  test('that is asked about more has one mark in its line', () => {
    const ref = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', name: 'guard' }
    const before = webhook(`${pods}, namespaceSelector: { matchLabels: { a: b } }, failurePolicy: Ignore`)
    const after = webhook(`${pods.replace('CREATE', 'UPDATE')}, failurePolicy: Fail`)

    expect(plainText(admissionPhrase(admissionChanges(ref, before, after)))).toBe(
      'webhook a.example.com: ⚠️ decides about more requests: UPDATE of pods, no longer decides about CREATE of pods, now in all namespaces, before a=b, refuses UPDATE of pods while it does not answer (failurePolicy Fail)',
    )
  })

  test('whose pods come with it says so, where it refuses while they do not answer', () => {
    const ref = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', name: 'guard' }
    const after = webhook(`${pods}, clientConfig: { service: { name: guard, namespace: shop } }`)
    const service = kube('v1', 'Service', '{ selector: { app: guard } }')
    const workload = kube('apps/v1', 'Deployment', '{ template: { metadata: { labels: { app: guard } } } }')
    const effects = (old: readonly KubeObject[]) =>
      admissionChanges(ref, undefined, after, {
        before: releaseObjects(old),
        after: releaseObjects([service, workload]),
      }).map(({ effect, names }) => [effect, ...(names ?? [])].join(' '))

    expect(effects([])).toEqual(['new', 'fails-closed', 'new-pods Deployment/guard'])
    expect(effects([service, workload])).toEqual(['new', 'fails-closed'])
  })

  describe('and those who answer', () => {
    const ref = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', name: 'guard' }
    const service = kube('v1', 'Service', '{ selector: { app: guard } }')
    const workload = (pod = '{}') =>
      kube('apps/v1', 'Deployment', `{ template: { metadata: { labels: { app: guard } }, spec: ${pod} } }`)
    const policy = (spec: string) => kube('networking.k8s.io/v1', 'NetworkPolicy', spec)
    const deny = policy('{ podSelector: {}, policyTypes: [Ingress] }')
    const of = (text: string, name = 'guard') =>
      webhook(`${pods}, clientConfig: { service: { name: ${name}, namespace: shop }, caBundle: a }, ${text}`)
    const [open, closed] = [of('failurePolicy: Ignore'), of('failurePolicy: Fail')]
    const other = (text: string) =>
      webhook(`${pods}, clientConfig: { service: { name: guard, namespace: shop }, caBundle: b }, ${text}`)
    const lead =
      'new webhook a.example.com: ⚠️ decides about CREATE of pods in all namespaces, refuses requests while it does not answer (failurePolicy Fail)'
    const cut = 'NetworkPolicy/guard lets nothing pass to its pods unless another policy does'

    test.each<[string, JsonObject | undefined, JsonObject, readonly KubeObject[], string]>([
      [
        'are of the release and reached',
        open,
        closed,
        [service, workload()],
        'webhook a.example.com: ⚠️ refuses CREATE of pods while it does not answer (failurePolicy Fail)',
      ],
      [
        'are of the release and new',
        undefined,
        closed,
        [service, workload()],
        `${lead}, is answered by pods that are new as well: Deployment/guard`,
      ],
      ['are cut off', undefined, closed, [service, workload(), deny], `${lead}, and ${cut}`],
      ['are cut off, without a workload of the release', undefined, closed, [service, deny], `${lead}, and ${cut}`],
      [
        'are cut off when requests come to be refused',
        open,
        closed,
        [service, workload(), deny],
        `webhook a.example.com: ⚠️ refuses CREATE of pods while it does not answer (failurePolicy Fail), and ${cut}`,
      ],
      [
        'are cut off when they get a new CA',
        closed,
        other('failurePolicy: Fail'),
        [service, workload(), deny],
        `webhook a.example.com: ⚠️ refuses CREATE of pods while it does not answer with a certificate of the new CA (failurePolicy Fail), and ${cut}`,
      ],
      [
        'are cut off when requests pass',
        undefined,
        open,
        [service, workload(), deny],
        `new webhook a.example.com: ⚠️ decides about CREATE of pods in all namespaces, ${cut} (failurePolicy Ignore: requests pass)`,
      ],
      [
        'are cut off when more is asked',
        closed,
        of('failurePolicy: Fail, matchPolicy: Exact'),
        [service, workload(), deny],
        `webhook a.example.com: ⚠️ ${cut} (failurePolicy Fail), decides about the listed versions of a kind only (matchPolicy Exact)`,
      ],
      ['are cut off as before, where nothing changes', closed, closed, [service, workload(), deny], ''],
      [
        'are let through by a rule',
        open,
        closed,
        [service, workload(), policy('{ podSelector: {}, ingress: [{}] }')],
        'webhook a.example.com: ⚠️ refuses CREATE of pods while it does not answer (failurePolicy Fail)',
      ],
      [
        'are in the network of their node',
        open,
        closed,
        [service, workload('{ hostNetwork: true }'), deny],
        'webhook a.example.com: ⚠️ refuses CREATE of pods while it does not answer (failurePolicy Fail)',
      ],
      [
        'are not of the release',
        open,
        closed,
        [],
        'webhook a.example.com: ⚠️ refuses CREATE of pods while it does not answer (failurePolicy Fail), is answered by Service/shop/guard, which is not of the release',
      ],
      [
        'are others that are not of the release',
        closed,
        of('failurePolicy: Fail', 'b'),
        [service],
        'webhook a.example.com: ⚠️ another service decides, is answered by Service/shop/b, which is not of the release',
      ],
      [
        'need not answer',
        undefined,
        open,
        [],
        'new webhook a.example.com: ⚠️ decides about CREATE of pods in all namespaces',
      ],
      [
        'were not of the release before',
        closed,
        of('failurePolicy: Fail, matchPolicy: Exact'),
        [],
        'webhook a.example.com: decides about the listed versions of a kind only (matchPolicy Exact)',
      ],
    ])('%s', (_what, before, after, all, expected) => {
      const releases = { before: releaseObjects([]), after: releaseObjects(all) }
      expect(plainText(admissionPhrase(admissionChanges(ref, before, after, releases)))).toBe(expected)
    })

    test('may be among objects that are hidden', () => {
      const releases = { before: releaseObjects([]), after: releaseObjects([], true) }
      const found = admissionChanges(ref, open, closed, releases)
      expect(found.map(({ effect }) => effect)).toEqual(['fails-closed'])
    })
  })

  test('that goes with its configuration', () => {
    expect(changes('ValidatingWebhookConfiguration', webhook(pods), undefined)).toEqual([
      'more',
      '- webhook a.example.com: ⚠️ no longer decides about requests',
    ])
  })

  test('that goes', () => {
    const none = { webhooks: [] }
    expect(changes('MutatingWebhookConfiguration', webhook(pods), none)).toEqual([
      'no more',
      '- webhook a.example.com: no longer decides about requests',
    ])
  })

  test('beyond as many as any real configuration has is not compared, and counts as more', () => {
    const many = (amount: number) => ({
      webhooks: Array.from({ length: amount }, (_, index) => ({ name: `w${index}` })),
    })
    const [verdict, first] = changes('MutatingWebhookConfiguration', many(60), many(60))
    expect([verdict, first]).toEqual(['more', '- ⚠️ more rules than are compared here'])
  })

  test('of another kind is none', () => {
    expect(changes('Webhook', webhook(pods), { webhooks: [] })).toEqual(['no more'])
  })
})

describe('an admission policy', () => {
  const policy = (text: string) => yaml(`{ spec: { ${text} } }`)
  const match = (text = '') => `matchConstraints: { ${pods.replace('rules', 'resourceRules')}${text} }`

  test.each<[string, string, string, readonly string[]]>([
    [
      'that checks otherwise',
      `${match()}, validations: [{ expression: a }]`,
      `${match()}, validations: []`,
      ['more', '- decides otherwise'],
    ],
    [
      'that excludes less',
      match(`, ${pods.replace('rules', 'excludeResourceRules')}`),
      match(),
      ['more', '- ⚠️ decides about more requests: CREATE of pods (v1)'],
    ],
    [
      'that fails open',
      match(),
      `${match()}, failurePolicy: Ignore`,
      ['more', '- ⚠️ lets CREATE of pods pass while it does not answer (failurePolicy Ignore)'],
    ],
  ])('%s', (_what, before, after, expected) => {
    expect(changes('ValidatingAdmissionPolicy', policy(before), policy(after))).toEqual(expected)
  })

  test.each<[string, string, string, readonly string[]]>([
    [
      'that refuses from now on',
      'validationActions: [Audit]',
      'validationActions: [Deny]',
      ['more', '- ⚠️ refuses requests (validationActions Deny)'],
    ],
    [
      'that refuses no more, so that others may do more',
      'validationActions: [Deny]',
      'validationActions: [Audit, Warn]',
      ['more', '- ⚠️ no longer refuses requests'],
    ],
    [
      'that takes the rules of its policy',
      `matchResources: { ${pods.replace('rules', 'resourceRules')} }`,
      'matchResources: {}',
      ['more', '- ⚠️ decides about more requests: all operations of all resources of all API groups'],
    ],
    ['of another policy', 'policyName: a', 'policyName: b', ['more', '- decides otherwise']],
  ])('bound: %s', (_what, before, after, expected) => {
    expect(changes('ValidatingAdmissionPolicyBinding', policy(before), policy(after))).toEqual(expected)
  })

  test.each<[string, string, JsonObject | undefined, JsonObject | undefined, readonly string[]]>([
    [
      'a new policy',
      'ValidatingAdmissionPolicy',
      undefined,
      policy(match()),
      ['more', '- ⚠️ decides about CREATE of pods (v1) in all namespaces'],
    ],
    [
      'a new binding that refuses',
      'ValidatingAdmissionPolicyBinding',
      undefined,
      policy('validationActions: [Deny], matchResources: { namespaceSelector: { matchLabels: { a: b } } }'),
      [
        'more',
        '- ⚠️ decides about what its policy names in namespaces with a=b',
        '- ⚠️ refuses requests (validationActions Deny)',
      ],
    ],
    [
      'a binding that refused and goes',
      'ValidatingAdmissionPolicyBinding',
      policy('validationActions: [Deny]'),
      undefined,
      ['more', '- ⚠️ no longer refuses requests'],
    ],
    [
      'a binding that goes and refused nothing',
      'MutatingAdmissionPolicyBinding',
      policy('policyName: a'),
      undefined,
      ['no more', '- no longer decides about requests'],
    ],
  ])('%s', (_what, kind, before, after, expected) => {
    expect(changes(kind, before, after)).toEqual(expected)
  })
})
