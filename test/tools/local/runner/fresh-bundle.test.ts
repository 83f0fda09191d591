import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { staleness } from '../../../../src/tools/local/runner/fresh-bundle.ts'

describe('the bundle that the e2e tests run', () => {
  test('must be there and not be older than a source of it', async () => {
    const root = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-built-'))
    await mkdir(join(root, 'src', 'tools'), { recursive: true })
    await mkdir(join(root, 'dist'))
    await writeFile(join(root, 'src', 'main.ts'), '')
    await writeFile(join(root, 'src', 'tools', 'demo.ts'), '')
    expect(await staleness(root)).toBe('dist/index.js is missing')

    await writeFile(join(root, 'dist', 'index.js'), '')
    expect(await staleness(root)).toBeUndefined()

    const later = Date.now() / 1000 + 60
    await utimes(join(root, 'src', 'tools', 'demo.ts'), later, later)
    expect(await staleness(root)).toBeUndefined()
    await utimes(join(root, 'src', 'main.ts'), later, later)
    expect(await staleness(root)).toBe('dist/index.js is older than src/main.ts')
    await rm(root, { recursive: true })
  })
})
