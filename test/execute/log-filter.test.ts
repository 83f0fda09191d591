import { describe, expect, test } from 'vitest'
import { lineFilter } from '../../src/execute/log-filter.ts'
import type { LogRules } from '../../src/model/directives.ts'

const rules: LogRules = { skip: false, skipContainers: [], onlyContainers: [], keep: [], drop: [] }
const lines = ['error: no', 'debug: yes', 'debug error']

describe('lines of a log', () => {
  test('are all shown without patterns', () => {
    expect(lines.filter(lineFilter(rules, 'app'))).toEqual(lines)
  })

  test('werf.io/log-regex shows matching lines only', () => {
    expect(lines.filter(lineFilter({ ...rules, keep: [{ pattern: 'err.r' }] }, 'app'))).toEqual([
      'error: no',
      'debug error',
    ])
  })

  test('werf.io/log-regex-skip hides matching lines, also those that another pattern keeps', () => {
    const both = { ...rules, keep: [{ pattern: 'error' }], drop: [{ pattern: '^debug' }] }
    expect(lines.filter(lineFilter(both, 'app'))).toEqual(['error: no'])
  })

  test('a pattern for a container holds for that container only', () => {
    const own = {
      ...rules,
      keep: [{ pattern: 'error', container: 'app' }],
      drop: [{ pattern: '^debug', container: 'proxy' }],
    }
    expect(lines.filter(lineFilter(own, 'app'))).toEqual(['error: no', 'debug error'])
    expect(lines.filter(lineFilter(own, 'proxy'))).toEqual(['error: no'])
  })

  test('a pattern that would run away elsewhere ends in linear time', () => {
    const evil = lineFilter({ ...rules, keep: [{ pattern: '(a+)+$' }] }, 'app')
    expect(evil(`${'a'.repeat(5_000)}!`)).toBe(false)
  })
})
