import { expect, test } from 'vitest'
import { readFetchInputs } from '../../src/inputs/fetch-inputs.ts'
import { withDefaults } from '../../src/inputs/input-names.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { makeAuthority } from '../doubles/certificates.ts'
import { fakeFiles } from '../doubles/fake-files.ts'
import type { Inputs } from './defaults.ts'

const { ca } = makeAuthority()
const FILES = { 'ca.pem': ca, 'broken.pem': ca.replace(/\w{20}/, ''), 'keys.gpg': 'keys' }

const read = (inputs: Inputs) =>
  readFetchInputs(
    withDefaults((name) => inputs[name] ?? ''),
    fakeFiles(FILES),
  )
const registriesOf = async (registries: string) => (await read({ registries })).fetching.registries

async function problemsOf(inputs: Inputs): Promise<readonly string[]> {
  const { problems } = await read(inputs)
  return problems.map(({ severity, place, what, hint }) => {
    const mark = severity === 'warning' ? 'warning: ' : ''
    return `${mark}${place.input}: ${what}: ${hint && hintText(hint)}`
  })
}

const FIELDS = 'host, username, password, token, ca, plain-http'

test('without inputs, dependencies are fetched and nobody is asked for a signature', async () => {
  expect(await read({})).toEqual({
    fetching: { dependencies: 'missing', verify: 'never', keyring: undefined, registries: [], cache: undefined },
    problems: [],
  })
})

test('all of them are read', async () => {
  const inputs: Inputs = {
    dependencies: 'locked',
    verify: 'always',
    keyring: 'keys.gpg',
    'chart-cache': '.cache/charts',
  }
  expect(await read(inputs)).toEqual({
    fetching: {
      dependencies: 'locked',
      verify: 'always',
      keyring: '/workspace/keys.gpg',
      registries: [],
      cache: '/workspace/.cache/charts',
    },
    problems: [],
  })
})

test.each<[string, Inputs, string]>([
  [
    'dependencies',
    { dependencies: 'build' },
    'dependencies: "build" is not valid: write one of missing, locked, never',
  ],
  ['verify', { verify: 'true' }, 'verify: "true" is not valid: write one of never, if-present, always'],
  [
    'a keyring that is missing',
    { verify: 'if-present' },
    'keyring: is missing, and verify is if-present: give a file with the public keys (gpg --export) in input keyring',
  ],
  [
    'a keyring that is no file',
    { keyring: 'pubring.gpg' },
    'keyring: "pubring.gpg" is no file: give a file with the public keys (gpg --export) in input keyring',
  ],
])('a mistake in %s is told', async (_what, inputs, problem) => {
  expect(await problemsOf(inputs)).toEqual([problem])
})

test('a registry has a login, a token, an authority, or leave to be plain', async () => {
  const text = `
    - host: Registry.Example:5000
      username: robot
      password: 0123
    - host: ghcr.io
      token: "abc"
    - { host: "[::1]:5000", plain-http: true }
    - host: charts.example
      ca: ca.pem
      plain-http: false
  `
  expect(await registriesOf(text)).toEqual([
    { host: 'registry.example:5000', username: 'robot', password: '0123', isPlainHttp: false },
    { host: 'ghcr.io', token: 'abc', isPlainHttp: false },
    { host: '[::1]:5000', isPlainHttp: true },
    { host: 'charts.example', authorities: ca, isPlainHttp: false },
  ])
})

test('an authority may stand in the input itself, and more than one', async () => {
  const pem = `${ca}${makeAuthority().ca}`.trim()
  const text = `- host: a.example\n  ca: |\n${pem.replaceAll(/^/gm, '    ')}\n`
  expect(await registriesOf(text)).toEqual([{ host: 'a.example', authorities: pem, isPlainHttp: false }])
})

test.each(['1e5', 'true', '~', '2026-01-01', '0x10', 'null', "'with: colon'"])(
  'a password may look like %s',
  async (password) => {
    const [access] = await registriesOf(`- host: a.example\n  username: 007\n  password: ${password}`)
    expect(access).toMatchObject({ username: '007', password: password.replaceAll("'", '') })
  },
)

test.each<[string, string, string]>([
  ['no YAML', '- host: [hunter22', `is not valid YAML at line 1: check the indentation and quotes`],
  [
    'two documents',
    '- host: a\n---\n- host: b',
    `holds more than one YAML document: write a YAML list of objects with ${FIELDS}`,
  ],
  ['an object', 'host: a.example\npassword: hunter22', `is not a list: write a YAML list of objects with ${FIELDS}`],
  ['a text', 'hunter22', `is not a list: write a YAML list of objects with ${FIELDS}`],
  ['a list of texts', '- hunter22', `item 1: is not an object: write a YAML list of objects with ${FIELDS}`],
  [
    'an unknown field',
    '- host: a.example\n  token: hunter22\n  hunter22: x',
    `item 1: has a field that is not known: write one of ${FIELDS}`,
  ],
  [
    'a scheme',
    '- host: https://hunter22\n  token: x',
    'item 1: host is not one: write registry.example or registry.example:5000, without https:// and path',
  ],
  [
    'a path',
    '- host: a.example/hunter22\n  token: x',
    'item 1: host is not one: write registry.example or registry.example:5000, without https:// and path',
  ],
  [
    'a login in the host',
    '- host: robot:hunter22@a.example\n  plain-http: true',
    'item 1: host is not one: write registry.example or registry.example:5000, without https:// and path',
  ],
  [
    'no host',
    '- token: hunter22\n  plain-http: false',
    'item 1: host is not one: write registry.example or registry.example:5000, without https:// and path',
  ],
  [
    'a port that is none',
    '- host: a.example:99999\n  token: x',
    'item 1: host is not one: write registry.example or registry.example:5000, without https:// and path',
  ],
  [
    'both kinds of login',
    '- { host: a.example, token: hunter22, username: u, password: hunter23 }',
    'item 1: has both a token and a name or password: leave it out',
  ],
  [
    'a name alone',
    '- { host: a.example, username: hunter22 }',
    `item 1: password is missing: write a YAML list of objects with ${FIELDS}`,
  ],
  [
    'a password alone',
    '- { host: a.example, password: hunter22 }',
    `item 1: username is missing: write a YAML list of objects with ${FIELDS}`,
  ],
  [
    'a password that is a list',
    '- { host: a.example, username: u, password: [hunter22] }',
    'item 1: password is not text: put it in quotes',
  ],
  [
    'an authority that is not there',
    '- { host: a.example, ca: hunter22 }',
    'item 1: ca is neither PEM nor a file that can be read: write the certificate in PEM (-----BEGIN CERTIFICATE-----), or the path of a file with it',
  ],
  [
    'an authority that is broken',
    '- { host: a.example, ca: broken.pem }',
    'item 1: ca holds no certificate, or a broken one: write the certificate in PEM (-----BEGIN CERTIFICATE-----), or the path of a file with it',
  ],
  [
    'a key instead of an authority',
    '- { host: a.example, ca: "-----BEGIN PRIVATE KEY----- hunter22" }',
    'item 1: ca holds no certificate, or a broken one: write the certificate in PEM (-----BEGIN CERTIFICATE-----), or the path of a file with it',
  ],
  [
    'another word than true',
    '- { host: a.example, plain-http: hunter22 }',
    'item 1: plain-http is not valid: write true or false',
  ],
  [
    'nothing but a host',
    '- host: a.example',
    `item 1: has nothing but a host: write a YAML list of objects with ${FIELDS}`,
  ],
  [
    'a host twice',
    '- { host: a.example, token: x }\n- { host: A.example, plain-http: true }',
    'names a host twice: remove one of them, or give it another name',
  ],
])('%s is a mistake, which repeats no value', async (_what, registries, problem) => {
  const problems = await problemsOf({ registries })
  expect(problems[0]).toBe(`registries: ${problem}`)
  expect(problems.join()).not.toContain('hunter22')
})

test('all mistakes are told at once', async () => {
  const registries = '- { host: "https://a", username: u }\n- { host: b.example, plain-http: maybe, ca: nowhere }\n- 1'
  expect(
    (await problemsOf({ registries, verify: 'maybe' })).map((text) => text.split(':').slice(0, 3).join(':')),
  ).toEqual([
    'verify: "maybe" is not valid: write one of never, if-present, always',
    'registries: item 1: host is not one',
    'registries: item 1: password is missing',
    'registries: item 2: ca is neither PEM nor a file that can be read',
    'registries: item 2: plain-http is not valid',
    'registries: item 3: is not an object',
  ])
})

test.each([
  '- { host: a.example, username: robot, password: }',
  '- { host: a.example, username: robot, password: "" }',
  '- { host: a.example, token: "" }',
])('a secret that is empty, as in runs for forks, is no login and a warning: %s', async (registries) => {
  expect(await registriesOf(registries)).toEqual([{ host: 'a.example', isPlainHttp: false }])
  expect(await problemsOf({ registries })).toEqual([
    'warning: registries: item 1: has an empty password or token, so that nobody logs in: runs for forks and by Dependabot ' +
      'get no secrets: make the chart public, or plan it in a run that has them',
  ])
})

test('a field that is passed on empty does not stand in the way of the other login', async () => {
  const text = '- { host: a.example, username: robot, password: pass, token: "" }'
  expect(await problemsOf({ registries: text })).toEqual([])
  expect(await registriesOf(text)).toEqual([
    { host: 'a.example', username: 'robot', password: 'pass', isPlainHttp: false },
  ])
})
