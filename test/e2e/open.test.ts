import { dump } from 'js-yaml'
import { describe, expect } from 'vitest'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import type { GithubDouble } from '../../src/tools/local/github/github-double.ts'
import { PULL_REQUEST } from '../../src/tools/local/github/pull-request-event.ts'
import type { ActionResult } from '../../src/tools/local/runner/run-action.ts'
import { writeChart } from './chart-of.ts'
import { emptyWorkspace, namesIn } from './life.ts'
import { type Action, test } from './scene.ts'

const push = (apiUrl: string) => ({
  apiUrl,
  event: { name: 'push', payload: { ref: 'refs/heads/feature' } },
  env: { GITHUB_SHA: PULL_REQUEST.payload.pull_request.head.sha, GITHUB_REF: 'refs/heads/feature' },
})

const DATABASE = `apiVersion: v1
kind: Service
metadata: { name: db }
spec: { ports: [{ port: 5432 }] }
---
apiVersion: v1
kind: Secret
metadata: { name: db }
data: { password: {{ randAlphaNum 16 | b64enc }} }
`

/** The second chart, by what it writes of the address. */
const shop = (url: string) => `{{- $db := lookup "v1" "Service" .Release.Namespace "db" }}
{{- $secret := lookup "v1" "Secret" .Release.Namespace "db" }}
{{- $ip := $db.spec.clusterIP }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop
  ownerReferences: [{ apiVersion: v1, kind: Service, name: db, uid: {{ $db.metadata.uid }} }]
data: { url: ${url} }
---
apiVersion: v1
kind: Secret
metadata: { name: shop }
data: { password: {{ $secret.data.password }} }
`

describe.concurrent('what only the cluster says of an earlier release', () => {
  test('is approved by its name, and deployed as the cluster says it', async ({ action, github, namespace }) => {
    const { chart, deploy, plan } = await twoCharts(action, github)
    await chart('shop', shop('{{ sha256sum $ip }}'))
    const warned = await plan()
    expect(warned.exitCode, warned.log).toBe(0)
    expect(warned.log).toContain('depends on what only the cluster will say of an earlier release')

    await chart('shop', shop('http://{{ $ip }}:5432'))
    const planned = await plan()
    expect(planned.exitCode, planned.log).toBe(0)
    expect(github.comments()[0]?.body).toContain(`http://‹spec.clusterIP of Service/${namespace.name}/db›:5432`)
    await chart('shop', shop('http://{{ $ip }}.evil.example:5432'))
    expect(endOf(await deploy())).toBe('plan-changed')
    expect(await namesIn(namespace, 'v1', 'services')).toEqual([])

    await chart('shop', shop('http://{{ $ip }}:5432'))
    const deployed = await deploy()
    expect(endOf(deployed), deployed.log).toBe('deployed')
    const [service, config, made, used] = await Promise.all(
      ['services/db', 'configmaps/shop', 'secrets/db', 'secrets/shop'].map((one) =>
        namespace.api.get(`${namespace.path}/${one}`),
      ),
    )
    const address = String(at(service, 'spec', 'clusterIP'))
    expect(at(config, 'data', 'url')).toBe(`http://${address}:5432`)
    expect(at(config, 'metadata', 'ownerReferences', 0, 'uid')).toBe(at(service, 'metadata', 'uid'))
    expect(at(used, 'data', 'password')).toBe(at(made, 'data', 'password'))
    expect(deployed.log).toContain(`(${address})`)
  })

  test('stops the release whose chart makes something else of it', async ({ action, github, namespace }) => {
    const { chart, deploy, plan } = await twoCharts(action, github)
    await chart('shop', shop('http://{{ $ip }}:5432{{ if hasPrefix "10." $ip }}/evil{{ end }}'))
    const planned = await plan()
    expect(planned.exitCode, planned.log).toBe(0)
    const stopped = await deploy()
    expect(endOf(stopped), stopped.log).toBe('plan-changed')
    expect(stopped.log).toContain('changed since approval: create ConfigMap')
    expect(await namesIn(namespace, 'v1', 'services')).toEqual(['db'])
    expect(await namesIn(namespace, 'v1', 'configmaps')).not.toContain('shop')
  })
})

async function twoCharts(action: Action, github: GithubDouble) {
  const workspace = await emptyWorkspace()
  const chart = async (name: string, text: string) =>
    writeChart(`${workspace}/${name}`, {
      'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
      'templates/all.yaml': text,
    })
  await chart('database', DATABASE)
  const inputs = { chart: '', charts: dump([{ chart: 'database' }, { chart: 'shop' }]), release: '' }
  const planned = { event: PULL_REQUEST, apiUrl: github.url, workspace }
  const pushed = { ...push(github.url), workspace }
  return {
    chart,
    plan: () => action.plan({ chart: 'plain', inputs, run: planned }),
    deploy: () => action.deploy({ chart: 'plain', inputs: { ...inputs, approval: 'comment' }, run: pushed }),
  }
}

function endOf({ outputs }: ActionResult): string | undefined {
  return outputs['failure-reason'] || outputs.status
}
