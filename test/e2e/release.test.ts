import { describe, expect, inject } from 'vitest'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import { isWrite, readAudit } from '../cluster/audit.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { type Helm, helmIn } from './helm.ts'
import { chartPath, test } from './scene.ts'

const { local } = inject('cluster')

describe('a second deploy of the same', () => {
  test.skipIf(local === undefined)(
    'changes nothing and writes nothing but its Lease',
    async ({ namespace, action }) => {
      await action.deploy({ chart: 'plain' })
      const since = Date.now()
      const result = await action.deploy({ chart: 'plain' })

      expect(result.exitCode).toBe(0)
      expect(result.outputs).toMatchObject({ status: 'no-changes', changed: 'false', revision: '1', unchanged: '4' })
      const writes = (
        await readAudit(local?.auditLog ?? '', { namespace: namespace.name, since, user: 'admin' })
      ).filter(isWrite)
      expect([...new Set(writes.map(({ ref }) => `${ref.resource}/${ref.name}`))]).toEqual([
        'leases/staged-helm-deploy.app',
      ])
    },
  )
})

/**
 * Helm and the action take turns on one release. Sources: docs/sources.md#helm-release-storage, docs/decisions/0007.
 */
describe.each(['helm4', 'helm3'] as const)('with the real %s', (version) => {
  describe.concurrent('', () => {
    test('a release that helm installed is upgraded by us, read back and rolled back by helm', async ({
      namespace,
      action,
    }) => {
      const helm = await helmIn(namespace, version)
      await helm('install', 'app', chartPath('plain'), '--set', 'greeting=first', '--wait')

      const upgraded = await action.deploy({ chart: 'plain', inputs: { set: 'greeting=second' } })
      expect(upgraded.exitCode, upgraded.log).toBe(0)
      expect(upgraded.outputs).toMatchObject({ status: 'deployed', revision: '2', 'to-update': '1', unchanged: '3' })

      expect(await history(helm)).toEqual(['1 superseded', '2 deployed'])
      expect(JSON.parse(await helm('status', 'app', '--output', 'json'))).toMatchObject({
        name: 'app',
        version: 2,
        info: { status: 'deployed', notes: expect.stringContaining('app says second.') },
      })
      expect(JSON.parse(await helm('get', 'values', 'app', '--output', 'json'))).toEqual({ greeting: 'second' })
      // Helm 3 writes the same documents with other blank lines between them; the engine is Helm 4's.
      const engine = await helmIn(namespace, 'helm4')
      const template = await engine('template', 'app', chartPath('plain'), '--set', 'greeting=second')
      expect((await helm('get', 'manifest', 'app')).trim()).toBe(template.trim())

      await helm('rollback', 'app', '1', '--wait')
      expect(await greeting(namespace)).toBe('first')
      expect(await history(helm)).toEqual(['1 superseded', '2 superseded', '3 deployed'])

      const again = await action.deploy({ chart: 'plain', inputs: { set: 'greeting=third' } })
      expect(again.outputs).toMatchObject({ status: 'deployed', revision: '4', 'previous-revision': '3' })
      expect(await greeting(namespace)).toBe('third')
    })

    test('a release of ours is upgraded by helm', async ({ namespace, action }) => {
      const helm = await helmIn(namespace, version)
      await action.deploy({ chart: 'plain', inputs: { set: 'greeting=ours' } })
      expect(await history(helm)).toEqual(['1 deployed'])

      await helm('upgrade', 'app', chartPath('plain'), '--set', 'greeting=helm', '--wait')
      expect(await greeting(namespace)).toBe('helm')
      expect(await history(helm)).toEqual(['1 superseded', '2 deployed'])
      await helm('uninstall', 'app', '--wait')
      expect((await namespace.api.request('GET', `${namespace.path}/configmaps/app`)).status).toBe(404)
    })
  })
})

async function history(helm: Helm): Promise<readonly string[]> {
  const revisions = JSON.parse(await helm('history', 'app', '--output', 'json')) as readonly {
    readonly revision: number
    readonly status: string
  }[]
  return revisions.map(({ revision, status }) => `${revision} ${status}`)
}

async function greeting({ api, path }: Namespace): Promise<unknown> {
  return at(await api.get(`${path}/configmaps/app`), 'data', 'greeting')
}
