import { expect, test } from 'vitest'
import { commaList } from '../../src/inputs/comma-list.ts'

test.each<[string, readonly string[] | undefined]>([
  ['', []],
  ['a.yaml', ['a.yaml']],
  ['a.yaml,b.yaml', ['a.yaml', 'b.yaml']],
  ['a, b,', ['a', ' b', '']],
  ['"a,b.yaml",c', ['a,b.yaml', 'c']],
  ['"a ""b""",', ['a "b"', '']],
  ['""', ['']],
  ['a"b', undefined],
  ['"a', undefined],
  ['"a"b', undefined],
  ['a\nb', undefined],
])('%j is %j, as encoding/csv of Go reads it', (text, fields) => {
  expect(commaList(text)).toEqual(fields)
})
