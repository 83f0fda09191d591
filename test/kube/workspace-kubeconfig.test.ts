import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type KubeconfigInput, loadConnection } from '../../src/kube/kubeconfig.ts'
import { KNOWN_PLUGINS } from '../../src/kube/plugin-rule.ts'
import { ProblemsError } from '../../src/model/errors.ts'

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nTU5PUFFS\n-----END CERTIFICATE-----\n'

let machine: string
let workspace: string
beforeEach(async () => {
  machine = await mkdtemp(join(tmpdir(), 'machine-'))
  workspace = join(machine, 'work', 'repo')
  await mkdir(workspace, { recursive: true })
})
afterEach(() => rm(machine, { recursive: true }))

function kubeconfig(user: string, cluster = 'server: https://api.example:6443'): string {
  return [
    'current-context: a',
    `clusters: [{name: a, cluster: {${cluster}}}]`,
    `users: [{name: a, user: {${user}}}]`,
    'contexts: [{name: a, context: {cluster: a, user: a}}]',
    '',
  ].join('\n')
}

const exec = (command: string, args = '[]') =>
  `exec: {apiVersion: client.authentication.k8s.io/v1, command: '${command}', args: ${args}}`

async function written(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  return path
}

/** `accepted`, or what is wrong. */
async function loaded(input: Partial<KubeconfigInput>): Promise<string> {
  try {
    await loadConnection({ env: {}, home: machine, directory: workspace, ...input })
    return 'accepted'
  } catch (error) {
    if (error instanceof ProblemsError) return error.problems.map(({ what }) => what).join('; ')
    throw error
  }
}

describe('S-25 a kubeconfig of the checkout starts no program', () => {
  test.each(['aws', './plugin', '/usr/bin/env'])('%s is refused', async (command) => {
    await written(join(workspace, 'config'), kubeconfig(exec(command)))
    expect(await loaded({ kubeconfig: 'config' })).toBe(
      'it lies in the workspace, and the user of the context starts a program (`exec`)',
    )
  })

  test('also by an absolute path, by KUBECONFIG, and by a link on either side', async () => {
    const inside = await written(join(workspace, 'config'), kubeconfig(exec('aws')))
    const outside = await written(join(machine, 'config'), kubeconfig(exec('aws')))
    await symlink(inside, join(machine, 'link-in'))
    await symlink(outside, join(workspace, 'link-out'))
    for (const input of [
      { kubeconfig: inside },
      { env: { KUBECONFIG: inside } },
      { kubeconfig: join(machine, 'link-in') },
      { kubeconfig: 'link-out' },
    ]) {
      expect(await loaded(input)).toMatch(/lies in the workspace/)
    }
  })

  test('unless the workflow allows it; data needs no leave', async () => {
    await written(join(workspace, 'config'), kubeconfig(exec('aws')))
    await written(join(workspace, 'data'), kubeconfig('token: abc'))
    expect(await loaded({ kubeconfig: 'config', allowWorkspace: true })).toBe('accepted')
    expect(await loaded({ kubeconfig: 'data' })).toBe('accepted')
  })
})

describe('S-25 any kubeconfig starts known credential plugins only', () => {
  test(`the ${KNOWN_PLUGINS.length} known ones, and kubectl for its plugin`, async () => {
    for (const name of KNOWN_PLUGINS) expect(await loaded({ kubeconfig: kubeconfig(exec(name)) })).toBe('accepted')
    expect(await loaded({ kubeconfig: kubeconfig(exec('kubectl', '[oidc-login, get-token]')) })).toBe('accepted')
  })

  test.each(['bash', 'sh', '/bin/sh', 'env', 'node', 'kubectl', 'AWS', 'aws '])('%j is refused', async (command) => {
    expect(await loaded({ kubeconfig: kubeconfig(exec(command, '[-c, id]')) })).toBe(
      'the program of `exec` is no known credential plugin',
    )
  })

  test('others that the workflow names, by name or by path', async () => {
    for (const [command, plugins] of [
      ['my-login', ['my-login']],
      ['/opt/my-login', ['my-login']],
      ['/opt/my-login', ['/opt/my-login']],
    ] as const) {
      expect(await loaded({ kubeconfig: kubeconfig(exec(command)), plugins })).toBe('accepted')
    }
    expect(await loaded({ kubeconfig: kubeconfig(exec('/tmp/my-login')), plugins: ['/opt/my-login'] })).toMatch(
      /no known/,
    )
  })

  test('a known name that PATH or a path leads into the workspace is refused', async () => {
    const planted = await written(join(workspace, 'bin', 'aws'), '#!/bin/sh\n')
    await chmod(planted, 0o755)
    const env = { PATH: join(workspace, 'bin') }
    expect(await loaded({ kubeconfig: kubeconfig(exec('aws')), env })).toBe(
      'the program of `exec` lies in the workspace',
    )
    expect(await loaded({ kubeconfig: kubeconfig(exec(planted)) })).toBe('the program of `exec` lies in the workspace')
  })
})

describe('S-26 files that a kubeconfig of the checkout names lie in its folder', () => {
  test.each([
    ['certificate-authority', 'token: a', (file: string) => `server: 'https://a', certificate-authority: '${file}'`],
    ['tokenFile', (file: string) => `tokenFile: '${file}'`, undefined],
    ['client-certificate', (file: string) => `client-certificate: '${file}'`, undefined],
    ['client-key', (file: string) => `client-key: '${file}'`, undefined],
  ])('%s', async (key, user, cluster) => {
    const textOf = (file: string) => kubeconfig(typeof user === 'string' ? user : user(file), cluster?.(file))
    const outside = await written(join(machine, 'secret.pem'), CERTIFICATE)
    await symlink(outside, join(workspace, 'link.pem'))
    const refused = `it lies in the workspace, and \`${key}\` names a file outside of its folder`
    for (const file of [outside, '../../secret.pem', 'link.pem']) {
      await written(join(workspace, 'config'), textOf(file))
      expect(await loaded({ kubeconfig: 'config' })).toBe(refused)
      expect(await loaded({ kubeconfig: 'config', allowWorkspace: true })).not.toBe(refused)
    }
  })

  test('beside it they are read', async () => {
    await written(join(workspace, 'ca.pem'), CERTIFICATE)
    await written(join(workspace, 'config'), kubeconfig('token: a', 'server: https://a, certificate-authority: ca.pem'))
    expect(await loaded({ kubeconfig: 'config' })).toBe('accepted')
  })
})
