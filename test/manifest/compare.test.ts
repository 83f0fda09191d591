import { describe, expect, test } from 'vitest'
import { changedPaths, sameObject } from '../../src/manifest/compare.ts'
import type { JsonObject } from '../../src/model/object.ts'

describe('changed paths', () => {
  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['nothing', { a: 1 }, { a: 1 }, []],
    ['a scalar', { a: { b: 1 } }, { a: { b: 2 } }, ['/a/b']],
    ['a value that appears, as one path', { a: {} }, { a: { b: { c: 1, d: 2 } } }, ['/a/b']],
    ['a value that goes', { a: [1, 2] }, { a: [1] }, ['/a/1']],
    ['an item by index', { a: [{ n: 1 }, { n: 2 }] }, { a: [{ n: 1 }, { n: 3 }] }, ['/a/1/n']],
    ['a change of type', { a: [1] }, { a: { 0: 1 } }, ['/a']],
    ['text and number', { a: '1' }, { a: 1 }, ['/a']],
    ['null and absent', { a: null }, {}, ['/a']],
    ['the status and other bookkeeping: nothing', { status: 1, metadata: { uid: 'a' } }, { metadata: {} }, []],
    ['keys with slashes and tildes, escaped', { 'a/b~c': 1 }, { 'a/b~c': 2 }, ['/a~1b~0c']],
    ['a bigint beside the same number: nothing', { a: 5n }, { a: 5 }, []],
    ['a bigint beside another number', { a: 5n }, { a: 6 }, ['/a']],
    ['bigints that differ', { a: 9007199254740993n }, { a: 9007199254740994n }, ['/a']],
    ['keys sorted, whatever their order', { b: 1, a: 1 }, { a: 2, b: 2 }, ['/a', '/b']],
  ])('%s', (_name, before, after, paths) => {
    expect(changedPaths(before, after)).toEqual(paths)
    expect(sameObject(before, after)).toBe(paths.length === 0)
  })

  test('keys that JavaScript objects inherit are no values', () => {
    expect(changedPaths({ a: {} }, { a: JSON.parse('{"__proto__":1}') as JsonObject })).toEqual(['/a/__proto__'])
    expect(changedPaths({}, { constructor: 'x' } as unknown as JsonObject)).toEqual(['/constructor'])
  })

  test('an object nested beyond all measure is compared without overflowing', () => {
    const deep = () => JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as JsonObject
    expect(changedPaths(deep(), deep())).toHaveLength(1)
  })
})
