import type { JsonObject } from '../../src/model/object.ts'
import type { PassResult } from '../../src/model/pass.ts'
import type { Reason } from '../../src/model/plan.ts'
import type { Problem } from '../../src/model/problem.ts'
import { apply, awaits, deletes, group, plan, ref, stage } from './plans.ts'
import { failure, pass, startMs, upgrade } from './runs.ts'

/** One pass for each shape that a comment can have. All plans are of the release `web` in namespace `shop`. */

export const fingerprint = { hash: '9f3c2a7d5e1b44c0a7f1'.padEnd(64, '0'), comparedBy: 'dry-run', digests: {} } as const

export const planned: Partial<PassResult> = { command: 'plan', fingerprint, readAtMs: startMs }

export const upgradePlan = pass(planned)

/** What nobody reviews: labels of the chart's version, a checksum that restarts pods. */
export const noisyPlan = pass({
  ...planned,
  plan: plan({
    stages: [
      stage('crds', [group(0, [[widgets()]])]),
      stage('main', [
        group(0, [
          [
            ...Array.from({ length: 7 }, (_, index) => labelled('v1', 'ConfigMap', `c${index}`)),
            labelled('v1', 'Service', 'web'),
            settings('web'),
            apply(
              ref('v1', 'ConfigMap', 'feature-6b8f4c'),
              'create',
              { code: 'new' },
              {
                after: feature('6b8f4c', 'dark: true'),
                renamedFrom: {
                  ref: ref('v1', 'ConfigMap', 'feature-9k2d7t'),
                  object: feature('6b8f4c', 'dark: false'),
                },
              },
            ),
          ],
          [restarted('web')],
          [awaits(ref('apps/v1', 'Deployment', 'web'), 'ready')],
        ]),
        group(10, [
          [
            apply(ref('autoscaling/v2', 'HorizontalPodAutoscaler', 'web'), 'update', drifted(), {
              before: { spec: { maxReplicas: 9 } },
              after: { spec: { maxReplicas: 5 } },
            }),
            apply(ref('v1', 'Secret', 'token'), 'update', changedAt('/data/token'), {
              before: { data: { token: '(hidden)' } },
              after: { data: { token: '(hidden, changed)' } },
              varies: ['/data/token'],
            }),
            apply(
              ref('example.com/v1', 'Widget', 'w'),
              'create',
              { code: 'unknown-until-applied', because: 'kind-not-served' },
              { dependsOnEarlier: true },
            ),
            ...Array.from({ length: 6 }, (_, index) =>
              apply(ref('v1', 'ConfigMap', `n${index}`), 'create', { code: 'new' }),
            ),
          ],
        ]),
      ]),
      stage('prune', [
        group(0, [
          [
            deletes(
              ref('v1', 'ConfigMap', 'feature-9k2d7t'),
              { code: 'pruned' },
              { before: feature('9k2d7t', 'dark: false') },
            ),
          ],
        ]),
      ]),
      stage('post', [
        group(0, [
          [apply(ref('batch/v1', 'Job', 'smoke'), 'recreate', { code: 'delete-policy' }, { hook: 'post-upgrade' })],
          [awaits(ref('batch/v1', 'Job', 'smoke'), 'complete', { hook: 'post-upgrade' })],
        ]),
      ]),
    ],
    untouched: [{ ref: ref('v1', 'PersistentVolumeClaim', 'data'), reason: 'kept' }],
  }),
})

const immutable: Problem = {
  severity: 'error',
  reason: 'immutable',
  place: { file: 'shop/templates/web.yaml', ref: ref('apps/v1', 'Deployment', 'web') },
  what: 'spec.selector is immutable',
  hint: { kind: 'refused-dry-run', refusal: { kind: 'immutable' } },
}

export const blockedPlan = pass({
  ...planned,
  problems: [
    immutable,
    {
      severity: 'error',
      reason: 'not-owned',
      place: { file: 'shop/templates/config.yaml', ref: ref('v1', 'ConfigMap', 'web') },
      what: 'belongs to the release other in shop',
      hint: { kind: 'take-ownership' },
    },
    {
      severity: 'warning',
      reason: 'invalid-input',
      place: { file: 'shop/templates/job.yaml' },
      what: 'the weight "x" counts as 0',
    },
  ],
  outcome: {
    status: 'failed',
    failure: { ...failure, reason: 'immutable', doing: 'plan', message: 'spec.selector is immutable' },
  },
})

const unchanged = stage('main', [
  group(0, [
    [
      apply(ref('v1', 'Service', 'web'), 'none', { code: 'unchanged' }),
      apply(ref('v1', 'ConfigMap', 'web'), 'none', { code: 'unchanged' }),
    ],
  ]),
])

export const emptyPlan = pass({ ...planned, plan: plan({ writesRevision: false, stages: [unchanged] }) })

const { previousChart: _chart, previousRevision: _revision, ...first } = pass({ ...planned })
export const installPlan: PassResult = {
  ...first,
  plan: plan({
    verb: 'install',
    revision: 1,
    stages: [
      stage('main', [
        group(0, [
          [apply(ref('v1', 'Service', 'web'), 'create', { code: 'new' }, { after: { spec: {} } })],
          [apply(ref('apps/v1', 'Deployment', 'web'), 'create', { code: 'new' }, { after: { spec: {} } })],
          [awaits(ref('apps/v1', 'Deployment', 'web'), 'ready')],
        ]),
      ]),
    ],
  }),
}

const gone: Reason = { code: 'uninstalled' }

export const uninstallPlan = pass({
  ...planned,
  plan: plan({
    verb: 'uninstall',
    writesRevision: false,
    recordEnd: 'removed',
    stages: [
      stage('delete', [
        group(0, [
          [deletes(ref('apps/v1', 'StatefulSet', 'db'), gone)],
          [deletes(ref('v1', 'Service', 'web'), gone), deletes(ref('v1', 'ConfigMap', 'web'), gone)],
        ]),
      ]),
    ],
    untouched: [{ ref: ref('v1', 'PersistentVolumeClaim', 'data'), reason: 'kept' }],
  }),
})

export const rollbackPlan = pass({ ...planned, plan: { ...upgrade, verb: 'rollback', revision: 14 } })

export const offlinePlan = pass({
  command: 'plan',
  plan: { ...upgrade, comparedBy: 'base-render', writesRevision: false },
})

export const weakPlan = pass({
  ...planned,
  fingerprint: { ...fingerprint, comparedBy: 'rendered-fields' },
  plan: plan({
    comparedBy: 'rendered-fields',
    stages: [
      stage('main', [
        group(0, [
          [
            apply(ref('v1', 'ConfigMap', 'web'), 'update', changedAt('/data/greeting'), {
              before: { data: { greeting: 'hello' } },
              after: { data: { greeting: 'welcome' } },
              isWithoutDryRun: true,
            }),
          ],
        ]),
      ]),
    ],
  }),
})

const [config] = upgrade.stages
  .flatMap((one) => one.groups.flatMap(({ ranks }) => ranks.flat()))
  .filter(({ id }) => id.includes('ConfigMap'))

export const changedPlan = pass({
  command: 'deploy',
  fingerprint,
  outcome: {
    status: 'failed',
    failure: {
      reason: 'plan-changed',
      doing: 'compare the plan with the approved one',
      message: '2 operations differ from the approved plan',
    },
  },
  differences: [
    ...(config === undefined ? [] : [{ kind: 'not-approved', id: config.id, operation: config } as const]),
    { kind: 'otherwise', id: 'post' },
    { kind: 'gone', id: 'main/apply/apps/Deployment/shop/worker' },
  ],
})

export const unapproved = pass({
  command: 'deploy',
  fingerprint,
  outcome: {
    status: 'failed',
    failure: {
      reason: 'approval-missing',
      doing: 'look for the approved plan',
      message: 'pull request 57 has no open comment with this plan',
    },
  },
})

export const secondRelease: PassResult = {
  ...pass({ ...planned, fingerprint: { ...fingerprint, hash: '1b2d'.padEnd(64, '0') } }),
  release: 'search',
  namespace: 'find',
  plan: { ...plan({ stages: [unchanged] }), release: 'search', namespace: 'find', writesRevision: false },
}

export function several(): readonly PassResult[] {
  return [upgradePlan, secondRelease]
}

function changedAt(path: string): Reason {
  return { code: 'chart-changed', paths: [path] }
}

function labelled(apiVersion: string, kind: string, name: string) {
  const body = (version: string): JsonObject => ({
    apiVersion,
    kind,
    metadata: { name, labels: { 'helm.sh/chart': version } },
  })
  const to = ref(apiVersion, kind, name)
  return apply(to, 'update', changedAt('/metadata/labels/helm.sh~1chart'), {
    before: body('shop-1.8.0'),
    after: body('shop-1.9.2'),
  })
}

function restarted(name: string) {
  const body = (sum: string): JsonObject => ({
    spec: { template: { metadata: { annotations: { 'checksum/config': sum } } } },
  })
  const to = ref('apps/v1', 'Deployment', name)
  const path = '/spec/template/metadata/annotations/checksum~1config'
  return apply(to, 'update', changedAt(path), { before: body('6f1d'), after: body('a902') })
}

function settings(name: string) {
  const body = (level: string): JsonObject => ({
    data: {
      'app.json': `{"log":{"level":"${level}"},"port":80}`,
      'nginx.conf': `server {\n\tlisten 80;\n\terror_log ${level};\n}\n`,
    },
  })
  return apply(ref('v1', 'ConfigMap', name), 'update', changedAt('/data/app.json'), {
    before: body('info'),
    after: body('debug'),
  })
}

function feature(hash: string, text: string): JsonObject {
  return { metadata: { name: `feature-${hash}` }, data: { 'features.yaml': `search: on\n${text}\n` } }
}

function drifted(): Reason {
  return { code: 'drift', drift: [{ manager: 'kubectl-edit', path: '/spec/maxReplicas' }] }
}

function widgets() {
  const version = (name: string, fields: readonly string[]): JsonObject => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])) } },
  })
  const body = (versions: readonly JsonObject[]): JsonObject => ({
    spec: { group: 'example.com', scope: 'Namespaced', versions },
  })
  const crd = ref('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.com', '')
  return apply(crd, 'update', changedAt('/spec/versions/1'), {
    before: body([version('v1', ['size', 'color'])]),
    after: body([version('v1', ['size', 'shape', 'weight']), version('v2', ['size'])]),
  })
}
