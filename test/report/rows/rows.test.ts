import { describe, expect, test } from 'vitest'
import type { Event } from '../../../src/model/event.ts'
import type { Plan } from '../../../src/model/plan.ts'
import { addCounts, countInWords, countPlan, noCounts } from '../../../src/report/rows/counts.ts'
import { durationMs, rowsOf } from '../../../src/report/rows/rows.ts'
import { countsDone, countsText } from '../../../src/report/words/counts-text.ts'
import { hasNews, tableLines } from '../../../src/report/words/table-lines.ts'
import { apply, awaits, deletes, group, plan, ref, stage } from '../plans.ts'
import { at, upgrade, upgradeDone, upgradeFailed } from '../runs.ts'

const job = ref('batch/v1', 'Job', 'migrate')

test('apply, wait and deletion by policy of one resource are one row', () => {
  const rows = rowsOf(
    planOf([
      [apply(job, 'recreate', { code: 'delete-policy' }, { hook: 'pre-upgrade' })],
      [awaits(job, 'complete', { hook: 'pre-upgrade' })],
      [deletes(job, { code: 'delete-policy' }, { hook: 'pre-upgrade', onlyIf: 'succeeded' })],
    ]),
    [],
  )

  expect(rows.map((row) => [row.ref.name, row.hook, row.change, row.waits.length, row.deletedIf, row.result])).toEqual([
    ['migrate', 'pre-upgrade', 'hook', 1, ['succeeded'], 'planned'],
  ])
})

test('the same object as an external dependency and as a resource are two rows', () => {
  const rows = rowsOf(
    planOf([[awaits(job, 'ready', { isExternal: true })], [apply(job, 'none', { code: 'unchanged' })]]),
    [],
  )

  expect(rows.map((row) => row.change)).toEqual(['await', 'none'])
})

test('a row lasts from its first operation to its last, the deletion by policy apart', () => {
  expect(
    rowsOf(upgrade, upgradeDone).map((row) => [row.ref.name, row.result, Math.round(durationMs(row) ?? -1)]),
  ).toEqual([
    ['migrate', 'succeeded', 34_800],
    ['web', 'succeeded', 300],
    ['web', 'succeeded', 100],
    ['web', 'succeeded', 41_000],
    ['old', 'succeeded', 2_600],
  ])
})

test('after a failure what was not reached is skipped', () => {
  expect(rowsOf(upgrade, upgradeFailed).map((row) => row.result)).toEqual([
    'succeeded',
    'succeeded',
    'succeeded',
    'failed',
    'skipped',
  ])
})

test('a plan that is only shown leaves nothing out, though it is finished: equal rows still share a line', () => {
  const finished = at(2, { type: 'finished', outcome: { status: 'planned' } } as const)
  const unchanged = ['a', 'b'].map((name) => apply(ref('v1', 'ConfigMap', name), 'none', { code: 'unchanged' }))
  const rows = rowsOf(planOf([unchanged]), [finished])

  expect(rows.map(({ result }) => result)).toEqual(['planned', 'planned'])
  expect(tableLines(rows, 'rows', 'plan')).toHaveLength(1)
  expect(hasNews(rows)).toBe(false)
})

describe('what is neither done nor failed', () => {
  const web = planOf([[apply(job, 'create', { code: 'new' })], [awaits(job, 'ready')]])
  const applied: readonly Event[] = [
    at(0, { type: 'operation-started', id: 'apply/Job/shop/migrate' }),
    at(1, { type: 'operation-finished', id: 'apply/Job/shop/migrate', result: 'succeeded' }),
  ]
  const over = at(2, { type: 'finished', outcome: { status: 'failed' } } as const)

  test('applied and waited for: running', () => {
    expect(rowsOf(web, applied)[0]?.result).toBe('running')
  })

  test('applied, and the run ended before it was ready: cancelled', () => {
    expect(rowsOf(web, [...applied, over])[0]?.result).toBe('cancelled')
  })

  test('a failure that its fail mode ignores', () => {
    const ignoring = planOf([[awaits(job, 'ready', { failure: 'ignore' })]])
    const failed = at(1, { type: 'operation-finished', id: 'await/Job/shop/migrate', result: 'failed' } as const)

    expect(rowsOf(ignoring, [failed, over])[0]?.result).toBe('ignored')
  })
})

describe('counts', () => {
  test('hooks that run and deletions by policy are no changes', () => {
    const counts = countPlan(
      planOf([
        [apply(job, 'recreate', { code: 'delete-policy' }, { hook: 'pre-upgrade' })],
        [deletes(job, { code: 'delete-policy' }, { onlyIf: 'succeeded' })],
      ]),
    )

    expect(counts).toEqual({ create: 0, update: 0, recreate: 0, delete: 0, unchanged: 0, hooks: 1 })
  })

  test('a CRD that came as a Helm 2 hook is a resource', () => {
    const crd = apply(
      ref('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'x', ''),
      'create',
      { code: 'new' },
      { hook: 'crd-install' },
    )

    expect(countPlan(plan({ stages: [stage('crds', [group(0, [[crd]])])] })).create).toBe(1)
  })

  test('what is renamed is one object in words, and stays a creation and a deletion to machines', () => {
    const [old, now, other] = ['old', 'now', 'other'].map((name) => ref('v1', 'Service', name))
    if (old === undefined || now === undefined || other === undefined) throw new Error('three names')
    const renamed = planOf([
      [apply(now, 'create', { code: 'new' }, { after: {}, renamedFrom: { ref: old, isSame: true } })],
      [deletes(old, { code: 'pruned' }), deletes(other, { code: 'pruned' })],
    ])
    const counts = countInWords(renamed)

    expect(countPlan(renamed)).toMatchObject({ create: 1, delete: 2 })
    expect(countsText(counts)).toBe('1 to delete, 1 to rename (created anew, the old one deleted)')
    expect(countsDone(counts)).toBe('1 deleted, 1 renamed')
  })

  test.each<[string, readonly [string, string, string], readonly [string, string], string, string]>([
    [
      'a workload of another kind under the same name',
      ['apps/v1', 'Deployment', 'db'],
      ['StatefulSet', 'db'],
      '1 to replace, 1 to delete',
      '1 replaced, 1 deleted',
    ],
    [
      'but not one that may hold data',
      ['apps/v1', 'StatefulSet', 'db'],
      ['Deployment', 'db'],
      '1 to create, 2 to delete',
      '1 created, 2 deleted',
    ],
    [
      'nor one under another name',
      ['apps/v1', 'Deployment', 'db'],
      ['DaemonSet', 'agent'],
      '1 to create, 2 to delete',
      '1 created, 2 deleted',
    ],
  ])('what is replaced is one object in words: %s', (_what, gone, [kind, name], planned, done) => {
    const replaced = planOf([
      [apply(ref('apps/v1', kind, name), 'create', { code: 'new' }, { after: {} })],
      [
        deletes(ref(...gone), { code: 'pruned' }, { before: {} }),
        deletes(ref('v1', 'Secret', 'x'), { code: 'pruned' }),
      ],
    ])
    const counts = countInWords(replaced)

    expect(countPlan(replaced)).toMatchObject({ create: 1, delete: 2 })
    expect(countsText(counts)).toBe(planned)
    expect(countsDone(counts)).toBe(done)
    const signs = tableLines(rowsOf(replaced, []), 'rows', 'plan')
    expect(signs).toHaveLength(planned.match(/\d+/g)?.reduce((sum, amount) => sum + Number(amount), 0) ?? 0)
  })

  test('counts of several releases are added, those of what is replaced as well', () => {
    const one = { ...noCounts, create: 2, delete: 1, replaced: 1 }

    expect(countsText(addCounts(one, one))).toBe('2 to create, 2 to replace')
  })

  test('what keeps its old object is new, not renamed', () => {
    const [old, now] = [ref('v1', 'Service', 'old'), ref('v1', 'Service', 'now')]
    const kept = planOf([
      [apply(now, 'create', { code: 'new' }, { after: {}, renamedFrom: { ref: old, isSame: true } })],
    ])

    expect(countsText(countInWords(kept))).toBe('1 to create')
  })

  test('prune counts', () => {
    expect(countPlan(planOf([[deletes(job, { code: 'pruned' })]])).delete).toBe(1)
  })
})

function planOf(ranks: Parameters<typeof group>[1]): Plan {
  return plan({ stages: [stage('pre', [group(0, ranks)])] })
}
