import { expect, test } from 'vitest'
import { canonicalQuantity, quantityOf } from '../../src/manifest/quantity.ts'

test.each([
  ['1024Mi', '1Gi'],
  ['1000m', '1'],
  ['300m', '0.3'],
  ['1k', '1000'],
  ['1e3', '1000'],
  ['1500M', '1.5G'],
])('%s is %s', (a, b) => {
  expect(quantityOf(a)).toBe(quantityOf(b))
  expect(quantityOf(a)).toBeTypeOf('number')
})

test.each(['', 'x', '1Gb', '1 Gi', '1Ki2', undefined])('%j is no quantity', (text) => {
  expect(quantityOf(text)).toBeUndefined()
})

test.each([
  ['1000m', '1'],
  ['0.5', '500m'],
  ['1024Mi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['0.1Gi', '107374182400m'],
  ['512', '512'],
  ['1000', '1k'],
  ['512Ki', '512Ki'],
  ['0.5Ki', '512'],
  ['0Mi', '0'],
  ['-1500m', '-1500m'],
  [2, '2'],
  [0.25, '250m'],
])('%j is written %s', (value, text) => {
  expect(canonicalQuantity(value)).toBe(text)
})

test.each(['1e3', 'x', '', true])('%j is not written otherwise', (value) => {
  expect(canonicalQuantity(value)).toBeUndefined()
})
