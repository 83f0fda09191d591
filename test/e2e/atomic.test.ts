import { describe, inject } from 'vitest'
import { test } from '../cluster/fixture.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { helmIn } from './helm.ts'
import { live, namesIn } from './life.ts'

/** Its Deployment never gets ready; it has a CRD, a kept object and a hook of each event. */
const CHART = 'test/e2e/charts/atomic'

async function whatIsLeft(namespace: Namespace): Promise<readonly string[]> {
  const kinds = [
    ['v1', 'configmaps'],
    ['v1', 'secrets'],
    ['v1', 'services'],
    ['apps/v1', 'deployments'],
    ['atomic.example/v1', 'things'],
  ] as const
  const names = await Promise.all(
    kinds.map(async ([groupVersion, resource]) =>
      (await namesIn(namespace, groupVersion, resource)).map((name) => `${resource}/${name}`),
    ),
  )
  return names.flat()
}

/** Sources: docs/sources.md#helm-install, docs/sources.md#helm-uninstall. */
describe.skipIf(inject('cluster').local === undefined).concurrent('a failed first install', () => {
  test.for([
    ['helm3', '--atomic', 'true'],
    ['helm4', '--rollback-on-failure', 'true'],
    ['helm3', '--atomic', 'false'],
    ['helm4', '--rollback-on-failure', 'false'],
  ] as const)(
    'leaves with atomic: true what %s install %s leaves, hooks: %s',
    async ([version, flag, hooks], { namespace, expect }) => {
      const theirs = await createNamespace(inject('cluster').kubeconfig, 'theirs')
      try {
        const helm = await helmIn(theirs, version)
        const flags = [flag, '--timeout', '15s', ...(hooks === 'true' ? [] : ['--no-hooks'])]
        await expect(helm('install', 'app', CHART, ...flags)).rejects.toThrow(/has been uninstalled/)

        const ours = await live(namespace, { command: 'deploy', chart: CHART, atomic: 'true', hooks })
        expect(ours.exitCode, ours.log).toBe(1)
        expect(ours.outputs).toMatchObject({ status: 'taken-down', 'failure-reason': 'not-ready' })
        const left = await whatIsLeft(namespace)
        expect(left).toEqual(await whatIsLeft(theirs))
        expect(left).toContain('configmaps/kept')
        expect(left.includes('configmaps/hook-pre-delete')).toBe(hooks === 'true')
        expect(ours.log.indexOf('CrashLoopBackOff')).toBeLessThan(ours.log.indexOf('uninstall app in'))
        expect(ours.summary).toContain('### Taken down: the failed first install of `app`')
      } finally {
        await theirs.remove()
      }
    },
  )
})
