import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Authentication, ExecPlugin } from '../../src/kube/connection.ts'
import { type Credentials, createCredentials } from '../../src/kube/credentials.ts'
import { fakeClock } from '../doubles/fake-clock.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'credentials-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const START_MS = Date.UTC(2026, 0, 1)

function start(authentication: Authentication) {
  const clock = fakeClock(START_MS)
  const secrets: string[] = []
  const connection = {
    server: 'https://a',
    defaultNamespace: 'default',
    tls: { isUnverified: false },
    authentication,
    headers: {},
    secrets: [],
    warnings: [],
  }
  const credentials = createCredentials({ connection, clock, onSecret: (value) => secrets.push(value) })
  return { clock, secrets, credentials }
}

/** A plugin in JavaScript; each run adds a line to a file, and its number is in the token. */
async function plugin(body: string): Promise<{ readonly plugin: ExecPlugin; readonly runs: () => Promise<number> }> {
  const log = join(folder, 'runs')
  const script = join(folder, 'plugin.cjs')
  const head = `const fs = require('fs'); fs.appendFileSync(${JSON.stringify(log)}, 'x'); const run = fs.readFileSync(${JSON.stringify(log)}, 'utf8').length;`
  const give = `const give = (status) => console.log(JSON.stringify({ kind: 'ExecCredential', status }));`
  await writeFile(script, `${head}${give}${body}`)
  const apiVersion = 'client.authentication.k8s.io/v1'
  return {
    plugin: { command: process.execPath, args: [script], env: { SHOWN: 'yes' }, apiVersion },
    runs: async () => (await readFile(log, 'utf8').catch(() => '')).length,
  }
}

const headers = async (credentials: Credentials) => (await credentials.current()).authorization

test('a plugin is run once for many callers, and its token is a secret at once', async () => {
  const made = await plugin("give({ token: 'token-' + run })")
  const { credentials, secrets } = start({ kind: 'exec', plugin: made.plugin })
  const given = await Promise.all([1, 2, 3, 4].map(() => headers(credentials)))
  expect(given).toEqual(Array.from({ length: 4 }, () => 'Bearer token-1'))
  expect(secrets).toEqual(['token-1'])
  expect(await made.runs()).toBe(1)
})

test('a token is renewed when 80 % of its life is over', async () => {
  const made = await plugin(
    `give({ token: 'token-' + run, expirationTimestamp: new Date(${START_MS} + run * 100000).toISOString() })`,
  )
  const { clock, credentials } = start({ kind: 'exec', plugin: made.plugin })
  expect(await headers(credentials)).toBe('Bearer token-1')
  await clock.advance(79_000)
  expect(await headers(credentials)).toBe('Bearer token-1')
  await clock.advance(1_000)
  expect(await headers(credentials)).toBe('Bearer token-2')
})

test('a renewal that fails costs nothing while the old token lives', async () => {
  const made = await plugin(
    `if (run > 1) process.exit(1); give({ token: 'token-1', expirationTimestamp: new Date(${START_MS} + 100000).toISOString() })`,
  )
  const { clock, credentials } = start({ kind: 'exec', plugin: made.plugin })
  await credentials.current()
  await clock.advance(90_000)
  expect(await headers(credentials)).toBe('Bearer token-1')
  await clock.advance(10_000)
  await expect(credentials.current()).rejects.toThrow('the credential plugin')
})

test('a plugin that fails runs once for many requests, and again after 10 s', async () => {
  const made = await plugin('process.exit(1)')
  const { clock, credentials } = start({ kind: 'exec', plugin: made.plugin })
  const ask = () => credentials.current().catch((error: Error) => error.message)
  const answers = [...(await Promise.all([ask(), ask()])), await ask()]
  expect(new Set(answers).size).toBe(1)
  expect(await made.runs()).toBe(1)
  await clock.advance(10_000)
  await ask()
  expect(await made.runs()).toBe(2)
})

test.each([
  ['a token that says when', tokenUntil(START_MS), START_MS],
  ['an opaque token', 'abc', undefined],
  ['a token of another kind', 'a.b.c', undefined],
])('%s expires is read', async (_name, token, expiresAtMs) => {
  const { credentials } = start({ kind: 'token', token })
  expect((await credentials.current()).expiresAtMs).toBe(expiresAtMs)
})

function tokenUntil(ms: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part({ exp: ms / 1000 })}.signature`
}

test('a refused token is dropped once, however many requests it was refused to', async () => {
  const made = await plugin("give({ token: 'token-' + run })")
  const { credentials } = start({ kind: 'exec', plugin: made.plugin })
  const first = await credentials.current()
  expect([credentials.refuse(first), credentials.refuse(first)]).toEqual([true, true])
  const second = await credentials.current()
  credentials.refuse(first)
  expect(await credentials.current()).toBe(second)
  expect(await made.runs()).toBe(2)
})

test('a client certificate of a plugin is used, and its key is a secret line by line', async () => {
  const made = await plugin("give({ clientCertificateData: 'CERT', clientKeyData: '-----BEGIN KEY-----\\nLINE' })")
  const { credentials, secrets } = start({ kind: 'exec', plugin: made.plugin })
  expect(await credentials.current()).toEqual({
    certificate: { certificate: 'CERT', key: '-----BEGIN KEY-----\nLINE' },
  })
  expect(secrets).toContain('LINE')
})

test('a plugin sees its own environment only', async () => {
  const made = await plugin('give({ token: Object.keys(process.env).filter((n) => !n.startsWith("_")).join() })')
  const { credentials } = start({ kind: 'exec', plugin: made.plugin })
  expect(await headers(credentials)).toBe('Bearer SHOWN')
})

test('a plugin that is not on PATH says what to do', async () => {
  const made = await plugin('')
  const absent = { ...made.plugin, command: 'no-such-plugin' }
  await expect(start({ kind: 'exec', plugin: absent }).credentials.current()).rejects.toThrow(
    'get credentials for the cluster: the credential plugin `no-such-plugin` is not on PATH; install it in an earlier step of the job',
  )
  const hinted = start({ kind: 'exec', plugin: { ...absent, installHint: 'run `make plugin`' } })
  await expect(hinted.credentials.current()).rejects.toThrow('is not on PATH; run `make plugin`')
})

test.each([
  ['console.error("not logged in"); process.exit(3)', 'ended with 3: not logged in'],
  ['console.log("secret-output")', 'did not answer with JSON'],
  ['give({})', 'gave neither a token nor a client certificate'],
])('a plugin that fails: %s', async (body, message) => {
  const { credentials } = start({ kind: 'exec', plugin: (await plugin(body)).plugin })
  const error: unknown = await credentials.current().catch((thrown: unknown) => thrown)
  expect(String(error)).toContain(message)
  expect(String(error)).not.toContain('secret-output')
})

test('a token file is read again after a minute', async () => {
  const path = join(folder, 'token')
  await writeFile(path, 'first\n')
  const { clock, credentials, secrets } = start({ kind: 'token-file', path })
  expect(await headers(credentials)).toBe('Bearer first')
  await writeFile(path, 'second\n')
  expect(await headers(credentials)).toBe('Bearer first')
  await clock.advance(60_000)
  expect(await headers(credentials)).toBe('Bearer second')
  expect(secrets).toEqual(['first', 'second'])
})
