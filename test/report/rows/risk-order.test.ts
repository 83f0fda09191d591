import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import type { Operation } from '../../../src/model/plan.ts'
import { byRisk } from '../../../src/report/rows/risk-order.ts'
import { rowsOf } from '../../../src/report/rows/rows.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { whyPhrase } from '../../../src/report/words/row-text.ts'
import { apply, deletes, group, plan, ref, stage } from '../plans.ts'

interface Parts {
  readonly image?: string
  readonly labels?: JsonObject
  readonly env?: string
  readonly spec?: JsonObject
}

const deployment = ({ env = 'a', image = 'web:1.0', labels = {}, spec = {} }: Parts): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: {
    replicas: 3,
    ...spec,
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image, env: [{ name: 'A', value: env }] }] },
    },
  },
})

const changed = { code: 'chart-changed', paths: [] } as const

const update = (name: string, before: Parts, after: Parts) =>
  apply(ref('apps/v1', 'Deployment', name), 'update', changed, {
    before: deployment(before),
    after: deployment(after),
  })

const rowsInOrder = (...operations: readonly Operation[]) =>
  byRisk(rowsOf(plan({ stages: [stage('main', [group(0, [operations])])] }), []))

const names = (...operations: readonly Operation[]) => rowsInOrder(...operations).map(({ ref: { name } }) => name)

test('of pods that restart those come first that are missing or take a major version, then by what is new', () => {
  const recreate = { spec: { strategy: { type: 'Recreate' } } }
  expect(
    names(
      update('labels', {}, { labels: { a: 'b' } }),
      update('template', {}, { env: 'b' }),
      update('image', {}, { image: 'web:1.1' }),
      update('major', {}, { image: 'web:2.0' }),
      update('gap by labels', recreate, { ...recreate, labels: { a: 'b' } }),
      update('gap', recreate, { ...recreate, env: 'b' }),
      update('fewer', {}, { spec: { replicas: 1 } }),
    ),
  ).toEqual(['major', 'gap', 'fewer', 'gap by labels', 'image', 'template', 'labels'])
})

test('a major version of an image is marked in its row', () => {
  const [row] = rowsInOrder(update('web', {}, { image: 'web:2.0' }))
  expect(row === undefined ? '' : plainText(whyPhrase(row))).toContain('image 1.0 → 2.0 (⚠️ major)')
})

test('a deletion that loses no data comes behind a restart, and before what is new', () => {
  const pruned = { code: 'pruned' } as const
  const gone = (apiVersion: string, kind: string) =>
    deletes(ref(apiVersion, kind, kind), pruned, { before: { apiVersion, kind } })
  expect(
    names(
      apply(ref('v1', 'ConfigMap', 'new'), 'create', { code: 'new' }),
      gone('v1', 'ConfigMap'),
      gone('rbac.authorization.k8s.io/v1', 'Role'),
      update('restart', {}, { env: 'b' }),
      gone('v1', 'Service'),
      gone('v1', 'PersistentVolumeClaim'),
    ),
  ).toEqual(['PersistentVolumeClaim', 'Service', 'restart', 'ConfigMap', 'Role', 'new'])
})

test('who comes to do everything is listed before who comes to do much', () => {
  const binding = (role: string) =>
    apply(
      ref('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', role),
      'create',
      { code: 'new' },
      {
        after: {
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
          subjects: [{ kind: 'ServiceAccount', name: 'web', namespace: 'shop' }],
        },
      },
    )

  expect(names(binding('admin'), binding('cluster-admin'))).toEqual(['cluster-admin', 'admin'])
})
