import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decryptSops } from '../../src/host/sops.ts'
import type { Decrypter } from '../../src/ports.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { fakeSources } from '../doubles/fake-sources.ts'
import { type Inputs, readGiven } from './given.ts'

const FILES = join(import.meta.dirname, '..', 'host', 'sops')
const ADDRESS = 'https://config.example/all.yaml'
let texts: Readonly<Record<string, string>> = {}
let encrypted = ''
let hidden: string[] = []

beforeAll(async () => {
  encrypted = await readFile(join(FILES, 'all.yaml'), 'utf8')
  texts = {
    'charts/shop/Chart.yaml': 'name: shop\nversion: 1.0.0\n',
    'plain.yaml': 'a: 1\n',
    'talk.yaml': '# sops: is a program\nsops: is a text\n',
    'values/db.yaml': encrypted,
    'values/odd.yaml': 'list: [sops, {sops: {mac: m, version: v}}]\n',
  }
})
beforeEach(() => {
  hidden = []
})

const decrypter = (env: NodeJS.ProcessEnv): Decrypter => ({
  decrypt: (file) => decryptSops(file, { env, temp: tmpdir() }),
  hide: (value) => hidden.push(value),
})

const KEY = { SOPS_AGE_KEY_FILE: join(FILES, 'key.txt') }

async function filesOf(lines: string, env: NodeJS.ProcessEnv = KEY, more: Inputs = {}) {
  const given = { chart: 'charts/shop', release: 'shop', 'values-files': lines, ...more }
  const sources = fakeSources({ texts: { [ADDRESS]: encrypted } })
  const { settings, problems } = await readGiven(given, texts, { decrypter: decrypter(env), sources })
  const source = settings?.releases[0]?.source
  return {
    files: source?.kind === 'chart' ? source.values.files : [],
    problems: problems.map(({ what, hint }) => `${what}: ${hint && hintText(hint)}`),
  }
}

describe('values files of SOPS', () => {
  test.each([
    ['values/db.yaml', 'values/db.yaml'],
    ['secrets://values/db.yaml', 'values/db.yaml'],
    ['secrets://values/d*.yaml', 'values/db.yaml'],
    [ADDRESS, ADDRESS],
    [`secrets://${ADDRESS}`, ADDRESS],
  ])('%s is decrypted', async (line, label) => {
    const { files, problems } = await filesOf(`plain.yaml\n${line}`)
    expect(problems).toEqual([])
    expect(files.map((file) => file.label)).toEqual(['plain.yaml', label])
    expect(load(files[1]?.text ?? '')).toEqual(load(await readFile(join(FILES, 'plain.yaml'), 'utf8')))
  })

  test('behind secrets:// a path starts in the working directory as well', async () => {
    const { files } = await filesOf('secrets://db.yaml\nodd.yaml', KEY, {
      'working-directory': 'values',
      chart: '../charts/shop',
    })
    expect(files.map(({ label }) => label)).toEqual(['values/db.yaml', 'values/odd.yaml'])
  })

  test('every value of it is hidden, at any depth and of any type', async () => {
    await filesOf('values/db.yaml')
    const some = ['correct-horse-battery-1', '5432', 'deep-secret-value', 'eu-west-1', 'größe: ✓', '9007199254740993']
    expect(hidden).toEqual(expect.arrayContaining(some))
  })

  test('others are taken as they are, and nothing of them is hidden', async () => {
    const { files, problems } = await filesOf('talk.yaml\nvalues/odd.yaml')
    expect(problems).toEqual([])
    expect(files.map(({ text }) => text)).toEqual([texts['talk.yaml'], texts['values/odd.yaml']])
    expect(hidden).toEqual([])
  })

  test.each([
    ['secrets://plain.yaml', '"plain.yaml" is not encrypted by SOPS: write the path without secrets://'],
    ['secrets://none.yaml', '"none.yaml" does not exist or is not a file'],
    ['secrets+age-import://key?values/db.yaml', 'is an address of an unknown kind'],
  ])('%s is a problem', async (line, what) => {
    const { problems } = await filesOf(line)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(what)
  })

  test('say what the job lacks, and no value', async () => {
    const { problems } = await filesOf('values/db.yaml', {})
    expect(problems).toEqual([
      '"values/db.yaml" is encrypted by SOPS, and the job has no sops program: install sops in a step before, and give the job its key (SOPS_AGE_KEY, or a login to the key service); for keys of age SOPS_AGE_KEY alone is enough',
    ])
  })
})
