import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ensureBuilt, type Product, TESTS_RUN_VARIABLE } from '../../../src/tools/builds/builder.ts'

const SILENT = { write: () => undefined }

describe('builds', () => {
  it('are refused while a test runs', async () => {
    const cache = await emptyCache()
    await expect(ensureBuilt([product({ built: [] })], SILENT)).rejects.toThrow(
      'not built: the thing. Nothing is built while a test runs: run npm run tools first.',
    )
    expect(await readdir(cache)).toEqual([])
  })

  it('are made once and found again', async () => {
    await emptyCache({ isTest: false })
    const built: string[] = []
    const thing = product({ built })
    await ensureBuilt([thing], SILENT)
    const folder = (await ensureBuilt([thing], SILENT)).get(thing)
    expect(built).toEqual(['thing'])
    expect(await readdir(folder ?? '')).toEqual(['file'])
  })

  it('that are found again may be used in a test', async () => {
    await emptyCache({ isTest: false })
    const thing = product({ built: [] })
    await ensureBuilt([thing], SILENT)
    vi.stubEnv(TESTS_RUN_VARIABLE, '1')
    expect((await ensureBuilt([thing], SILENT)).size).toBe(1)
  })

  it('of several processes are made by one of them', async () => {
    await emptyCache({ isTest: false })
    const built: string[] = []
    await Promise.all([1, 2, 3].map(() => ensureBuilt([product({ built })], SILENT)))
    expect(built).toEqual(['thing'])
  })

  it('that fail leave nothing behind, and are tried again', async () => {
    const cache = await emptyCache({ isTest: false })
    await expect(ensureBuilt([product({ built: [], fails: true })], SILENT)).rejects.toThrow('no luck')
    expect(await readdir(cache)).toEqual([])
    expect((await ensureBuilt([product({ built: [] })], SILENT)).size).toBe(1)
  })

  it('remove what a builder left that was killed', async () => {
    const cache = await emptyCache({ isTest: false })
    await writeFile(join(cache, `other-0123.${2 ** 30}`), '')
    await ensureBuilt([product({ built: [] })], SILENT)
    expect(await readdir(cache)).toEqual(['thing-key'])
  })
})

async function emptyCache({ isTest = true } = {}): Promise<string> {
  const cache = await mkdtemp(join(tmpdir(), 'builds-'))
  vi.stubEnv('STAGED_HELM_DEPLOY_CACHE', cache)
  vi.stubEnv(TESTS_RUN_VARIABLE, isTest ? '1' : undefined)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await rm(cache, { recursive: true })
  })
  return cache
}

function product({ built, fails = false }: { readonly built: string[]; readonly fails?: boolean }): Product {
  return {
    name: 'thing',
    title: 'the thing',
    usualSeconds: 1,
    key: async () => 'key',
    workshop: {
      prepare: async ([order]) => {
        return async () => {
          if (fails) throw new Error('no luck')
          built.push('thing')
          await writeFile(join(order?.folder ?? '', 'file'), '')
        }
      },
    },
  }
}
