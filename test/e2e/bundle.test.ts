import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BUNDLE_FILE } from '../../src/tools/builds/entry.ts'
import { assertBuilt } from '../../src/tools/local/runner/fresh-bundle.ts'

test('the bundle holds one copy of undici, which both networks share', async () => {
  await assertBuilt()
  const bundle = await readFile(join(import.meta.dirname, '..', '..', 'dist', BUNDLE_FILE), 'utf8')
  expect(bundle.match(/class ProxyAgent extends /g)).toHaveLength(1)
})
