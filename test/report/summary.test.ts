import { expect, test } from 'vitest'
import type { Evidence } from '../../src/model/evidence.ts'
import { flowchartLines } from '../../src/report/flowchart.ts'
import { rowsOf } from '../../src/report/rows.ts'
import { summary } from '../../src/report/summary.ts'
import { apply, group, plan, ref, stage } from './plans.ts'
import { at, evidence, failure, info, pass, upgradeDone, upgradeFailed } from './runs.ts'
import { noisyPlan } from './shapes.ts'

test('a deploy that went well: verdict, table of stages, timeline', async () => {
  const done = pass({ events: upgradeDone, outcome: { status: 'deployed' }, notes: 'Visit https://shop.example.com\n' })

  await expect(summary({ passes: [done], info })).toMatchFileSnapshot('golden/summary-deployed.md.txt')
})

test('a failed deploy: the one sentence and the evidence stand above the table', async () => {
  const failed = pass({ events: upgradeFailed, outcome: { status: 'failed', failure } })

  await expect(summary({ passes: [failed], info })).toMatchFileSnapshot('golden/summary-failed.md.txt')
})

test('a plan: the stages as a flowchart, with the same facts in the table', async () => {
  await expect(summary({ passes: [noisyPlan], info })).toMatchFileSnapshot('golden/summary-plan.md.txt')
})

test('a plan of more weights than a flowchart can show has a box per stage', () => {
  const groups = Array.from({ length: 40 }, (_, weight) =>
    group(weight, [[apply(ref('v1', 'ConfigMap', `c"${weight}"]`), 'create', { code: 'new' })]]),
  )
  const post = stage('post', [
    group(0, [[apply(ref('batch/v1', 'Job', 'x'), 'create', { code: 'new' }, { hook: 'post-upgrade' })]]),
  ])
  const chart = flowchartLines(rowsOf(plan({ stages: [stage('main', groups), post] }), []))

  expect(chart.slice(0, 4)).toEqual([
    'flowchart LR',
    '  n0["<b>main</b><br/>ConfigMap c 0<br/>ConfigMap c 1<br/>ConfigMap c 2<br/>and 37 more"]:::new',
    '  n1["<b>post</b><br/>run Job x"]:::hook',
    '  n0 --> n1',
  ])
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
