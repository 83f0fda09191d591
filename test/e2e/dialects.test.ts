import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { test } from '../cluster/fixture.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { type Chapter, emptyWorkspace, live, namesIn } from './life.ts'
import { goneAt, historyOf, violations, writesOfAuthor } from './timeline.ts'

const { kubeconfig, local } = inject('cluster')

describe.skipIf(local === undefined)('a chart with rarer annotations', () => {
  let namespace: Namespace
  let install: Chapter
  let upgrade: Chapter
  let uninstall: Chapter
  let late: string

  beforeAll(async () => {
    namespace = await createNamespace(kubeconfig)
    late = `${namespace.name}-late`
    const deploy = { command: 'deploy', chart: 'test/e2e/charts/dialects' }
    const given = createWhenAwaited()
    install = await chapter({ ...deploy, set: `late=${late}` }, { onOutput: given.onOutput })
    await given.created()
    upgrade = await chapter({ ...deploy, set: `late=${late}\nserviceName=other` })
    uninstall = await chapter({ command: 'uninstall' }, { workspace: await emptyWorkspace() })
  })
  afterAll(async () => {
    await namespace?.remove()
    await namespace?.api.request('DELETE', `/api/v1/namespaces/${late}`)
  })

  /** Creates the namespace `late` once the run says that its post hook waits for something. */
  function createWhenAwaited() {
    let created: Promise<unknown> | undefined
    let log = ''
    return {
      onOutput: (text: string) => {
        log += text
        if (!/group::post .*outside the release/.test(log)) return
        const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: late } }
        created ??= namespace.api.create('/api/v1/namespaces', body)
      },
      created: async () => created,
    }
  }

  async function chapter(
    inputs: { readonly [name: string]: string },
    run: Parameters<typeof live>[2] = {},
  ): Promise<Chapter> {
    const told = await live(namespace, inputs, run)
    return { ...told, events: told.events.filter(({ ref }) => [ref.namespace, ref.name].some(isOurs)) }
  }

  function isOurs(name: string | undefined): boolean {
    return name === namespace.name || name === late
  }

  test('has its dependencies ready before, within one weight group and against the kind order', () => {
    expect(install.exitCode, install.log).toBe(0)
    expect(violations(install.events, [['statefulsets/db'], ['deployments/api']])).toEqual([])
  })

  test('has a post hook wait for a cluster-scoped object that comes late', () => {
    expect(violations(install.events, [['deployments/api'], [`namespaces/${late}`], ['jobs/after']])).toEqual([])
  })

  test('is deployed though its hook vanishes by its TTL as soon as it has finished', async () => {
    expect(historyOf('jobs/vanishes', install.events).readyAt).toBeDefined()
    expect(await namesIn(namespace, 'batch/v1', 'jobs')).toEqual(['after'])
  })

  test('goes on after a failure that is ignored, and past what is not waited for', () => {
    expect(install.log).toMatch(/failed, ignored: .*broken/)
    expect(install.log).not.toMatch(/Deployment\/\S+\/slow waits/)
    expect(historyOf('jobs/after', install.events).readyAt).toBeDefined()
  })

  test('waits for an object of a kind without readiness until it can be read', () => {
    expect(install.log).toMatch(/ConfigMap\/\S+\/seen readable/)
  })

  test('does not create what is to be skipped, and lists annotations that are not used', () => {
    expect(historyOf('configmaps/skipped', install.events).writtenAt).toBeUndefined()
    expect(install.log).toMatch(/ConfigMap\/\S+\/skipped: .*skip-create/)
    expect(install.log).toMatch(/StatefulSet\/\S+\/db: .*argocd\.argoproj\.io\/sync-wave/)
  })

  test('has an object recreated where its change is not possible otherwise', () => {
    expect(upgrade.exitCode, upgrade.log).toBe(0)
    const writes = writesOfAuthor(upgrade.events).filter(({ ref }) => ref.resource === 'statefulsets')
    expect(writes.map(({ verb }) => verb)).toEqual(['delete', 'patch'])
  })

  test('is deleted with its delete dependencies absent before, and leaves what it shall orphan', async () => {
    expect(uninstall.exitCode, uninstall.log).toBe(0)
    expect(historyOf('deployments/api', uninstall.events).deletedAt).toBeGreaterThanOrEqual(
      goneAt('configmaps/gate', uninstall.events),
    )
    const replicaSets = await namesIn(namespace, 'apps/v1', 'replicasets')
    expect(replicaSets.map((name) => name.replace(/-[^-]+$/, ''))).toEqual(['slow'])
  })
})

describe.skipIf(local === undefined)('a chart with mistakes', () => {
  test('is refused with all of them at once, before anything is written', async ({ namespace }) => {
    const { exitCode, log, outputs, events } = await live(namespace, {
      command: 'deploy',
      chart: 'test/e2e/charts/malformed',
    })
    expect(exitCode).toBe(1)
    expect(outputs['failure-reason']).toBe('invalid-input')
    for (const index of [0, 1, 2, 3, 4, 5]) expect(log).toContain(`mistake-${index}`)
    const written = writesOfAuthor(events).filter(({ ref }) => ref.namespace === namespace.name)
    expect([...new Set(written.map(({ ref }) => ref.resource))]).toEqual(['leases'])
  })
})
