import { describe, expect, test } from 'vitest'
import { anyStep, type StepPattern, withoutMatching, withoutPaths } from '../../src/manifest/remove-paths.ts'
import type { JsonObject } from '../../src/model/object.ts'

describe('taking out paths', () => {
  test('several items of one list, a key with a slash, and pointers to nothing', () => {
    const object = { list: ['a', 'b', { c: 1, d: 2 }], map: { 'x/y': 1, z: 2 } }
    expect(withoutPaths(object, ['/list/0', '/list/1', '/list/2/c', '/map/x~1y', '/none/1'])).toEqual({
      list: [{ d: 2 }],
      map: { z: 2 },
    })
  })

  test('all members of a map or a list take it along, as in a server-side apply; what holds it stays', () => {
    const object = { map: { a: 1, b: 2 }, outer: { inner: { a: 1 } }, list: ['a'], empty: {}, kept: { a: 1, b: {} } }
    const paths = ['/map/a', '/map/b', '/outer/inner/a', '/list/0', '/kept/a']
    expect(withoutPaths(object, paths)).toEqual({ outer: {}, empty: {}, kept: { b: {} } })
  })
})

describe('taking out what matches a pattern', () => {
  test.each<[string, JsonObject, readonly StepPattern[], JsonObject]>([
    [
      'any step is each item of a list',
      { list: [{ a: 1, b: 2 }, { a: 3 }, { c: 4 }] },
      [['list', anyStep, 'a']],
      { list: [{ b: 2 }, { c: 4 }] },
    ],
    [
      'any step is each key of a map',
      { map: { x: { a: 1, b: 1 }, y: { a: 1 } } },
      [['map', anyStep, 'a']],
      { map: { x: { b: 1 } } },
    ],
    [
      'a key beside any step',
      { map: { x: { a: 1, b: 1 } } },
      [
        ['map', anyStep, 'a'],
        ['map', 'x', 'b'],
      ],
      {},
    ],
    ['an asterisk is a key like any other', { map: { '*': 1, x: 2 } }, [['map', '*']], { map: { x: 2 } }],
    ['maps that are left empty go as well', { a: { b: { c: 1 } }, d: 1 }, [['a', 'b', 'c']], { d: 1 }],
    ['maps that were empty stay', { a: { b: {} }, d: [] }, [['a', 'b', 'c']], { a: { b: {} }, d: [] }],
  ])('%s', (_rule, object, patterns, expected) => {
    expect(withoutMatching(object, patterns)).toEqual(expected)
  })
})
