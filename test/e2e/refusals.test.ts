import { describe, expect, inject } from 'vitest'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { createUser } from '../cluster/user.ts'
import { test } from './scene.ts'

const { local } = inject('cluster')

describe.concurrent('inputs', () => {
  test('are all judged at once, without a value of a secret one', async ({ action }) => {
    const inputs = {
      command: 'deplyo',
      release: 'No Such Name',
      chart: 'charts/missing',
      timeout: 'soon',
      'create-namespace': 'yes',
      'values-files': 'missing.yaml',
      set: 'fine=1\nhunter2-without-a-key',
      'set-json': 'key=hunter2',
      'take-ownership': '1',
      'force-conflicts': 'no',
      values: 'password: "hunter2',
    }
    const result = await action.deploy({ chart: 'plain', inputs })

    expect(result.exitCode).toBe(1)
    expect(result.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'invalid-input' })
    const named = Object.keys(inputs)
    for (const text of [result.log, result.summary]) {
      expect(named.filter((name) => !new RegExp(`input ${name}( line \\d)?[\`:]`).test(text))).toEqual([])
      expect(text).toContain('deploy, plan')
      expect(text).not.toContain('hunter2')
    }
  })

  test('without a kubeconfig anywhere are refused in one sentence', async ({ action }) => {
    const result = await action.deploy({ chart: 'plain', inputs: { kubeconfig: '' } })
    expect(result.exitCode).toBe(1)
    expect(result.log).toMatch(/kubeconfig/i)
    expect(result.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'invalid-input' })
  })

  test('that give an object of the wrong form name object and field, before anything is written', async ({
    namespace,
    action,
  }) => {
    const result = await action.deploy({ chart: 'plain', inputs: { set: 'replicas=two words' } })
    expect(result.exitCode).toBe(1)
    expect(result.outputs['failure-reason']).toBe('rejected')
    for (const text of [result.log, result.summary]) expect(text).toContain('.spec.replicas')
    expect(await data(namespace, 'app')).toBeUndefined()
  })
})

describe.concurrent('a cluster', () => {
  test('that cannot be reached fails the run as such, soon, in one sentence', async ({ action }) => {
    const kubeconfig = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'gone',
      clusters: [{ name: 'gone', cluster: { server: 'https://127.0.0.1:9' } }],
      users: [{ name: 'me', user: { token: 'x' } }],
      contexts: [{ name: 'gone', context: { cluster: 'gone', user: 'me' } }],
    })
    const result = await action.deploy({ chart: 'plain', inputs: { kubeconfig, timeout: '10m' } })

    expect(result.exitCode).toBe(1)
    expect(result.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'cluster-unreachable' })
    for (const text of [result.log, result.summary]) expect(text).toContain('https://127.0.0.1:9')
    expect(result.elapsedMs).toBeLessThan(120_000)
  })

  test('without the namespace refuses, unless it is to be created', async ({ namespace, action }) => {
    const inputs = { namespace: `${namespace.name}-new` }
    const refused = await action.deploy({ chart: 'plain', inputs })
    expect(refused.exitCode).toBe(1)
    for (const text of [refused.log, refused.summary]) expect(text).toContain('create-namespace')

    const planned = await action.plan({ chart: 'plain', inputs: { ...inputs, 'create-namespace': 'true' } })
    expect(planned.outputs).toMatchObject({ status: 'planned', 'to-create': '4' })
    expect((await namespace.api.request('GET', `/api/v1/namespaces/${inputs.namespace}`)).status).toBe(404)

    const deployed = await action.deploy({ chart: 'plain', inputs: { ...inputs, 'create-namespace': 'true' } })
    expect(deployed.outputs).toMatchObject({ status: 'deployed', 'to-create': '4' })
    await namespace.api.request('DELETE', `/api/v1/namespaces/${inputs.namespace}`)
  })

  test.skipIf(local === undefined)(
    'says what the account may not do, before anything is written',
    async ({ namespace, action }) => {
      const result = await action.deploy({ chart: 'plain', inputs: { kubeconfig: local?.viewer ?? '' } })
      expect(result.exitCode).toBe(1)
      expect(result.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'forbidden' })
      for (const text of [result.log, result.summary]) expect(text).toMatch(/viewer.*cannot|may not/)
      expect(await data(namespace, 'app')).toBeUndefined()
    },
  )

  test('gives an account without the right to one kind a sentence with verb and kind', async ({
    namespace,
    action,
  }) => {
    const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']
    const kubeconfig = await createUser(namespace, [
      {
        apiGroups: [''],
        resources: ['secrets', 'configmaps', 'pods', 'pods/log', 'events', 'serviceaccounts'],
        verbs: all,
      },
      { apiGroups: ['apps'], resources: ['deployments', 'replicasets'], verbs: all },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: all },
    ])
    const result = await action.deploy({ chart: 'plain', inputs: { kubeconfig } })

    expect(result.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'forbidden' })
    for (const text of [result.log, result.summary]) expect(text).toMatch(/services/)
    expect(await data(namespace, 'app')).toBeUndefined()
  })
})

describe.concurrent('an object that is there already', () => {
  test('is refused with all others of its kind named, and taken over when asked to', async ({ namespace, action }) => {
    const { api, path } = namespace
    await api.create(`${path}/configmaps`, map('app', { greeting: 'mine' }))
    await api.create(`${path}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'app' } })

    const refused = await action.deploy({ chart: 'plain' })
    expect(refused.exitCode).toBe(1)
    expect(refused.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'not-owned' })
    for (const text of [refused.log, refused.summary]) {
      expect(text).toContain(`ConfigMap/${namespace.name}/app`)
      expect(text).toContain(`Secret/${namespace.name}/app`)
      expect(text).toContain('take-ownership')
    }
    expect(await data(namespace, 'app')).toEqual({ greeting: 'mine' })

    const taken = await action.deploy({
      chart: 'plain',
      inputs: { 'take-ownership': 'true', 'force-conflicts': 'true' },
    })
    expect(taken.exitCode).toBe(0)
    expect(await data(namespace, 'app')).toEqual({ greeting: 'hello' })
  })

  test('keeps a field of another manager, unless conflicts are to be forced', async ({ namespace, action }) => {
    const { api, path } = namespace
    await action.deploy({ chart: 'plain' })
    await api.apply(`${path}/configmaps/app`, map('app', { greeting: 'by hand' }))

    const refused = await action.deploy({ chart: 'plain', inputs: { set: 'greeting=new' } })
    expect(refused.exitCode).toBe(1)
    expect(refused.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'conflict' })
    for (const text of [refused.log, refused.summary]) {
      expect(text).toContain('test-setup')
      expect(text).toContain('greeting')
      expect(text).toContain('force-conflicts')
    }
    expect(await data(namespace, 'app')).toEqual({ greeting: 'by hand' })

    const forced = await action.deploy({ chart: 'plain', inputs: { set: 'greeting=new', 'force-conflicts': 'true' } })
    expect(forced.outputs).toMatchObject({ status: 'deployed' })
    expect(await data(namespace, 'app')).toEqual({ greeting: 'new' })
  })
})

function map(name: string, entries: { readonly [key: string]: string }) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: entries }
}

/** What a ConfigMap holds, or undefined without one. */
async function data({ api, path }: Namespace, name: string): Promise<unknown> {
  const { status, text } = await api.request('GET', `${path}/configmaps/${name}`)
  return status === 200 ? at(JSON.parse(text), 'data') : undefined
}
