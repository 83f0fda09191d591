import { describe, expect, test } from 'vitest'
import { textChange } from '../../src/impact/text-change.ts'

describe('a text inside of an object', () => {
  test('that is JSON or YAML changes by values, each with its path', () => {
    expect(
      textChange('{"title":"a","rows":[{"name":"x","n":1}]}', '{"rows":[{"n":2,"name":"x"}],"title":"b"}'),
    ).toEqual({
      linesAdded: 1,
      linesRemoved: 1,
      values: [
        { path: 'rows[x].n', kind: 'changed', before: '1', after: '2' },
        { path: 'title', kind: 'changed', before: 'a', after: 'b' },
      ],
    })
    expect(textChange('a: 1\nb: 2\n', 'a: 1\nc: 3\n')?.values).toEqual([
      { path: 'b', kind: 'removed', before: '2' },
      { path: 'c', kind: 'added', after: '3' },
    ])
  })

  test('counts the items of a list without names', () => {
    expect(textChange('{"a":[1,2]}', '{"a":[1,3,4]}')?.values).toEqual([
      { path: 'a', kind: 'list', itemsAdded: 2, itemsRemoved: 1 },
    ])
  })

  test('that is anything else changes by lines, wherever they stand', () => {
    expect(textChange('#!/bin/sh\na\nb\n', '#!/bin/sh\nb\nc\na\nd\n')).toEqual({ linesAdded: 2, linesRemoved: 0 })
    expect(textChange(undefined, 'a\nb\n')).toEqual({ linesAdded: 2, linesRemoved: 0 })
  })

  test('that is only laid out otherwise has no values that change', () => {
    expect(textChange('a: 1\nb: [c]\n', 'b:\n  - c\na: 1\n')?.values).toEqual([])
    expect(textChange('a: 90071992547409931\n', 'a: 90071992547409932\n')?.values).toBeUndefined()
  })

  test('of one line is no text', () => {
    expect(textChange('a', 'b')).toBeUndefined()
  })

  test('tells a bounded number of values', () => {
    const yaml = (value: number) => Array.from({ length: 50 }, (_, index) => `k${index}: ${value}\n`).join('')
    const change = textChange(yaml(1), yaml(2))
    expect([change?.values?.length, change?.moreValues]).toEqual([20, 30])
  })

  test('is not unfolded where aliases stand for more', () => {
    const yaml = (value: number) => `a: &a { b: ${value} }\nc: [*a, *a]\n`
    expect(textChange(yaml(1), yaml(2))).toEqual({ linesAdded: 1, linesRemoved: 1 })
  })
})
