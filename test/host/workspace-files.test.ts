import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { describe, expect, test } from 'vitest'
import { filesOfCopy, workspaceFiles } from '../../src/host/workspace-files.ts'

const outside = mkdtempSync(join(tmpdir(), 'staged-helm-deploy-outside-'))
const workspace = mkdtempSync(join(tmpdir(), 'staged-helm-deploy-workspace-'))
writeFileSync(join(outside, 'secret.yaml'), 'a: 1')
mkdirSync(join(workspace, 'values'))
writeFileSync(join(workspace, 'values', 'b.yaml'), 'b: 2')
writeFileSync(join(workspace, 'values', 'a.yaml'), 'a: 1')
symlinkSync(join(outside, 'secret.yaml'), join(workspace, 'values', 'link.yaml'))
symlinkSync(join(workspace, 'values', 'a.yaml'), join(workspace, 'inner.yaml'))
mkdirSync(join(workspace, 'k8s', 'deep', 'er'), { recursive: true })
mkdirSync(join(workspace, 'k8s', '.git'))
writeFileSync(join(workspace, 'k8s', 'a.yaml'), 'a: 1')
writeFileSync(join(workspace, 'k8s', '.hidden.yaml'), 'a: 1')
writeFileSync(join(workspace, 'k8s', '.git', 'config.yaml'), 'a: 1')
writeFileSync(join(workspace, 'k8s', 'deep', 'er', 'c.yaml'), 'c: 1')
writeFileSync(
  join(workspace, 'k8s', 'web-1.0.0.tgz'),
  await packed({ 'web/charts/sub/Chart.yaml': 'name: sub\n', 'web/Chart.yaml': 'name: web\n' }),
)
const files = workspaceFiles(workspace)

describe('S-16 files of the workspace', () => {
  test('are read by a relative path, links inside the workspace included', async () => {
    expect(await files.read('inner.yaml')).toBe('a: 1')
  })

  test('a link that leads out of the workspace is no file', async () => {
    expect(await files.exists('values/link.yaml')).toBe('none')
    await expect(files.read('values/link.yaml')).rejects.toThrow('leads out of the workspace')
  })

  test('a path with .. that leads out of the workspace is no file', async () => {
    await expect(files.read(join('..', 'x', '..', outside.split('/').at(-1) ?? '', 'secret.yaml'))).rejects.toThrow()
  })

  test('are read from outside where the workflow names an absolute path', async () => {
    expect(await files.read(join(outside, 'secret.yaml'))).toBe('a: 1')
  })

  test('larger than 10 MiB are refused', async () => {
    writeFileSync(join(workspace, 'large.yaml'), Buffer.alloc(10 * 1024 * 1024 + 1))
    await expect(files.read('large.yaml')).rejects.toThrow('larger than 10 MiB')
  })

  test('tell directories from files', async () => {
    expect([await files.exists('values'), await files.exists('values/a.yaml'), await files.exists('none')]).toEqual([
      'directory',
      'file',
      'none',
    ])
  })

  test('of a directory are listed at any depth, sorted, without hidden ones', async () => {
    expect(await files.list('k8s')).toEqual(['k8s/a.yaml', 'k8s/deep/er/c.yaml', 'k8s/web-1.0.0.tgz'])
  })

  test('are listed by a glob, with the path as it is below the workspace', async () => {
    expect(await files.list('./k8s/**/*.yaml')).toEqual(['k8s/a.yaml', 'k8s/deep/er/c.yaml'])
  })

  test('of an absolute directory are listed with absolute paths', async () => {
    expect(await files.list(outside)).toEqual([join(outside, 'secret.yaml')])
  })

  test('that match nothing are an empty list', async () => {
    expect(await files.list('none/*.yaml')).toEqual([])
  })

  test('a listed link that leads out of the workspace is refused', async () => {
    await expect(files.list('values')).rejects.toThrow('leads out of the workspace')
  })
})

describe('a packed chart', () => {
  test('gives the Chart.yaml of its top folder, not that of a subchart', async () => {
    expect(await files.readPacked('k8s/web-1.0.0.tgz', 'Chart.yaml')).toBe('name: web\n')
  })

  test('without that file gives nothing', async () => {
    expect(await files.readPacked('k8s/web-1.0.0.tgz', 'README.md')).toBeUndefined()
  })

  test('that is no archive is refused', async () => {
    await expect(files.readPacked('k8s/a.yaml', 'Chart.yaml')).rejects.toThrow('incorrect header check')
  })

  test('that is cut off is refused', async () => {
    const whole = readFileSync(join(workspace, 'k8s', 'web-1.0.0.tgz'))
    writeFileSync(join(workspace, 'cut.tgz'), whole.subarray(0, 40))
    await expect(files.readPacked('cut.tgz', 'Chart.yaml')).rejects.toThrow('unexpected end of file')
  })

  test('that unpacks to more than 20 MiB is refused', async () => {
    writeFileSync(join(workspace, 'bomb.tgz'), await packed({ 'web/large': Buffer.alloc(21 * 1024 * 1024) }))
    await expect(files.readPacked('bomb.tgz', 'Chart.yaml')).rejects.toThrow('more than 20 MiB')
  })
})

async function packed(entries: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = pack()
  for (const [name, content] of Object.entries(entries)) archive.entry({ name }, content)
  archive.finalize()
  return buffer(archive.pipe(createGzip()))
}

describe('files of a copy of the workspace', () => {
  const folder = mkdtempSync(join(tmpdir(), 'staged-helm-deploy-copy-'))
  mkdirSync(join(folder, 'values'))
  writeFileSync(join(folder, 'values', 'a.yaml'), 'a: copy')
  const copy = filesOfCopy(workspace, folder)

  test.each(['values/a.yaml', join(workspace, 'values', 'a.yaml')])(
    'are read in the place of those of the workspace',
    async (path) => {
      expect([await copy.read(path), await copy.exists(path)]).toEqual(['a: copy', 'file'])
      expect(copy.locate(path)).toBe(join(folder, 'values', 'a.yaml'))
    },
  )

  test('are listed as they were asked for', async () => {
    expect(await copy.list('values')).toEqual(['values/a.yaml'])
    expect(await copy.list(join(workspace, 'values'))).toEqual([join(workspace, 'values', 'a.yaml')])
  })

  test('do not stand for what the workspace alone has, nor for what lies elsewhere', async () => {
    expect([await copy.exists('values/b.yaml'), await copy.exists(join(outside, 'secret.yaml'))]).toEqual([
      'none',
      'file',
    ])
  })
})
