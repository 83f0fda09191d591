import { expect, test } from 'vitest'
import { chooseVersion, isSameVersion, isVersion } from '../../src/fetch/wanted-version.ts'
import { fakeChartRules } from '../doubles/fake-chart-rules.ts'
import { refusal } from './given-http.ts'

test.each(['1.2.3', 'v1.2.3', '1.2', '1', '1.2.3-rc.1', '1.2.3+build.5'])('%s is a version', (text) => {
  expect(isVersion(text)).toBe(true)
})

test.each(['', '^1.2', '1.x', '>=1 <2', 'latest', '1.2.3 - 2'])('"%s" is a range, or nothing', (text) => {
  expect(isVersion(text)).toBe(false)
})

test.each([
  ['1.2.0', 'v1.2'],
  ['1.2.3', '1.2.3+build'],
  ['1.2.3-rc.1', '1.2.3-rc.1'],
])('%s is %s', (a, b) => {
  expect([isSameVersion(a, b), isSameVersion(b, a)]).toEqual([true, true])
})

test.each([
  ['1.2.3', '1.2.4'],
  ['1.2.3', '1.2.3-rc.1'],
  ['1.2.3+a', '1.2.3+b'],
  ['1.2.3', 'latest'],
])('%s is not %s', (a, b) => {
  expect([isSameVersion(a, b), isSameVersion(b, a)]).toEqual([false, false])
})

test.each([
  ['^3', 'chart shop of r has no version ^3; choose one of 2.1.0, 2.0.0'],
  [
    'newest',
    'chart shop of r: "newest" is neither a version nor a range of versions (improper constraint: newest); choose one of 2.1.0, 2.0.0',
  ],
])('a version that is not there is told with the nearest ones: %s', async (wanted, told) => {
  const choice = { versions: ['2.0.0', '2.1.0'], wanted, from: 'index', what: 'chart shop of r' } as const
  expect(await refusal(chooseVersion({ ...choice, rules: fakeChartRules() }))).toBe(told)
})
