import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/directives/dialects.ts'
import { likelyKey } from '../../src/directives/unknown-keys.ts'
import { readDuration } from '../../src/directives/value-forms.ts'
import { directives, faults } from './given.ts'

describe('a Go duration', () => {
  test.each([
    ['1.25h', 4_500],
    ['.25m', 15],
    ['1.m', 60],
    ['+90s', 90],
    ['1h30m15s', 5_415],
    ['0', 0],
  ])('%s is %d seconds', (text, value) => {
    expect(readDuration(text)).toEqual({ value })
  })

  test.each(['x90s', '90sx', '90', '++90s', '9+0s', '1.x5s', ''])('%j is none', (text) => {
    expect(readDuration(text)).toHaveProperty('fault')
  })
})

test('spaces around a value of werf.io do not count', () => {
  const found = directives({
    'werf.io/ownership': ' anyone ',
    'werf.io/delete-propagation': ' Orphan ',
    'werf.io/failures-allowed-per-replica': ' 2 ',
    'werf.io/sensitive': ' true ',
    'db.external-dependency.werf.io/resource': 'statefulset/db',
    'db.external-dependency.werf.io/namespace': ' data ',
  })
  expect(found).toMatchObject({
    ownership: 'anyone',
    deletePropagation: 'Orphan',
    failuresAllowedPerReplica: 2,
    externalDependencies: [{ namespace: 'data' }],
  })
})

test('an external dependency without a type or a name is a fault', () => {
  expect(faults({ 'db.external-dependency.werf.io/resource': '/db' })).toHaveLength(1)
  expect(faults({ 'db.external-dependency.werf.io/resource': 'statefulset/' })).toHaveLength(1)
  expect(faults({ 'db.external-dependency.werf.io': 'apps/v1:Deployment::' })).toHaveLength(1)
})

describe('the key that an unknown one is probably meant to be', () => {
  test.each([
    ['werf.io/wieght', 'werf.io/weight'],
    ['werf.io/weigh', 'werf.io/weight'],
    ['werf.io/weightt', 'werf.io/weight'],
    ['werf.io/wheigth', 'werf.io/weight'],
    ['kots.io/exclud', 'kots.io/exclude'],
    ['db.external-dependency.werf.io/resorce', '<id>.external-dependency.werf.io/resource'],
  ])('%s: %s', (key, likely) => {
    expect(likelyKey(key, dialects)).toBe(likely)
  })

  test.each(['werf.io/wxyzht', 'werf.io/xxx', 'example.com/weigh', `werf.io/weigh${'t'.repeat(320)}`])(
    '%s: none',
    (key) => {
      expect(likelyKey(key, dialects)).toBeUndefined()
    },
  )
})
