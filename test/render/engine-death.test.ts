import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RenderError } from '../../src/model/errors.ts'
import { type Engine, startEngine } from '../../src/render/engine.ts'
import { WORKER_FILE } from '../../src/render/engine-thread.ts'
import { lastWords } from '../../src/render/last-words.ts'

/** What a thread does with a message: JavaScript in which `post` speaks to the engine's side of the protocol. */
const ANSWERS = `post({ type: 'answer', header: '{"result":[],"sizes":[]}', texts: new Uint8Array() })`
const crash = (printed: string) =>
  `post({ type: 'died', cause: 'crash', printed: ${JSON.stringify(printed)}, exitCode: 2 }); process.exit(1)`
const OUT_OF_MEMORY = `post({ type: 'died', cause: 'memory' }); process.exit(1)`
const EXITS = 'process.exit(3)'
const PANIC = 'panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n'

/**
 * An engine whose threads do one thing after the other: each list is one thread's life, each text what it does with its
 * next message.
 */
async function engineOf(...lives: readonly (readonly string[])[]) {
  const folder = await mkdtemp(join(tmpdir(), 'engine-'))
  const restarts: string[] = []
  let started = 0
  const nextLife = () => {
    const deeds = (lives[started] ?? []).map((deed) => `() => { ${deed} }`)
    started += 1
    const thread = `
      const { parentPort } = process.getBuiltinModule('node:worker_threads')
      const post = (message) => parentPort.postMessage(message)
      const deeds = [${deeds.join(', ')}]
      parentPort.on('message', () => deeds.shift()())`
    writeFileSync(join(folder, WORKER_FILE), thread)
  }
  nextLife()
  const engine: Engine = startEngine({
    folder,
    onRestart: (error) => {
      restarts.push(error.message)
      nextLife()
    },
  })
  onTestFinished(async () => {
    await engine.close()
    await rm(folder, { recursive: true })
  })
  const call = () =>
    engine.parse('', 'x.yaml').then(
      () => 'answered',
      (error: unknown) => (error instanceof RenderError ? error.message : error),
    )
  return { engine, call, restarts, started: () => started, nextLife }
}

describe('an engine that ends without an answer', () => {
  test.each([
    ['a crash', crash(PANIC), 'rendering stopped the render engine (panic: boom)'],
    ['a crash without words', crash(''), 'rendering stopped the render engine (exit code 2)'],
    ['an exit', EXITS, 'rendering stopped the render engine (exit code 3)'],
    ['an error', `throw new Error('boom')`, 'rendering stopped the render engine (boom)'],
  ])('is replaced by a new one, which gets the same call: %s', async (_title, deed, words) => {
    const { call, restarts } = await engineOf([deed], [ANSWERS, ANSWERS])
    expect([await call(), await call()]).toEqual(['answered', 'answered'])
    expect(restarts).toEqual([words])
  })

  test('is replaced once for a call, then its last words are the error', async () => {
    const { call, restarts, nextLife } = await engineOf(
      [ANSWERS, crash('panic: first\n')],
      [crash('panic: second\n')],
      [ANSWERS],
    )
    expect(await call()).toBe('answered')
    expect(await call()).toBe('rendering stopped the render engine (panic: second)')
    expect(restarts).toEqual(['rendering stopped the render engine (panic: first)'])
    nextLife()
    expect(await call()).toBe('answered')
  })

  test('names what it worked on', async () => {
    const entered = `post({ type: 'entered', step: 'template', name: 'web/charts/db/templates/x.yaml' })`
    const { engine } = await engineOf([EXITS], [`${entered}; ${crash(PANIC)}`])
    await expect(engine.parse('', 'x.yaml')).rejects.toMatchObject({
      details: {
        message: 'template web/charts/db/templates/x.yaml stopped the render engine (panic: boom)',
        template: 'web/charts/db/templates/x.yaml',
        chart: 'db',
      },
    })
  })

  test('keeps the error of JavaScript as the cause', async () => {
    const { engine } = await engineOf([EXITS], [`throw new TypeError('boom')`])
    await expect(engine.parse('', 'x.yaml')).rejects.toMatchObject({ cause: { name: 'TypeError', message: 'boom' } })
  })

  test.each([
    ['memory that one chart uses up', OUT_OF_MEMORY, 'rendering needs more memory than a chart may use'],
    [
      'memory that Go cannot get',
      crash('runtime: out of memory: cannot allocate\nfatal error: out of memory\n'),
      'rendering needs more memory than a chart may use',
    ],
    [
      'a recursion in Go',
      crash('runtime: goroutine stack exceeds 268435456-byte limit\n'),
      'rendering recurses without end',
    ],
    ['a recursion', 'const again = () => again() + 1; again()', 'rendering recurses without end'],
  ])('is not tried again where it would end again: %s', async (_title, deed, message) => {
    const { call, restarts } = await engineOf([deed], [ANSWERS])
    expect(await call()).toBe(message)
    expect(restarts).toEqual([])
  })

  test('is tried again where earlier calls may have used up its memory', async () => {
    const { call, restarts } = await engineOf([ANSWERS, OUT_OF_MEMORY], [OUT_OF_MEMORY])
    expect([await call(), await call()]).toEqual(['answered', 'rendering needs more memory than a chart may use'])
    expect(restarts).toHaveLength(1)
  })

  test('keeps the answer that it gave before', async () => {
    const { call, restarts } = await engineOf([`${ANSWERS}; ${crash(PANIC)}`])
    expect(await call()).toBe('answered')
    expect(restarts).toEqual([])
  })

  test('is not tried again after it was closed', async () => {
    const { engine, call, restarts } = await engineOf([''])
    const waiting = call()
    await new Promise(setImmediate)
    await engine.close()
    expect(await waiting).toBe('the render engine stopped')
    expect(restarts).toEqual([])
  })
})

describe('last words', () => {
  test.each([
    ['a panic', PANIC, 'panic: boom'],
    [
      'an error of the runtime',
      'runtime: out of memory: cannot allocate 4194304-byte block\nfatal error: out of memory\n\nruntime stack:\n',
      'runtime: out of memory: cannot allocate 4194304-byte block; fatal error: out of memory',
    ],
    ['stacks right behind', 'fatal error: boom\ngoroutine 1 [running]:\n', 'fatal error: boom'],
    ['what was printed before', 'some library says hello\npanic: boom\n', 'panic: boom'],
    ['a text without a form', '\nthe end\n', 'the end'],
    ['many lines', 'panic: a\nb\nc\nd\n', 'panic: a; b; c'],
    ['a long line', `panic: ${'x'.repeat(1000)}`, `panic: ${'x'.repeat(293)}`],
    ['nothing', '', 'exit code 2'],
  ])('%s', (_title, printed, words) => {
    expect(lastWords(printed, 2)).toBe(words)
  })
})
