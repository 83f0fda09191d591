import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { evaluate, locate, parseJsonPath, printedValues } from '../../src/manifest/jsonpath.ts'
import { parseJson } from '../../src/model/json.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { cpuMsOf } from '../cpu-time.ts'

const TOO_MUCH = 'leads to more than 10000 values, or into an object of more than 200 levels'

interface Vectors {
  readonly document: JsonObject
  readonly vectors: readonly { readonly path: string; readonly printed?: string; readonly error?: true }[]
}

const vectors = parseJson(
  readFileSync(new URL('./jsonpath-vectors.json', import.meta.url), 'utf8'),
) as unknown as Vectors

describe('JSONPath prints what client-go prints', () => {
  test.each(vectors.vectors.filter((vector) => vector.error !== true))('$path', ({ path, printed: expected }) => {
    expect(textAt(path, vectors.document)).toBe(expected)
  })
})

describe('JSONPath refuses what client-go refuses', () => {
  test.each(vectors.vectors.filter((vector) => vector.error === true))('$path', ({ path }) => {
    expect(parseJsonPath(path)).toHaveProperty('error')
  })
})

describe('JSONPath on hostile input', () => {
  test.each([
    ['an empty path', ''],
    ['braces around nothing', '{ }'],
    ['a call', '.status.constructor("return 1")()'],
    ['a script filter', '.a[?(process.exit(1))]'],
    ['a template around it', 'x{.a}{.b}'],
    ['two descents, whose cost is quadratic', '..a..b'],
    ['a path of thousands of steps', '.a'.repeat(5000)],
  ])('%s is refused', (_name, path) => {
    expect(parseJsonPath(path)).toHaveProperty('error')
  })

  test('properties of JavaScript objects are not found', () => {
    const object = JSON.parse('{"a":{"__proto__":{"x":1}}}') as JsonObject
    expect(textAt('.a.constructor', object)).toBe('')
    expect(textAt('.a.__proto__.x', object)).toBe('1')
    expect(textAt('.a.toString', object)).toBe('')
  })

  test('an object nested deeper than any of Kubernetes is a problem for a descent instead of an overflow', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`) as JsonObject
    expect(textAt('..b', deep)).toBe(`error: ${TOO_MUCH}`)
  })

  const list: JsonObject = { a: Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => ['x', 'y', 'z'])) }
  const often = (selectors: string[]) => `.a${`[${selectors.join(',')}]`.repeat(3)}`

  test('sixty selectors in one bracket are refused', () => {
    expect(parseJsonPath(often(Array(60).fill('*')))).toEqual({ error: 'more than 16 keys or indices in []' })
  })

  test('a value that several selectors name counts once, and the work stays that of one', () => {
    const costMs = cpuMsOf(() => {
      expect(textAt(`.a[0]${'[*,0,1,2,0:,*]'.repeat(1)}[0]`, list)).toBe(Array(60).fill('x').join(' '))
      expect(textAt(often(['0:', ...Array<string>(15).fill('0:2')]), list)).toBe(`error: ${TOO_MUCH}`)
    })
    expect(costMs).toBeLessThan(5_000)
  })
})

test('a filter compares with text, numbers, booleans and null, and with another value of the item', () => {
  const object = {
    l: [
      { n: 1, t: true, z: null, s: "it's", same: 1 },
      { n: 2, t: false, z: 0, s: 'b', same: 1 },
    ],
  }
  const filters = ['@.n==1', '@.t==true', '@.t!=false', '@.z==null', "@.s=='it\\'s'", '@.s=="it\'s"', '@.n==@.same']
  expect(filters.map((filter) => textAt(`.l[?(${filter})].n`, object))).toEqual(filters.map(() => '1'))
})

test('locate gives JSON pointers, with slashes in keys escaped', () => {
  const object = {
    metadata: { annotations: { 'a.io/x': '1' } },
    list: [{ n: 'b' }, { n: 'c' }],
  } as unknown as KubeObject
  expect(where('.list[?(@.n=="c")].n', object)).toEqual(['/list/1/n'])
  expect(where('.metadata.annotations.a\\.io/x', object)).toEqual(['/metadata/annotations/a.io~1x'])
})

function textAt(path: string, object: JsonObject): string {
  const parsed = parseJsonPath(path)
  if ('error' in parsed) return `error: ${parsed.error}`
  const values = evaluate(parsed, object)
  return 'error' in values ? `error: ${values.error}` : printedValues(values)
}

function where(path: string, object: KubeObject): readonly string[] {
  const parsed = parseJsonPath(path)
  const found = 'error' in parsed ? parsed : locate(parsed, object)
  return 'error' in found ? [found.error] : found
}
