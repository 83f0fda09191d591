import { describe, expect, inject, it } from 'vitest'
import { KUBERNETES_VERSION } from '../../../../src/tools/builds/recipes.ts'
import { at, openApi } from '../../../../src/tools/local/cluster/cluster-api.ts'
import { isWrite, readAudit } from '../../../cluster/audit.ts'
import { createNamespace } from '../../../cluster/namespace.ts'
import { pod } from '../../../cluster/simulation/examples.ts'
import { createUser } from '../../../cluster/user.ts'

const { kubeconfig, local } = inject('cluster')

describe.concurrent('the API server', () => {
  it.skipIf(local === undefined)('tells its version, which charts read', async () => {
    const version = await openApi(kubeconfig).get('/version')
    expect(version).toMatchObject({ gitVersion: KUBERNETES_VERSION })
  })

  it('lets a weak user do only what the rules say', async () => {
    const namespace = await createNamespace(kubeconfig)
    const user = openApi(await createUser(namespace, [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]))

    expect((await user.request('GET', `${namespace.path}/pods`)).status).toBe(200)
    expect((await user.request('POST', `${namespace.path}/pods`, pod('p', {}))).status).toBe(403)
    expect((await user.request('GET', '/api/v1/namespaces/default/pods')).status).toBe(403)
    await namespace.remove()
  })

  it.skipIf(local === undefined)('knows a user who may read all but Secrets, and one who may do nothing', async () => {
    const statusFor = async (user: string | undefined, path: string) =>
      (await openApi(user ?? '').request('GET', `/api/v1/namespaces/default/${path}`)).status

    expect(await statusFor(local?.viewer, 'pods')).toBe(200)
    expect(await statusFor(local?.viewer, 'secrets')).toBe(403)
    expect(await statusFor(local?.nobody, 'pods')).toBe(403)
  })

  it.skipIf(local === undefined)('writes an audit log that tells order, user agent and dry runs', async () => {
    const namespace = await createNamespace(kubeconfig)
    const { api, path, name } = namespace
    const map = (mapName: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: mapName } })
    await api.create(`${path}/configmaps?dryRun=All`, map('tried'))
    await api.create(`${path}/configmaps`, map('first'))
    await api.patch(`${path}/configmaps/first?fieldManager=someone`, { data: { key: 'value' } })
    await api.remove(`${path}/configmaps/first`)

    const events = await readAudit(local?.auditLog ?? '', { namespace: name, user: 'admin' })
    const onMaps = events.filter((event) => event.ref.resource === 'configmaps')

    expect(onMaps.map(({ verb, isDryRun, code, ref }) => [verb, ref.name, isDryRun, code])).toEqual([
      ['create', 'tried', true, 201],
      ['create', 'first', false, 201],
      ['patch', 'first', false, 200],
      ['delete', 'first', false, 200],
    ])
    expect(onMaps.map(isWrite)).toEqual([false, true, true, true])
    expect(onMaps.at(2)).toMatchObject({ userAgent: 'test-setup', fieldManager: 'someone', ref: { version: 'v1' } })
    expect(at(await api.get(path), 'metadata', 'name')).toBe(name)
    await namespace.remove()
  })
})
