import { readFile } from 'node:fs/promises'
import { describe, expect, inject } from 'vitest'
import { parseMarker } from '../../src/github/comment-marker.ts'
import { PULL_REQUEST } from '../../src/tools/local/github/pull-request-event.ts'
import { isWrite, readAudit } from '../cluster/audit.ts'
import { chartOf } from './chart-of.ts'
import { test } from './scene.ts'

const { local } = inject('cluster')

/** A push of the commit that the pull request has as its head. */
const push = (apiUrl: string) => ({
  apiUrl,
  event: { name: 'push', payload: { ref: 'refs/heads/feature' } },
  env: { GITHUB_SHA: PULL_REQUEST.payload.pull_request.head.sha, GITHUB_REF: 'refs/heads/feature' },
})
const BONJOUR = { set: 'greeting=bonjour' }

describe.concurrent('approval: comment', () => {
  test('deploys the plan of the comment, and closes it', async ({ action, github }) => {
    const planned = await action.plan({ chart: 'plain', run: { event: PULL_REQUEST, apiUrl: github.url } })
    const deployed = await action.deploy({
      chart: 'plain',
      inputs: { approval: 'comment' },
      run: push(github.url),
    })
    expect(deployed.outputs).toMatchObject({ status: 'deployed', 'plan-hash': planned.outputs['plan-hash'] })
    expect(github.comments()).toHaveLength(1)
    expect(parseMarker(github.comments()[0]?.body ?? '')).toMatchObject({ isClosed: true })
    expect(github.comments()[0]?.body).toContain('Deployed')
  })

  test.skipIf(local === undefined)(
    'stops a deploy whose plan is another one, says what differs, and writes nothing',
    async ({ action, github, namespace }) => {
      await action.deploy({ chart: 'plain' })
      await action.plan({ chart: 'plain', inputs: BONJOUR, run: { event: PULL_REQUEST, apiUrl: github.url } })
      const since = Date.now()
      const stopped = await action.deploy({
        chart: 'plain',
        inputs: { set: 'greeting=ciao', approval: 'comment' },
        run: push(github.url),
      })
      expect(stopped.exitCode).toBe(1)
      expect(stopped.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'plan-changed' })
      expect(stopped.log).toMatch(/changed since approval: .*ConfigMap/)
      expect(stopped.summary).toMatch(/changed since approval/)
      const audited = await readAudit(local?.auditLog ?? '', { namespace: namespace.name, since, user: 'admin' })
      expect(audited.filter(isWrite)).toEqual([])

      // What was approved can still be deployed.
      const right = await action.deploy({
        chart: 'plain',
        inputs: { ...BONJOUR, approval: 'comment' },
        run: push(github.url),
      })
      expect(right.outputs.status).toBe('deployed')
    },
  )

  test('does not count a comment that somebody else has edited', async ({ action, github }) => {
    await action.plan({ chart: 'plain', run: { event: PULL_REQUEST, apiUrl: github.url } })
    const [comment] = github.comments()
    if (comment === undefined) throw new Error('no comment was written')
    github.edit(comment.id, { body: comment.body, by: { login: 'eve', type: 'User' } })
    const stopped = await action.deploy({ chart: 'plain', inputs: { approval: 'comment' }, run: push(github.url) })
    expect(stopped.outputs['failure-reason']).toBe('approval-missing')
  })

  test('lets through what approval-ignore names, and nothing else', async ({ action, github }) => {
    const inputs = { 'approval-ignore': 'ConfigMap /data/greeting', approval: 'comment' }
    await action.deploy({ chart: 'plain' })
    const run = { event: PULL_REQUEST, apiUrl: github.url }
    await action.plan({ chart: 'plain', inputs: { ...BONJOUR, ...inputs, approval: 'none' }, run })
    const deployed = await action.deploy({
      chart: 'plain',
      inputs: { ...inputs, set: 'greeting=ciao' },
      run: push(github.url),
    })
    expect(deployed.outputs.status).toBe('deployed')
  })
})

const GUARDED = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings, annotations: { helm.sh/resource-policy: keep } }
data: { greeting: {{ .Values.greeting | default "hello" }} }
{{- if .Values.guard }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: guard, annotations: { helm.sh/resource-policy: keep } }
spec: { podSelector: {}, policyTypes: [Ingress] }
{{- end }}`

describe.concurrent('approval-key', () => {
  const key = { approval: 'comment', 'approval-key': 'k'.repeat(32) }
  const guarded = 'guard=true'

  test('deploys what a signed plan has shown, and nothing else', async ({ action, github }) => {
    const workspace = await chartOf(GUARDED)
    const planned = (inputs: { readonly [name: string]: string }) =>
      action.plan({
        chart: 'plain',
        inputs: { chart: '.', ...inputs },
        run: { workspace, event: PULL_REQUEST, apiUrl: github.url },
      })
    const deployed = (inputs: { readonly [name: string]: string }) =>
      action.deploy({ chart: 'plain', inputs: { chart: '.', ...inputs }, run: { ...push(github.url), workspace } })
    const endOf = ({ outputs }: { readonly outputs: { readonly [name: string]: string } }) =>
      outputs['failure-reason'] || outputs.status

    await planned({ set: guarded, approval: 'comment' })
    const unsigned = await deployed({ set: guarded, ...key })
    expect(endOf(unsigned)).toBe('approval-missing')
    expect(unsigned.log).toContain('is not signed with approval-key')

    await planned({ set: guarded, ...key })
    const signed = structuredClone(github.comments()[0])
    if (signed === undefined) throw new Error('no comment was written')
    expect(endOf(await deployed({ set: guarded, ...key, 'approval-key': 'x'.repeat(32) }))).toBe('approval-missing')
    const changed = await deployed({ set: `${guarded},greeting=evil`, ...key })
    expect(endOf(changed)).toBe('plan-changed')
    expect(changed.log).toMatch(/changed since approval: .*ConfigMap.*settings/)
    const dropped = await deployed({ set: 'guard=', ...key })
    expect(endOf(dropped)).toBe('plan-changed')
    expect(dropped.log).toMatch(/no longer planned: apply NetworkPolicy\/.*guard in stage main/)
    const right = await deployed({ set: guarded, ...key })
    expect(endOf(right)).toBe('deployed')
    expect(right.log.replace(`::add-mask::${key['approval-key']}`, '')).not.toContain(key['approval-key'])

    // Somebody with the same login puts the signed comment back after another plan was deployed.
    await planned({ set: `${guarded},greeting=hi`, ...key })
    expect(endOf(await deployed({ set: `${guarded},greeting=hi`, ...key }))).toBe('deployed')
    github.edit(signed.id, { body: signed.body, by: signed.user })
    const replayed = await deployed({ set: guarded, ...key })
    expect(endOf(replayed)).toBe('plan-changed')
    expect(replayed.log).toContain('the approved plan is too old: revision 2 was deployed since then')
  })

  test('an uninstall that keeps all objects is approved with what becomes of the history', async ({
    action,
    github,
  }) => {
    const workspace = await chartOf(GUARDED)
    await action.deploy({ chart: 'plain', inputs: { chart: '.' }, run: { workspace } })
    const uninstall = (inputs: { readonly [name: string]: string }) =>
      action.deploy({
        chart: 'plain',
        inputs: { command: 'uninstall', chart: '', release: 'app', ...key, ...inputs },
        run: { ...push(github.url), workspace },
      })
    expect((await uninstall({})).outputs['failure-reason']).toBe('approval-missing')
    const planned = await action.plan({
      chart: 'plain',
      inputs: { command: 'plan-uninstall', chart: '', release: 'app', ...key },
      run: { workspace, event: PULL_REQUEST, apiUrl: github.url },
    })
    expect(planned.summary).toContain('release history to remove')
    expect(github.comments()[0]?.body).toContain('release history to remove')
    const keeping = await uninstall({ 'keep-history': 'true' })
    expect(keeping.outputs['failure-reason']).toBe('plan-changed')
    expect(keeping.log).toContain('changed since approval: what becomes of the release history (keep-history)')
    expect((await uninstall({})).outputs.status).toBe('uninstalled')
  })
})

describe.concurrent('a plan as a value', () => {
  test('has a hash that a deploy can expect', async ({ action }) => {
    const planned = await action.plan({ chart: 'plain' })
    const hash = planned.outputs['plan-hash'] ?? ''
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    const other = await action.deploy({ chart: 'plain', inputs: { ...BONJOUR, 'expect-plan-hash': hash } })
    expect(other.outputs['failure-reason']).toBe('plan-changed')
    const right = await action.deploy({ chart: 'plain', inputs: { 'expect-plan-hash': hash } })
    expect(right.outputs.status).toBe('deployed')
  })

  test('has the same hash however often a random Secret is rendered', async ({ action }) => {
    const workspace = await chartOf(
      'apiVersion: v1\nkind: Secret\nmetadata: { name: random }\nstringData: { password: {{ randAlphaNum 20 }} }',
    )
    const of = { chart: 'plain', run: { workspace } } as const
    await action.deploy({ ...of, inputs: { chart: '.' } })
    const planned = await action.plan({ ...of, inputs: { chart: '.' } })
    const hash = planned.outputs['plan-hash'] ?? ''
    expect(planned.log).toContain('non-deterministic: stringData.password')
    const deployed = await action.deploy({ ...of, inputs: { chart: '.', 'expect-plan-hash': hash } })
    expect(deployed.outputs).toMatchObject({ status: 'deployed', 'plan-hash': hash })
  })

  test('does not cover a command that comes out otherwise at each render', async ({ action }) => {
    const workspace = await chartOf(
      `apiVersion: v1
kind: ConfigMap
metadata: { name: fixed }
---
apiVersion: batch/v1
kind: Job
metadata: { name: runner }
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - { name: a, image: a, args: ["x{{ randAlphaNum 4 }}"] }
        {{- if eq (mod (div (now | unixEpoch | int64) 90061) 2) 1 }}
        - { name: b, image: evil }
        {{- end }}`,
    )
    const of = { chart: 'plain', run: { workspace } } as const
    const planned = await action.plan({ ...of, inputs: { chart: '.' } })
    expect(planned.exitCode).toBe(0)
    const hash = planned.outputs['plan-hash'] ?? ''
    const deployed = await action.deploy({ ...of, inputs: { chart: '.', 'expect-plan-hash': hash } })
    expect(deployed.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'invalid-input' })
    expect(deployed.log).toContain('/spec/template/spec/containers/0/args/0')
    expect(deployed.log).toContain('/spec/template/spec/containers/*')
    expect(deployed.log).toContain('approval-ignore')
  })

  test('is kept in two files', async ({ action }) => {
    const { outputs } = await action.plan({ chart: 'plain' })
    const plan: unknown = JSON.parse(await readFile(outputs['plan-path'] ?? '', 'utf8'))
    expect(plan).toMatchObject({
      version: 2,
      hash: outputs['plan-hash'],
      releases: [{ release: 'app', verb: 'install', comparedBy: 'dry-run' }],
    })
    expect(await readFile(outputs['plan-text-path'] ?? '', 'utf8')).toMatch(/^install app in .*4 to create/)
  })

  test('fails the step on a change where fail-on-changes looks for drift', async ({ action }) => {
    const inputs = { 'fail-on-changes': 'true' }
    await action.deploy({ chart: 'plain' })
    expect((await action.plan({ chart: 'plain', inputs })).exitCode).toBe(0)
    const changed = await action.plan({ chart: 'plain', inputs: { ...inputs, ...BONJOUR } })
    expect(changed.exitCode).toBe(1)
    expect(changed.outputs).toMatchObject({ status: 'planned', changed: 'true', 'failure-reason': '' })
  })
})
