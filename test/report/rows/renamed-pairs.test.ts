import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import type { RenamedFrom } from '../../../src/model/plan.ts'
import { changeDetails } from '../../../src/report/markdown/change-details.ts'
import { rowTable } from '../../../src/report/markdown/row-table.ts'
import { type Row, rowsOf } from '../../../src/report/rows/rows.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { planText } from '../../../src/report/words/plan-text.ts'
import { whyPhrase } from '../../../src/report/words/row-text.ts'
import { tableLines } from '../../../src/report/words/table-lines.ts'
import { apply, awaits, deletes, group, plan, ref, stage } from '../plans.ts'

interface Given {
  readonly name: string
  readonly body: string
  readonly kind?: string
}

const objectOf = ({ body, name }: Given): JsonObject => ({ metadata: { name }, ...(load(body) as JsonObject) })

function rows(kind: string, live: Given, rendered: Given) {
  const named = (given: Given) => ref('apps/v1', given.kind ?? kind, given.name)
  return rowsOf(
    plan({
      stages: [
        stage('main', [
          group(0, [
            [
              apply(named(rendered), 'create', { code: 'new' }, { after: objectOf(rendered) }),
              deletes(named(live), { code: 'pruned' }, { before: objectOf(live) }),
            ],
          ]),
        ]),
      ],
    }),
    [],
  )
}

/** Why the object is created, and why the other one is deleted. */
function why(kind: string, live: Given, rendered: Given): readonly string[] {
  return rows(kind, live, rendered).map((row) => plainText(whyPhrase(row)))
}

/** `old` comes back as `new` with this in it, and its pods are waited for. */
function renaming(kind: string, body: string, how?: Partial<RenamedFrom>) {
  const apiVersion = APPS.has(kind) ? 'apps/v1' : kind === 'Job' ? 'batch/v1' : 'v1'
  const [old, now] = ['old', 'new'].map((name) => ref(apiVersion, kind, name))
  if (old === undefined || now === undefined) throw new Error('two names')
  const after = objectOf({ name: 'new', body })
  const create = apply(
    now,
    'create',
    { code: 'new' },
    { after, renamedFrom: { ref: old, ...(how ?? { isSame: true, object: after }) } },
  )
  return plan({
    stages: [
      stage('main', [group(0, [[create], ...(APPS.has(kind) ? [[awaits(now, 'ready')]] : [])])]),
      stage('prune', [group(0, [[deletes(old, { code: 'pruned' }, { before: objectOf({ name: 'old', body }) })]])]),
    ],
  })
}

const APPS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet'])

const CLAIMS = 'volumeClaimTemplates: [{ metadata: { name: data } }]'

describe('an object that comes back under another name', () => {
  test.each<[string, string, string]>([
    ['Service', 'spec: { ports: [{ port: 80 }] }', '⚠️ the name old no longer resolves; new ClusterIP'],
    ['Service', 'spec: { clusterIP: None }', '⚠️ the name old no longer resolves'],
    ['Service', 'spec: { type: ExternalName, externalName: db.example.com }', '⚠️ the name old no longer resolves'],
    ['Service', 'spec: { type: NodePort }', '⚠️ the name old no longer resolves; new ClusterIP and node ports'],
    ['Service', 'spec: { type: LoadBalancer }', '⚠️ the name old no longer resolves; new ClusterIP and load balancer'],
    ['Deployment', 'spec: { replicas: 2 }', 'new pods are ready before the old ones stop'],
    ['StatefulSet', 'spec: { replicas: 2 }', 'new pods are ready before the old ones stop'],
    ['StatefulSet', `spec: { ${CLAIMS} }`, '⚠️ new, empty volumes: those of old are left behind, unused'],
    [
      'StatefulSet',
      `spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: Delete }, ${CLAIMS} }`,
      '⚠️ new, empty volumes: those of old are deleted',
    ],
    ['DaemonSet', 'spec: {}', 'new pods are ready before the old ones stop'],
    [
      'DaemonSet',
      'spec: { template: { spec: { containers: [{ ports: [{ hostPort: 9100 }] }] } } }',
      '⚠️ its pods wait for host ports that those of old hold until old is deleted',
    ],
    [
      'PersistentVolumeClaim',
      'spec: { storageClassName: fast }',
      '⚠️ new, empty storage: what old holds is not taken over',
    ],
    ['PersistentVolumeClaim', 'spec: { volumeName: pv-7 }', '⚠️ another claim: what old holds is not taken over'],
    ['Job', 'spec: {}', 'runs under the new name'],
    ['ConfigMap', 'data: { a: b }', ''],
  ])('%s with %s: %s', (kind, body, consequence) => {
    const [created, deleted] = rowsOf(renaming(kind, body), [])
    const said = [consequence, 'the same but for names and version labels'].filter((part) => part !== '').join('; ')

    expect(plainText(whyPhrase(created as Row))).toBe(said)
    expect(plainText(whyPhrase(deleted as Row))).toBe('renamed to new')
    expect(planText(renaming(kind, body))).toContain(`/new: renamed from old; ${said}`)
    expect(planText(renaming(kind, body))).toContain('/old (background): renamed to new')
  })

  test('is one line of the plan for both operations, and two of a run', () => {
    const all = rowsOf(renaming('Deployment', 'spec: { replicas: 2 }'), [])

    expect(tableLines(all, 'rows', 'plan').map(({ rows: both }) => both)).toEqual([all])
    expect(tableLines(all, 'rows', 'run')).toHaveLength(2)
    expect(rowTable(all, { kind: 'plan', detail: 'rows', namespace: 'shop' })).toContain(
      '| `±`\u00a0rename | `Deployment/old` → `new` | new pods are ready before the old ones stop; the same but for names and version labels |',
    )
  })

  test('stays outside of the fold of a long table where others notice the new name', () => {
    const renamedTo = (kind: string, name: string) =>
      apply(
        ref('v1', kind, name),
        'create',
        { code: 'new' },
        { after: objectOf({ name, body: '{}' }), renamedFrom: { ref: ref('v1', kind, `old-${name}`), isSame: true } },
      )
    const renamed = [renamedTo('Service', 'api'), renamedTo('ConfigMap', 'api')]
    const gone = renamed.map(({ ref: { kind, name } }) => deletes(ref('v1', kind, `old-${name}`), { code: 'pruned' }))
    const others = Array.from({ length: 25 }, (_, index) =>
      apply(
        ref('v1', 'ConfigMap', `c${index}`),
        'update',
        { code: 'chart-changed', paths: ['/metadata/labels/team'] },
        {
          before: { metadata: { labels: { team: 'a' } } },
          after: { metadata: { labels: { team: `b${index}` } } },
        },
      ),
    )
    const rowsOfAll = rowsOf(plan({ stages: [stage('main', [group(0, [[...renamed, ...others, ...gone]])])] }), [])
    const text = rowTable(rowsOfAll, { kind: 'plan', detail: 'rows', namespace: 'shop', isBrief: true })
    const [open = '', folded = ''] = text.split('<details>')

    expect(open).toContain('`Service/old-api` → `api`')
    expect(folded).toContain('`ConfigMap/old-api` → `api`')
  })

  test.each([
    [10, false],
    [11, true],
  ])('of %i under the same new name a line says so, or their rows do', (amount, isLine) => {
    const operations = Array.from({ length: amount }, (_, index) => {
      const old = ref('v1', 'ConfigMap', `old-${index}`)
      const renamedFrom = { ref: old, isSame: true } as const
      const now = ref('v1', 'ConfigMap', `new-${index}`)
      return [apply(now, 'create', { code: 'new' }, { after: {}, renamedFrom }), deletes(old, { code: 'pruned' })]
    })
    const all = rowsOf(plan({ stages: [stage('main', [group(0, [operations.flat()])])] }), [])
    const text = rowTable(all, { kind: 'plan', detail: 'rows', namespace: 'shop' })

    expect(text.includes(`**${amount} objects are renamed**, \`old\` → \`new\` in their names.`)).toBe(isLine)
  })

  test('shows what else differs, against the old object under the new name', () => {
    const object = objectOf({ name: 'new', body: 'data: { a: b }' })
    const [created] = rowsOf(renaming('ConfigMap', 'data: { a: c }', { object }), [])

    expect(plainText(whyPhrase(created as Row))).toBe('data.a b → c')
    expect(created?.before).toEqual(object)
  })
})

describe('a workload under the name of one of another kind', () => {
  test('is one row with the one it replaces, and one diff against it', () => {
    const all = rows(
      '',
      { kind: 'Deployment', name: 'db', body: 'spec: { replicas: 2 }' },
      { kind: 'DaemonSet', name: 'db', body: 'spec: { a: 1 }' },
    )

    expect(rowTable(all, { kind: 'plan', detail: 'rows', namespace: 'shop' })).toContain(
      '| `±`\u00a0replace | `Deployment/db` becomes `DaemonSet/db` | new pods start, then the old ones stop |',
    )
    const details = changeDetails(all, { verb: 'upgrade', context: 0, mayOpen: false })
    expect(details.map(({ markdown }) => markdown.split('\n')[0])).toEqual([
      '<details><summary><code>DaemonSet/shop/db</code> was <code>Deployment/db</code> (+1 -1)</summary>',
    ])
  })

  test('leaves what holds data a row of its own', () => {
    const all = rows(
      '',
      { kind: 'StatefulSet', name: 'db', body: 'spec: {}' },
      { kind: 'Deployment', name: 'db', body: 'spec: {}' },
    )

    expect(tableLines(all, 'rows', 'plan')).toHaveLength(2)
  })

  test('replaces it', () => {
    const given = [
      { kind: 'Deployment', name: 'db', body: '{}' },
      { kind: 'StatefulSet', name: 'db', body: '{}' },
    ] as const

    expect(why('', ...given)).toEqual(['new pods start, then the old ones stop', 'replaced by StatefulSet/db'])
  })

  test('does not make calm the deletion of what holds data', () => {
    const given = [
      { kind: 'StatefulSet', name: 'db', body: '{}' },
      { kind: 'Deployment', name: 'db', body: '{}' },
    ] as const

    expect(why('', ...given)).toEqual(['replaces StatefulSet/db', 'no longer in the chart'])
  })

  test('but not a Service of that name', () => {
    const given = [
      { kind: 'Service', name: 'db', body: '{}' },
      { kind: 'StatefulSet', name: 'db', body: '{}' },
    ] as const

    expect(rows('', ...given).map(({ otherKind }) => otherKind)).toEqual([undefined, undefined])
  })
})
