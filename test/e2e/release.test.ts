import { describe, expect, inject } from 'vitest'
import { at, type Json } from '../../src/tools/local/cluster/cluster-api.ts'
import { isWrite, readAudit } from '../cluster/audit.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { chartOf } from './chart-of.ts'
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

    test('a release that helm installed is planned without changes, whatever its texts end in', async ({
      namespace,
      action,
    }) => {
      const helm = await helmIn(namespace, version)
      const workspace = await chartOf(chartOfTexts(version))
      const run = { workspace }
      await helm('install', 'app', workspace)
      const byHelm = await texts(namespace)

      const planned = await action.plan({ chart: 'plain', inputs: { chart: '.' }, run })
      expect(planned.outputs, planned.log).toMatchObject({ changed: 'false', 'to-update': '0', 'to-create': '0' })

      // What we install is what helm installs, hooks included.
      await helm('uninstall', 'app')
      await namespace.api.request('DELETE', `${namespace.path}/configmaps/text-hook`)
      const deployed = await action.deploy({ chart: 'plain', inputs: { chart: '.' }, run })
      expect(deployed.outputs, deployed.log).toMatchObject({ status: 'deployed' })
      expect(await texts(namespace)).toEqual(byHelm)

      // What helm reads in our record is what we applied.
      await action.deploy({ chart: 'plain', inputs: { chart: '.', set: 'label=other' }, run })
      await helm('rollback', 'app', '1')
      expect(await texts(namespace)).toEqual(byHelm)
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

/** ConfigMaps whose text is the last of a document: of a file, before another document, and of a hook. */
function chartOfTexts(version: 'helm3' | 'helm4') {
  const ends = { clipped: '|\n    one', kept: '|+\n    one', folded: '>\n    one', stripped: '|-\n    one\n\n' }
  // Helm 3 cuts off blank lines before it reads a text.
  const blank = version === 'helm4' ? { lines: '|+\n    one\n\n\n', middle: '|+\n    one\n\n---\n# nothing\n' } : {}
  const files = Object.entries({ ...ends, ...blank }).map(([name, text]) => configMap(name, '{ e: e }', text))
  const crlf = configMap('crlf', '{ e: e }', '|\n    one\n    two').replaceAll('\n', '\r\n')
  const hook = configMap('hook', '{ helm.sh/hook: post-install }', '|\n    one')
  return Object.fromEntries([...files, crlf, hook].map((text, index) => [`templates/${index}.yaml`, text]))
}

function configMap(name: string, annotations: string, text: string): string {
  const metadata = `{ name: text-${name}, labels: { l: "{{ .Values.label }}" }, annotations: ${annotations} }`
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: ${metadata}\ndata:\n  text: ${text}`
}

async function texts({ api, path }: Namespace): Promise<unknown> {
  const { items } = (await api.get(`${path}/configmaps`)) as { readonly items: readonly Json[] }
  const ours = items.filter((item) => String(at(item, 'metadata', 'name')).startsWith('text-'))
  return Object.fromEntries(ours.map((item) => [at(item, 'metadata', 'name'), at(item, 'data', 'text')]))
}

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
