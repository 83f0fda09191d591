import { expect, test } from 'vitest'
import { summary } from '../../src/report/summary.ts'
import { failure, info, pass, upgradeDone, upgradeFailed } from './runs.ts'

test('a deploy that went well: verdict, table of stages, timeline', async () => {
  const done = pass({ events: upgradeDone, outcome: { status: 'deployed' }, notes: 'Visit https://shop.example.com\n' })

  await expect(summary({ passes: [done], info })).toMatchFileSnapshot('golden/summary-deployed.md.txt')
})

test('a failed deploy: the one sentence and the evidence stand above the table', async () => {
  const failed = pass({ events: upgradeFailed, outcome: { status: 'failed', failure } })

  await expect(summary({ passes: [failed], info })).toMatchFileSnapshot('golden/summary-failed.md.txt')
})
