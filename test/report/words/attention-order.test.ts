import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deletionRisk } from '../../../src/manifest/deletion-risk.ts'
import type { JsonObject } from '../../../src/model/object.ts'
import type { Operation } from '../../../src/model/plan.ts'
import { changeDetails } from '../../../src/report/markdown/change-details.ts'
import { rowTable } from '../../../src/report/markdown/row-table.ts'
import { type Row, rowsOf } from '../../../src/report/rows/rows.ts'
import { attentionPhrase } from '../../../src/report/words/attention-text.ts'
import { apply, deletes, group, plan, ref, stage } from '../plans.ts'

/** Changes of each risk, some of them marked and some not. */
const CHANGES = {
  'claim deleted': (name) => gone('v1', 'PersistentVolumeClaim', name),
  'Service deleted': (name) => gone('v1', 'Service', name),
  'worker deleted': (name) => gone('apps/v1', 'Deployment', name, { spec: pods({}) }),
  'ConfigMap deleted': (name) => gone('v1', 'ConfigMap', name),
  'Job recreated': (name) =>
    apply(ref('batch/v1', 'Job', name), 'recreate', changed, { before: { spec: { a: 1 } }, after: { spec: { a: 2 } } }),
  'right gained': (name) =>
    update('rbac.authorization.k8s.io/v1', 'Role', name, { rules: [] }, { rules: [rule('configmaps')] }),
  'wildcard gained': (name) =>
    update('rbac.authorization.k8s.io/v1', 'Role', name, { rules: [] }, { rules: [rule('*')] }),
  'port gone': (name) => update('v1', 'Service', name, { spec: ports(80, 81) }, { spec: ports(80) }),
  'port added': (name) => update('v1', 'Service', name, { spec: ports(80) }, { spec: ports(80, 81) }),
  'image, rolling': (name) => update('apps/v1', 'Deployment', name, { spec: pods({}) }, { spec: pods({ tag: '1.1' }) }),
  'image, major': (name) => update('apps/v1', 'Deployment', name, { spec: pods({}) }, { spec: pods({ tag: '2.0' }) }),
  privileged: (name) =>
    update(
      'apps/v1',
      'Deployment',
      name,
      { spec: pods({}) },
      { spec: pods({ more: { securityContext: { privileged: true } } }) },
    ),
  suspended: (name) =>
    update(
      'batch/v1',
      'CronJob',
      name,
      { spec: { schedule: '@daily' } },
      { spec: { schedule: '@daily', suspend: true } },
    ),
  reverted: (name) =>
    apply(
      ref('v1', 'ConfigMap', name),
      'update',
      { code: 'drift', drift: [{ path: '/data/a', manager: 'kubectl-edit' }] },
      { before: { data: { a: name } }, after: { data: { a: 'x' } } },
    ),
  created: (name) => apply(ref('v1', 'ConfigMap', name), 'create', { code: 'new' }, { after: { data: { a: name } } }),
  'data only': (name) => update('v1', 'ConfigMap', name, { data: { a: name } }, { data: { a: 'b' } }),
  'label only': (name) =>
    update(
      'v1',
      'ConfigMap',
      name,
      { metadata: { labels: { 'helm.sh/chart': 'a-1' } } },
      { metadata: { labels: { 'helm.sh/chart': 'a-2' } } },
    ),
} satisfies Record<string, (name: string) => Operation>

const changed = { code: 'chart-changed', paths: [] } as const

function update(apiVersion: string, kind: string, name: string, before: JsonObject, after: JsonObject): Operation {
  return apply(ref(apiVersion, kind, name), 'update', changed, { before, after })
}

function gone(apiVersion: string, kind: string, name: string, before: JsonObject = {}): Operation {
  const of = ref(apiVersion, kind, name)
  return deletes(of, { code: 'pruned' }, { before, impact: { risk: deletionRisk(of), fields: [] } })
}

function pods({ more = {}, tag = '1.0' }: { readonly tag?: string; readonly more?: JsonObject }): JsonObject {
  return { replicas: 3, template: { spec: { containers: [{ name: 'web', image: `web:${tag}`, ...more }] } } }
}

function ports(...numbers: readonly number[]): JsonObject {
  return { ports: numbers.map((port) => ({ name: `p${port}`, port })) }
}

function rule(resource: string): JsonObject {
  return { apiGroups: [''], resources: [resource], verbs: ['get'] }
}

const plans = fc
  .array(fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])), { minLength: 2, maxLength: 40 })
  .map((kinds) => {
    const operations = kinds.map((kind, index) => CHANGES[kind](`x${index}`))
    const [prune, main] = [operations.filter(isDeletion), operations.filter((one) => !isDeletion(one))]
    return rowsOf(plan({ stages: [stage('main', [group(0, [main])]), stage('prune', [group(0, [prune])])] }), [])
  })

function isDeletion({ kind }: Operation): boolean {
  return kind === 'delete'
}

/** What the box on top names. */
function isOnTop(row: Row): boolean {
  return row.change === 'recreate' || attentionPhrase(row).length > 0
}

const RUNS = { numRuns: 80, seed: 7 }

test('no line of the table that is marked stands below one that is not, and none is folded', () => {
  fc.assert(
    fc.property(plans, fc.constantFrom('rows' as const, 'kinds' as const), fc.boolean(), (rows, detail, isBrief) => {
      const table = rowTable(rows, { kind: 'plan', detail, namespace: 'shop', isBrief })
      const [open = '', folded = ''] = table.split('<details>')
      const lines = open.split('\n').filter((line) => /^\| `/.test(line))
      const isMarked = lines.map((line) => line.includes('⚠️') || line.includes('recreate'))

      if (detail === 'rows') expect(isMarked).toEqual(isMarked.toSorted((a, b) => Number(b) - Number(a)))
      expect(folded).not.toContain('⚠️ ')
      // Nothing that the box names is left out of the table.
      if (detail === 'rows' && rows.some(isOnTop)) expect(isMarked[0]).toBe(true)
    }),
    RUNS,
  )
})

test('diffs stand in the same order', () => {
  fc.assert(
    fc.property(plans, (rows) => {
      const blocks = changeDetails(rows, { verb: 'upgrade', mayOpen: true, context: 3 })
      const updates = blocks.filter((block) => block.rows.every(({ change }) => change === 'update'))
      const isMarked = updates.map((block) => block.rows.some(isOnTop))

      expect(isMarked).toEqual(isMarked.toSorted((a, b) => Number(b) - Number(a)))
    }),
    RUNS,
  )
})
