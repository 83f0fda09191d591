import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { goFor } from '../src/tools/builds/toolchain.ts'

const ROOT = resolve(import.meta.dirname, '..')
const MODULES = [join('src', 'render', 'engine'), ...['binaries', 'rego', 'registry'].map((name) => join('test', name))]

/** `go vet` is not run: it analyzes Helm and Kubernetes as well, which takes more than 40 s even where they are compiled. */
test('gofmt would change no file', async () => {
  const gofmt = join(await (await goFor(join(ROOT, 'src', 'render', 'engine'))).root(), 'bin', 'gofmt')
  const { stdout } = await promisify(execFile)(gofmt, ['-l', ...MODULES], { cwd: ROOT })
  expect(stdout).toBe('')
})
