import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { at, openApi } from '../../src/tools/local/cluster/cluster-api.ts'
import type { AuditEvent } from '../cluster/audit.ts'
import { createNamespace, type Namespace, waitForObject } from '../cluster/namespace.ts'
import { createUser } from '../cluster/user.ts'
import { type Chapter, emptyWorkspace, live, namesIn } from './life.ts'
import { deletions, goneAt, historyOf, type Steps, violations, writesOfAuthor } from './timeline.ts'

const { kubeconfig, local } = inject('cluster')
const CHART = 'test/e2e/charts/werf'

/**
 * The application of werf's documentation (docs/sources.md#werf-deployment-order,
 * docs/sources.md#werf-resource-lifecycle) through its life. What it depends on outside of the release is created by
 * another user while the deploy runs.
 */
describe.skipIf(local === undefined)('an application with the annotations of werf', () => {
  let namespace: Namespace
  let infra: Namespace
  let install: Chapter
  let upgrade: Chapter
  let rollback: Chapter
  let uninstall: Chapter

  beforeAll(async () => {
    namespace = await createNamespace(kubeconfig, 'shop')
    infra = await createNamespace(kubeconfig, 'infra')
    const deploy = { command: 'deploy', chart: CHART }
    const outside = createLate(namespace, infra)
    install = await chapter({ ...deploy, set: `infra=${infra.name}` })
    await outside
    const keep = { metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } } }
    await namespace.api.patch(`${namespace.path}/configmaps/kept-live`, keep)
    upgrade = await chapter({ ...deploy, set: `infra=${infra.name}\ngeneration=2` })
    const workspace = await emptyWorkspace()
    rollback = await chapter({ command: 'rollback', revision: '1' }, workspace)
    uninstall = await chapter({ command: 'uninstall' }, workspace)
  })
  afterAll(() => Promise.all([namespace?.remove(), infra?.remove()]))

  async function chapter(inputs: { readonly [name: string]: string }, workspace?: string): Promise<Chapter> {
    const told = await live(namespace, inputs, workspace === undefined ? {} : { workspace })
    const places = [namespace.name, infra.name]
    return { ...told, events: told.events.filter(({ ref }) => places.includes(ref.namespace ?? '')) }
  }

  describe('on install', () => {
    test('succeeds', () => {
      expect(install.exitCode, install.log).toBe(0)
      expect(install.outputs).toMatchObject({ status: 'deployed', revision: '1' })
    })

    test('runs hooks one at a time by weight, and a deploy-on resource of the stage among them', () => {
      const order: Steps = [['jobs/first'], ['jobs/second'], ['jobs/third'], ['jobs/database-initialization']]
      expect(violations(install.events, [...order, ['statefulsets/database']])).toEqual([])
    })

    test('starts a hook once its external dependency, created late by another user, is ready', () => {
      const events = byAnybody(install.events)
      expect(violations(events, [['jobs/second'], ['deployments/vault'], ['jobs/third']])).toEqual([])
    })

    test('deploys weight groups one after the other, each when all of the one before is ready', () => {
      const groups: Steps = [
        ['statefulsets/database'],
        ['jobs/database-migrations', 'configmaps/settings', 'configmaps/once', 'persistentvolumeclaims/my-pvc'],
        ['deployments/app1', 'deployments/app2'],
      ]
      expect(violations(install.events, groups)).toEqual([])
    })

    test('starts nothing of a weight group before all external dependencies of any member are there and ready', () => {
      const events = byAnybody(install.events)
      const outside = ['secrets/my-dynamic-vault-secret', 'statefulsets/my-database']
      expect(violations(events, [outside, ['deployments/app1', 'deployments/app2']])).toEqual([])
    })

    test('writes a group in one go, before any of it is ready', () => {
      const [app1, app2] = ['deployments/app1', 'deployments/app2'].map((name) => historyOf(name, install.events))
      const written = Math.max(app1?.writtenAt ?? Number.NaN, app2?.writtenAt ?? Number.NaN)
      expect(written).toBeLessThan(Math.min(app1?.readyAt ?? 0, app2?.readyAt ?? 0))
    })

    test('deletes what has delete-policy succeeded when its group is ready, and leaves what has none', () => {
      const migrations = historyOf('jobs/database-migrations', install.events)
      const app = historyOf('deployments/app1', install.events)
      expect(migrations.deletedAt).toBeGreaterThan(migrations.readyAt ?? Number.NaN)
      expect(migrations.deletedAt).toBeLessThan(app.writtenAt ?? Number.NaN)
      expect(deletions(install.events).toSorted()).toEqual(['jobs/database-migrations', 'jobs/first'])
    })

    test('runs nothing that is deployed on upgrade, rollback or delete', () => {
      const others = ['jobs/announce', 'jobs/undo-1', 'jobs/last-backup', 'jobs/farewell']
      expect(others.map((name) => historyOf(name, install.events).writtenAt)).toEqual(others.map(() => undefined))
    })
  })

  describe('on upgrade', () => {
    test('succeeds', () => {
      expect(upgrade.exitCode, upgrade.log).toBe(0)
      expect(upgrade.outputs).toMatchObject({ status: 'deployed', revision: '2' })
    })

    test('runs a resource of two stages in both, recreated in between', () => {
      expect(writesTo('jobs/announce', upgrade.events)).toEqual(['patch', 'delete', 'patch'])
      expect(violations(upgrade.events, [['jobs/first'], ['deployments/app1']])).toEqual([])
    })

    test('always recreates what has delete-policy before-creation', () => {
      expect(writesTo('jobs/database-migrations', upgrade.events)).toEqual(['patch', 'delete'])
      expect(upgrade.log).toContain(`Job/${namespace.name}/database-migrations created`)
    })

    test('leaves a resource of other verbs as it is, and says so', () => {
      const others = ['configmaps/once', 'jobs/second', 'jobs/third', 'jobs/database-initialization']
      expect(others.flatMap((name) => writesTo(name, upgrade.events))).toEqual([])
      expect(upgrade.log).toMatch(/ConfigMap\/\S+\/once: .*left unchanged/)
    })

    test('deletes what left the chart when main is ready, unless keep stands on the live object only', () => {
      expect(deletions(upgrade.events)).toContain('configmaps/leaves')
      expect(deletions(upgrade.events)).not.toContain('configmaps/kept-live')
      expect(violations(upgrade.events, [['deployments/app1', 'deployments/app2'], ['configmaps/leaves']])).toEqual([])
    })
  })

  describe('on rollback to a revision with other hooks', () => {
    test('succeeds from an empty directory', () => {
      expect(rollback.exitCode, rollback.log).toBe(0)
      expect(rollback.outputs).toMatchObject({ status: 'rolled-back', revision: '3', 'previous-revision': '2' })
    })

    test('runs the rollback hooks of that revision around the change, and no others', () => {
      expect(writesTo('jobs/undo-1', rollback.events)).toEqual(['patch', 'delete', 'patch'])
      expect(writesTo('jobs/undo-2', rollback.events)).toEqual([])
      expect(writesTo('jobs/first', rollback.events)).toEqual([])
      const [before, after] = patchesOf('jobs/undo-1', rollback.events)
      const app = historyOf('deployments/app1', rollback.events)
      expect(before).toBeLessThan(app.writtenAt ?? Number.NaN)
      expect(after).toBeGreaterThan(app.readyAt ?? Number.NaN)
    })

    test('brings back what had left and deletes what had come', () => {
      expect(writesTo('configmaps/leaves', rollback.events)).toEqual(['patch'])
      expect(deletions(rollback.events)).toContain('configmaps/comes')
    })
  })

  describe('on uninstall', () => {
    test('succeeds from an empty directory', () => {
      expect(uninstall.exitCode, uninstall.log).toBe(0)
      expect(uninstall.outputs).toMatchObject({ status: 'uninstalled' })
    })

    test('runs the pre-delete hook before anything else', () => {
      expect(violations(uninstall.events, [['jobs/drain'], ['jobs/last-backup'], ['deployments/app1']])).toEqual([])
    })

    test('deploys what is deployed on delete before anything is deleted, and the post-delete hook at last', () => {
      expect(violations(uninstall.events, [['jobs/last-backup'], ['deployments/app1']])).toEqual([])
      const farewell = historyOf('jobs/farewell', uninstall.events)
      expect(farewell.writtenAt).toBeGreaterThan(historyOf('statefulsets/database', uninstall.events).deletedAt ?? 0)
    })

    test('runs again what ran on install, and makes again at the end what it has deleted', () => {
      expect(writesTo('jobs/dump', install.events)).toEqual(['patch'])
      expect(writesTo('jobs/dump', uninstall.events)).toEqual(['delete', 'patch', 'delete'])
      expect(writesTo('secrets/receipt', uninstall.events)).toEqual(['delete', 'patch', 'delete'])
      const [receipt] = patchesOf('secrets/receipt', uninstall.events)
      expect(receipt).toBeGreaterThan(goneAt('statefulsets/database', uninstall.events))
    })

    test('deletes the highest weight first, each group gone before the next', () => {
      const { events } = uninstall
      const apps = Math.max(goneAt('deployments/app1', events), goneAt('deployments/app2', events))
      const rest = deletions(events).filter((name) => name.startsWith('configmaps/'))
      expect(rest.toSorted()).toEqual(['configmaps/leaves', 'configmaps/once', 'configmaps/settings'])
      for (const name of rest) {
        expect(historyOf(name, events).deletedAt).toBeGreaterThan(apps)
        expect(historyOf(name, events).deletedAt).toBeLessThan(deletedAt('statefulsets/database', events))
      }
    })

    test('leaves what is kept, what anyone owns and what hooks made', async () => {
      expect(await namesIn(namespace, 'v1', 'configmaps')).toEqual(['kept-live', 'shared'])
      expect(await namesIn(namespace, 'v1', 'persistentvolumeclaims')).toEqual(['my-pvc'])
      expect(await namesIn(namespace, 'v1', 'secrets')).toEqual(['my-dynamic-vault-secret'])
      expect(await namesIn(namespace, 'apps/v1', 'deployments')).toEqual(['vault'])
      expect(await namesIn(namespace, 'batch/v1', 'jobs')).toEqual(['second', 'third', 'undo-1'])
    })

    test('has never put the marks of the release on what anyone owns', async () => {
      const shared = await namespace.api.get(`${namespace.path}/configmaps/shared`)
      expect(at(shared, 'metadata', 'annotations', 'meta.helm.sh/release-name')).toBeUndefined()
      const pvc = await namespace.api.get(`${namespace.path}/persistentvolumeclaims/my-pvc`)
      expect(at(pvc, 'metadata', 'annotations', 'meta.helm.sh/release-name')).toBe('app')
    })
  })
})

/** What the release depends on, by users of their own: each object a while after the release began to wait for it. */
async function createLate(namespace: Namespace, infra: Namespace): Promise<void> {
  const all = [{ apiGroups: ['', 'apps'], resources: ['*'], verbs: ['create'] }]
  const operator = openApi(await createUser(namespace, all))
  const owner = openApi(await createUser(infra, all))
  const { api } = namespace
  const isComplete = (object: Parameters<typeof at>[0]) => at(object, 'status', 'succeeded') === 1
  await waitForObject(api, `${namespace.in('batch/v1')}/jobs/second`, 'complete', isComplete)
  await operator.create(`${namespace.in('apps/v1')}/deployments`, workload('Deployment', 'vault', '1s'))
  await waitForObject(api, `${namespace.in('apps/v1')}/statefulsets/database`, 'there', () => true)
  await operator.create(`${namespace.path}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'my-dynamic-vault-secret' },
  })
  await owner.create(`${infra.in('apps/v1')}/statefulsets`, workload('StatefulSet', 'my-database', '4s'))
}

function workload(kind: string, name: string, readyAfter: string) {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: {
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, annotations: { 'simulate.staged-helm-deploy.dev/ready-after': readyAfter } },
        spec: { containers: [{ name: 'main', image: 'example' }] },
      },
    },
  }
}

/** As if everything had one author, so that the order holds between several. */
function byAnybody(events: readonly AuditEvent[]): readonly AuditEvent[] {
  return events.map((event) =>
    event.verb === 'create' && event.ref.subresource === undefined ? { ...event, user: 'admin' } : event,
  )
}

function writesTo(name: string, events: readonly AuditEvent[]): readonly string[] {
  return writesOfAuthor(events)
    .filter(({ ref }) => `${ref.resource}/${ref.name}` === name)
    .map(({ verb }) => verb)
}

function patchesOf(name: string, events: readonly AuditEvent[]): readonly number[] {
  return writesOfAuthor(events)
    .filter(({ ref, verb }) => `${ref.resource}/${ref.name}` === name && verb === 'patch')
    .map(({ startedAt }) => startedAt)
}

function deletedAt(name: string, events: readonly AuditEvent[]): number {
  return historyOf(name, events).deletedAt ?? Number.NaN
}
