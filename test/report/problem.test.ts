import { expect, test } from 'vitest'
import type { Problem } from '../../src/model/problem.ts'
import { problemText } from '../../src/report/problem.ts'

const problem = (what: string, place: Problem['place']): Problem => ({
  severity: 'error',
  reason: 'invalid-input',
  place,
  what,
  hint: 'mend it',
})

test('a problem is its place, what is wrong there, and what to do', () => {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'a' }
  expect(problemText(problem('is "x": no number', { file: 'a.yaml', line: 3, ref, key: 'werf.io/weight' }))).toBe(
    'a.yaml:3 ConfigMap/web/a werf.io/weight: is "x": no number; mend it',
  )
})

test('a mistake in one of many lines names its line once', () => {
  expect(problemText(problem('line 2 has no key=value form', { input: 'set', line: 2 }))).toBe(
    'input set: line 2 has no key=value form; mend it',
  )
  expect(problemText(problem('is not valid YAML', { input: 'values', line: 2 }))).toBe(
    'input values line 2: is not valid YAML; mend it',
  )
})
