import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createRunner } from '../../src/github/runner.ts'

let directory: string
let summaryFile: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'runner-'))
  summaryFile = join(directory, 'summary.md')
  await writeFile(summaryFile, '')
  vi.stubEnv('GITHUB_STEP_SUMMARY', summaryFile)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(directory, { recursive: true })
})

test('each summary replaces the one before, so that a killed run leaves the last state', async () => {
  const runner = createRunner({ GITHUB_STEP_SUMMARY: summaryFile })

  await runner.summary('first\n')
  await runner.summary('second\n')

  expect(await readFile(summaryFile, 'utf8')).toBe('second\n')
})

test('a runner without summaries is no failure', async () => {
  await expect(createRunner({}).summary('text')).resolves.toBeUndefined()
})

test('S-19 outputs of several lines and with delimiters in them arrive whole', async () => {
  const file = join(directory, 'outputs')
  await writeFile(file, '')
  vi.stubEnv('GITHUB_OUTPUT', file)

  createRunner({}).output('releases', 'a\nEOF\nghadelimiter_x\nb=c')

  const [, delimiter] = /^releases<<(\S+)\n/.exec(await readFile(file, 'utf8')) ?? []
  expect(await readFile(file, 'utf8')).toBe(`releases<<${delimiter}\na\nEOF\nghadelimiter_x\nb=c\n${delimiter}\n`)
})
