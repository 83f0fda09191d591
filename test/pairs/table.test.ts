import { expect, test } from 'vitest'
import { findingsIn, tableOf } from './table.ts'
import type { Verdict } from './verdict.ts'

const clean: Verdict = {
  pair: 'web',
  helm: 'helm3',
  announced: 2,
  written: 2,
  operations: [],
  content: [],
  second: [],
  equal: { differences: [], tolerated: ['random'] },
}

test('a line per pair and Helm, what was found below it, and the sums', () => {
  const other: Verdict = { ...clean, helm: 'helm4', written: 1, operations: ['announced and not done: patch a'] }
  expect(tableOf([clean, other]).split('\n')).toEqual([
    '| pair | helm | announced | written | content | second | equal |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    '| web | 3 | 2 | 2 | exact | nothing | yes, random aside |',
    '| web | 4 | 2 | 1: 1 otherwise | exact | nothing | yes, random aside |',
    '',
    'web, helm4',
    '  operations: announced and not done: patch a',
    '',
    '2 upgrades, 4 writes announced, 3 written, 1 findings',
  ])
})

test.each<[string, Partial<Verdict>, readonly string[], string]>([
  ['differ', { equal: { differences: ['a', 'b'], tolerated: [] } }, ['equal: a', 'equal: b'], '2 differ'],
  ['are refused by both', { refusal: 'immutable', helmFailure: 'immutable' }, [], 'both refuse'],
  ['fail by Helm alone', { helmFailure: 'immutable' }, [], 'Helm fails'],
  ['are refused by the action alone', { refusal: 'x' }, ['equal: only Helm upgrades it'], 'only Helm upgrades'],
])('clusters that %s', (_what, change, findings, cell) => {
  const verdict = { ...clean, ...change }
  expect(findingsIn(verdict)).toEqual(findings)
  expect(tableOf([verdict]).split('\n')[2]).toContain(`| ${cell} |`)
})
