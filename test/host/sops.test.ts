import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { decryptSops } from '../../src/host/sops.ts'
import type { JsonObject } from '../../src/model/object.ts'

/** Encrypted by sops 3.13.3, for the key beside them. */
const FILES = join(import.meta.dirname, 'sops')
const textOf = (name: string) => readFile(join(FILES, name), 'utf8')

let temp: string
beforeEach(async () => {
  temp = await mkdtemp(join(tmpdir(), 'sops-test-'))
  onTestFinished(() => rm(temp, { recursive: true, force: true }))
})

async function decrypt(text: string, env: NodeJS.ProcessEnv = {}) {
  const { sops } = load(text) as { readonly sops: JsonObject }
  const all = { SOPS_AGE_KEY_FILE: join(FILES, 'key.txt'), ...env }
  return decryptSops({ text, metadata: sops }, { env: all, temp })
}

const valuesOf = (found: Awaited<ReturnType<typeof decrypt>>) => ('text' in found ? load(found.text) : found.fault)

describe('SOPS without its program, by a key of age', () => {
  test.each(['all.yaml', 'some.yaml'])('%s has the values that sops itself decrypts', async (name) => {
    expect(valuesOf(await decrypt(await textOf(name)))).toEqual(load(await textOf('plain.yaml')))
  })

  test('values keep their type and their digits', async () => {
    const found = await decrypt(await textOf('all.yaml'))
    const text = 'text' in found ? found.text : ''
    expect(text).toContain('"big":9007199254740993')
    expect(text).toContain('"quoted":"yes"')
    expect(text).toContain('"octal":"0644"')
    expect(text).toContain('"nothing":null,"empty":""')
    expect(text).not.toContain('sops')
  })

  test('JSON is decrypted likewise', async () => {
    expect(valuesOf(await decrypt(await textOf('all.json')))).toEqual({
      a: { token: 'hunter2-hunter2', n: 3 },
      b: [1.5, false],
    })
  })

  test('the key may be the text of SOPS_AGE_KEY, one of several lines', async () => {
    const key = await textOf('key.txt')
    expect(valuesOf(await decrypt(await textOf('some.yaml'), { SOPS_AGE_KEY: key, SOPS_AGE_KEY_FILE: '' }))).toEqual(
      load(await textOf('plain.yaml')),
    )
  })

  test.each<[string, string, (text: string) => string, string]>([
    [
      'a value in the clear was changed',
      'some.yaml',
      (text) => text.replace('eu-west-1', 'eu-west-2'),
      'does not fit its MAC',
    ],
    ['a value was added', 'some.yaml', (text) => text.replace('region:', 'added: x\nregion:'), 'does not fit its MAC'],
    ['a key was moved', 'some.yaml', (text) => text.replace(/("10".*\n)("2".*\n)/, '$2$1'), 'does not fit its MAC'],
    ['a value was removed', 'all.yaml', (text) => text.replace(/^octal:.*\n/m, ''), 'does not fit its MAC'],
    [
      'an encrypted value stands in another place',
      'all.yaml',
      (text) => text.replace(/^octal:/m, 'other:'),
      'has a value that does not fit its key or place',
    ],
    [
      'an encrypted value was replaced by one in the clear',
      'all.yaml',
      (text) => text.replace(/^region: ENC.*$/m, 'region: theirs'),
      'does not fit its MAC',
    ],
    [
      'the tag of a value is shorter',
      'all.yaml',
      (text) => text.replace(/^(region: .*tag:)[^,]*/m, '$1AAAA'),
      'has an encrypted value in another form',
    ],
    [
      'the time is another one',
      'all.yaml',
      (text) => text.replace(/lastmodified: "2026/, 'lastmodified: "2025'),
      'has a value that does not fit its key or place',
    ],
    ['it is for other keys', 'others.yaml', (text) => text, 'is encrypted for none of the keys in SOPS_AGE_KEY'],
    ['its MAC covers less', 'mac-only.yaml', (text) => text, 'has a MAC of its encrypted values only'],
    [
      'a number is in a form of Go',
      'clear-numbers.yaml',
      (text) => text,
      'has a value in the clear that only SOPS can read',
    ],
    [
      'its key is in groups',
      'all.yaml',
      (text) => text.replace(/^sops:/m, 'sops:\n    key_groups: []'),
      'has groups of keys',
    ],
  ])('is refused where %s, without a value of it', async (_what, name, change, fault) => {
    const text = await textOf(name)
    const changed = change(text)
    expect(changed === text).toBe(['others.yaml', 'mac-only.yaml', 'clear-numbers.yaml'].includes(name))
    const found = await decrypt(changed)
    expect(found).toMatchObject({ hint: { kind: 'give-sops-key' } })
    expect(valuesOf(found)).toContain(fault)
    expect(valuesOf(found)).not.toContain('correct-horse')
  })

  test('says what to add where there is neither the program nor a key', async () => {
    expect(await decrypt(await textOf('all.yaml'), { SOPS_AGE_KEY_FILE: '' })).toEqual({
      fault: 'is encrypted by SOPS, and the job has no sops program',
      hint: { kind: 'install-sops' },
    })
  })

  test('does not repeat a key that is none', async () => {
    const found = await decrypt(await textOf('all.yaml'), { SOPS_AGE_KEY: 'AGE-SECRET-KEY-1HUNTER2' })
    expect(valuesOf(found)).toBe('cannot be decrypted: a line of SOPS_AGE_KEY is no key of age')
  })
})

describe.skipIf(process.platform === 'win32')('the program of the job', () => {
  /** A program named `sops` that does this in a shell; gives the PATH with it. */
  async function programThat(does: string, mode = 0o755): Promise<string> {
    const folder = join(temp, 'bin')
    await mkdir(folder)
    await writeFile(join(folder, 'sops'), `#!/bin/sh\n${does}\n`)
    await chmod(join(folder, 'sops'), mode)
    return `${folder}:${process.env.PATH}`
  }

  test('decrypts a copy of the text, which is gone afterwards, with the environment of the job but for inputs', async () => {
    const PATH = await programThat(
      'echo "arguments: \\"$1 $2 $3 $4 $5\\""; cat "$6" | head -1; echo "env: \\"$AWS_REGION$INPUT_KUBECONFIG\\""',
    )
    const text = 'first: 1\nsops: { mac: m, version: v }\n'
    const found = await decrypt(text, { PATH, AWS_REGION: 'eu', INPUT_KUBECONFIG: 'secret' })
    expect(valuesOf(found)).toEqual({
      arguments: '--decrypt --input-type yaml --output-type yaml',
      first: 1,
      env: 'eu',
    })
    expect((await readdir(temp)).filter((name) => name.startsWith('sops-'))).toEqual([])
  })

  test('tells the end of what it complains about, never what it has printed', async () => {
    const PATH = await programThat('echo "password: hunter2"; echo "no key found" >&2; exit 128')
    const found = await decrypt(await textOf('all.yaml'), { PATH })
    expect(valuesOf(found)).toBe('cannot be decrypted by sops: no key found')
  })

  test('is not one of a relative folder of PATH, nor one that cannot be started', async () => {
    await programThat('echo "a: 1"', 0o644)
    const PATH = `bin:./bin:${temp}/bin`
    expect(valuesOf(await decrypt(await textOf('some.yaml'), { PATH }))).toEqual(load(await textOf('plain.yaml')))
  })

  test.each([
    ['https://vault.evil.example', 'names a Vault that is not the one of VAULT_ADDR'],
    ['https://vault.example/', { a: 1 }],
  ])('gets no file that names the Vault %s, where the job has another one', async (address, expected) => {
    const PATH = await programThat('echo "a: 1"')
    const vault = `{ hc_vault: [{ vault_address: "${address}" }] }`
    const text = `a: ENC\nsops: { mac: m, version: v, key_groups: [${vault}] }\n`
    expect(valuesOf(await decrypt(text, { PATH, VAULT_ADDR: 'https://vault.example' }))).toEqual(expected)
  })
})
