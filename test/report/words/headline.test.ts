import { expect, test } from 'vitest'
import { headlineOfAll } from '../../../src/report/words/headline.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { pass, upgrade } from '../runs.ts'

test('a run of several releases is not called deployed while one of them is under way', () => {
  const done = pass({ command: 'deploy', plan: upgrade, outcome: { status: 'deployed' } })
  const underWay = pass({ command: 'deploy', release: 'other', plan: upgrade, outcome: { status: 'running' } })
  expect(plainText(headlineOfAll([done, underWay]))).toBe('Running: 2 releases')
})
