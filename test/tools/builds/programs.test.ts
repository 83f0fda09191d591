import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { programsOf } from '../../../src/tools/builds/programs.ts'

test.each([
  ['.', 'main.go'],
  ['.', 'stand-in/stand-in.go'],
  ['./tool', 'tool/main.go'],
])('a program of the package %s is built anew when %s changes', async (path, file) => {
  const module = await moduleOf(['go.mod', 'go.sum', 'main.go', 'stand-in/stand-in.go', 'tool/main.go'])
  const before = await keyOf(module, path)
  await writeFile(join(module, file), 'package changed')
  expect(await keyOf(module, path)).not.toBe(before)
})

test('a program is not built anew when another one of its module changes', async () => {
  const module = await moduleOf(['go.mod', 'go.sum', 'tool/main.go', 'other/main.go'])
  const before = await keyOf(module, './tool')
  await writeFile(join(module, 'other', 'main.go'), 'package changed')
  expect(await keyOf(module, './tool')).toBe(before)
})

async function moduleOf(files: readonly string[]): Promise<string> {
  const module = await mkdtemp(join(tmpdir(), 'module-'))
  onTestFinished(() => rm(module, { recursive: true, force: true }))
  for (const file of files) {
    await mkdir(dirname(join(module, file)), { recursive: true })
    await writeFile(join(module, file), file)
  }
  return module
}

function keyOf(module: string, path: string): Promise<string> {
  const tool = { title: 'a tool', usualSeconds: 1, file: 'tool', package: path, variables: {} }
  return programsOf(module, { tool }).tool.key()
}
