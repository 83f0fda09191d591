import { defined } from '../../src/model/defined.ts'
import type { Event, OperationResult } from '../../src/model/event.ts'
import type { Evidence } from '../../src/model/evidence.ts'
import type { Failure, Outcome } from '../../src/model/outcome.ts'
import type { PassResult, RunInfo } from '../../src/model/pass.ts'
import type { Plan } from '../../src/model/plan.ts'
import type { ReadinessReason } from '../../src/model/readiness.ts'
import { apply, awaits, deletes, group, plan, ref, stage } from './plans.ts'

/** 2026-11-21T14:02:00Z, in ms. */
export const startMs = 1_795_269_720_000

export const info: RunInfo = {
  cluster: 'prod-eu.example.com',
  commitSha: 'abc1234def5678900000000000000000000000ff',
  runUrl: 'https://github.com/acme/shop/actions/runs/881',
  runNumber: 881,
  runAttempt: 1,
  runId: 881,
  actionVersion: '0.1.0',
}

const job = ref('batch/v1', 'Job', 'migrate')
const web = ref('apps/v1', 'Deployment', 'web')

/** An upgrade as many are: a hook, a ConfigMap and a Deployment in two groups, a claim that goes. */
export const upgrade: Plan = plan({
  stages: [
    stage('pre', [
      group(-5, [
        [apply(job, 'recreate', { code: 'delete-policy' }, { hook: 'pre-upgrade', propagation: 'Foreground' })],
        [awaits(job, 'complete', { hook: 'pre-upgrade' })],
      ]),
    ]),
    stage('main', [
      group(0, [
        [
          apply(
            ref('v1', 'ConfigMap', 'web'),
            'update',
            { code: 'chart-changed', paths: ['/data/greeting'] },
            {
              file: 'shop/templates/config.yaml',
              before: { apiVersion: 'v1', kind: 'ConfigMap', data: { greeting: 'hello' } },
              after: { apiVersion: 'v1', kind: 'ConfigMap', data: { greeting: 'welcome' } },
            },
          ),
          apply(ref('v1', 'Service', 'web'), 'none', { code: 'unchanged' }),
        ],
      ]),
      group(10, [
        [
          apply(
            web,
            'update',
            { code: 'chart-changed', paths: ['/spec/template/spec/containers/0/image'] },
            {
              file: 'shop/templates/web.yaml',
              before: deployment('shop/web:4.2.0'),
              after: deployment('shop/web:4.3.1'),
            },
          ),
        ],
        [awaits(web, 'ready')],
      ]),
    ]),
    stage('prune', [group(0, [[deletes(ref('v1', 'PersistentVolumeClaim', 'old'), { code: 'pruned' })]])]),
  ],
})

/** What the hook of the upgrade has written, where its output log policy asks for that. */
export const hookLogs: Event = at(35, {
  type: 'hook-logs',
  id: 'await/Job/shop/migrate',
  pods: [
    {
      name: 'migrate-x2x1',
      phase: 'Succeeded',
      containers: [
        {
          name: 'migrate',
          state: 'terminated',
          exitCode: 0,
          restarts: 0,
          logTail: ['##[group]gotcha', '</details>done'],
          isPreviousLog: false,
        },
      ],
    },
  ],
  missing: [],
})

/** Events of the upgrade above, all well; 2 min 14 s in all. */
export const upgradeEvents: readonly Event[] = [
  at(0, { type: 'lock', state: 'acquired', holder: 'run 881' }),
  at(0.1, { type: 'record', revision: 13, status: 'pending-upgrade' }),
  at(0.2, { type: 'stage-started', stage: 'pre' }),
  at(0.2, { type: 'group-started', stage: 'pre', group: 0 }),
  ...ran('apply/Job/shop/migrate', 0.2, 1.4),
  at(1.5, { type: 'operation-started', id: 'await/Job/shop/migrate' }),
  at(2, progress('await/Job/shop/migrate', { code: 'replicas', what: 'succeeded', have: 0, want: 1 })),
  at(12, progress('await/Job/shop/migrate', { code: 'replicas', what: 'succeeded', have: 0, want: 1 })),
  at(33, progress('await/Job/shop/migrate', { code: 'replicas', what: 'succeeded', have: 0, want: 1 })),
  at(34, {
    type: 'log',
    id: 'await/Job/shop/migrate',
    pod: 'migrate-x2x1',
    container: 'migrate',
    line: '::set-output name=x::\u001b[32mdone\u001b[0m ##[group]gotcha',
  }),
  at(35, finished('await/Job/shop/migrate', 'succeeded', { code: 'condition', type: 'Complete', status: 'True' })),
  at(35, { type: 'group-finished', stage: 'pre', group: 0, result: 'succeeded' }),
  at(35, { type: 'stage-finished', stage: 'pre', result: 'succeeded' }),
  at(35, { type: 'stage-started', stage: 'main' }),
  at(35, { type: 'group-started', stage: 'main', group: 0 }),
  ...ran('apply/ConfigMap/shop/web', 35, 35.3),
  ...ran('apply/Service/shop/web', 35, 35.1),
  at(35.4, { type: 'group-finished', stage: 'main', group: 0, result: 'succeeded' }),
  at(35.4, { type: 'group-started', stage: 'main', group: 1 }),
  ...ran('apply/Deployment/shop/web', 35.4, 35.6),
  at(35.6, { type: 'operation-started', id: 'await/Deployment/shop/web' }),
  at(35.7, progress('await/Deployment/shop/web', { code: 'generation', observed: 7, want: 8 })),
  at(41, progress('await/Deployment/shop/web', { code: 'replicas', what: 'updated', have: 1, want: 3 })),
]

export const upgradeDone: readonly Event[] = [
  ...upgradeEvents,
  at(76.4, finished('await/Deployment/shop/web', 'succeeded', { code: 'replicas', what: 'ready', have: 3, want: 3 })),
  at(76.4, { type: 'group-finished', stage: 'main', group: 1, result: 'succeeded' }),
  at(76.4, { type: 'stage-finished', stage: 'main', result: 'succeeded' }),
  at(76.4, { type: 'stage-started', stage: 'prune' }),
  at(76.4, { type: 'group-started', stage: 'prune', group: 0 }),
  ...ran('delete/PersistentVolumeClaim/shop/old', 76.4, 79),
  at(79, { type: 'group-finished', stage: 'prune', group: 0, result: 'succeeded' }),
  at(79, { type: 'stage-finished', stage: 'prune', result: 'succeeded' }),
  at(79.2, { type: 'record', revision: 13, status: 'deployed' }),
  at(79.3, { type: 'finished', outcome: { status: 'deployed' } }),
]

export const crashing: ReadinessReason = {
  code: 'pod',
  pod: 'web-7d9f-x2x1',
  container: 'app',
  problem: 'CrashLoopBackOff',
  exitCode: 1,
  restarts: 4,
}

export const failure: Failure = {
  reason: 'not-ready',
  doing: 'wait for readiness',
  ref: web,
  stage: 'main',
  weight: 10,
  operationId: 'await/Deployment/shop/web',
  message: 'pod web-7d9f-x2x1 is crashing',
  readiness: crashing,
}

export const evidence: Evidence = {
  ref: web,
  pods: [
    {
      name: 'web-7d9f-x2x1',
      phase: 'Running',
      containers: [
        {
          name: 'app',
          state: 'waiting',
          reason: 'CrashLoopBackOff',
          exitCode: 1,
          restarts: 4,
          logTail: ['starting', 'Error: config key PAYMENT_URL missing'],
          isPreviousLog: true,
        },
      ],
    },
    {
      name: 'web-5c8b-aaaa',
      phase: 'Running',
      containers: [{ name: 'app', state: 'running', restarts: 0, logTail: [], isPreviousLog: false }],
    },
  ],
  events: [
    {
      type: 'Warning',
      reason: 'BackOff',
      message: 'Back-off restarting failed container',
      about: 'Pod/web-7d9f-x2x1',
      count: 4,
    },
  ],
  missing: [],
}

export const upgradeFailed: readonly Event[] = [
  ...upgradeEvents,
  at(101, progress('await/Deployment/shop/web', crashing)),
  at(105, { type: 'evidence', id: 'await/Deployment/shop/web', evidence }),
  at(105, { ...finished('await/Deployment/shop/web', 'failed', crashing), failure }),
  at(105, { type: 'group-finished', stage: 'main', group: 1, result: 'failed' }),
  at(105, { type: 'stage-finished', stage: 'main', result: 'failed' }),
  at(105.2, { type: 'record', revision: 13, status: 'failed' }),
  at(105.3, { type: 'finished', outcome: { status: 'failed', failure } }),
]

/** The pass of the upgrade with these events and this end. */
export function pass(parts: Partial<PassResult> = {}): PassResult {
  const events = parts.events ?? []
  const outcome: Outcome = parts.outcome ?? { status: 'planned' }
  return {
    command: 'deploy',
    release: 'web',
    namespace: 'shop',
    plan: upgrade,
    chart: { name: 'shop', version: '1.9.2', appVersion: '4.3.1' },
    previousChart: { name: 'shop', version: '1.8.0', appVersion: '4.2.0' },
    previousRevision: 12,
    problems: [],
    startedAtMs: startMs,
    finishedAtMs: events.at(-1)?.atMs ?? startMs + 900,
    requests: 41,
    ...parts,
    events,
    outcome,
  }
}

export function at<T extends Omit<Event, 'atMs'>>(seconds: number, event: T): T & { readonly atMs: number } {
  return { ...event, atMs: startMs + seconds * 1000 }
}

function ran(id: string, fromSeconds: number, toSeconds: number): readonly Event[] {
  return [at(fromSeconds, { type: 'operation-started', id }), at(toSeconds, finished(id, 'succeeded'))]
}

function progress(id: string, reason: ReadinessReason) {
  return { type: 'progress', id, reason } as const
}

function finished(id: string, result: OperationResult, reason?: ReadinessReason) {
  return { type: 'operation-finished', id, result, ...defined({ reason }) } as const
}

function deployment(image: string) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 3,
      template: {
        spec: {
          containers: [{ name: 'app', image, env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 8080 }] }],
        },
      },
    },
  }
}
