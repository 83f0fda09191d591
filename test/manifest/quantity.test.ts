import { expect, test } from 'vitest'
import { quantityOf } from '../../src/manifest/quantity.ts'

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
