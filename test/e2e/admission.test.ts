import { dump } from 'js-yaml'
import { describe, expect } from 'vitest'
import { at, type Json } from '../../src/tools/local/cluster/cluster-api.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { test } from '../cluster/fixture.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { createUser } from '../cluster/user.ts'
import { chartOf } from './chart-of.ts'
import { type Chapter, live, namesIn } from './life.ts'
import { writesOfAuthor } from './timeline.ts'

const BEFORE = { 'werf.io/weight': '-1' }
const AFTER_GATE = { 'gate.external-dependency.werf.io/resource': 'configmap/gate' }
const RBAC = 'rbac.authorization.k8s.io/v1'
/** Nobody who is refused by admission is helped by these. */
const ADVICE_ON_RIGHTS = /permission|\brights?\b|\bRBAC\b|\bRole\b/

/** Sources: docs/decisions/0022, docs/decisions/0036. */
describe.concurrent('admission', () => {
  test.for([
    {
      by: 'a LimitRange',
      bound: limitRange({ max: { cpu: '100m' } }, BEFORE),
      pod: pod('p', { resources: { limits: { cpu: '200m' } } }),
      says: 'maximum cpu usage per Container is 100m, but limit is 200m',
      next: 'change the resource so that the admission policy accepts it',
    },
    {
      by: 'a ResourceQuota',
      bound: quota({ pods: '0' }, BEFORE),
      pod: pod('p'),
      says: 'exceeded quota: few, requested: pods=1, used: pods=0, limited: pods=0',
      next: 'raise the quota of the namespace, or request less',
    },
  ])(
    'refuses by $by of the same release, which is named with its limit, and no right',
    async (given, { namespace }) => {
      const { api, path } = namespace
      const gated = { ...Object(given.pod), metadata: { name: 'p', annotations: AFTER_GATE } }
      const deployed = deploy(namespace, [given.bound, gated])
      await waitFor({ what: 'the bound is in force' }, async () => {
        const probe = await api.request('POST', `${path}/pods?dryRun=All`, given.pod)
        return probe.status === 403 && probe.text.includes(given.says)
      })
      await api.create(`${path}/configmaps`, map('gate'))
      const result = await deployed
      expect(result.outputs).toMatchObject({
        status: 'failed',
        'failure-reason': 'rejected',
        'failed-resource': `Pod/${namespace.name}/p`,
      })
      for (const text of [result.log, result.summary]) expect(text).toContain(given.says)
      expect(result.log).toContain(`next: ${given.next}`)
      expect(result.log).not.toMatch(ADVICE_ON_RIGHTS)
    },
  )

  test.for([
    {
      by: 'the Pod Security Standard of the namespace',
      prepare: enforceRestricted,
      document: pod('p'),
      says: 'violates PodSecurity "restricted:latest"',
    },
    {
      by: 'a ValidatingAdmissionPolicy whose words are those of the authorizer',
      prepare: policyOnConfigMaps,
      document: map('m'),
      says: 'User "nobody" cannot create resource "configmaps" in API group "" without an owner',
    },
  ])('refuses by $by in the plan, named, and no right', async ({ prepare, document, says }, { namespace }) => {
    const remove = await prepare(namespace)
    const result = await deploy(namespace, [document])
    await remove?.()
    expect(result.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'rejected', changed: 'false' })
    for (const text of [result.log, result.summary]) expect(text).toContain(says)
    expect(result.log).toContain('next: correct the manifest, or the policy that rejects it')
    expect(result.log).not.toMatch(ADVICE_ON_RIGHTS)
  })

  test('is no matter where the right is missing: that is named, with a Role to paste', async ({ namespace }) => {
    const kubeconfig = await createUser(namespace, [
      { apiGroups: ['', 'coordination.k8s.io'], resources: ['secrets', 'leases'], verbs: ['*'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] },
    ])
    const result = await deploy(namespace, [pod('p')], { kubeconfig })
    expect(result.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'forbidden' })
    expect(result.log).toMatch(/this account may not create, patch pods/)
    expect(result.log).toMatch(/next: .*\b(Role|permission)\b/)
  })

  test('judges anew what rests on objects that the release makes or changes before', async ({ namespace }) => {
    const { name } = namespace
    await deploy(namespace, [limitRange({ max: { cpu: '100m' } }), quota({ pods: '0' })])
    await waitFor({ what: 'the quota counts' }, async () => {
      const { text } = await namespace.api.request('GET', `${namespace.path}/resourcequotas/few`)
      return at(JSON.parse(text), 'status', 'hard', 'pods') === '0'
    })
    const result = await deploy(namespace, [
      limitRange({ max: { cpu: '500m' } }),
      quota({ pods: '9' }, BEFORE),
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'runner' } },
      { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: 5 },
      {
        apiVersion: 'node.k8s.io/v1',
        kind: 'RuntimeClass',
        metadata: { name, annotations: BEFORE },
        handler: 'runc',
      },
      pod('bounded', { resources: { limits: { cpu: '200m' } } }),
      pod('account', {}, { serviceAccountName: 'runner' }),
      pod('urgent', {}, { priorityClassName: name }),
      pod('fast', {}, { runtimeClassName: name }),
    ])
    for (const path of ['scheduling.k8s.io/v1/priorityclasses', 'node.k8s.io/v1/runtimeclasses']) {
      await namespace.api.request('DELETE', `/apis/${path}/${name}`)
    }
    expect(result.exitCode, result.log).toBe(0)
    expect(await namesIn(namespace, 'v1', 'pods')).toEqual(['account', 'bounded', 'fast', 'urgent'])
  })

  test('lets an account bind a role of the same release whose rights it has, without the right to bind', async ({
    namespace,
  }) => {
    const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']
    const kubeconfig = await createUser(namespace, [{ apiGroups: ['*'], resources: ['*'], verbs }])
    const role = { apiVersion: RBAC, kind: 'Role', metadata: { name: 'reader' }, rules: readingPods }
    const result = await deploy(namespace, [role, binding('reads', 'reader')], { kubeconfig })
    expect(result.exitCode, result.log).toBe(0)
    expect(await namesIn(namespace, RBAC, 'rolebindings')).toContain('reads')
    expect(result.log).toMatch(/RoleBinding\/\S+\/reads: .*unknown until applied, what it is judged by comes before it/)
  })

  test('writes defaults of a LimitRange into pods, which are neither drift nor a change', async ({ namespace }) => {
    const documents = [
      limitRange({ default: { cpu: '100m' }, defaultRequest: { cpu: '50m' } }),
      pod('bare', { resources: { requests: { memory: '1Mi' } } }),
      deployment('web'),
    ]
    // The API server gives defaults as soon as it has seen the LimitRange, which on a busy machine takes a moment.
    await deploy(namespace, documents.slice(0, 1))
    const first = await deploy(namespace, documents)
    expect(first.exitCode, first.log).toBe(0)
    const resources = at(await namespace.api.get(`${namespace.path}/pods/bare`), 'spec', 'containers', 0, 'resources')
    expect(resources).toEqual({ limits: { cpu: '100m' }, requests: { cpu: '50m', memory: '1Mi' } })

    const second = await deploy(namespace, documents)
    expect(second.outputs).toMatchObject({ status: 'no-changes', changed: 'false', unchanged: '3' })
    expect(writtenIn(namespace, second)).toEqual([])

    const others = [limitRange({ default: { cpu: '200m' }, defaultRequest: { cpu: '70m' } }), ...documents.slice(1)]
    const plan = await deploy(namespace, others, { command: 'plan' })
    expect(plan.outputs).toMatchObject({ status: 'planned', 'to-update': '1', unchanged: '2' })
    expect(plan.log).not.toMatch(/drift|changed in the cluster/)
  })
})

async function deploy(
  namespace: Namespace,
  documents: readonly Json[],
  inputs: { readonly [name: string]: string } = {},
): Promise<Chapter> {
  const workspace = await chartOf(documents.map((document) => dump(document)).join('---\n'))
  return live(namespace, { command: 'deploy', chart: '.', ...inputs }, { workspace })
}

/** Objects of the release only. */
function writtenIn({ name }: Namespace, { events }: Chapter): readonly string[] {
  return writesOfAuthor(events)
    .filter(({ ref }) => ref.namespace === name && ref.resource !== 'secrets' && ref.resource !== 'leases')
    .map(({ ref, verb }) => `${verb} ${ref.resource}/${ref.name}`)
}

async function enforceRestricted({ api, name }: Namespace): Promise<undefined> {
  const path = `/api/v1/namespaces/${name}`
  const current = (await api.get(path)) as { readonly metadata: { readonly labels: object } }
  const labels = { ...current.metadata.labels, 'pod-security.kubernetes.io/enforce': 'restricted' }
  await api.request('PUT', path, { ...current, metadata: { ...current.metadata, labels } } as Json)
}

/** Resolves once it is in force. Gives what removes it. */
async function policyOnConfigMaps({ api, name, path }: Namespace): Promise<() => Promise<void>> {
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const folder = `/apis/${apiVersion}`
  await api.create(`${folder}/validatingadmissionpolicies`, {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
      validations: [
        {
          expression: 'has(object.data)',
          message: 'User "nobody" cannot create resource "configmaps" in API group "" without an owner',
        },
      ],
    },
  })
  await api.create(`${folder}/validatingadmissionpolicybindings`, {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  })
  await waitFor({ what: `the policy ${name} is in force` }, async () => {
    const probe = await api.request('POST', `${path}/configmaps?dryRun=All`, map('probe'))
    return probe.status !== 201
  })
  return async () => {
    await api.request('DELETE', `${folder}/validatingadmissionpolicybindings/${name}`)
    await api.request('DELETE', `${folder}/validatingadmissionpolicies/${name}`)
  }
}

const readingPods = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]

function binding(name: string, role: string): Json {
  const subjects = [{ kind: 'ServiceAccount', name: 'default' }]
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role }
  return { apiVersion: RBAC, kind: 'RoleBinding', metadata: { name }, roleRef, subjects }
}

function map(name: string): Json {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }
}

function limitRange(
  limit: { readonly [name: string]: Json },
  annotations: { readonly [key: string]: string } = {},
): Json {
  const spec = { limits: [{ type: 'Container', ...limit }] }
  return { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'bounds', annotations }, spec }
}

function quota(hard: { readonly [name: string]: string }, annotations: { readonly [key: string]: string } = {}): Json {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few', annotations }, spec: { hard } }
}

function pod(
  name: string,
  container: { readonly [name: string]: Json } = {},
  spec: { readonly [name: string]: Json } = {},
): Json {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [containerOf(container)], ...spec } }
}

function deployment(name: string): Json {
  const labels = { app: name }
  const template = { metadata: { labels }, spec: { containers: [containerOf({})] } }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template },
  }
}

function containerOf(more: { readonly [name: string]: Json }): Json {
  return { name: 'main', image: 'registry.example/app:1', ...more }
}
