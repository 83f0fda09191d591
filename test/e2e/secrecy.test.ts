import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dump, load } from 'js-yaml'
import { describe, inject } from 'vitest'
import { at, type Json } from '../../src/tools/local/cluster/cluster-api.ts'
import type { GithubDouble } from '../../src/tools/local/github/github-double.ts'
import { PULL_REQUEST } from '../../src/tools/local/github/pull-request-event.ts'
import { GITHUB_TOKEN } from '../../src/tools/local/runner/default-inputs.ts'
import { type ActionRun, runAction } from '../../src/tools/local/runner/run-action.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { canary, findings, type Left } from './canaries.ts'
import { test } from './scene.ts'

const CHART = 'test/e2e/charts/leaky'
const LOGS = 'simulate.staged-helm-deploy.dev/logs'
const SCENARIO = 'simulate.staged-helm-deploy.dev/scenario'
/** Both switches of a runner's debug log. */
const DEBUG = { RUNNER_DEBUG: '1', ACTIONS_STEP_DEBUG: 'true' }

/** No secret value leaves, wherever it was (docs/decisions/0010). */
describe.skipIf(inject('cluster').local === undefined).concurrent('secrets', () => {
  test('are in nothing that a deploy, a plan or a failure leaves', async ({ namespace, github, expect }) => {
    const outside = canary('outside')
    await namespace.api.create(`${namespace.path}/secrets`, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'outside' },
      stringData: { found: outside },
    })
    const [old, next] = [newValues(), newValues()]
    const byHand = canary('by-hand')
    const token = await tokenOf(namespace.kubeconfig)
    const secrets = { ...named('old', old), ...named('next', next), outside, byHand, token, GITHUB_TOKEN }
    const scene = { namespace, github }

    const deploy = await go(scene, { command: 'deploy', ...(await inputsOf(old)) })
    expect(deploy.result.exitCode, deploy.result.log).toBe(0)
    // Without these the test would prove nothing.
    expect(deploy.result.log).toContain('migrating with ***')
    expect(deploy.result.summary).toContain('Log in as admin with ***')
    expect(await findings(deploy, secrets)).toEqual([])

    await namespace.api.patch(`${namespace.path}/secrets/leaky`, { stringData: { password: byHand } })
    await namespace.api.patch(`${namespace.path}/configmaps/leaky-echoes`, { data: { password: byHand, byHand } })
    await namespace.api.patch(`${namespace.path}/configmaps/leaky-sensitive`, { data: { hidden: byHand } })
    const plugin = await pluginKubeconfig(namespace.kubeconfig, { status: { token } })
    const force = { 'force-conflicts': 'true' }
    const plan = await go(scene, {
      command: 'plan',
      kubeconfig: plugin,
      'credential-plugins': 'cat',
      ...force,
      ...(await inputsOf(next)),
    })
    expect(plan.result.exitCode, plan.result.log).toBe(0)
    expect(plan.comments.join('\n')).toContain('leaky-echoes')
    expect(plan.comments.join('\n')).toContain('in-plain-sight-2')
    expect(await findings(plan, secrets)).toEqual([])

    const crash = { [SCENARIO]: 'crash-loop', [LOGS]: `connecting as ${next.password}\n${base64(next.token)}` }
    const failed = await go(scene, {
      command: 'deploy',
      ...force,
      ...(await inputsOf(next, { podAnnotations: crash })),
    })
    expect(failed.result.exitCode).toBe(1)
    expect(failed.result.log).toContain('connecting as ***')
    expect(await findings(failed, secrets)).toEqual([])

    const back = await go(scene, { command: 'plan-rollback', revision: '1' })
    expect(back.result.exitCode, back.result.log).toBe(0)
    expect(back.result.summary).toContain('leaky-echoes')
    // What is in no Secret any more, neither in one of the cluster nor of the record, nobody can tell from other text.
    expect(await findings(back, { ...named('old', old), ...named('next', next), token })).toEqual([])
  })

  test('are in no refusal of the API server', async ({ namespace, github, expect }) => {
    const values = newValues()
    await refuse(namespace)
    const scene = { namespace, github }
    for (const label of [{ token: `${values.token} is no label` }, { refused: values.token }]) {
      const refused = await go(scene, { command: 'plan', ...(await inputsOf(values, { label })) })
      expect(refused.result.exitCode).toBe(1)
      expect(refused.result.outputs['failure-reason']).toBe('rejected')
      expect(refused.result.log).toMatch('refused' in label ? /is not wanted here/ : /a valid label/)
      expect(await findings(refused, named('', values))).toEqual([])
    }
  })

  test('are in no complaint about inputs or a kubeconfig', async ({ namespace, github, expect }) => {
    const secret = canary('input')
    const kubeconfig = await readFile(namespace.kubeconfig, 'utf8')
    const mistakes: readonly { readonly [input: string]: string }[] = [
      { set: `a[${secret}` },
      { 'set-string': `a.[0=${secret}` },
      { 'set-json': `a={"b": ${secret}` },
      { 'set-file': `a=/${secret}` },
      { values: `a: [${secret}` },
      { values: secret },
      {
        kubeconfig: kubeconfig.replace(
          /token: .*\}/,
          `client-key-data: ${base64(secret)}, client-certificate-data: eA==}`,
        ),
      },
      { kubeconfig: `${kubeconfig}\n  user: {token: "${secret}` },
      { kubeconfig: await pluginKubeconfig(namespace.kubeconfig, secret) },
    ]
    for (const inputs of mistakes) {
      const failed = await go({ namespace, github }, { command: 'plan', chart: CHART, ...inputs })
      expect(failed.result.exitCode, Object.keys(inputs).join()).toBe(1)
      expect(await findings(failed, { [Object.keys(inputs).join()]: secret })).toEqual([])
    }
  })

  test('of a short or common value leave the texts readable', async ({ namespace, github, expect }) => {
    const plan = await go({ namespace, github }, { command: 'plan', ...(await inputsOf(newValues())) })
    const { log, summary } = plan.result
    for (const text of [log, summary, ...plan.comments]) {
      expect(text).toContain('leaky-web')
      expect(text).toMatch(/6 to create/)
    }
    expect(log).toContain(`Deployment/${namespace.name}/leaky-web`)
    expect(summary).toContain('admin')
    expect(log.match(/^::add-mask::.*$/gm) ?? []).toEqual([`::add-mask::${await tokenOf(namespace.kubeconfig)}`])
  })
})

/** One value for each place of the chart. */
interface Values {
  readonly password: string
  readonly token: string
  readonly url: string
  readonly urlPassword: string
  readonly lines: string
  readonly dockerPassword: string
  readonly sensitive: string
  readonly atPath: string
  readonly unused: string
}

function newValues(): Values {
  const urlPassword = canary('url')
  return {
    password: `${canary('password')} "<&/+ é`,
    token: canary('token'),
    url: `postgres://shop:${urlPassword}@db.example.com/shop`,
    urlPassword,
    lines: ['-----BEGIN PRIVATE KEY-----', canary('line-1'), canary('line-2'), '-----END PRIVATE KEY-----'].join('\n'),
    dockerPassword: canary('docker'),
    sensitive: canary('sensitive'),
    atPath: canary('at-path'),
    unused: canary('unused'),
  }
}

/** Each value by another of the inputs that set values. */
async function inputsOf(values: Values, more: { readonly [name: string]: unknown } = {}) {
  const file = join(await mkdtemp(join(tmpdir(), 'staged-helm-deploy-lines-')), 'lines')
  await writeFile(file, values.lines)
  return {
    chart: CHART,
    set: `token=${values.token}\nunused=${values.unused}`,
    'set-string': `sensitive=${values.sensitive}`,
    'set-json': `docker=${JSON.stringify({ user: 'shop', password: values.dockerPassword })}`,
    'set-file': `lines=${file}`,
    'set-literal': `password=${values.password}\nurl=${values.url}`,
    values: dump({ atPath: values.atPath, outside: 'outside', ...more }),
  }
}

function named(prefix: string, values: Values): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix} ${name}`, value]))
}

async function go(
  { namespace, github }: { readonly namespace: Namespace; readonly github: GithubDouble },
  inputs: ActionRun['inputs'],
): Promise<Left> {
  const temporary = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-secrecy-'))
  const result = await runAction({
    inputs: { release: 'leaky', namespace: namespace.name, kubeconfig: namespace.kubeconfig, ...inputs },
    event: PULL_REQUEST,
    apiUrl: github.url,
    env: { ...DEBUG, RUNNER_TEMP: temporary },
  })
  return { result, comments: github.comments().map(({ body }) => body), temporary }
}

/** Refuses ConfigMaps with the label `refused`, and says what stands in it. */
async function refuse({ api, name }: Namespace): Promise<void> {
  const group = '/apis/admissionregistration.k8s.io/v1'
  const about = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name } }
  await api.create(`${group}/validatingadmissionpolicies`, {
    ...about,
    kind: 'ValidatingAdmissionPolicy',
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
        ],
      },
      validations: [
        {
          expression: "!('refused' in object.metadata.labels)",
          messageExpression: "object.metadata.labels['refused'] + ' is not wanted here'",
        },
      ],
    },
  })
  await api.create(`${group}/validatingadmissionpolicybindings`, {
    ...about,
    kind: 'ValidatingAdmissionPolicyBinding',
    spec: {
      policyName: name,
      validationActions: ['Deny'],
      matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } },
    },
  })
}

/** A kubeconfig whose user is who a credential plugin says. */
async function pluginKubeconfig(kubeconfig: string, answer: object | string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-plugin-'))
  const apiVersion = 'client.authentication.k8s.io/v1'
  const text = typeof answer === 'string' ? answer : JSON.stringify({ apiVersion, kind: 'ExecCredential', ...answer })
  await writeFile(join(folder, 'answer'), text)
  const exec = { apiVersion, command: 'cat', args: [join(folder, 'answer')], interactiveMode: 'Never' }
  const document = load(await readFile(kubeconfig, 'utf8')) as { readonly users: readonly { readonly name: string }[] }
  const users = document.users.map(({ name }) => ({ name, user: { exec } }))
  await writeFile(join(folder, 'kubeconfig'), dump({ ...document, users }))
  return join(folder, 'kubeconfig')
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replace(/=+$/, '')
}

async function tokenOf(kubeconfig: string): Promise<string> {
  const token = at(load(await readFile(kubeconfig, 'utf8')) as Json, 'users', 0, 'user', 'token')
  if (typeof token !== 'string' || token === '') throw new Error(`no token in ${kubeconfig}`)
  return token
}
