import { expect, test } from 'vitest'
import type { Evidence } from '../../../src/model/evidence.ts'
import { summary } from '../../../src/report/summary/summary.ts'
import { at, evidence, failure, hookLogs, info, pass, upgradeDone, upgradeFailed } from '../runs.ts'
import { noisyPlan } from '../shapes.ts'

test('a deploy that went well: verdict, table of stages, timeline', async () => {
  const done = pass({ events: upgradeDone, outcome: { status: 'deployed' }, notes: 'Visit https://shop.example.com\n' })

  await expect(summary({ passes: [done], info })).toMatchFileSnapshot('golden/summary-deployed.md.txt')
})

test('a failed deploy: the one sentence and the evidence stand above the table', async () => {
  const failed = pass({ events: upgradeFailed, outcome: { status: 'failed', failure } })

  await expect(summary({ passes: [failed], info })).toMatchFileSnapshot('golden/summary-failed.md.txt')
})

test('helm.sh/hook-output-log-policy: the log of a hook is folded below the table', () => {
  const done = pass({ events: [...upgradeDone.slice(0, -1), hookLogs], outcome: { status: 'deployed' } })
  const text = summary({ passes: [done], info })

  expect(text.slice(text.indexOf('<details><summary>Log of')).split('</details>\n')[0]).toMatchInlineSnapshot(`
    "<details><summary>Log of <code>Job/shop/migrate</code> (<code>pre-upgrade</code>)</summary>

    Pod \`migrate-x2x1\`, phase \`Succeeded\`

    - container \`migrate\`: \`terminated\`, exit 0; last 2 lines of the log:

    \`\`\`text
    ##[group]gotcha
    </details>done
    \`\`\`

    "
  `)
})

test('helm.sh/hook-output-log-policy: the log of the hook that failed the run stands there once', () => {
  const ref = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name: 'migrate' }
  const known = at(34, { type: 'evidence', id: 'await/Job/shop/migrate', evidence: { ...evidence, ref } } as const)
  const failed = pass({ events: [known, hookLogs], outcome: { status: 'failed', failure: { ...failure, ref } } })

  expect(summary({ passes: [failed], info })).not.toContain('Log of')
})

test('helm.sh/hook-output-log-policy: of many hooks ten are shown, the rest is counted', () => {
  const done = pass({ events: Array.from({ length: 12 }, () => hookLogs), outcome: { status: 'deployed' } })
  const text = summary({ passes: [done], info })

  expect(text.split('Log of')).toHaveLength(11)
  expect(text).toContain('The logs of 2 more hooks are in the log.')
})

test('a plan: the stages as a flowchart, with the same facts in the table', async () => {
  await expect(summary({ passes: [noisyPlan], info })).toMatchFileSnapshot('golden/summary-plan.md.txt')
})

test('the log of a hook that was tried three times stands there once', () => {
  const pods = ['a', 'b', 'c'].map((name) => ({
    name,
    phase: 'Failed',
    containers: [
      {
        name: 'app',
        state: 'terminated',
        reason: 'Error',
        restarts: 0,
        logTail: ['no such table'],
        isPreviousLog: false,
      },
    ],
  }))
  const told: Evidence = { ...evidence, pods, events: [] }
  const failed = pass({
    events: [
      at(1, { type: 'evidence', id: 'x', evidence: told }),
      at(2, { type: 'evidence', id: 'y', evidence: told }),
      at(3, { type: 'finished', outcome: { status: 'failed', failure } }),
    ],
    outcome: { status: 'failed', failure },
  })

  expect(summary({ passes: [failed], info }).match(/no such table/g)).toHaveLength(1)
})
