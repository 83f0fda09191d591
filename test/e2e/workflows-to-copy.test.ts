import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { openApi } from '../../src/tools/local/cluster/cluster-api.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { test } from './scene.ts'
import { type Checkout, checkOut, runWorkflow } from './workflow.ts'

/** The namespace that these workflows deploy to. */
const NAMESPACE = '/api/v1/namespaces/several'
const REPOSITORY = { full_name: 'acme/shop', name: 'shop', owner: { login: 'acme' }, default_branch: 'main' }
const SCHEDULE = { name: 'schedule', payload: { schedule: '17 5 * * 1-5', repository: REPOSITORY } }

/** Workflows of `examples/workflows` as they are. Source: docs/sources.md#act. */
describe.skipIf(inject('cluster').local === undefined)('the workflows to copy', () => {
  const { kubeconfig } = inject('cluster')
  const api = openApi(kubeconfig)
  let checkout: Checkout

  beforeAll(async () => {
    await api.request('DELETE', NAMESPACE)
    await waitFor({ what: 'no earlier run is left', limitMs: 60_000 }, async () => {
      return (await api.request('GET', NAMESPACE)).status === 404
    })
    checkout = await checkOut()
    await mkdir(join(checkout.folder, 'charts'))
    await cp(join(checkout.folder, 'examples', 'plain'), join(checkout.folder, 'charts', 'plain'), { recursive: true })
  })
  afterAll(async () => {
    await api.request('DELETE', NAMESPACE)
  })

  test('deploy several releases, find drift on a schedule, and go back by hand', async ({ github, onTestFailed }) => {
    const logs: string[] = []
    onTestFailed(() => void process.stderr.write(logs.join('\n')))
    const secrets = { KUBECONFIG: await readFile(kubeconfig, 'utf8') }
    const go = async (name: string, event: { readonly name: string; readonly payload: unknown }) => {
      const workflow = join('examples', 'workflows', name)
      const result = await runWorkflow(checkout, { workflow, event, apiUrl: github.url, secrets, variables: {} })
      logs.push(result.log)
      return result
    }
    const push = {
      name: 'push',
      payload: {
        ref: 'refs/heads/main',
        after: checkout.sha,
        head_commit: { id: checkout.sha },
        repository: REPOSITORY,
      },
    }
    const byHand = (inputs: object) => ({ name: 'workflow_dispatch', payload: { inputs, repository: REPOSITORY } })
    const replicas = async (name: string) =>
      (await api.get(`/apis/apps/v1/namespaces/several/deployments/${name}-plain`)) as {
        readonly spec: { readonly replicas: number }
      }

    const deploy = await go('several-releases.yml', push)
    expect(deploy.exitCode).toBe(0)
    expect(JSON.parse(deploy.outputs.releases ?? '')).toMatchObject([
      { release: 'api', status: 'deployed' },
      { release: 'web', status: 'deployed' },
    ])
    expect((await replicas('api')).spec.replicas).toBe(3)

    const calm = await go('drift.yml', SCHEDULE)
    expect(calm.exitCode).toBe(0)
    expect(calm.outputs).toMatchObject({ status: 'planned', changed: 'false' })

    await api.request('DELETE', '/api/v1/namespaces/several/services/web-plain')
    const drift = await go('drift.yml', SCHEDULE)
    expect(drift.exitCode).not.toBe(0)
    expect(drift.outputs).toMatchObject({ changed: 'true', 'to-create': '1' })

    const before = (await replicas('web')).spec.replicas
    const values = join(checkout.folder, 'charts', 'plain', 'values.yaml')
    await writeFile(values, (await readFile(values, 'utf8')).replace(/^replicaCount: .*$/m, 'replicaCount: 4'))
    expect((await go('several-releases.yml', push)).exitCode).toBe(0)
    expect((await replicas('web')).spec.replicas).toBe(4)

    const asked = { release: 'web', namespace: 'several', revision: '' }
    const shown = await go('rollback.yml', byHand({ ...asked, command: 'plan-rollback' }))
    expect(shown.exitCode).toBe(0)
    expect(shown.outputs).toMatchObject({ status: 'planned', changed: 'true' })
    expect((await replicas('web')).spec.replicas).toBe(4)
    const back = await go('rollback.yml', byHand({ ...asked, command: 'rollback' }))
    expect(back.exitCode).toBe(0)
    expect(back.outputs).toMatchObject({ status: 'rolled-back', revision: '3' })
    expect((await replicas('web')).spec.replicas).toBe(before)
  })
})
