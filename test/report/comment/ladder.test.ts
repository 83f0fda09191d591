import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseMarker } from '../../../src/github/comment-marker.ts'
import type { ChangeKind } from '../../../src/model/plan.ts'
import { isWorthPosting } from '../../../src/report/comment/comment.ts'
import { changeDetails, fitting } from '../../../src/report/markdown/change-details.ts'
import { byteLength } from '../../../src/report/markdown/markdown.ts'
import { resourceDiff } from '../../../src/report/markdown/resource-diff.ts'
import { rowsOf } from '../../../src/report/rows/rows.ts'
import { summary } from '../../../src/report/summary/summary.ts'
import { apply, awaits, deletes, group, plan, ref, stage } from '../plans.ts'
import { info, pass } from '../runs.ts'
import { posted } from './posted.ts'

describe('a plan too long for a comment tells less, never half', () => {
  test('what does not fit is named, and the riskiest diffs stay', () => {
    const text = posted({ passes: [manyUpdates(40)], info, limitBytes: 9_000 })

    expect(text).toContain('<code>StatefulSet/shop/db</code>')
    expect(text).toMatch(/\n\d+ of 41 diffs are in the \[job summary\]\([^)]*\) only: `ConfigMap\/c\d+`, [^\n]*\./)
  })

  test('a marker of many digests counts as well', () => {
    const digests = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [
        `main/apply//ConfigMap/shop/c${index}`,
        createHash('sha256').update(`${index}`).digest('hex').slice(0, 16),
      ]),
    )
    const plans = [{ release: 'web', namespace: 'shop', hash: '9f3c', comparedBy: 'dry-run', digests }] as const
    const text = posted({ marker: { key: 'k', plans }, passes: [manyUpdates(400)], info, limitBytes: 20_000 })

    expect(Object.keys(parseMarker(text)?.plans?.[0]?.digests ?? {})).toHaveLength(150)
    expect(text.split('\n')[0]?.length).toBeGreaterThan(1_500)
    expect(byteLength(text)).toBeLessThanOrEqual(20_000)
  })

  test('two thousand resources are told by kind', () => {
    const text = posted({ passes: [manyUpdates(2_000)], info })

    expect(byteLength(text)).toBeLessThanOrEqual(60_000)
    expect(text).toContain('| `~`\u00a0update | 2000 `ConfigMap` |')
  })

  test('the summary of the same plan has a row for each', () => {
    const text = summary({ passes: [manyUpdates(2_000)], info })

    expect(text).toContain('| `ConfigMap/c1999` |')
    expect(byteLength(text)).toBeLessThanOrEqual(900_000)
  })
})

test('of equal risk the smallest diffs are shown, in the order of the plan', () => {
  const rows = rowsOf(
    plan({
      stages: [stage('main', [group(0, [[change('big', 'x'.repeat(500)), change('small', 'y'), change('tiny', '')]])])],
    }),
    [],
  )
  const all = changeDetails(rows, { verb: 'upgrade', context: 3, mayOpen: false })

  expect(fitting(all, 450).map((one) => one.rows[0]?.ref.name)).toEqual(['small', 'tiny'])
})

test('bodies of new and deleted objects come after all diffs of what changes', () => {
  const body = { data: { a: 'x'.repeat(50) } }
  const gone = deletes(ref('v1', 'ServiceAccount', 'gone'), { code: 'pruned' }, { before: body })
  const added = apply(ref('v1', 'ConfigMap', 'added'), 'create', { code: 'new' }, { after: body })
  const rows = rowsOf(
    plan({ stages: [stage('main', [group(0, [[gone, added, change('big', 'x'.repeat(200))]])])] }),
    [],
  )
  const all = changeDetails(rows, { verb: 'upgrade', context: 3, mayOpen: false })
  const names = (budget: number) => fitting(all, budget).map((one) => one.rows[0]?.ref.name)

  expect(names(10_000)).toEqual(['big', 'gone', 'added'])
  expect(names((all[0]?.bytes ?? 0) + 10)).toEqual(['big'])
  // What goes and holds no data gives way to what comes.
  const created = all.find(({ rows: [row] }) => row?.ref.name === 'added')
  expect(names((all[0]?.bytes ?? 0) + (created?.bytes ?? 0) + 10)).toEqual(['big', 'added'])
})

test('what goes is cut first, then labels alone, and a new workload after every other body', () => {
  const body = { data: { a: 'x'.repeat(50) } }
  const labels = (team: string) => ({ metadata: { labels: { team } } })
  const changed = { code: 'chart-changed', paths: [] } as const
  const operations = [
    deletes(ref('apps/v1', 'Deployment', 'gone'), { code: 'pruned' }, { before: body }),
    apply(ref('v1', 'Service', 'label'), 'update', changed, { before: labels('a'), after: labels('b') }),
    apply(ref('v1', 'ConfigMap', 'map'), 'create', { code: 'new' }, { after: body }),
    apply(ref('apps/v1', 'Deployment', 'pods'), 'create', { code: 'new' }, { after: body }),
    change('data', 'x'),
  ]
  const all = changeDetails(rowsOf(plan({ stages: [stage('main', [group(0, [operations])])] }), []), {
    verb: 'upgrade',
    context: 3,
    mayOpen: false,
  })
  const bytes = all.reduce((sum, one) => sum + one.bytes + 2, 0)
  const cut: string[] = []
  for (let budget = bytes; budget > 0; budget--) {
    const shown = fitting(all, budget)
    const left = all.flatMap((one) => (shown.includes(one) ? [] : [one.rows[0]?.ref.name ?? '']))
    cut.push(...left.filter((name) => !cut.includes(name)))
  }

  expect(cut).toEqual(['gone', 'label', 'map', 'pods', 'data'])
})

test.each([
  ['each of a few', 23, /^`[^`]+`(, `[^`]+`){1,10}$/],
  ['ten of many', 60, /^`[^`]+`(, `[^`]+`){9} and \d+ more$/],
])('diffs that are left out are named: %s', (_what, amount, names) => {
  const long = (word: string) => ({
    data: { a: Array.from({ length: 15 }, (_, line) => `${word} ${line} ${'x'.repeat(20)}`).join('\n') },
  })
  const configs = Array.from({ length: amount }, (_, index) =>
    apply(
      ref('v1', 'ConfigMap', `c${index}`),
      'update',
      { code: 'chart-changed', paths: [] },
      { before: long(`a${index}`), after: long(`b${index}`) },
    ),
  )
  const passes = [pass({ command: 'plan', plan: plan({ stages: [stage('main', [group(0, [configs])])] }) })]
  const [, left, named = ''] =
    /^(\d+) of \d+ diffs are in the [^:]*:[^:]*: (.*)\.$/m.exec(posted({ passes, info })) ?? []

  expect(named).toMatch(names)
  if (!named.includes('more')) expect(named.split(', ')).toHaveLength(Number(left))
})

describe('a diff', () => {
  test('names the field above each hunk and keeps three lines around the change', () => {
    const spec = (replicas: number, image: string) => ({
      spec: { a: 1, b: 2, c: 3, d: 4, replicas, template: { spec: { containers: [{ image, name: 'app' }] } } },
    })

    expect(resourceDiff(spec(1, 'web:1'), spec(1, 'web:2'), 3)?.lines).toEqual([
      '@@ spec.template.spec.containers[app] @@',
      '   template:',
      '     spec:',
      '       containers:',
      '-        - image: web:1',
      '+        - image: web:2',
      '           name: app',
    ])
  })

  test('of a text of several lines compares its lines', () => {
    const config = (level: string) => ({ data: { 'app.yaml': `port: 80\nlog: ${level}\n` } })

    expect(resourceDiff(config('info'), config('debug'), 0)?.lines).toEqual([
      '@@ data["app.yaml"], line 2 @@',
      '-log: info',
      '+log: debug',
    ])
  })

  test('of a huge object is cut at a line, and says so', () => {
    const schema = (value: number) => ({
      spec: Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`f${i}`, value])),
    })

    expect(resourceDiff(schema(1), schema(2), 3)).toMatchObject({ added: 900, removed: 900, omitted: 1_402 })
  })

  test('of numbers beyond 2^53 shows all digits', () => {
    expect(resourceDiff({ size: 9007199254740993n }, { size: 9007199254740995n }, 0)?.lines.slice(1)).toEqual([
      "-size: '9007199254740993'",
      "+size: '9007199254740995'",
    ])
  })
})

describe('comment: changes posts', () => {
  const hook = (code: 'delete-policy' | 'unchanged' | 'new' | 'chart-changed') =>
    pass({
      plan: plan({
        stages: [
          stage('pre', [
            group(0, [
              [
                apply(
                  ref('batch/v1', 'Job', 'x'),
                  'recreate',
                  code === 'chart-changed' ? { code, paths: ['/spec'] } : { code },
                  {
                    hook: 'pre-upgrade',
                  },
                ),
              ],
            ]),
          ]),
        ],
      }),
    })

  test('not for hooks that merely run', () => {
    expect([hook('delete-policy'), hook('unchanged')].map((one) => isWorthPosting([one]))).toEqual([false, false])
  })

  test('for a hook that is new or whose definition changed, and for any change', () => {
    const worth = [hook('new'), hook('chart-changed'), pass()]
    expect(worth.map((one) => isWorthPosting([one]))).toEqual([true, true, true])
  })

  test('for a plan that is blocked', () => {
    const blocked = pass({
      command: 'plan',
      plan: plan({}),
      outcome: { status: 'failed', failure: { reason: 'immutable', doing: 'plan', message: '' } },
    })

    expect(isWorthPosting([blocked])).toBe(true)
  })
})

function manyUpdates(amount: number) {
  const db = ref('apps/v1', 'StatefulSet', 'db')
  const configs = Array.from({ length: amount }, (_, index) => change(`c${index}`, `v${index}`))
  const recreated = apply(db, 'recreate', { code: 'immutable', paths: ['/spec/serviceName'] }, texts('old'))
  return pass({
    command: 'plan',
    plan: plan({ stages: [stage('main', [group(0, [configs, [recreated], [awaits(db, 'ready')]])])] }),
  })
}

function change(name: string, value: string, kind: ChangeKind = 'update') {
  return apply(ref('v1', 'ConfigMap', name), kind, { code: 'chart-changed', paths: [`/data/${name}`] }, texts(value))
}

function texts(value: string) {
  return { before: { data: { a: `old ${value}` } }, after: { data: { a: `new ${value}` } } }
}
