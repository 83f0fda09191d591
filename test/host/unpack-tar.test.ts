import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Header, pack } from 'tar-stream'
import { describe, expect, test } from 'vitest'
import { type UnpackLimits, unpackTar } from '../../src/host/unpack-tar.ts'
import { hostileArchives } from './hostile-archives.ts'

type Entry = Partial<Header> & { readonly name: string; readonly text?: string }

/** Gives what is in the folder afterwards: files with their text, links with where they lead. */
async function unpacked(entries: readonly Entry[], limits?: UnpackLimits) {
  const parent = mkdtempSync(join(tmpdir(), 'staged-helm-deploy-unpack-'))
  const folder = join(parent, 'a', 'tree')
  const tar = pack()
  for (const { text = '', ...header } of entries) tar.entry(header, text)
  tar.finalize()
  const failure = await unpackTar(Readable.from(tar), folder, limits).then(
    () => undefined,
    (error: Error) => error.message,
  )
  const found = (readdirSync(parent, { recursive: true, withFileTypes: true }) as readonly import('node:fs').Dirent[])
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(parent.length + 1)
      return entry.isSymbolicLink() ? `${name} -> ${readlinkSync(path)}` : `${name}: ${readFileSync(path, 'utf8')}`
    })
    .sort()
  return { found, failure, folder }
}

const link = (name: string, linkname: string): Entry => ({ name, linkname, type: 'symlink' })

describe('an archive', () => {
  test('is written without its top folder', async () => {
    const { found } = await unpacked([
      { name: 'top/', type: 'directory' },
      { name: 'top/charts/web/Chart.yaml', text: 'name: web' },
      { name: 'top/./values.yaml', text: 'a: 1' },
    ])
    expect(found).toEqual(['a/tree/charts/web/Chart.yaml: name: web', 'a/tree/values.yaml: a: 1'])
  })

  const archives = hostileArchives('/etc/hostname')
  test(`S-01 writes nothing outside of its folder, ${archives.length} archives`, async () => {
    expect(archives.length).toBeGreaterThanOrEqual(30)
    for (const { title, tar } of archives) {
      const parent = mkdtempSync(join(tmpdir(), 'staged-helm-deploy-unpack-'))
      const folder = join(parent, 'a', 'tree')
      const fault = await unpackTar(Readable.from([tar]), folder).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(fault === undefined || fault instanceof Error, title).toBe(true)
      const entries = readdirSync(parent, { recursive: true, withFileTypes: true, encoding: 'utf8' })
      const paths = entries.map((entry) => join(entry.parentPath, entry.name))
      // What is there lies in the folder, also behind links.
      const out = paths.filter((path) => path !== join(parent, 'a') && !realpathSync(path).startsWith(folder))
      expect(out, title).toEqual([])
      rmSync(parent, { recursive: true })
    }
  })

  test('keeps empty folders', async () => {
    const { folder } = await unpacked([{ name: 'top/empty/', type: 'directory' }])
    expect(statSync(join(folder, 'empty')).isDirectory()).toBe(true)
  })

  test('keeps links inside, also to folders and to what comes later', async () => {
    const { found } = await unpacked([
      link('top/values.yaml', 'env/prod.yaml'),
      link('top/web', 'charts/./web'),
      { name: 'top/charts/web/Chart.yaml', text: 'name: web' },
      { name: 'top/env/prod.yaml', text: 'a: 1' },
    ])
    expect(found).toEqual([
      'a/tree/charts/web/Chart.yaml: name: web',
      'a/tree/env/prod.yaml: a: 1',
      'a/tree/values.yaml -> env/prod.yaml',
      'a/tree/web -> charts/./web',
      'a/tree/web/Chart.yaml: name: web',
    ])
  })

  test.each([
    ['an absolute link', [link('top/x', '/etc/passwd')]],
    ['a link with ..', [link('top/x', '../../x')]],
    [
      'a link out through a link',
      [{ name: 'top/p/q/f', text: '' }, link('top/p/q/x', '../..'), link('top/y', 'p/q/x/../../..')],
    ],
    ['a link in circles', [link('top/x', 'y'), link('top/y', 'x')]],
    ['a link that leads nowhere', [link('top/x', 'y')]],
    ['a link below a link', [link('top/x', 'y/..'), link('top/x/z', '.')]],
    ['a hard link', [{ name: 'top/x', type: 'link', linkname: '/etc/passwd' } as const]],
    ['a device', [{ name: 'top/x', type: 'character-device' } as const]],
    ['a pipe', [{ name: 'top/x', type: 'fifo' } as const]],
  ] as const)('leaves out %s', async (_, entries) => {
    const { found, failure } = await unpacked(entries)
    expect(found.filter((file) => !file.includes('/p/q/'))).toEqual([])
    expect(failure).toBeUndefined()
  })

  test.each(['/etc/x', 'top/../../x', '../x', 'top/a/../../../x', 'top\\..\\x'])(
    'is refused with the name %s',
    async (name) => {
      const { found, failure } = await unpacked([{ name, text: 'x' }])
      expect(failure).toBe('it holds a name that leads out of it')
      expect(found).toEqual([])
    },
  )

  test('writes nothing through a link', async () => {
    const { found } = await unpacked([link('top/x', '..'), { name: 'top/x/y', text: 'y' }])
    expect(found).toEqual(['a/tree/x/y: y'])
  })

  test.each([
    ['more files than allowed', { entries: 1, bytes: 100, fileBytes: 100 }, 'it holds more than 1 files'],
    ['more bytes than allowed', { entries: 9, bytes: 5, fileBytes: 100 }, 'it holds more than 0 MiB'],
  ])('is refused with %s', async (_, limits, expected) => {
    const { failure } = await unpacked(
      [
        { name: 'top/a', text: 'abc' },
        { name: 'top/b', text: 'abc' },
      ],
      limits,
    )
    expect(failure).toBe(expected)
  })

  test('leaves out files that no chart holds because of their size', async () => {
    const limits = { entries: 9, bytes: 100, fileBytes: 3 }
    const { found } = await unpacked(
      [
        { name: 'top/a', text: 'abcd' },
        { name: 'top/b', text: 'abc' },
      ],
      limits,
    )
    expect(found).toEqual(['a/tree/b: abc'])
  })

  test('is refused where it ends early', async () => {
    const tar = pack()
    tar.entry({ name: 'top/a' }, 'abc'.repeat(1000))
    tar.finalize()
    const bytes = await Readable.from(tar).toArray()
    const half = Buffer.concat(bytes).subarray(0, 1000)
    const folder = join(mkdtempSync(join(tmpdir(), 'staged-helm-deploy-unpack-')), 'tree')
    await expect(unpackTar(Readable.from([half]), folder)).rejects.toThrow('Unexpected end of data')
    expect(existsSync(join(folder, 'a'))).toBe(false)
  })
})
