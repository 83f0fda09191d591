import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RenderError } from '../../src/model/errors.ts'
import type { ChartRules, Renderer } from '../../src/ports.ts'
import { randomFrom } from '../fuzz/mutate.ts'
import { callNative, chartOf, rendererForTests, temporaryFolder } from './fixtures.ts'
import { runHelm } from './helm-command.ts'

let renderer: Renderer & ChartRules
beforeAll(async () => {
  renderer = await rendererForTests()
})
afterAll(() => renderer.close())

const DAY_MS = 24 * 60 * 60 * 1_000

interface Key {
  readonly name: string
  readonly secretPath: string
  readonly publicPath: string
}

/** Made for one test; valid from yesterday on. */
async function keyOf(name: string, changes: { readonly lifetimeSeconds?: number } = {}): Promise<Key> {
  const folder = await temporaryFolder()
  const key = { name, secretPath: join(folder, 'secret.gpg'), publicPath: join(folder, 'public.gpg') }
  const created = new Date(Date.now() - DAY_MS).toISOString()
  const { failure } = await callNative({ key: { ...key, created, ...changes } })
  expect(failure).toBe(undefined)
  return key
}

interface Signed {
  readonly archivePath: string
  readonly provenance: string
  readonly keyringPath: string
}

/** A chart that the real Helm has packed and signed. */
async function signedBy(key: Key): Promise<Signed> {
  const folder = await temporaryFolder()
  const chart = await chartOf({ 'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.2.3\n' })
  const flags = ['--sign', '--key', key.name, '--keyring', key.secretPath, '--destination', folder]
  const { error } = await runHelm('helm4', ['package', chart, ...flags], { home: folder })
  expect(error).toBe('')
  const archivePath = join(folder, 'shop-1.2.3.tgz')
  const provenance = await readFile(`${archivePath}.prov`, 'utf8')
  return { archivePath, provenance, keyringPath: key.publicPath }
}

const SIGNER = 'Test signer of charts'

test('names the key that signed the archive', async () => {
  const signed = await signedBy(await keyOf(SIGNER))
  expect(await renderer.verify(signed)).toEqual({ signedBy: SIGNER })
  expect((await callNative({ ask: { verify: { ...signed, fileName: basename(signed.archivePath) } } })).result).toEqual(
    { signedBy: SIGNER },
  )
})

test('knows the archive by the name under which it was published', async () => {
  const signed = await signedBy(await keyOf(SIGNER))
  const archivePath = join(await temporaryFolder(), 'b1946ac9')
  await copyFile(signed.archivePath, archivePath)
  const fileName = 'shop-1.2.3.tgz'
  expect(await renderer.verify({ ...signed, archivePath, fileName })).toEqual({ signedBy: SIGNER })
  await expect(renderer.verify({ ...signed, archivePath })).rejects.toThrow(
    'the provenance is signed, but for another file than b1946ac9',
  )
})

test('takes keyrings with several keys, and in armor', async () => {
  const [first, second] = [await keyOf('first'), await keyOf('second')]
  const keyringPath = join(await temporaryFolder(), 'both.gpg')
  const both = Buffer.concat([await readFile(first.publicPath), await readFile(second.publicPath)])
  await writeFile(keyringPath, both)
  const signed = await signedBy(second)
  expect(await renderer.verify({ ...signed, keyringPath })).toEqual({ signedBy: 'second' })
  await writeFile(keyringPath, armored(both))
  expect(await renderer.verify({ ...signed, keyringPath })).toEqual({ signedBy: 'second' })
})

describe('each refusal has a sentence of its own', () => {
  const NAME = 'shop-1.2.3.tgz'
  type Change = (signed: Signed) => Promise<Partial<Signed>> | Partial<Signed>
  const cases: readonly (readonly [title: string, change: Change, message: string | RegExp])[] = [
    ['no signature', () => ({ provenance: 'just text' }), `the provenance of ${NAME} holds no signature`],
    ['nothing at all', () => ({ provenance: '' }), `the provenance of ${NAME} holds no signature`],
    [
      'a key that the keyring lacks',
      async () => ({ keyringPath: (await keyOf('another')).publicPath }),
      /^shop-1\.2\.3\.tgz is signed by the key [0-9A-F]{16}, which is not in the keyring \/.*public\.gpg$/,
    ],
    [
      'another archive',
      async ({ archivePath }) => {
        await writeFile(archivePath, Buffer.concat([await readFile(archivePath), Buffer.from('x')]))
        return {}
      },
      `the archive ${NAME} is not the one that was signed: its SHA-256 is another`,
    ],
    [
      'another name',
      async ({ archivePath }) => {
        const renamed = join(await temporaryFolder(), 'shop-1.2.4.tgz')
        await copyFile(archivePath, renamed)
        return { archivePath: renamed }
      },
      'the provenance is signed, but for another file than shop-1.2.4.tgz',
    ],
    [
      'text that was changed after it was signed',
      ({ provenance }) => ({ provenance: provenance.replace('name: shop', 'name: shoq') }),
      /^the signature of shop-1\.2\.3\.tgz is not valid: openpgp: invalid signature/,
    ],
    [
      'a signature that is cut off',
      ({ provenance }) => ({ provenance: provenance.slice(0, provenance.indexOf('BEGIN PGP SIGNATURE') + 120) }),
      `the provenance of ${NAME} holds no signature`,
    ],
    ['no keyring', () => ({ keyringPath: '/nonexistent' }), /^the keyring \/nonexistent cannot be read: /],
    [
      'a keyring that is a folder',
      () => ({ keyringPath: '/tmp' }),
      'the keyring /tmp cannot be read: it is not a file',
    ],
    [
      'a keyring that is a device',
      () => ({ keyringPath: '/dev/zero' }),
      /\/dev\/zero cannot be read: it is not a file/,
    ],
    ['an empty keyring', async () => ({ keyringPath: await fileOf('') }), /^the keyring \/.* holds no public keys$/],
    [
      'a keyring that is none',
      async () => ({ keyringPath: await fileOf('<html>not found</html>') }),
      /^the keyring \/.* holds no public keys that can be read: /,
    ],
    [
      'a keyring without keys, in armor',
      async () => ({ keyringPath: await fileOf('-----BEGIN PGP PUBLIC KEY BLOCK-----\n') }),
      /^the keyring \/.* holds no public keys that can be read: /,
    ],
    ['no archive', () => ({ archivePath: '/nonexistent.tgz' }), /^the archive \/nonexistent\.tgz cannot be read: /],
  ]
  test.each(cases)('%s', async (_title, change, message) => {
    const signed = await signedBy(await keyOf(SIGNER))
    const changed = { ...signed, ...(await change(signed)) }
    const refusal = await renderer.verify(changed).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(RenderError)
    expect((refusal as RenderError).message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
    // Helm takes none of them either.
    expect(await helmVerifies(changed)).toBe(false)
  })

  test('provenance without end', async () => {
    const signed = await signedBy(await keyOf(SIGNER))
    const provenance = signed.provenance + ' '.repeat(2 << 20)
    await expect(renderer.verify({ ...signed, provenance })).rejects.toThrow(
      `the provenance of ${NAME} is larger than 1 MiB`,
    )
  })

  test('a key that has expired', async () => {
    const signed = await signedBy(await keyOf(SIGNER, { lifetimeSeconds: 60 }))
    await expect(renderer.verify(signed)).rejects.toThrow(`the key that signed ${NAME} has expired`)
    expect(await helmVerifies(signed)).toBe(false)
  })
})

const DAMAGED = 60

test(`agrees with \`helm verify\` on ${DAMAGED} damaged provenances, and ends on each`, async () => {
  const random = randomFrom(DAMAGED)
  const signed = await signedBy(await keyOf(SIGNER))
  let good = 0
  for (let index = 0; index < DAMAGED; index += 1) {
    const provenance = damaged(signed.provenance, random)
    const ours = await renderer.verify({ ...signed, provenance }).then(
      () => true,
      () => false,
    )
    expect(ours, provenance).toBe(await helmVerifies({ ...signed, provenance }))
    if (ours) good += 1
  }
  // What stands before and behind the signed text does no harm.
  expect(good).toBeGreaterThan(0)
  expect(good).toBeLessThan(DAMAGED / 2)
})

test(`agrees with \`helm verify\` on ${DAMAGED} damaged keyrings, and ends on each`, async () => {
  const random = randomFrom(DAMAGED)
  const signed = await signedBy(await keyOf(SIGNER))
  const keys = await readFile(signed.keyringPath)
  for (let index = 0; index < DAMAGED; index += 1) {
    const keyring = Buffer.from(index % 3 === 0 ? keys.subarray(0, Math.floor(random() * keys.length)) : keys)
    // Headers with lengths come first.
    const places = index % 2 === 0 ? 24 : keyring.length
    for (let change = 0; change < 1 + (index % 4); change += 1) {
      keyring[Math.floor(random() * places)] = Math.floor(random() * 256)
    }
    const keyringPath = join(await temporaryFolder(), 'damaged.gpg')
    await writeFile(keyringPath, keyring)
    const refusal = await renderer.verify({ ...signed, keyringPath }).then(
      () => '',
      (error: unknown) => String(error),
    )
    expect(refusal).not.toMatch(/stopped|panic|the render engine failed|does not finish/)
    expect(refusal === '', refusal).toBe(await helmVerifies({ ...signed, keyringPath }))
  }
})

function damaged(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length)
  const kinds = [
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(at + 1),
    () => `${text.slice(0, at)}${String.fromCharCode(33 + Math.floor(random() * 90))}${text.slice(at + 1)}`,
    () => text.replace(/\n/g, '\r\n'),
    () => `before\n${text}behind\n`,
    () => text + text,
  ]
  return (kinds[Math.floor(random() * kinds.length)] as () => string)()
}

async function helmVerifies({ archivePath, provenance, keyringPath }: Signed): Promise<boolean> {
  const folder = join(await temporaryFolder(), 'verify')
  await mkdir(folder)
  const copy = join(folder, basename(archivePath))
  await copyFile(archivePath, copy).catch(() => undefined)
  await writeFile(`${copy}.prov`, provenance)
  // A device has no end for Helm.
  const keyring = keyringPath === '/dev/zero' ? '/nonexistent' : keyringPath
  const { error } = await runHelm('helm4', ['verify', copy, '--keyring', keyring], { home: folder })
  return error === ''
}

async function fileOf(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'keyring.gpg')
  await writeFile(path, text)
  return path
}

function armored(keys: Buffer): string {
  const lines = keys.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN PGP PUBLIC KEY BLOCK-----', '', ...lines, '-----END PGP PUBLIC KEY BLOCK-----', ''].join('\n')
}
