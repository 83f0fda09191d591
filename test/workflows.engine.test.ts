import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ensureBinary } from '../src/tools/builds/binaries.ts'

const ROOT = resolve(import.meta.dirname, '..')
const files = ['.github/workflows', 'examples/workflows'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => join(folder, name)),
)

/** This release of actionlint does not know the runtime yet. */
const IGNORED = 'invalid runner name "node24"'

test('actionlint finds nothing in the workflows', async () => {
  // Whether the machine has the linters of scripts must not matter.
  const args = ['-no-color', '-shellcheck=', '-pyflakes=', '-ignore', IGNORED, ...files]
  const found = await promisify(execFile)(await ensureBinary('actionlint'), args, { cwd: ROOT }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => `${stdout}${stderr}`,
  )
  expect(found).toBe('')
})

test('S-24 every action of others is pinned by its commit, with the version beside it', () => {
  const loose = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/uses: +(\S+)(.*)/g)]
      .filter(([, uses = '']) => !/^(\.\/|staged-helm-deploy\/)/.test(uses))
      .filter(([, uses = '', comment = '']) => !/@[0-9a-f]{40}$/.test(uses) || !/^ # v\d+\.\d+\.\d+$/.test(comment))
      .map(([line]) => `${file}: ${line}`),
  )
  expect(loose).toEqual([])
})
