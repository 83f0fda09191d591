import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startEngine } from '../../src/render/engine.ts'
import { ENGINE_FILE, WORKER_FILE } from '../../src/render/engine-thread.ts'
import { buildEngine } from '../../src/tools/builds/engine-build.ts'
import { temporaryFolder } from './fixtures.ts'

test('what Go prints when it ends reaches the error', async () => {
  const folder = await temporaryFolder()
  await copyFile(join(await buildEngine(), WORKER_FILE), join(folder, WORKER_FILE))
  await writeFile(join(folder, ENGINE_FILE), zstdCompressSync(programThatPrints('panic: boom\n\ngoroutine 1:\n')))
  const engine = startEngine({ folder })
  await expect(engine.parse('', 'x.yaml')).rejects.toThrow('rendering stopped the render engine (panic: boom)')
  await engine.close()
})

/**
 * A program as Go's compiler makes them, in WebAssembly by hand: it prints to standard error and exits with 2. Arguments
 * of Go's functions lie on its stack, 8 bytes above the pointer that they get. Source: Go's lib/wasm, wasm_exec.js.
 */
function programThatPrints(text: string): Uint8Array {
  const [stackOfWrite, stackOfExit, textAt] = [0, 64, 128]
  const write = [...int64(2), ...int64(textAt), ...int32(text.length)]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [
      [FUNCTION, ...list([[I32]]), ...list([])],
      [FUNCTION, ...list([[I32], [I32]]), ...list([])],
      [FUNCTION, ...list([]), ...list([])],
    ]),
    ...section(2, [
      [...name('gojs'), ...name('runtime.wasmWrite'), 0, 0],
      [...name('gojs'), ...name('runtime.wasmExit'), 0, 0],
    ]),
    ...section(3, [[1], [2]]),
    ...section(5, [[0, 1]]),
    ...section(7, [
      [...name('mem'), 2, 0],
      [...name('run'), 0, 2],
      [...name('resume'), 0, 3],
    ]),
    ...section(10, [body([...constant(stackOfWrite), CALL, 0, ...constant(stackOfExit), CALL, 1]), body([])]),
    ...section(11, [
      data(stackOfWrite + 8, write),
      data(stackOfExit + 8, int32(2)),
      data(textAt, [...Buffer.from(text)]),
    ]),
  ])
}

type Bytes = readonly number[]

const FUNCTION = 0x60
const I32 = 0x7f
const CALL = 0x10
const END = 0x0b

function section(id: number, entries: readonly Bytes[]): Bytes {
  const content = list(entries)
  return [id, ...unsigned(content.length), ...content]
}

function list(entries: readonly Bytes[]): Bytes {
  return [...unsigned(entries.length), ...entries.flat()]
}

function name(text: string): Bytes {
  return list([...Buffer.from(text)].map((byte) => [byte]))
}

function body(instructions: Bytes): Bytes {
  const code = [0, ...instructions, END]
  return [...unsigned(code.length), ...code]
}

function data(at: number, bytes: Bytes): Bytes {
  return [0, ...constant(at), END, ...list(bytes.map((byte) => [byte]))]
}

/** i32.const, of a positive number below 2^13. */
function constant(value: number): Bytes {
  return [0x41, (value & 0x7f) | 0x80, value >> 7]
}

/** Below 2^14. */
function unsigned(value: number): Bytes {
  return [(value & 0x7f) | 0x80, value >> 7]
}

function int32(value: number): Bytes {
  return [0, 8, 16, 24].map((shift) => (value >> shift) & 0xff)
}

function int64(value: number): Bytes {
  return [...int32(value), 0, 0, 0, 0]
}
