import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { workspaceFiles } from '../../src/host/files.ts'

const outside = mkdtempSync(join(tmpdir(), 'staged-helm-deploy-outside-'))
const workspace = mkdtempSync(join(tmpdir(), 'staged-helm-deploy-workspace-'))
writeFileSync(join(outside, 'secret.yaml'), 'a: 1')
mkdirSync(join(workspace, 'values'))
writeFileSync(join(workspace, 'values', 'b.yaml'), 'b: 2')
writeFileSync(join(workspace, 'values', 'a.yaml'), 'a: 1')
symlinkSync(join(outside, 'secret.yaml'), join(workspace, 'values', 'link.yaml'))
symlinkSync(join(workspace, 'values', 'a.yaml'), join(workspace, 'inner.yaml'))
const files = workspaceFiles(workspace)

describe('files of the workspace', () => {
  test('are read by a relative path, links inside the workspace included', async () => {
    expect(await files.read('inner.yaml')).toBe('a: 1')
  })

  test('S-16: a link that leads out of the workspace is no file', async () => {
    expect(await files.exists('values/link.yaml')).toBe('none')
    await expect(files.read('values/link.yaml')).rejects.toThrow('leads out of the workspace')
  })

  test('S-16: a path with .. that leads out of the workspace is no file', async () => {
    await expect(files.read(join('..', 'x', '..', outside.split('/').at(-1) ?? '', 'secret.yaml'))).rejects.toThrow()
  })

  test('are read from outside where the workflow names an absolute path', async () => {
    expect(await files.read(join(outside, 'secret.yaml'))).toBe('a: 1')
  })

  test('S-16: larger than 10 MiB are refused', async () => {
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
})
