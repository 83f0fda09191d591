import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createChartCredentials } from '../../src/fetch/chart-credentials.ts'
import { systemClock } from '../../src/host/system-clock.ts'
import type { Clock, RegistryAccess } from '../../src/ports.ts'
import { makeAuthority } from '../doubles/certificates.ts'
import { fakeClock } from '../doubles/fake-clock.ts'
import { refusal } from './given-http.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logins-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

interface Given {
  readonly docker?: unknown
  readonly helm?: unknown
  readonly repositories?: string
  readonly registries?: readonly RegistryAccess[]
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
}

const place = (name: string) => join(folder, name)

async function write(name: string, content: unknown): Promise<string> {
  const path = place(name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function given({ docker, helm, repositories, registries = [], env = {}, clock = systemClock }: Given) {
  if (docker !== undefined) await write('docker/config.json', docker)
  if (helm !== undefined) await write('helm/registry/config.json', helm)
  if (repositories !== undefined) await write('helm/repositories.yaml', repositories)
  const secrets: string[] = []
  const notices: string[] = []
  const credentials = createChartCredentials({
    env: { DOCKER_CONFIG: place('docker'), HELM_CONFIG_HOME: place('helm'), ...env },
    platform: process.platform,
    registries,
    clock,
    onSecret: (value) => secrets.push(value),
    onNotice: (text) => notices.push(text),
  })
  return { credentials, secrets, notices }
}

const packed = (text: string) => Buffer.from(text).toString('base64')
const basic = (username: string, password: string) => ({ kind: 'basic', username, password })

async function ofRegistry(host: string, files: Given) {
  return (await given(files)).credentials.ofRegistry(host)
}

describe('logins of registries', () => {
  test.each<[string, object, unknown]>([
    ['auth', { auth: packed('robot:pass:word') }, basic('robot', 'pass:word')],
    ['auth that is filled up', { auth: packed('robot:pass\0\0') }, basic('robot', 'pass')],
    ['name and password', { username: 'robot', password: 'pass' }, basic('robot', 'pass')],
    [
      'an identity token',
      { auth: packed('00000000-0000-0000-0000-000000000000:'), identitytoken: 'refresh' },
      { kind: 'identity', token: 'refresh' },
    ],
    ['a registry token', { registrytoken: 'bearer' }, { kind: 'bearer', token: 'bearer' }],
    ['nothing', {}, undefined],
  ])('Docker keeps %s', async (_what, entry, login) => {
    expect(
      await ofRegistry('registry.example:5000', { docker: { auths: { 'registry.example:5000': entry } } }),
    ).toEqual(login)
  })

  test('an address counts as its host, and the very host wins', async () => {
    const auths = (keys: readonly string[]) => ({
      auths: Object.fromEntries(keys.map((key) => [key, { auth: packed(`${key.length}:x`) }])),
    })
    const keys = ['https://quay.io/v2/', 'quay.io', 'quay.io/org']
    expect(await ofRegistry('quay.io', { docker: auths(keys) })).toEqual(basic('7', 'x'))
    expect(await ofRegistry('quay.io', { docker: auths(['https://quay.io/v2/']) })).toEqual(basic('19', 'x'))
  })

  test.each(['docker.io', 'index.docker.io', 'registry-1.docker.io'])(
    'Docker Hub has one login as %s',
    async (host) => {
      const auths = {
        'https://index.docker.io/v1/': { auth: packed('robot:pass') },
        'https://index.docker.io/v1/access-token': {},
      }
      expect(await ofRegistry(host, { docker: { auths } })).toEqual(basic('robot', 'pass'))
    },
  )

  test('a login of another port or host is none', async () => {
    const docker = { auths: { 'registry.example:5000': { auth: packed('robot:pass') } } }
    expect(await ofRegistry('registry.example', { docker })).toBeUndefined()
    expect(await ofRegistry('example:5000', { docker })).toBeUndefined()
  })

  test('the input wins over the file of Helm, and that over the one of Docker', async () => {
    const file = (name: string) => ({ auths: { 'a.example': { auth: packed(`${name}:x`) } } })
    const registries = [{ host: 'a.example', token: 'of the input', isPlainHttp: false }]
    const files = { docker: file('docker'), helm: file('helm') }
    expect(await ofRegistry('a.example', { ...files, registries })).toEqual({ kind: 'bearer', token: 'of the input' })
    expect(await ofRegistry('a.example', files)).toEqual(basic('helm', 'x'))
    await rm(place('helm'), { recursive: true })
    expect(await ofRegistry('a.example', { docker: file('docker') })).toEqual(basic('docker', 'x'))
  })

  test('an item of the input without a login leaves it to the files', async () => {
    const registries = [{ host: 'a.example', isPlainHttp: true }]
    const docker = { auths: { 'a.example': { auth: packed('robot:pass') } } }
    expect(await ofRegistry('a.example', { docker, registries })).toEqual(basic('robot', 'pass'))
  })

  test('without files there is none', async () => {
    expect(await ofRegistry('a.example', {})).toBeUndefined()
  })

  test('what is read is secret at once', async () => {
    const { credentials, secrets } = await given({ docker: { auths: { 'a.example': { auth: packed('robot:pass') } } } })
    await credentials.ofRegistry('a.example')
    expect(secrets).toEqual([packed('robot:pass'), 'pass'])
  })

  test.each<[string, string, string]>([
    ['not JSON', '{"auths": {"a.example": {"auth": "hunter22', 'is not valid JSON'],
    ['a list', '[]', 'is not a JSON object'],
    ['other auths', '{"auths": ["hunter22"]}', 'has auths that are not an object'],
    [
      'an auth without a name',
      JSON.stringify({ auths: { 'a.example': { auth: packed('hunter22') } } }),
      'has an auth of a.example that is not the base64 of name and password',
    ],
    ['too much', `{"a": "${'x'.repeat(1024 * 1024)}"}`, 'is larger than 1 MiB'],
  ])('a file with %s is named, and not quoted', async (_what, docker, text) => {
    const said = await refusal(ofRegistry('a.example', { docker }))
    expect(said).toBe(`${place('docker/config.json')} ${text}; correct the file, or log in again in a step before`)
  })

  test('a folder in its place is named', async () => {
    await mkdir(place('docker/config.json'), { recursive: true })
    expect(await refusal(ofRegistry('a.example', {}))).toContain('config.json is not a file')
  })
})

describe('credential helpers', () => {
  /** A program of this name, which is Node with the script; more is added to the environment. */
  async function helper(name: string, script: string): Promise<Readonly<Record<string, string>>> {
    const required = await write(
      `${name}.cjs`,
      `const server = require('fs').readFileSync(0, 'utf8');${script};process.exit()`,
    )
    const program = place(`bin/docker-credential-${name}${process.platform === 'win32' ? '.exe' : ''}`)
    await mkdir(dirname(program), { recursive: true })
    await symlink(process.execPath, program).catch(() => copyFile(process.execPath, program))
    // Node does not start on Windows without it.
    const { SystemRoot = '' } = process.env
    return { PATH: place('bin'), NODE_OPTIONS: `--require ${JSON.stringify(required)}`, SystemRoot }
  }
  const says = (answer: object) => `console.log(JSON.stringify(${JSON.stringify(answer)}))`

  test('one that is named for the host is asked, and its secret is one', async () => {
    const env = await helper(
      'ecr-login',
      "console.log(JSON.stringify({ Username: 'AWS', Secret: server + process.argv[1].slice(-3) }))",
    )
    const docker = { credHelpers: { 'a.example': 'ecr-login' }, credsStore: 'none' }
    const { credentials, secrets } = await given({ docker, env })
    expect(await credentials.ofRegistry('a.example')).toEqual(basic('AWS', 'a.exampleget'))
    expect(secrets).toEqual(['a.exampleget'])
  })

  test('it is asked once for many callers', async () => {
    const env = await helper(
      'one',
      `require('fs').appendFileSync(${JSON.stringify(place('runs'))}, 'x');${says({ Username: 'u', Secret: 's' })}`,
    )
    const { credentials } = await given({ docker: { credsStore: 'one' }, env })
    await Promise.all(['docker.io', 'index.docker.io', 'docker.io'].map((host) => credentials.ofRegistry(host)))
    expect(await readFile(place('runs'), 'utf8')).toBe('x')
  })

  test('Docker Hub is asked for by its old address', async () => {
    const env = await helper('store', "console.log(JSON.stringify({ Username: 'u', Secret: server }))")
    expect(await ofRegistry('docker.io', { docker: { credsStore: 'store' }, env })).toEqual(
      basic('u', 'https://index.docker.io/v1/'),
    )
  })

  test('the name <token> marks an identity token', async () => {
    const env = await helper('acr', says({ Username: '<token>', Secret: 'refresh' }))
    expect(await ofRegistry('a.example', { docker: { credsStore: 'acr' }, env })).toEqual({
      kind: 'identity',
      token: 'refresh',
    })
  })

  test('one that knows no login leaves it to the file', async () => {
    const env = await helper('none', "console.log('credentials not found in native keychain'); process.exit(1)")
    const auths = { 'a.example': { auth: packed('robot:pass') }, 'b.example': {} }
    const docker = { credsStore: 'none', auths }
    expect(await ofRegistry('a.example', { docker, env })).toEqual(basic('robot', 'pass'))
    expect(await ofRegistry('b.example', { docker, env })).toBeUndefined()
  })

  test('it sees the environment of the job, but no input of this action', async () => {
    const env = await helper(
      'env',
      "console.log(JSON.stringify({ Username: 'u', Secret: [process.env.AWS_REGION, process.env.INPUT_REGISTRIES, process.env['INPUT_GITHUB-TOKEN']].join() }))",
    )
    const more = { AWS_REGION: 'eu', INPUT_REGISTRIES: 'a', 'INPUT_GITHUB-TOKEN': 'b' }
    expect(await ofRegistry('a.example', { docker: { credsStore: 'env' }, env: { ...env, ...more } })).toEqual(
      basic('u', 'eu,,'),
    )
  })

  test.each<[string, string, string]>([
    ['fails', "console.log('hunter22'); process.exit(3)", 'ends with 3'],
    ['says no JSON', "console.log('hunter22')", 'answers with something that is not JSON'],
    ['says too much', "process.stdout.write('hunter22'.repeat(100000))", 'answers with something that is not JSON'],
  ])('one that %s is named, and not quoted', async (_how, script, text) => {
    const env = await helper('bad', script)
    const said = await refusal(ofRegistry('a.example', { docker: { credsStore: 'bad' }, env }))
    expect(said).toBe(
      `docker-credential-bad, which ${place('docker/config.json')} names for a.example, ${text}; ` +
        'log in again in a step before, or write the login in input registries',
    )
  })

  test('one that does not answer is ended after 10 s', async () => {
    const env = await helper(
      'slow',
      `require('fs').writeFileSync(${JSON.stringify(place('started'))}, ''); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`,
    )
    const clock = fakeClock()
    const { credentials } = await given({ docker: { credsStore: 'slow' }, env, clock })
    const said = refusal(credentials.ofRegistry('a.example'))
    await expect.poll(() => clock.pending()).toBe(1)
    await clock.advance(10_000)
    expect(await said).toContain('gives no answer within 10 s')
  })

  test('one that is not there is named', async () => {
    expect(
      await refusal(ofRegistry('a.example', { docker: { credsStore: 'desktop' }, env: { PATH: place('bin') } })),
    ).toContain('docker-credential-desktop, which ')
  })

  test('one of the workspace is not taken, where PATH has a relative folder', async () => {
    await helper('here', says({ Username: 'u', Secret: 's' }))
    const relative = join(...Array.from({ length: 20 }, () => '..'), place('bin'))
    expect(
      await refusal(ofRegistry('a.example', { docker: { credsStore: 'here' }, env: { PATH: relative } })),
    ).toContain('is not on PATH')
  })

  test.each(['../../evil', 'a b', 'a;b', 'UP', '-'.repeat(61)])('%j is no name of one', async (credsStore) => {
    expect(await refusal(ofRegistry('a.example', { docker: { credsStore } }))).toBe(
      `${place('docker/config.json')} names a credential helper for a.example that is no name of one; correct the file, or log in again in a step before`,
    )
  })
})

describe("Helm's repositories", () => {
  const entry = (name: string, url: string, more: object = {}) => ({ name, url, username: '', password: '', ...more })
  const file = (...repositories: readonly object[]) =>
    JSON.stringify({ apiVersion: '', generated: '2026-01-01T00:00:00Z', repositories })

  async function ofAddress(url: string, files: Given) {
    return (await given(files)).credentials.ofAddress(new URL(url))
  }

  test.each([
    ['https://charts.example/team/index.yaml', 'team'],
    ['https://charts.example/team', 'team'],
    ['https://charts.example/team/sub/a.tgz', 'sub'],
    ['https://charts.example/teams/index.yaml', 'host'],
    ['https://charts.example/', 'host'],
    ['https://charts.example:8443/team/index.yaml', undefined],
    ['http://charts.example/team/index.yaml', undefined],
    ['https://charts.example.org/team/index.yaml', undefined],
    ['https://charts.example@evil.example/team/index.yaml', undefined],
    ['https://charts.example/team/../index.yaml', 'host'],
  ])('S-10 the login for %s is that of %s', async (url, user) => {
    const repositories = file(
      entry('a', 'https://charts.example', { username: 'host', password: 'x' }),
      entry('b', 'https://charts.example/team/', { username: 'team', password: 'x' }),
      entry('c', 'https://charts.example/team/sub', { username: 'sub', password: 'x' }),
    )
    expect(await ofAddress(url, { repositories })).toEqual(user === undefined ? undefined : basic(user, 'x'))
  })

  test('the input wins, for its host and port', async () => {
    const repositories = file(entry('a', 'https://charts.example', { username: 'u', password: 'x' }))
    const registries = [{ host: 'charts.example', username: 'robot', password: 'pass', isPlainHttp: false }]
    expect(await ofAddress('https://charts.example/a', { repositories, registries })).toEqual(basic('robot', 'pass'))
    expect(await ofAddress('https://charts.example:443/a', { registries })).toEqual(basic('robot', 'pass'))
    expect(await ofAddress('https://charts.example:444/a', { registries })).toBeUndefined()
  })

  test('a password that looks like a number is a text', async () => {
    const repositories = 'repositories:\n- name: a\n  url: https://charts.example\n  username: u\n  password: 0123\n'
    expect(await ofAddress('https://charts.example/', { repositories })).toEqual(basic('u', '0123'))
  })

  test('names lead to addresses', async () => {
    const { credentials } = await given({ repositories: file(entry('stable', 'https://charts.example')) })
    expect([await credentials.addressOf('stable'), await credentials.addressOf('other')]).toEqual([
      'https://charts.example',
      undefined,
    ])
  })

  test('pass_credentials_all has no effect, which is said once', async () => {
    const more = { username: 'u', password: 'x', pass_credentials_all: true }
    const { credentials, notices, secrets } = await given({
      repositories: file(entry('a', 'https://charts.example', more)),
    })
    await credentials.ofAddress(new URL('https://charts.example/index.yaml'))
    await credentials.ofAddress(new URL('https://charts.example/a.tgz'))
    expect(await credentials.ofAddress(new URL('https://cdn.example/a.tgz'))).toBeUndefined()
    expect(notices).toEqual([
      "repository a of Helm's repositories file: pass_credentials_all has no effect: the login goes to the host of the repository only",
    ])
    expect(new Set(secrets)).toEqual(new Set(['x']))
  })

  test.each([
    ['no YAML', 'repositories: [hunter22', 'is not valid YAML'],
    ['another document', '- hunter22', 'has no list of repositories'],
    ['no list', 'repositories: hunter22', 'has no list of repositories'],
  ])('a file with %s is named, and not quoted', async (_what, repositories, text) => {
    const said = await refusal(ofAddress('https://charts.example/', { repositories }))
    expect(said).toBe(`${place('helm/repositories.yaml')} ${text}; correct the file, or log in again in a step before`)
  })

  test.each(['', 'repositories:\n', 'apiVersion: v1\n'])('%j is an empty one', async (repositories) => {
    expect(await ofAddress('https://charts.example/', { repositories })).toBeUndefined()
  })

  const { ca, issue } = makeAuthority()
  const client = issue(['client'])

  test('authorities count for the host, the certificate for the repository', async () => {
    const [caFile, certFile, keyFile] = await Promise.all([
      write('ca.pem', ca),
      write('c.pem', client.cert),
      write('k.pem', client.key),
    ])
    const repositories = file(
      entry('a', 'https://charts.example/a', { caFile }),
      entry('b', 'https://charts.example/b', { certFile, keyFile }),
    )
    const { credentials, secrets } = await given({ repositories })
    expect(await credentials.tlsOf(new URL('https://charts.example/b/index.yaml'))).toEqual({
      authorities: [ca],
      certificate: { certificate: client.cert, key: client.key },
    })
    expect(secrets).toEqual([client.key])
    expect(await credentials.tlsOf(new URL('https://other.example/'))).toBeUndefined()
  })

  test.each([
    ['is not there', undefined, "is named in Helm's repositories file and does not exist"],
    ['is no PEM', 'hunter22', 'is not PEM'],
  ])('a file of an authority that %s is named', async (_what, content, text) => {
    const caFile = content === undefined ? place('ca.pem') : await write('ca.pem', content)
    const { credentials } = await given({ repositories: file(entry('a', 'https://charts.example', { caFile })) })
    expect(await refusal(credentials.tlsOf(new URL('https://charts.example/')))).toBe(
      `${caFile} ${text}; correct the file, or log in again in a step before`,
    )
  })

  test('insecure_skip_tls_verify is refused where no authority is given', async () => {
    const repositories = file(entry('a', 'https://charts.example', { insecure_skip_tls_verify: true }))
    const url = new URL('https://charts.example/index.yaml')
    const { credentials } = await given({ repositories })
    expect(await refusal(credentials.tlsOf(url))).toBe(
      "repository a of Helm's repositories file has insecure_skip_tls_verify, which is not done; " +
        'write the certificate authority as ca of charts.example in input registries',
    )
    const registries = [{ host: 'charts.example', authorities: ca, isPlainHttp: false }]
    expect(await (await given({ repositories, registries })).credentials.tlsOf(url)).toEqual({ authorities: [] })
  })
})
