import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import type { Group, Operation, Stage } from '../../../src/model/plan.ts'
import { rowTable } from '../../../src/report/markdown/row-table.ts'
import { rowsOf } from '../../../src/report/rows/rows.ts'
import { apply, awaits, deletes, group, plan, ref, stage } from '../plans.ts'

const changed = { code: 'chart-changed', paths: [] } as const
const deployment = ref('apps/v1', 'Deployment', 'web')
const budget = ref('policy/v1', 'PodDisruptionBudget', 'web')
const config = ref('v1', 'ConfigMap', 'web')

describe('a brief table of a plan, below a headline that counts', () => {
  const brief = (operations: readonly Operation[]) =>
    rowTable(rowsOf(plan({ stages: [stage('main', [group(0, [operations])])] }), []), {
      kind: 'plan',
      detail: 'rows',
      namespace: 'shop',
      isBrief: true,
    })
  const labels = (name: string) =>
    apply(ref('v1', 'Service', name), 'update', changed, {
      before: { metadata: { labels: { team: 'a' } } },
      after: { metadata: { labels: { team: name } } },
    })
  const updates = (amount: number) =>
    Array.from({ length: amount }, (_, index) => update(ref('v1', 'ConfigMap', `c${index}`), `${index}`))

  test('leaves out what stays as it is, but for what is to be known of it', () => {
    const same = apply(ref('v1', 'Service', 'same'), 'none', { code: 'unchanged' })
    const doubtful = apply(ref('v1', 'Service', 'doubtful'), 'none', { code: 'unchanged' }, { dependsOnEarlier: true })
    const text = brief([update(config, 'a'), same, doubtful])

    expect(text).not.toContain('Service/same')
    expect(text).toContain('Service/doubtful')
  })

  test('folds what is small where it is long, and says what is in there', () => {
    const short = brief([...updates(10), labels('b'), labels('c'), labels('d')])
    const long = brief([...updates(18), labels('b'), labels('c'), labels('d')])

    expect(short).not.toContain('<details>')
    expect(long).toContain(
      '<details><summary>3 more, none of them marked: 3 in labels, annotations or descriptions only</summary>',
    )
    const [open = '', folded = ''] = long.split('<details>')
    expect(open.match(/^\| `~`/gm)).toHaveLength(18)
    expect(folded.match(/^\| `~`/gm)).toHaveLength(3)
  })

  test.each([
    ['v1', 'ConfigMap', 1],
    ['v1', 'Service', 0],
    ['apps/v1', 'Deployment', 0],
    ['batch/v1', 'CronJob', 0],
    ['v1', 'PersistentVolumeClaim', 0],
  ])(
    'counts each renamed object once, and folds none that others call, that runs or that holds data: %s %s',
    (apiVersion, kind, folded) => {
      const [from, to] = [ref(apiVersion, kind, 'old'), ref(apiVersion, kind, 'new')]
      const renamed = [
        apply(to, 'create', { code: 'new' }, { after: {}, renamedFrom: { ref: from, isSame: true } }),
        deletes(from, { code: 'pruned' }, { before: {} }),
      ]
      const text = brief([...updates(18), ...renamed, labels('b'), labels('c'), labels('d')])

      expect(text).toContain(
        folded === 1 ? '4 more, none of them marked: 1 renamed and' : '3 more, none of them marked: 3 in',
      )
    },
  )
})

describe('the table of a plan', () => {
  test('has why beside the resource, and the weight in the cell of the stage where it is not 0', () => {
    const [text] = tableOf(group(0, [[update(config, 'a')]]), group(10, [[update(ref('v1', 'ConfigMap', 'b'), 'b')]]))

    expect(text).toBe('Runs in this order: **main** 0, 10. Listed by risk:')
    expect(lines(group(0, [[update(config, 'a')]]), group(10, [[update(deployment, 'b')]]))).toEqual([
      '| change | resource | why | stage |',
      '| --- | --- | --- | --- |',
      '| `~`\u00a0update | `ConfigMap/web` | `data.x` `old` → `a` | **main** |',
      '| `~`\u00a0update | `Deployment/web` | `data.x` `old` → `b` | **main**\u00a010 |',
    ])
  })

  test('names each weight of a line once', () => {
    const create = (name: string) => apply(ref('v1', 'ConfigMap', name), 'create', { code: 'new' })
    const stageOf = (...groups: readonly Group[]) =>
      lines(...groups)
        .find((line) => line.includes('create'))
        ?.split(' | ')
        .at(-1)

    expect(stageOf(group(0, [[create('a')]]), group(10, [[create('b'), create('c')]]))).toBe('**main**, 10 |')
    expect(stageOf(group(0, [[update(config, 'x')]]), group(10, [[create('b'), create('c')]]))).toBe(
      '**main**\u00a010 |',
    )
  })

  test('says once where all runs and what is waited for, where it is the same for all; a hook names its events', () => {
    const migrate = ref('batch/v1', 'Job', 'migrate')
    const hook = apply(migrate, 'create', { code: 'new' }, { hook: 'pre-upgrade' })
    const blocks = stagesTable(
      stage('pre', [group(-5, [[hook], [awaits(migrate, 'complete')]])]),
      stage('main', [group(0, [[update(deployment, 'a')], [awaits(deployment, 'ready')]])]),
      stage('prune', [group(0, [[gone('gone')]])]),
    )

    expect(blocks).toEqual([
      'Runs in this order: `pre-upgrade` -5 → **main** → **prune**. Waits until workloads are ready. Listed by risk:',
      [
        '| change | resource | why |',
        '| --- | --- | --- |',
        '| `>`\u00a0run | `Job/migrate` on `pre-upgrade` | new hook |',
        '| `-`\u00a0delete | `ConfigMap/gone` | no longer in the chart |',
        '| `~`\u00a0update | `Deployment/web` | `data.x` `old` → `a` |',
      ].join('\n'),
    ])
  })

  test.each<[string, readonly Stage[]]>([
    ['two weights', [stage('main', [group(0, [[update(config, 'a')]]), group(1, [[update(budget, 'b')]])])]],
    [
      'an object of another stage',
      [stage('pre', [group(0, [[update(config, 'a')]])]), stage('main', [group(0, [[update(budget, 'b')]])])],
    ],
    [
      'a wait for something outside',
      [stage('main', [group(0, [[awaits(deployment, 'ready', { isExternal: true })], [update(config, 'a')]])])],
    ],
    [
      'a workload that is not waited for beside one that is',
      [
        stage('main', [
          group(0, [
            [update(deployment, 'a'), update(ref('apps/v1', 'Deployment', 'b'), 'b')],
            [awaits(deployment, 'ready')],
          ]),
        ]),
      ],
    ],
    [
      'a hook that is to fail',
      [
        stage('pre', [
          group(0, [
            [apply(config, 'create', { code: 'new' }, { hook: 'pre-upgrade' })],
            [awaits(config, 'failed', { hook: 'pre-upgrade' })],
          ]),
        ]),
      ],
    ],
    [
      'deletions in two phases',
      [stage('delete', [group(0, [[gone('a')]]), { ...group(0, [[gone('b')]]), deletionPhase: 1 }])],
    ],
  ])('has the stage of each row where there is %s', (_what, stages) => {
    expect(stagesTable(...stages).at(-1)).toMatch(/^\|.* \| stage \|/)
  })

  test('counts the workloads that restart, are replaced or stop, where the plan is more than one row', () => {
    const named = (name: string, kind = 'Deployment') => ref('apps/v1', kind, name)
    const template = (image: string, replicas = 2): JsonObject => ({
      spec: { replicas, template: { spec: { containers: [{ name: 'a', image }] } } },
    })
    const restart = (name: string, after = template('a:2')) =>
      apply(named(name), 'update', changed, { before: template('a:1'), after })
    const stop = (name: string) => deletes(named(name, 'StatefulSet'), { code: 'pruned' }, { before: template('a:1') })
    const report = ref('batch/v1', 'CronJob', 'report')
    const first = (...operations: readonly Operation[]) => tableOf(group(0, [operations]))[0]

    expect(first(restart('a'), restart('b'), stop('c'))).toBe('**2 workloads restart, 1 stops.** Listed by risk:')
    expect(first(restart('a'), restart('b', template('a:2', 0)))).toMatch(/^\*\*1 workload restarts, 1 stops\.\*\*/)
    expect(first(stop('a'), stop('b'))).toMatch(/^\*\*2 workloads stop\.\*\*/)
    const gone = (kind: string, name: string) =>
      deletes(named(name, kind), { code: 'pruned' }, { before: template('a:1') })
    const created = { code: 'new' } as const
    const renamed = apply(named('b'), 'create', created, {
      after: template('a:1'),
      renamedFrom: { ref: named('a'), object: template('a:1') },
    })
    const otherKind = apply(named('c', 'StatefulSet'), 'create', created, { after: template('a:1') })

    expect(first(restart('a'), deletes(report, { code: 'pruned' }))).toContain('**1 workload restarts.**')
    expect(first(restart('a'))).not.toContain('workload')
    expect(first(gone('Deployment', 'a'), renamed, gone('Deployment', 'c'), otherKind)).toMatch(
      /^\*\*2 workloads are replaced\.\*\*/,
    )
  })

  test('names each hook with its own events, and counts the steps of one', () => {
    const hook = (name: string, event: string) =>
      apply(ref('v1', 'Secret', name), 'create', { code: 'unchanged' }, { after: {}, hook: event })
    const text = stagesTable(
      stage('pre', [group(-5, [[hook('a', 'pre-upgrade')]]), group(0, [[hook('b', 'pre-upgrade')]])]),
      stage('post', [group(0, [[hook('c', 'post-upgrade')]])]),
    )

    expect(text[0]).toContain('`pre-upgrade` (2 steps in turn) → `post-upgrade`')
    expect(text.join('\n')).toContain('2 `Secret`: `a`, `b` on `pre-upgrade`; `Secret/c` on `post-upgrade`')
  })

  test('names the only stage where it is another than a reader expects', () => {
    const crds = stage('crds', [group(0, [[update(config, 'a')]])])

    expect(stagesTable(crds)[0]).toBe('Runs in stage **crds**.')
    expect(stagesTable(stage('delete', [group(0, [[gone('a')]])]))[0]).toMatch(/^\| change/)
  })

  test('leaves an image to the head where it is the only one that changes, and is no jump', () => {
    const runs = (image: string, labels: JsonObject, spec: JsonObject = {}): JsonObject => ({
      metadata: { labels },
      spec: { ...spec, template: { spec: { containers: [{ name: 'app', image }] } } },
    })
    const whys = (...pairs: readonly (readonly [string, string])[]) => {
      const operations = pairs.map(([before, after], index) => {
        const spec = { replicas: index + 1 }
        const bodies = { before: runs(before, { chart: '1' }), after: runs(after, { chart: '2' }, spec) }
        return apply(ref('apps/v1', 'Deployment', `d${index}`), 'update', changed, bodies)
      })
      const job = { before: runs('a:1.0', {}), after: runs('a:1.1', {}), hook: 'pre-upgrade' }
      const hook = apply(ref('batch/v1', 'Job', 'migrate'), 'recreate', changed, job)
      const stages = [stage('pre', [group(0, [[hook]])]), stage('main', [group(0, [operations])])]
      const text = rowTable(rowsOf(plan({ stages }), []), { kind: 'plan', detail: 'rows', namespace: 'shop' })
      return text
        .split('\n')
        .flatMap((line) => (/^\| `[~>]/.test(line) ? [line.split(' | ')[2]?.replace(/ \|$/, '')] : []))
    }

    expect(whys(['a:1.0', 'a:1.1'], ['a:1.0', 'a:1.1'])).toEqual([
      '`containers[app].image`',
      '1 pod restarts (image); `replicas` `1` added (an autoscaler or `kubectl scale` may have set another number)',
      '1 pod restarts (image); `replicas` `2` added (an autoscaler or `kubectl scale` may have set another number)',
    ])
    expect(whys(['a:1.0', 'a:1.2'])).toEqual([
      '`containers[app].image` `1.0` → `1.1`',
      '1 pod restarts (image); `containers[app].image` `1.0` → `1.2`, `replicas` `1` added (an autoscaler or `kubectl scale` may have set another number)',
    ])
    expect(whys(['a:1.0', 'a:2.0'])[0]).toContain('`1.0` → `2.0` (⚠️ major)')
  })

  test('says what is waited for of workloads and Jobs, not of what is there once it is written', () => {
    const job = ref('batch/v1', 'Job', 'migrate')
    const certificate = ref('cert-manager.io/v1', 'Certificate', 'tls')
    const untils = (operations: readonly Operation[]) =>
      lines(group(0, [operations])).map((line) => line.split(' | ')[3]?.replace(' |', ''))

    expect(
      untils([
        update(deployment, 'a'),
        awaits(deployment, 'ready'),
        update(budget, 'b'),
        awaits(budget, 'ready'),
        update(job, 'c'),
        awaits(job, 'complete'),
        update(certificate, 'd'),
        awaits(certificate, 'ready'),
      ]),
    ).toEqual([
      'stage',
      '---',
      '**main**, until ready',
      '**main**',
      '**main**, until complete',
      '**main**, until ready',
    ])
  })

  test('names ten objects of one line by their kinds, and counts eleven', () => {
    const created = (...names: readonly (readonly [string, string, string?])[]) =>
      lines(
        group(0, [
          names.map(([kind, name, namespace = 'shop']) =>
            apply(ref('v1', kind, name, namespace), 'update', changed, {
              before: { metadata: { labels: { 'helm.sh/chart': 'a-1' } } },
              after: { metadata: { labels: { 'helm.sh/chart': 'a-2' } } },
            }),
          ),
        ]),
      )
        .at(-1)
        ?.split(' | ')[1]
    const many = (amount: number) => Array.from({ length: amount }, (_, index) => ['ConfigMap', `c${index}`] as const)

    expect(created(['ConfigMap', 'a'], ['Secret', 'a'], ['ConfigMap', 'b', 'other'])).toBe(
      '2 `ConfigMap`: `a`, `other/b`; `Secret/a`',
    )
    expect(created(...many(10))).toMatch(/^10 `ConfigMap`: `c0`, .*`c9`$/)
    expect(created(...many(11))).toBe('11 `ConfigMap`')
  })

  test('says that it is listed by risk where risks differ, also in one stage', () => {
    expect(tableOf(group(0, [[update(config, 'a'), gone('gone')]]))[0]).toBe('Listed by risk:')
    expect(tableOf(group(0, [[update(config, 'a')]]))[0]).toMatch(/^\| change/)
  })

  test('leaves out the middle of a long path, and the value of a certificate', () => {
    const set = ref('apps/v1', 'StatefulSet', 'db')
    const claims = (storage: string): JsonObject => ({
      spec: { volumeClaimTemplates: [{ spec: { resources: { requests: { storage } } } }] },
    })
    const webhook = ref('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'guard', '')
    const trusts = (caBundle: string): JsonObject => ({
      webhooks: [{ name: 'a.example.com', clientConfig: { caBundle } }],
    })
    const text = lines(
      group(0, [
        [
          apply(set, 'update', changed, { before: claims('1Gi'), after: claims('2Gi') }),
          apply(webhook, 'update', changed, { before: trusts('QQ=='), after: trusts('Qg==') }),
        ],
      ]),
    ).join('\n')

    expect(text).toContain('…storage` `1Gi` → `2Gi`')
    expect(text).toContain('caBundle` changed')
    expect(text).not.toContain('QQ==')
  })
})

function tableOf(...groups: readonly Group[]): readonly string[] {
  return stagesTable(stage('main', groups))
}

function stagesTable(...stages: readonly Stage[]): readonly string[] {
  const rows = rowsOf(plan({ stages }), [])
  return rowTable(rows, { kind: 'plan', detail: 'rows', namespace: 'shop' }).split('\n\n')
}

function lines(...groups: readonly Group[]): readonly string[] {
  return (tableOf(...groups).find((block) => block.startsWith('|')) ?? '').split('\n')
}

function gone(name: string): Operation {
  return deletes(ref('v1', 'ConfigMap', name), { code: 'pruned' }, { before: {} })
}

function update(to: typeof config, value: string): Operation {
  return apply(to, 'update', changed, { before: { data: { x: 'old' } }, after: { data: { x: value } } })
}
