import { expect, test } from 'vitest'
import { headline, headlineOfAll } from '../../../src/report/words/headline.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { plan } from '../plans.ts'
import { info, pass, upgrade } from '../runs.ts'

test('a run of several releases is not called deployed while one of them is under way', () => {
  const done = pass({ command: 'deploy', plan: upgrade, outcome: { status: 'deployed' } })
  const underWay = pass({ command: 'deploy', release: 'other', plan: upgrade, outcome: { status: 'running' } })
  expect(plainText(headlineOfAll([done, underWay]))).toBe('Running: 2 releases')
})

test('a revision that is written although no object changes says why', () => {
  const notes = plan({ revision: 8, revisionBecause: ['hooks-run', 'chart-version', 'notes'] })
  const headlines = [
    pass({ command: 'plan', plan: notes, outcome: { status: 'planned' } }),
    pass({ command: 'deploy', plan: notes, outcome: { status: 'deployed' } }),
    pass({
      command: 'deploy',
      plan: plan({ revision: 8, revisionBecause: ['hooks-run'] }),
      outcome: { status: 'deployed' },
    }),
  ].map((one) => plainText(headline(one, info)).replace(/ in \d.*/, ''))
  expect(headlines).toEqual([
    "Plan: upgrade web in shop: no changes, revision 8 because the chart's version and the notes changed",
    "Deployed web in shop: revision 8 because the chart's version and the notes changed,",
    'Deployed web in shop: revision 8',
  ])
})
