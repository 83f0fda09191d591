import { expect, test } from 'vitest'
import { planText } from '../../../src/report/words/plan-text.ts'
import { apply, awaits, deletes, group, plan, ref, stage } from '../plans.ts'

test('a plan reads as stages, weights and ranks with one line per operation', () => {
  const text = planText(
    plan({
      stages: [
        stage('pre', [
          group(-5, [
            [apply(ref('batch/v1', 'Job', 'backup'), 'recreate', { code: 'delete-policy' }, { hook: 'pre-upgrade' })],
            [awaits(ref('batch/v1', 'Job', 'backup'), 'complete', { hook: 'pre-upgrade', outputLogsOn: ['failed'] })],
            [deletes(ref('batch/v1', 'Job', 'backup'), { code: 'delete-policy' }, { onlyIf: 'succeeded' })],
          ]),
        ]),
        stage('main', [
          group(0, [
            [
              apply(ref('v1', 'ConfigMap', 'web'), 'update', { code: 'chart-changed', paths: ['/data/greeting'] }),
              apply(ref('v1', 'Secret', 'web'), 'none', { code: 'unchanged' }),
            ],
            [apply(ref('v1', 'Service', 'web'), 'create', { code: 'new' })],
          ]),
          group(10, [
            [awaits(ref('apps/v1', 'Deployment', 'db'), 'ready', { isExternal: true })],
            [
              apply(ref('apps/v1', 'Deployment', 'web'), 'update', {
                code: 'drift',
                drift: [{ manager: 'kubectl-edit', path: '/spec/replicas' }],
              }),
            ],
            [awaits(ref('apps/v1', 'Deployment', 'web'), 'ready', { failure: 'last' })],
          ]),
        ]),
        stage('prune', [group(0, [[deletes(ref('v1', 'PersistentVolumeClaim', 'old'), { code: 'pruned' })]])]),
      ],
      untouched: [{ ref: ref('v1', 'ConfigMap', 'legacy'), reason: 'kept' }],
      problems: [
        {
          severity: 'warning',
          reason: 'invalid-input',
          place: {
            file: 'web/templates/job.yaml',
            line: 7,
            ref: ref('batch/v1', 'Job', 'backup'),
            key: 'helm.sh/hook-weight',
          },
          what: 'is not an integer and counts as 0',
          hint: { kind: 'write-form', form: 'a whole number in quotes' },
        },
      ],
    }),
  )

  expect(text).toBe(`upgrade web in shop, revision 13: 1 to create, 2 to update, 1 to delete, 1 unchanged, 1 hook to run

stage pre
  weight -5
    1 ± recreate Job/shop/backup [pre-upgrade]: delete policy
    2 > wait Job/shop/backup [pre-upgrade] until complete, logs if failed
    3 - delete Job/shop/backup (background) if succeeded: delete policy

stage main
  weight 0
    1 ~ update ConfigMap/shop/web: chart changed data.greeting
    1 = unchanged Secret/shop/web
    2 + create Service/shop/web
  weight 10
    1 > wait Deployment/shop/db until ready, outside the release
    2 ~ update Deployment/shop/web: ⚠️ reverts a change in the cluster: spec.replicas (by kubectl-edit)
    3 > wait Deployment/shop/web until ready, failure counts at the end of the stage

stage prune
  weight 0
    1 - delete PersistentVolumeClaim/shop/old (background): no longer in the chart

untouched
  = ConfigMap/shop/legacy: kept by its resource policy

problems
  warning: web/templates/job.yaml:7 Job/shop/backup helm.sh/hook-weight: is not an integer and counts as 0; write a whole number in quotes
`)
})

test('an upgrade without a change says so', () => {
  const text = planText(
    plan({
      writesRevision: false,
      stages: [stage('main', [group(0, [[apply(ref('v1', 'Service', 'web'), 'none', { code: 'unchanged' })]])])],
    }),
  )

  expect(text).toBe(`upgrade web in shop, no new revision: no changes, 1 unchanged

stage main
  weight 0
    1 = unchanged Service/shop/web
`)
})

test('a name with a line feed, a colour and a runner command stays on its line', () => {
  const hostile = ref('v1', 'ConfigMap', 'a\n::error::x\u001b[31m ##[group]')

  const text = planText(plan({ stages: [stage('main', [group(0, [[apply(hostile, 'create', { code: 'new' })]])])] }))

  expect(text.split('\n')[4]).toBe('    1 + create ConfigMap/shop/a\\u{a}::error::x ##\\[group]')
})

test('a new object says what it is for, a deleted one what is missing without it', () => {
  const service = { spec: { type: 'ClusterIP', ports: [{ port: 80 }] } }
  const workload = { spec: { replicas: 2, template: { spec: { containers: [{ image: 'shop:2' }] } } } }
  const text = planText(
    plan({
      stages: [
        stage('pre', [
          group(0, [
            [apply(ref('batch/v1', 'Job', 'new'), 'create', { code: 'new' }, { after: workload, hook: 'pre-upgrade' })],
          ]),
        ]),
        stage('main', [
          group(0, [[apply(ref('v1', 'Service', 'web'), 'create', { code: 'new' }, { after: service })]]),
        ]),
        stage('prune', [
          group(0, [[deletes(ref('apps/v1', 'Deployment', 'old'), { code: 'pruned' }, { before: workload })]]),
        ]),
      ],
    }),
  )

  expect(text).toContain('Job/shop/new [pre-upgrade]: new hook, runs shop:2\n')
  expect(text).toContain('create Service/shop/web: port 80\n')
  expect(text).toContain('delete Deployment/shop/old (background): ⚠️ 2 pods of shop:2 stop\n')
})
