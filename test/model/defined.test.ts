import { expect, test } from 'vitest'
import { defined } from '../../src/model/defined.ts'

test('what is undefined is left out; everything else stays, in its order', () => {
  const members = { a: undefined, b: 0, c: '', d: false, e: null, f: undefined }
  expect(Object.entries(defined(members))).toEqual([
    ['b', 0],
    ['c', ''],
    ['d', false],
    ['e', null],
  ])
})

test('members that may be undefined become optional, and never undefined', () => {
  const line = undefined as number | undefined
  const place: { readonly file: string; readonly line?: number } = defined({ file: 'a.yaml', line })
  expect('line' in place).toBe(false)
})
