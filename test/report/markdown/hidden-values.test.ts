import { expect, test } from 'vitest'
import { toYaml } from '../../../src/report/markdown/readable-yaml.ts'

test.each([
  ['***', 'a: (hidden)\n'],
  ['*** (changed)', 'a: (hidden, changed)\n'],
  ['x *** y', 'a: x *** y\n'],
])('a redacted value reads as one that is hidden from the start: %s', (value, expected) => {
  expect(toYaml({ a: value })).toBe(expected)
})
