import { expect, test } from 'vitest'
import type { Problem } from '../../../src/model/problem.ts'
import { problemMarkdown } from '../../../src/report/markdown/bullet-lists.ts'
import { hintLines } from '../../../src/report/markdown/hint-lines.ts'
import { problemText } from '../../../src/report/words/problem-text.ts'

const problem = (what: string, place: Problem['place']): Problem => ({
  severity: 'error',
  reason: 'invalid-input',
  place,
  what,
  hint: { kind: 'correct-name' },
})

test('a problem is its place, what is wrong there, and what to do', () => {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'a' }
  expect(problemText(problem('is "x": no number', { file: 'a.yaml', line: 3, ref, key: 'werf.io/weight' }))).toBe(
    'a.yaml:3 ConfigMap/web/a werf.io/weight: is "x": no number; correct the name, or remove it',
  )
})

test('a mistake in one of many lines names its line once', () => {
  expect(problemText(problem('line 2 has no key=value form', { input: 'set', line: 2 }))).toBe(
    'input set: line 2 has no key=value form; correct the name, or remove it',
  )
  expect(problemText(problem('is not valid YAML', { input: 'values', line: 2 }))).toBe(
    'input values line 2: is not valid YAML; correct the name, or remove it',
  )
})

test('a Role to paste stands below its problem, as it is', () => {
  const rights = ['list', 'get'].map((verb) => ({ verb, group: '', resource: 'pods', namespace: 'shop-1' }))
  const hint = { kind: 'bind-role', rights } as const

  expect(problemMarkdown({ ...problem('this account may not get pods in shop-1', {}), hint })).toBe(
    [
      `this account may not get pods in shop\u200d-1; bind this to the account:`,
      '',
      '  ```yaml',
      '  apiVersion: rbac.authorization.k8s.io/v1',
      '  kind: Role',
      '  metadata:',
      '    name: staged-helm-deploy',
      '    namespace: shop-1',
      '  rules:',
      '    - apiGroups:',
      "        - ''",
      '      resources:',
      '        - pods',
      '      verbs:',
      '        - get',
      '        - list',
      '  ```',
    ].join('\n'),
  )
})

test('words that only look like an object stay words', () => {
  expect(hintLines({ kind: 'write-form', form: 'it as: {"a" or nothing' })).toEqual(['write it as: {"a" or nothing'])
})
