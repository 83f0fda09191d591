import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecPlugin } from '../../src/kube/connection.ts'
import { runExecPlugin } from '../../src/kube/exec-plugin.ts'
import { type KubeconfigInput, loadConnection } from '../../src/kube/kubeconfig.ts'
import { fakeClock } from '../doubles/fake-clock.ts'

let machine: string
beforeAll(async () => {
  machine = await mkdtemp(join(tmpdir(), 'machine-'))
})
afterAll(() => rm(machine, { recursive: true }))

/** What the runner, this action and the steps before it leave in a job's environment, and no plugin may see. */
const HIDDEN = [
  'INPUT_KUBECONFIG',
  'INPUT_APPROVAL-KEY',
  'INPUT_GITHUB-TOKEN',
  'input_values',
  'STATE_held',
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'GITHUB_ENV',
  'GITHUB_PATH',
  'GITHUB_OUTPUT',
  'GITHUB_STATE',
  'GITHUB_STEP_SUMMARY',
  'GITHUB_EVENT_PATH',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_RUNTIME_URL',
  'ACTIONS_RESULTS_URL',
  'ACTIONS_CACHE_URL',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_URL',
  'NPM_TOKEN',
  'NODE_AUTH_TOKEN',
  'DOCKER_PASSWORD',
  'DATABASE_URL',
  'SLACK_WEBHOOK',
  'SOPS_AGE_KEY',
  'VAULT_TOKEN',
  'SSH_AUTH_SOCK',
  'NODE_OPTIONS',
  'LD_PRELOAD',
  'BASH_ENV',
  'MY_AWS_KEY',
  'XPATH',
  'PATH_TO_SECRET',
]

/** What the known plugins read: of the system, of the network, and of their clouds. */
const SEEN = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'LD_LIBRARY_PATH',
  'SystemRoot',
  'USERPROFILE',
  'APPDATA',
  'ProgramFiles(x86)',
  'KUBECONFIG',
  'HTTPS_PROXY',
  'no_proxy',
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'AWS_PROFILE',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE',
  'GCLOUD_PROJECT',
  'USE_GKE_GCLOUD_AUTH_PLUGIN',
  'AZURE_CONFIG_DIR',
  'AZURE_FEDERATED_TOKEN_FILE',
  'AAD_LOGIN_METHOD',
  'ARM_CLIENT_SECRET',
  'IDENTITY_ENDPOINT',
  'MSI_ENDPOINT',
  'DIGITALOCEAN_ACCESS_TOKEN',
  'OCI_CLI_PROFILE',
  'IBMCLOUD_API_KEY',
  'RANCHER_TOKEN',
  'TELEPORT_HOME',
  'YC_TOKEN',
]

async function pluginOf(user: string, input: Partial<KubeconfigInput>): Promise<ExecPlugin> {
  const kubeconfig = [
    'current-context: a',
    'clusters: [{name: a, cluster: {server: https://api.example:6443}}]',
    `users: [{name: a, user: {exec: {apiVersion: client.authentication.k8s.io/v1, ${user}}}}]`,
    'contexts: [{name: a, context: {cluster: a, user: a}}]',
    '',
  ].join('\n')
  const { authentication } = await loadConnection({ kubeconfig, env: {}, home: machine, directory: machine, ...input })
  if (authentication.kind !== 'exec') throw new Error('not a plugin')
  return authentication.plugin
}

function canaries(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name) => [name, /proxy/i.test(name) ? 'http://proxy:3128' : `canary of ${name}`]),
  )
}

describe('S-25 a credential plugin sees listed variables only', () => {
  test(`none of ${HIDDEN.length} others, and all of ${SEEN.length} that plugins read`, async () => {
    const { env } = await pluginOf('command: aws', { env: canaries([...HIDDEN, ...SEEN]) })
    expect(Object.keys(env).toSorted()).toEqual([...SEEN, 'KUBERNETES_EXEC_INFO'].toSorted())
  })

  test('what the kubeconfig gives it, and what the workflow names', async () => {
    const { env } = await pluginOf('command: aws, env: [{name: VAULT_ADDR, value: https://vault}]', {
      env: canaries([...HIDDEN, 'AZURE_CLIENT_ID']),
      pluginVariables: ['VAULT_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'ABSENT'],
    })
    expect(Object.keys(env).toSorted()).toEqual([
      'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
      'AZURE_CLIENT_ID',
      'KUBERNETES_EXEC_INFO',
      'VAULT_ADDR',
      'VAULT_TOKEN',
    ])
  })
})

describe('S-25 the program is the one that was checked', () => {
  async function planted(folder: string, token: string): Promise<string> {
    const program = join(machine, folder, 'aws')
    await mkdir(join(machine, folder), { recursive: true })
    await writeFile(program, `#!/bin/sh\necho '{"status":{"token":"${token}"}}'\n`)
    await chmod(program, 0o755)
    return join(machine, folder)
  }

  test('a PATH that the kubeconfig sets does not choose it', async () => {
    const [installed, other] = [await planted('installed', 'installed'), await planted('other', 'other')]
    const user = `command: aws, env: [{name: PATH, value: '${other}:/usr/bin:/bin'}]`
    const input = { directory: '/nowhere' }
    const plugin = await pluginOf(user, { ...input, env: { PATH: `${installed}:/usr/bin:/bin` } })
    expect(await runExecPlugin(plugin, fakeClock())).toEqual({ token: 'installed' })
    expect(plugin.env.PATH).toContain(other)

    const absent = await pluginOf(user, { ...input, env: { PATH: join(machine, 'empty') } })
    await expect(runExecPlugin(absent, fakeClock())).rejects.toThrow('`aws` is not on PATH')
  })
})
