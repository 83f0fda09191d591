import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Connection } from '../../src/kube/connection.ts'
import { type KubeconfigInput, loadConnection } from '../../src/kube/kubeconfig.ts'
import { ProblemsError } from '../../src/model/errors.ts'
import { hintText } from '../../src/report/words/hint-text.ts'

const CANARY = 'canary-7f3a9c'
const KEY = '-----BEGIN PRIVATE KEY-----\nQUJDREVG\nR0hJSktM\n-----END PRIVATE KEY-----\n'
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nTU5PUFFS\n-----END CERTIFICATE-----\n'
const base64 = (text: string) => Buffer.from(text).toString('base64')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

function kubeconfig(user = `token: ${CANARY}`, cluster = 'server: https://api.example:6443', name = 'main'): string {
  return [
    'apiVersion: v1',
    'kind: Config',
    `current-context: ${name}`,
    `clusters: [{name: ${name}, cluster: {${cluster}}}]`,
    `users: [{name: ${name}, user: {${user}}}]`,
    `contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}, namespace: shop}}]`,
    '',
  ].join('\n')
}

function load(input: Partial<KubeconfigInput>): Promise<Connection> {
  const place = { directory: join(folder, 'service-account') }
  return loadConnection({ env: {}, home: folder, directory: folder, ...input }, place)
}

async function problemOf(input: Partial<KubeconfigInput>): Promise<string> {
  const error = await load(input).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ProblemsError)) throw new Error('it was accepted')
  expect(JSON.stringify(error.problems) + error.stack).not.toContain(CANARY)
  return error.problems
    .map(
      ({ place, what, hint }) =>
        `${place.input}${place.line ? `:${place.line}` : ''}: ${what}${hint ? `; ${hintText(hint)}` : ''}`,
    )
    .join('\n')
}

describe('where the kubeconfig comes from', () => {
  test('the input is content as YAML', async () => {
    expect(await load({ kubeconfig: kubeconfig() })).toMatchObject({
      server: 'https://api.example:6443',
      defaultNamespace: 'shop',
      authentication: { kind: 'token', token: CANARY },
    })
  })

  test('the input is base64 of it, also wrapped into lines', async () => {
    const wrapped = base64(kubeconfig()).replaceAll(/.{40}/g, '$&\n')
    expect((await load({ kubeconfig: wrapped })).server).toBe('https://api.example:6443')
  })

  test.each(['config', './config', '~/config'])('the input is the path %s', async (path) => {
    await writeFile(join(folder, 'config'), kubeconfig())
    expect((await load({ kubeconfig: path })).server).toBe('https://api.example:6443')
  })

  test('no input: of the files of KUBECONFIG the first to define a name wins, missing files are passed over', async () => {
    await writeFile(join(folder, 'a'), kubeconfig(`token: ${CANARY}`, 'server: https://a.example', 'main'))
    await writeFile(join(folder, 'b'), kubeconfig(`token: other`, 'server: https://b.example', 'main'))
    const KUBECONFIG = ['missing', 'a', 'b'].map((name) => join(folder, name)).join(delimiter)
    expect((await load({ env: { KUBECONFIG } })).server).toBe('https://a.example')
  })

  test('no input and no KUBECONFIG: ~/.kube/config', async () => {
    await mkdir(join(folder, '.kube'))
    await writeFile(join(folder, '.kube', 'config'), kubeconfig())
    expect((await load({ kubeconfig: '  ' })).server).toBe('https://api.example:6443')
  })

  test('nothing of all that: the service account of the pod', async () => {
    const place = join(folder, 'service-account')
    await mkdir(place)
    await Promise.all([
      writeFile(join(place, 'token'), CANARY),
      writeFile(join(place, 'ca.crt'), CERTIFICATE),
      writeFile(join(place, 'namespace'), 'ci\n'),
    ])
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
    expect(await load({ env })).toMatchObject({
      server: 'https://[fd00::1]:443',
      defaultNamespace: 'ci',
      authentication: { kind: 'token-file', path: join(place, 'token') },
    })
  })

  test('nothing at all is a problem that says what to do', async () => {
    expect(await problemOf({})).toBe(
      'kubeconfig: there is no kubeconfig: the input is empty, and neither KUBECONFIG nor ~/.kube/config exists; set the input `kubeconfig`, or log in to the cluster in an earlier step',
    )
  })
})

describe('the context', () => {
  const two = kubeconfig()
    .replace('contexts: [', 'contexts: [{name: other, context: {cluster: main, user: main}}, ')
    .replace('current-context: main\n', '')

  test('the input chooses it; without a namespace it is default', async () => {
    expect((await load({ kubeconfig: two, context: 'other' })).defaultNamespace).toBe('default')
  })

  test('neither input nor current context', async () => {
    expect(await problemOf({ kubeconfig: two })).toBe(
      'kubeconfig: the kubeconfig has no current context; set the input `context`',
    )
  })

  test('the input names none that exists', async () => {
    expect(await problemOf({ kubeconfig: two, context: 'x' })).toBe(
      'context: the kubeconfig has no context of this name',
    )
  })
})

describe('what cannot be used is refused without quoting it', () => {
  test.each([
    ['broken YAML', `a: 1\nb: "${CANARY}`, 'kubeconfig:2: the kubeconfig is not valid YAML'],
    [
      'text',
      CANARY,
      'kubeconfig: the input is neither a readable file, nor YAML, nor base64 of it; set a path, or the content of a kubeconfig',
    ],
    ['a list', `- ${CANARY}\n-`, 'kubeconfig: the kubeconfig is not a mapping with `clusters` and `contexts`'],
    ['no server', kubeconfig(undefined, `x: ${CANARY}`), 'kubeconfig: clusters[0].cluster.server is missing'],
    [
      'a server that is no URL',
      kubeconfig(undefined, `server: ${CANARY}`),
      'kubeconfig: `server` is not an http or https URL',
    ],
    [
      'a server with a password',
      kubeconfig(undefined, `server: "https://u:${CANARY}@a"`),
      'kubeconfig: `server` contains credentials',
    ],
    ['a token that is a number', kubeconfig('token: 123456'), 'kubeconfig: `token` is not text; put it in quotes'],
    [
      'an entry that is text',
      kubeconfig().replace(/clusters: .*/, `clusters: [{name: a, cluster: {server: [${CANARY}]}}]`),
      'kubeconfig: an entry of `clusters`, `users` or `contexts` is malformed',
    ],
    [
      'auth-provider',
      kubeconfig(`auth-provider: {name: gcp, config: {access-token: ${CANARY}}}`),
      'kubeconfig: the user of the context has an `auth-provider`, which Kubernetes no longer supports; use a credential plugin (`exec`) or a token',
    ],
    [
      'a key without certificate',
      kubeconfig(`client-key-data: ${base64(KEY)}`),
      'kubeconfig: `client-key` is set without `client-certificate`',
    ],
    [
      'a certificate that is none',
      kubeconfig(undefined, `server: https://a, certificate-authority-data: ${base64(CANARY)}`),
      'kubeconfig: `certificate-authority-data` is not base64 of PEM',
    ],
    [
      'a file beside inline content',
      kubeconfig(undefined, 'server: https://a, certificate-authority: ca.crt'),
      'kubeconfig: `certificate-authority` is a relative path, but the kubeconfig was given as content; embed the files with `kubectl config view --flatten --minify`',
    ],
    [
      'an interactive plugin',
      kubeconfig('exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Always}'),
      'kubeconfig: `exec` needs a terminal (`interactiveMode: Always`), and a workflow has none',
    ],
    [
      'an old plugin',
      kubeconfig('exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}'),
      'kubeconfig: `exec` has an `apiVersion` that is not supported; generate the kubeconfig again; supported versions are client.authentication.k8s.io/v1 and client.authentication.k8s.io/v1beta1',
    ],
  ])('%s', async (_name, text, problem) => {
    expect(await problemOf({ kubeconfig: text })).toBe(problem)
  })
})

describe('credentials', () => {
  test('paths start at the file; tokenFile wins over token, as in kubectl', async () => {
    await writeFile(join(folder, 'ca.crt'), CERTIFICATE)
    const text = kubeconfig('token: old-token, tokenFile: t', 'server: https://a, certificate-authority: ca.crt')
    await writeFile(join(folder, 'config'), text)
    expect(await load({ kubeconfig: 'config' })).toMatchObject({
      tls: { authority: CERTIFICATE },
      authentication: { kind: 'token-file', path: join(folder, 't') },
    })
  })

  test('every secret is told: token, password, each line of the key', async () => {
    const user = `username: u, password: pass-word, client-key-data: ${base64(KEY)}, client-certificate-data: ${base64(CERTIFICATE)}`
    expect((await load({ kubeconfig: kubeconfig(user) })).secrets).toEqual([
      'QUJDREVG',
      'R0hJSktM',
      base64(KEY),
      'TU5PUFFS',
      base64(CERTIFICATE),
      'pass-word',
      base64('u:pass-word'),
    ])
  })

  test('a plugin sees neither inputs nor tokens of the workflow', async () => {
    const exec = `exec: {apiVersion: client.authentication.k8s.io/v1, command: aws, args: [--client-secret, ${CANARY}], env: [{name: AWS_PROFILE, value: ci}]}`
    const env = {
      PATH: '/bin',
      INPUT_KUBECONFIG: 'x',
      GITHUB_TOKEN: 'x',
      ACTIONS_RUNTIME_TOKEN: 'x',
      GITHUB_OUTPUT: 'x',
      HOME: '/h',
    }
    const { authentication, secrets } = await load({ kubeconfig: kubeconfig(exec), env })
    if (authentication.kind !== 'exec') throw new Error('not a plugin')
    expect(Object.keys(authentication.plugin.env).sort()).toEqual([
      'AWS_PROFILE',
      'HOME',
      'KUBERNETES_EXEC_INFO',
      'PATH',
    ])
    expect(secrets).toEqual([CANARY])
  })

  test('impersonation is sent along', async () => {
    const { headers } = await load({ kubeconfig: kubeconfig('token: tttttt, as: deployer, as-groups: [a, b]') })
    expect(headers).toEqual({ 'Impersonate-User': 'deployer', 'Impersonate-Group': ['a', 'b'] })
  })

  test('insecure-skip-tls-verify is a warning', async () => {
    const { warnings, tls } = await load({
      kubeconfig: kubeconfig(undefined, 'server: https://a, insecure-skip-tls-verify: true'),
    })
    expect(tls.isUnverified).toBe(true)
    expect(warnings).toEqual([
      'the kubeconfig sets insecure-skip-tls-verify: the identity of the API server is not checked',
    ])
  })

  test('proxy-url wins over the environment, and its password is a secret', async () => {
    const text = kubeconfig(undefined, `server: https://a, proxy-url: "http://u:${CANARY}@proxy:3128"`)
    const { proxy, secrets } = await load({ kubeconfig: text, env: { HTTPS_PROXY: 'http://other:1' } })
    expect(proxy).toBe(`http://u:${CANARY}@proxy:3128`)
    expect(secrets).toContain(CANARY)
  })
})
