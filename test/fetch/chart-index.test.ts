import { describe, expect, test } from 'vitest'
import { readIndex } from '../../src/fetch/chart-index.ts'
import { refusal } from './given-http.ts'

const read = (text: string) => readIndex(text, 'https://charts.example/index.yaml')
const refused = (text: string) => refusal(new Promise((resolve) => resolve(read(text))))
const ADVICE = 'give the address that helm repo add takes: index.yaml lies right below it'
const NO_INDEX = 'https://charts.example/index.yaml is no index of a chart repository'

describe('an index', () => {
  test('gives versions, addresses and digests of one chart', () => {
    const index = read(`apiVersion: v1
entries:
  shop:
  - { version: 1.10, urls: [shop-1.10.tgz], digest: abc }
  - { version: 1.9.0, urls: ['https://other.example/shop-1.9.0.tgz'], digest: '' }
  web: []
`)
    expect(index.names).toEqual(['shop', 'web'])
    // The version is text: as a number 1.10 would be 1.1.
    expect(index.entries('shop')).toEqual([
      { version: '1.10', urls: ['shop-1.10.tgz'], digest: 'abc' },
      { version: '1.9.0', urls: ['https://other.example/shop-1.9.0.tgz'] },
    ])
    expect(index.entries('web')).toEqual([])
    expect(index.entries('toString')).toBeUndefined()
  })

  test('may be JSON', () => {
    const index = read(' {"apiVersion":"v1","entries":{"shop":[{"version":"1.0.0","urls":["a.tgz"]}]}}')
    expect(index.entries('shop')).toEqual([{ version: '1.0.0', urls: ['a.tgz'] }])
  })

  test('without a chart is one', () => {
    expect(read('apiVersion: v1\nentries: {}\n').names).toEqual([])
    expect(read('apiVersion: v1\n').names).toEqual([])
  })

  test('entries without a version or an address are passed over, as Helm does', () => {
    const entries = '[{ urls: [a.tgz] }, { version: 1.0.0 }, { version: 1.1.0, urls: [] }, null, text, [1]]'
    expect(read(`apiVersion: v1\nentries: { shop: ${entries} }\n`).entries('shop')).toEqual([])
  })

  test.each([
    ['<!DOCTYPE html><html>', 'it is a web page'],
    ['', 'expected a document, but the input is empty'],
    ['entries: {}', 'it lacks apiVersion or entries'],
    ['apiVersion: v1\nentries: [a]', 'it lacks apiVersion or entries'],
    ['just text', 'it lacks apiVersion or entries'],
  ])('what is none is told: %j', async (text, why) => {
    expect(await refused(text)).toBe(`${NO_INDEX}: ${why}; ${ADVICE}`)
  })
})

describe('hostile indexes', () => {
  test('aliases are followed and never copied: a bomb is a thing of its own size', () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(9)}]`,
    )
    const index = read(`apiVersion: v1\nl0: &l0 [x]\n${levels.join('\n')}\nentries: { shop: *l30 }\n`)
    expect(index.entries('shop')).toEqual([])
  })

  test.each([
    ['aliases in thousands', `apiVersion: v1\na: &a [x]\nb: [${'*a, '.repeat(2000)}]\nentries: {}\n`],
    ['lists without end', `apiVersion: v1\nentries: ${'['.repeat(200_000)}`],
    ['lists without end, as JSON', `{"apiVersion":"v1","entries":${'['.repeat(200_000)}`],
    ['a key twice', 'apiVersion: v1\nentries: {}\nentries: {}\n'],
  ])('%s are refused', async (_name, text) => {
    expect(await refused(text)).toContain(NO_INDEX)
  })

  test('more values than any repository has are refused before they are read', async () => {
    expect(await refused(`apiVersion: v1\nentries: [${','.repeat(3_000_001)}]`)).toBe(
      `${NO_INDEX}: it holds more than 3000000 values; ${ADVICE}`,
    )
  })

  test('names of every object are only names', () => {
    const index = read('apiVersion: v1\nentries: { __proto__: [{ version: 1.0.0, urls: [a] }], constructor: [] }\n')
    expect(index.entries('constructor')).toEqual([])
    expect(index.entries('hasOwnProperty')).toBeUndefined()
    expect({}).not.toHaveProperty('version')
  })
})

test('an index of 10,000 versions is read, and one of its charts looked up', () => {
  const entry = (patch: number) =>
    `  - { version: 1.0.${patch}, urls: [shop-1.0.${patch}.tgz], digest: ${'a'.repeat(64)} }`
  const text = ['apiVersion: v1', 'entries:', '  shop:', ...Array.from({ length: 10_000 }, (_, patch) => entry(patch))]
  expect(read(text.join('\n')).entries('shop')).toHaveLength(10_000)
})
