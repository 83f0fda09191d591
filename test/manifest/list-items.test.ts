import { describe, expect, test } from 'vitest'
import { commonNameKey, counterpartIndex } from '../../src/manifest/list-items.ts'
import type { JsonValue } from '../../src/model/object.ts'

describe('the key that tells the items of two lists apart', () => {
  test.each<[string, readonly JsonValue[], readonly JsonValue[], string | undefined]>([
    ['a name', [{ name: 'a' }, { name: 'b' }], [{ name: 'b' }], 'name'],
    ['the first that all items have', [{ name: 'a', port: 1 }, { port: 2 }], [{ port: 1 }], 'port'],
    ['none where an item of one list lacks it', [{ name: 'a' }, { other: 'b' }], [{ name: 'a' }], undefined],
    ['none where an item of the other list lacks it', [{ name: 'a' }], [{ other: 'a' }], undefined],
    ['none where two items have the same', [{ name: 'a' }, { name: 'a' }], [{ name: 'a' }], undefined],
    ['none where a value is a map', [{ name: { a: 1 } }, { name: { b: 1 } }], [{ name: 'a' }], undefined],
    ['none where a value is a list', [{ name: ['a'] }], [{ name: 'a' }], undefined],
    ['none for texts', ['a', 'b'], ['a'], undefined],
  ])('%s', (_what, a, b, key) => {
    expect(commonNameKey(a, b)).toBe(key)
  })
})

describe('the counterpart of an item in another list', () => {
  test.each<[string, readonly JsonValue[], JsonValue | undefined, string, number]>([
    ['has the same name', [{ name: 'a' }, { name: 'b' }], { name: 'b', image: 'x' }, '0', 1],
    ['is not there where no item has the name', [{ name: 'a' }], { name: 'b' }, '0', -1],
    ['stands at the same index where items have no names', [{ x: 1 }, { x: 2 }], { x: 3 }, '1', 1],
    ['is not there where the list is shorter', [{ x: 1 }], { x: 3 }, '1', -1],
    ['is the same text', ['a', 'b'], 'b', '0', 1],
    ['of nothing is null', ['a', null], undefined, '0', 1],
    ['is no text where names are looked for', ['a', { name: 'a' }], { name: 'a' }, '0', 1],
  ])('%s', (_what, items, item, step, index) => {
    expect(counterpartIndex(items, item, step)).toBe(index)
  })
})
