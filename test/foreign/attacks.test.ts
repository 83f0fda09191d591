import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { directivesOf } from '../../src/directives/read-directives.ts'
import { parseKubeconfig } from '../../src/kube/kubeconfig-document.ts'
import { ProblemsError } from '../../src/model/errors.ts'
import { maskedPair } from '../../src/plan/mask.ts'
import { code, prose } from '../../src/report/markdown/markdown.ts'
import { printable } from '../../src/report/words/printable.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { failureAsIs } from '../../src/secrecy/printed-as-is.ts'
import { redacted } from '../../src/secrecy/redacted.ts'
import { problemsOf } from '../inputs/given.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const NAMES = [
  '.',
  '..',
  '../x',
  'a/b',
  '/etc',
  'a\\b',
  'C:/x',
  '~',
  'a b',
  'a\nb',
  'A',
  '-a',
  'a-',
  '%2e%2e',
  'a'.repeat(64),
]
test.each(NAMES)(`S-02 %j is no name of a release or a namespace (${NAMES.length} names)`, async (name) => {
  const chart = { 'c/Chart.yaml': 'name: c\nversion: 1.0.0\n' }
  const charts = JSON.stringify([{ chart: 'c', release: name }])
  expect((await problemsOf({ charts }, chart)).join()).toMatch(/is not valid/)
  expect((await problemsOf({ chart: 'c', release: 'c', namespace: name }, chart)).join()).toMatch(/is not valid/)
})

const CONTROLS = [
  '\u0000',
  '\u0007',
  '\u0008',
  '\u001b[2J',
  '\u001b]0;x\u0007',
  '\u007f',
  '\u0085',
  '\u009b31m',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2028',
  '\ufeff',
]
test.each(CONTROLS)(`S-09 %j reaches no terminal (${CONTROLS.length} sequences)`, (control) => {
  expect(printable(`a${control}b`)).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u)
})

const YAML_BOMBS = [
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `a: ${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}`,
  'a: &a [1]\nb: [*a, *b]\n',
  'a: !!js/function "function () {}"',
  'a: 1\na: 2\n',
  '? [a, b]\n: 1\n',
  '\t- a',
  '%YAML 9.9\n---\n',
]
test.each(YAML_BOMBS.map((text) => [text.slice(0, 20), text] as const))(
  `S-13 YAML %j is refused (${YAML_BOMBS.length} texts)`,
  (_name, text) => {
    expect(() => parseKubeconfig({ text })).toThrow(ProblemsError)
  },
)

const POLLUTERS = [
  '__proto__: {polluted: 1}',
  '"__proto__": {polluted: 1}',
  'a: &a {__proto__: {polluted: 1}}\nb: {<<: *a}',
  'constructor: {prototype: {polluted: 1}}',
]
test.each(POLLUTERS)(`S-12 %j changes no other object (${POLLUTERS.length} texts)`, async (text) => {
  parseKubeconfig({ text })
  await problemsOf({ chart: 'c', values: text }, { 'c/Chart.yaml': 'name: c\nversion: 1.0.0\n' })
  expect('polluted' in {}).toBe(false)
})

test('S-17 an address with a script stays text in Markdown', () => {
  for (const text of ['[a](javascript:alert(1))', '<a href="javascript:alert(1)">a</a>', 'javascript:alert(1)']) {
    expect(prose(text)).not.toMatch(/(?<!\\)\]\(|(?<!\\)<a/)
    expect(code(text)).toMatch(/^`.*`$/)
  }
})

test('S-21 the action starts no shell, evaluates no text, and starts programs in named places only', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('tools/'),
  )
  const holding = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(join(ROOT, 'src', file), 'utf8')))
  expect(holding(/shell: true|\beval\(|new Function\(|\bexecSync\(|\bexec\(['"`]/)).toEqual([])
  expect(holding(/node:child_process/).toSorted()).toEqual([
    'fetch/credential-helper.ts',
    'host/local-git.ts',
    'host/sops-program.ts',
    'kube/exec-plugin.ts',
  ])
  expect(files.length).toBeGreaterThan(200)
})

test('S-28 a hidden value shows neither its length nor a hash of it', () => {
  const secret = (data: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { key: data } })
  const shown = ['YQ==', 'YWJjZGVmZ2hpamtsbW5vcA=='].map((data) => {
    const object = secret(data)
    const manifest = {
      ref: { apiVersion: 'v1', kind: 'Secret', name: 'a' },
      object,
      origin: { file: 'a', line: 1 },
      source: 'template' as const,
    }
    const [resource] = directivesOf([manifest], { isPlainManifests: false }).resources
    if (resource === undefined) throw new Error('no resource')
    return JSON.stringify(maskedPair(resource, undefined, object))
  })
  expect(shown[0]).toBe(shown[1])
})

test('S-29 an error of the API server that repeats the object is told without its values', () => {
  const secrets = createSecrets()
  secrets.add('hunter22-canary')
  const message = `Secret "a" is invalid: data[key]: Invalid value: "${Buffer.from('hunter22-canary').toString('base64')}": hunter22-canary`
  const failure = { reason: 'rejected' as const, doing: 'apply', message }
  expect(JSON.stringify(redacted(failure, failureAsIs, secrets).value)).not.toMatch(/hunter22|aHVudGVy/)
})
