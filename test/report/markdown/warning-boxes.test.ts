import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import type { Operation } from '../../../src/model/plan.ts'
import { warningBoxes } from '../../../src/report/markdown/warning-boxes.ts'
import { rowsOf } from '../../../src/report/rows/rows.ts'
import { apply, deletes, group, plan, ref, stage } from '../plans.ts'

const changed = { code: 'chart-changed', paths: [] } as const
const created = { code: 'new' } as const

describe('the box on top', () => {
  test('names each object with a mark and what is marked, the riskiest first', () => {
    const text = boxOf(
      apply(ref('apps/v1', 'Deployment', 'db'), 'update', changed, { before: pods('pg:16.4'), after: pods('pg:17.0') }),
      apply(ref('v1', 'ConfigMap', 'plain'), 'create', created, { after: {} }),
      apply(crd, 'update', changed, { before: versions('v1', 'v1alpha1'), after: versions('v1') }),
      adminBinding('a'),
    )

    expect(text).toBe(
      [
        '> [!WARNING]',
        '> **3 to look at:**',
        '> - `ClusterRoleBinding/a`: `ServiceAccount/shop/web` gains `ClusterRole/cluster-admin` in the whole cluster (may do everything)',
        '> - `CustomResourceDefinition/a.example.com`: `v1alpha1` dropped (requests for it fail)',
        '> - `Deployment/shop/db`: `pg` `16.4` → `17.0` (major)',
      ].join('\n'),
    )
  })

  test('tells a webhook that refuses requests', () => {
    const hook = (failurePolicy: string): JsonObject => ({ webhooks: [{ name: 'a.example.com', failurePolicy }] })
    const to = ref('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'guard', '')

    expect(boxOf(apply(to, 'update', changed, { before: hook('Ignore'), after: hook('Fail') }))).toContain(
      '> - `ValidatingWebhookConfiguration/guard`: webhook `a.example.com`: refuses requests while it does not answer (failurePolicy Fail)',
    )
  })

  test('names what is alike together, and counts all objects', () => {
    const text = boxOf(...Array.from('abcdefghij', adminBinding))

    expect(text).toContain('> **10 to look at:**\n')
    expect(text).toContain(
      '`ClusterRoleBinding/h` and 2 more: `ServiceAccount/shop/web` gains `ClusterRole/cluster-admin` in the whole cluster (may do everything)',
    )
  })

  test.each([4, 9])('shows one more instead of a line or a word that counts it, of %i', (amount) => {
    const many = Array.from({ length: amount }, (_, index) =>
      apply(ref('apps/v1', 'Deployment', `d${index}`), 'update', changed, {
        before: pods(`i${amount === 4 ? 0 : index}:1.0`),
        after: pods(`i${amount === 4 ? 0 : index}:2.0`),
      }),
    )

    expect(boxOf(...many)).toContain(`\`Deployment/shop/d${amount - 1}\``)
    expect(boxOf(...many)).not.toContain('more')
  })

  test('counts what is beyond fifteen points, and says where it is', () => {
    const many = Array.from({ length: 17 }, (_, index) =>
      apply(ref('apps/v1', 'Deployment', `d${index}`), 'update', changed, {
        before: pods(`i${index}:1.0`),
        after: pods(`i${index}:2.0`),
      }),
    )

    expect(boxOf(...many)).toMatch(
      /\*\*17 to look at:\*\*(\n> - `Deployment[^\n]*){15}\n> - and 2 more, marked ⚠️ in the table$/,
    )
  })

  test('says nothing of what is marked once the run has begun, nor where nothing is marked', () => {
    const rows = rowsOf(planOf([adminBinding('a')]), [])

    expect(warningBoxes(rows, false)).toEqual([])
    expect(boxOf(apply(ref('v1', 'ConfigMap', 'a'), 'create', created, { after: {} }))).toBe('')
  })

  test('has a paragraph for deletions and one for what is marked', () => {
    const gone = deletes(ref('v1', 'PersistentVolumeClaim', 'data'), { code: 'pruned' }, { before: {} })

    expect(boxOf(gone, adminBinding('a'))).toMatch(
      /permanently:\*\* `PersistentVolumeClaim\/shop\/data`\n>\n> \*\*1 more to look/,
    )
  })

  test('names an object once: what is deleted for good with what is marked of it', () => {
    const claim = (name: string, size: string) =>
      deletes(
        ref('v1', 'PersistentVolumeClaim', name),
        { code: 'pruned' },
        { before: { spec: { resources: { requests: { storage: size } } } }, impact: { risk: 'deleted', fields: [] } },
      )
    const lost = (size: string) =>
      `its \`${size}\` are deleted with it, unless the volume's reclaim policy is \`Retain\``

    expect(boxOf(claim('a', '1Gi'), claim('b', '2Gi'), adminBinding('c'))).toBe(
      [
        '> [!WARNING]',
        '> **2 to be deleted permanently:**',
        `> - \`PersistentVolumeClaim/shop/a\`: ${lost('1Gi')}`,
        `> - \`PersistentVolumeClaim/shop/b\`: ${lost('2Gi')}`,
        '>',
        '> **1 more to look at:**',
        '> - `ClusterRoleBinding/c`: `ServiceAccount/shop/web` gains `ClusterRole/cluster-admin` in the whole cluster (may do everything)',
      ].join('\n'),
    )
  })
})

const crd = ref('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'a.example.com', '')

function boxOf(...operations: readonly Operation[]): string {
  return warningBoxes(rowsOf(planOf(operations), []), true).join('\n\n')
}

function planOf(operations: readonly Operation[]) {
  return plan({ stages: [stage('main', [group(0, [operations])])] })
}

function adminBinding(name: string): Operation {
  const after = {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'web', namespace: 'shop' }],
  }
  return apply(ref('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', name, ''), 'create', created, { after })
}

function versions(...names: readonly string[]): JsonObject {
  const all = names.map((name, index) => ({
    name,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema: { type: 'object' } },
  }))
  return { spec: { versions: all } }
}

function pods(image: string): JsonObject {
  return { spec: { template: { spec: { containers: [{ name: 'app', image }] } } } }
}
