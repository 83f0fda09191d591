import { describe, expect, test } from 'vitest'
import { parseJson, stringifyJson } from '../../src/model/json.ts'

describe('whole numbers beyond 2^53', () => {
  test.each(['9007199254740993', '-9223372036854775808', '18446744073709551615', '[9007199254740993,1]'])(
    '%s leaves as it came',
    (text) => {
      expect(stringifyJson(parseJson(text))).toBe(text)
    },
  )

  test('arrive as bigint, all others as number', () => {
    expect(parseJson('{"a":9007199254740993,"b":9007199254740991,"c":1.5e300,"d":"9007199254740993"}')).toEqual({
      a: 9007199254740993n,
      b: 9007199254740991,
      c: 1.5e300,
      d: '9007199254740993',
    })
  })
})

test('a key __proto__ stays a key', () => {
  expect(Object.keys(parseJson('{"__proto__":{"a":12345678901234567890}}') as object)).toEqual(['__proto__'])
})

describe('nesting', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}"[[{\\"["${']'.repeat(levels)}`

  test('of 256 levels is read, and brackets in texts are none', () => {
    expect(JSON.stringify(parseJson(nested(256)))).toBe(nested(256))
  })

  test('of more is refused, before the parser or any walk of ours runs out of stack', () => {
    expect(() => parseJson(nested(257))).toThrow('nests deeper than 256 levels')
    expect(() => parseJson(nested(1_000_000))).toThrow('nests deeper than 256 levels')
  })
})
