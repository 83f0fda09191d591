import { expect, test } from 'vitest'
import { streamLines } from '../../src/kube/stream-lines.ts'

async function split(
  chunks: readonly (string | Uint8Array)[],
  limitChars = 100,
): Promise<readonly (readonly string[])[]> {
  const encoder = new TextEncoder()
  async function* body() {
    for (const chunk of chunks) yield await Promise.resolve(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
  }
  const batches: (readonly string[])[] = []
  for await (const lines of streamLines(body(), limitChars)) batches.push(lines)
  return batches
}

test('lines come in the batches in which they arrive; the last needs no end', async () => {
  expect(await split(['a\nb\nc', 'd', 'e\n\nf'])).toEqual([['a', 'b'], ['cde', ''], ['f']])
})

test('a character may be split between chunks, a carriage return goes', async () => {
  const bytes = new TextEncoder().encode('ä\r\nx')
  expect(await split([bytes.slice(0, 1), bytes.slice(1)])).toEqual([['ä'], ['x']])
})

test('a line without end cannot fill the memory', async () => {
  expect(await split(['abc', 'defgh', 'ijk\nlm\n'], 5)).toEqual([['abcde', 'lm']])
})
