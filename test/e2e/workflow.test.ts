import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { openApi } from '../../src/tools/local/cluster/cluster-api.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { PULL_REQUEST } from '../../src/tools/local/github/pull-request-event.ts'
import { test } from './scene.ts'
import { type Checkout, checkOut, runWorkflow } from './workflow.ts'

/** The namespace that the example deploys to. */
const NAMESPACE = '/api/v1/namespaces/shop'
const EXAMPLE = join('.github', 'workflows', 'example.yml')
const [CHECKOUT] =
  readFileSync(join(import.meta.dirname, '..', '..', EXAMPLE), 'utf8').match(/actions\/checkout@\S+/) ?? []
const STEPS = [`Main ${CHECKOUT}: success`, 'Main ./: success', 'Post ./: success']

/** The example workflow as it is. Source: docs/sources.md#act. */
describe.skipIf(inject('cluster').local === undefined)('the example workflow of this repository', () => {
  const { kubeconfig } = inject('cluster')
  const api = openApi(kubeconfig)
  let checkout: Checkout

  beforeAll(async () => {
    await api.request('DELETE', NAMESPACE)
    await waitFor({ what: 'no earlier run of the example is left', limitMs: 60_000 }, async () => {
      return (await api.request('GET', NAMESPACE)).status === 404
    })
    checkout = await checkOut()
  })
  afterAll(async () => {
    await api.request('DELETE', NAMESPACE)
  })

  test('shows its plan on the pull request, and deploys it on the push', async ({ github, onTestFailed }) => {
    const logs: string[] = []
    onTestFailed(() => void process.stderr.write(logs.join('\n')))
    const secrets = { KUBECONFIG: await readFile(kubeconfig, 'utf8') }
    const go = async (event: { readonly name: string; readonly payload: unknown }) => {
      const result = await runWorkflow(checkout, {
        workflow: EXAMPLE,
        event,
        apiUrl: github.url,
        secrets,
        variables: { EXAMPLE_CLUSTER: 'true' },
      })
      logs.push(result.log)
      return result
    }

    const plan = await go(PULL_REQUEST)
    expect(plan.exitCode).toBe(0)
    expect(plan.steps).toEqual(STEPS)
    expect(plan.outputs).toMatchObject({ status: 'planned', changed: 'true' })
    const headline = `\`shop\` in \`shop\`: ${plan.outputs['to-create']} to create`
    expect(plan.summary).toMatch(/^### Plan/)
    expect(plan.summary).toContain(headline)
    expect(plan.summary).toMatch(/^\| .*`Deployment\/shop-web`.*\|$/m)
    expect(github.comments().map(({ issue }) => issue)).toEqual([57])
    const [first = '', ...rest] = github.comments()[0]?.body.split('\n') ?? []
    expect(first).toMatch(/^<!-- staged-helm-deploy v1 \S+ -->$/)
    expect(rest.join('\n')).toContain(headline)
    expect(rest.join('\n')).toContain('`Deployment/shop-web`')
    expect((await api.request('GET', NAMESPACE)).status).toBe(404)

    const [before] = github.comments()
    const secondPlan = await go(PULL_REQUEST)
    expect(secondPlan.exitCode).toBe(0)
    expect(secondPlan.outputs['comment-url']).toBe(plan.outputs['comment-url'])
    expect(github.comments().map(({ id }) => id)).toEqual([before?.id])

    github.seedPull({
      number: PULL_REQUEST.payload.number,
      state: 'closed',
      mergedAt: '2026-01-02T03:04:05Z',
      mergeSha: checkout.sha,
    })
    const deploy = await go(pushOf(checkout.sha))
    expect(deploy.exitCode).toBe(0)
    expect(deploy.steps).toEqual(STEPS)
    expect(deploy.outputs).toMatchObject({ status: 'deployed', revision: '1', changed: 'true' })
    expect(deploy.outputs['to-create']).toBe(plan.outputs['to-create'])
    expect(deploy.summary).toMatch(/^### Deployed `shop` in `shop`: revision 1/)
    expect(deploy.summary).toMatch(/^\| .*`Deployment\/shop-web`.*ready.*\|$/m)
    expect(deploy.summary).toContain('```mermaid\ngantt')
    expect(await api.get(`${NAMESPACE}/secrets/sh.helm.release.v1.shop.v1`)).toMatchObject({
      metadata: { labels: { status: 'deployed' } },
    })
    expect(await api.get('/apis/apps/v1/namespaces/shop/deployments/shop-web')).toMatchObject({
      status: { availableReplicas: 2 },
    })
    expect(github.comments().map(({ id }) => id)).toEqual([before?.id])
    expect(github.comments()[0]?.body).toMatch(/^### Deployed `shop` in `shop`/m)
  })
})

/** The pull request was merged. */
function pushOf(sha: string) {
  const repository = { full_name: 'acme/shop', name: 'shop', owner: { login: 'acme' }, default_branch: 'main' }
  return { name: 'push', payload: { ref: 'refs/heads/main', after: sha, head_commit: { id: sha }, repository } }
}
