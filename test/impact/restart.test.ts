import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { impactOf } from '../../src/impact/assess.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { refOfObject } from '../../src/model/ref.ts'
import { impactPhrase, unspokenFields } from '../../src/report/words/impact-text.ts'
import { plainText } from '../../src/report/words/phrase.ts'

const apiVersions: Readonly<Record<string, string>> = {
  CronJob: 'batch/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  PodDisruptionBudget: 'policy/v1',
  ReplicationController: 'v1',
  Rollout: 'argoproj.io/v1alpha1',
}

function object(kind: string, spec: JsonObject, status: JsonObject = {}): KubeObject {
  const metadata = { name: 'web', namespace: 'shop' }
  return { apiVersion: apiVersions[kind] ?? 'apps/v1', kind, metadata, spec, status }
}

interface Template {
  readonly image?: string
  readonly labels?: JsonObject
  readonly annotations?: JsonObject
  readonly env?: string
}

function podTemplate({ annotations, env = 'a', image = 'web:1', labels }: Template): JsonObject {
  return {
    metadata: { labels: { app: 'web', ...labels }, ...(annotations && { annotations }) },
    spec: { containers: [{ name: 'web', image, env: [{ name: 'image', value: env }] }] },
  }
}

const yaml = (text: string) => load(text) as JsonObject

/** What is said where the image of the workload changes; `spec`: of both, or before and after. */
function said(
  kind: string,
  spec: string | readonly [string, string],
  { beside = [], status }: { readonly beside?: readonly KubeObject[]; readonly status?: JsonObject } = {},
): string {
  const [old, now] = typeof spec === 'string' ? [spec, spec] : spec
  const before = object(kind, { ...yaml(old), template: podTemplate({}) }, status)
  const after = object(kind, { ...yaml(now), template: podTemplate({ image: 'web:2' }) }, status)
  return saidOf(before, after, beside)
}

function impactOfBoth(before: KubeObject, after: KubeObject, beside: readonly KubeObject[] = []) {
  const releases = { before: releaseObjects([]), after: releaseObjects(beside) }
  const pair = { before, after }
  return impactOf({ ref: refOfObject(after), change: 'update', real: pair, shown: pair, isDrifted: false, releases })
}

function saidOf(before: KubeObject, after: KubeObject, beside: readonly KubeObject[] = []): string {
  const impact = impactOfBoth(before, after, beside)
  return [impact.risk, plainText(impactPhrase(impact))].filter((part) => part !== '').join(': ')
}

describe('where the template of a workload changes', () => {
  test.each<[string, string, string | readonly [string, string], string]>([
    [
      'a Deployment replaces its pods bit by bit',
      'Deployment',
      '{ replicas: 3 }',
      'restart: 3 pods restart in a rolling update (image)',
    ],
    ['the number of pods is not known', 'Deployment', '{}', 'restart: pods restart in a rolling update (image)'],
    ['the only pod has its successor first', 'Deployment', '{ replicas: 1 }', 'restart: 1 pod restarts (image)'],
    [
      'the only pod goes first where none may be added',
      'Deployment',
      '{ replicas: 1, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }',
      'restart: 1 pod restarts (image), ⚠️ no pod available meanwhile',
    ],
    [
      'both limits come to 0, which counts as one that may be missing',
      'Deployment',
      '{ replicas: 1, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 25% } } }',
      'restart: 1 pod restarts (image), ⚠️ no pod available meanwhile',
    ],
    [
      'all pods may be missing',
      'Deployment',
      '{ replicas: 3, strategy: { rollingUpdate: { maxUnavailable: 100% } } }',
      'restart: 3 pods restart in a rolling update (image), ⚠️ no pod available meanwhile',
    ],
    [
      'Recreate stops all pods first',
      'Deployment',
      '{ replicas: 3, strategy: { type: Recreate } }',
      'restart: ⚠️ 3 pods stop before the new ones start (image)',
    ],
    [
      'a paused Deployment replaces none',
      'Deployment',
      '{ replicas: 3, paused: true }',
      'other: ⚠️ 3 pods stay as they are: the rollout is paused (image)',
    ],
    ['no pods run', 'Deployment', '{ replicas: 0 }', 'other'],
    [
      'pods are started for the first time',
      'Deployment',
      ['{ replicas: 0 }', '{ replicas: 2 }'],
      'other: 2 pods start',
    ],
    [
      'others start beside those that restart',
      'Deployment',
      ['{ replicas: 1 }', '{ replicas: 2 }'],
      'restart: 1 pod restarts (image); 1 more starts',
    ],
    ['where nothing was said there is one', 'Deployment', ['{}', '{ replicas: 4 }'], 'restart: 1 pod restarts (image)'],
    [
      'some of them stop for good',
      'StatefulSet',
      ['{ replicas: 5 }', '{ replicas: 4 }'],
      'restart: 4 pods restart in a rolling update (image); 1 of 5 pods stops',
    ],
    ['all pods stop', 'Deployment', ['{ replicas: 2 }', '{ replicas: 0 }'], 'restart: ⚠️ all 2 pods stop'],
    [
      'a StatefulSet stops each pod first',
      'StatefulSet',
      '{ replicas: 3 }',
      'restart: 3 pods restart in a rolling update (image)',
    ],
    [
      'the only one as well',
      'StatefulSet',
      '{ replicas: 1 }',
      'restart: 1 pod restarts (image), ⚠️ no pod available meanwhile',
    ],
    [
      'and Parallel means no update of all at once',
      'StatefulSet',
      '{ replicas: 3, podManagementPolicy: Parallel }',
      'restart: 3 pods restart in a rolling update (image)',
    ],
    [
      'a partition holds back the lower ones',
      'StatefulSet',
      '{ replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } }',
      'restart: 1 of 3 pods restarts: the partition is 2 (image)',
    ],
    [
      'a partition holds back all',
      'StatefulSet',
      '{ replicas: 3, updateStrategy: { rollingUpdate: { partition: 3 } } }',
      'other: 3 pods stay as before: the partition is 3 (image)',
    ],
    [
      'somebody must delete the pods',
      'StatefulSet',
      '{ replicas: 3, updateStrategy: { type: OnDelete } }',
      'other: ⚠️ 3 pods stay as they are until they are deleted (image)',
    ],
    ['a DaemonSet', 'DaemonSet', '{}', 'restart: pods restart in a rolling update (image)'],
    [
      'of which somebody must delete the pods',
      'DaemonSet',
      '{ updateStrategy: { type: OnDelete } }',
      'other: ⚠️ pods stay as they are until they are deleted (image)',
    ],
    [
      'a ReplicaSet keeps the pods that it has',
      'ReplicaSet',
      '{ replicas: 1 }',
      'other: ⚠️ 1 pod stays as it is until it is deleted (image)',
    ],
    [
      'so does a ReplicationController',
      'ReplicationController',
      '{}',
      'other: ⚠️ pods stay as they are until they are deleted (image)',
    ],
    ['nothing is known of a kind of others', 'Rollout', '{ replicas: 3 }', 'other'],
  ])('%s', (_what, kind, spec, expected) => {
    expect(said(kind, spec)).toBe(expected)
  })

  test('the live object of a DaemonSet tells the number of its pods', () => {
    expect(said('DaemonSet', '{}', { status: { desiredNumberScheduled: 7 } })).toBe(
      'restart: 7 pods restart in a rolling update (image)',
    )
  })

  test('a CronJob runs it from its next run', () => {
    const cronJob = (image: string) =>
      object('CronJob', { jobTemplate: { spec: { template: podTemplate({ image }) } } })
    expect(saidOf(cronJob('web:1'), cronJob('web:2'))).toBe('other: takes effect at the next run (image)')
  })

  test.each<[string, number | undefined, number | undefined, readonly string[], string]>([
    [
      'it takes over, and the default of the API counts until then',
      3,
      undefined,
      ['web'],
      'restart: ⚠️ 2 of 3 pods stop until HorizontalPodAutoscaler/web acts (2 to 6 pods)',
    ],
    [
      'it takes over from a single pod',
      1,
      undefined,
      ['web'],
      'other: HorizontalPodAutoscaler/web takes over (2 to 6 pods)',
    ],
    ['it scales another workload', 3, undefined, ['api'], 'other'],
    [
      'it raises what the workload says',
      3,
      1,
      ['web'],
      'restart: ⚠️ 2 of 3 pods stop until HorizontalPodAutoscaler/web acts (2 to 6 pods)',
    ],
    ['the workload still says how many', 3, 2, ['web'], 'other'],
    ['the workload never said how many', undefined, undefined, ['web'], 'other'],
  ])('where a HorizontalPodAutoscaler is in the release: %s', (_what, from, to, targets, expected) => {
    const deployment = (replicas: number | undefined) =>
      object('Deployment', { ...(replicas !== undefined && { replicas }), template: podTemplate({}) })
    const autoscalers = targets.map((name) =>
      object('HorizontalPodAutoscaler', {
        minReplicas: 2,
        maxReplicas: 6,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      }),
    )
    expect(saidOf(deployment(from), deployment(to), autoscalers)).toBe(expected)
  })

  test('pods stay where an autoscaler decided before, or another manager has set their number', () => {
    const scaler = object('HorizontalPodAutoscaler', {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 6,
    })
    const owned = (manager: string): JsonObject => ({
      managedFields: [
        {
          manager,
          operation: 'Update',
          apiVersion: 'apps/v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        },
      ],
    })
    const said = (known: readonly KubeObject[], manager?: string) => {
      const one = object('Deployment', { replicas: 3, template: podTemplate({}) })
      const before = { ...one, metadata: { ...one.metadata, ...(manager && owned(manager)) } }
      const after = object('Deployment', { template: podTemplate({}) })
      const releases = { before: releaseObjects(known), after: releaseObjects([scaler]) }
      const pair = { before, after }
      return plainText(
        impactPhrase(
          impactOf({ ref: refOfObject(after), change: 'update', real: pair, shown: pair, isDrifted: false, releases }),
        ),
      )
    }
    const [dip, takeover] = [
      '⚠️ 2 of 3 pods stop until HorizontalPodAutoscaler/web acts (2 to 6 pods)',
      'HorizontalPodAutoscaler/web takes over (2 to 6 pods)',
    ]

    expect(said([])).toBe(dip)
    expect(said([], 'helm')).toBe(dip)
    expect(said([], 'kubectl-scale')).toBe(takeover)
    expect(said([scaler])).toBe(takeover)
  })

  test('a CronJob that is suspended runs nothing, whatever changes', () => {
    const cronJob = (image: string, suspend: boolean, schedule = '0 3 * * *') =>
      object('CronJob', { suspend, schedule, jobTemplate: { spec: { template: podTemplate({ image }) } } })
    const stopped = 'restart: ⚠️ suspended, no longer runs (daily at 03:00)'
    expect(saidOf(cronJob('web:1', false), cronJob('web:2', true))).toBe(stopped)
    expect(saidOf(cronJob('web:1', false), cronJob('web:1', true, '0 4 * * *'))).toBe(stopped)
    expect(saidOf(cronJob('web:1', true), cronJob('web:2', true))).toBe('other: does not run while it is suspended')
    expect(saidOf(cronJob('web:1', true), cronJob('web:1', true, '0 4 * * *'))).toBe('other')
    expect(saidOf(cronJob('web:1', true), cronJob('web:2', false))).toBe(
      'other: runs again daily at 03:00; takes effect at the next run (image)',
    )
    expect(saidOf(cronJob('web:1', false), cronJob('web:1', false, '0 4 * * *'))).toBe(
      'other: runs daily at 04:00 (was: daily at 03:00)',
    )
  })

  test('a number that the manifest changes beside a HorizontalPodAutoscaler is not that of the pods', () => {
    const scaler = object('HorizontalPodAutoscaler', {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
    })
    expect(said('Deployment', ['{ replicas: 3 }', '{ replicas: 4 }'], { beside: [scaler] })).toBe(
      'restart: pods restart in a rolling update (image); scaled by HorizontalPodAutoscaler/web',
    )
  })

  test('a HorizontalPodAutoscaler of the release tells how many pods there may be', () => {
    const scaled = (kind: string) =>
      object('HorizontalPodAutoscaler', {
        scaleTargetRef: { apiVersion: 'apps/v1', kind, name: 'web' },
        minReplicas: 2,
        maxReplicas: 10,
      })
    expect(said('Deployment', '{}', { beside: [scaled('StatefulSet'), scaled('Deployment')] })).toBe(
      'restart: pods restart in a rolling update (image); 2 to 10 pods, scaled by HorizontalPodAutoscaler/web',
    )
  })
})

describe('pods restart because of', () => {
  test.each<[string, Template, Template, string | undefined]>([
    ['an image', { image: '1' }, { image: '2', labels: { a: 'b' } }, 'image'],
    ['an environment variable called image', { env: 'a' }, { env: 'b' }, 'template'],
    ['a label called image', { labels: { image: 'a' } }, { labels: { image: 'b' } }, 'labels'],
    ['labels of the template', { labels: { tier: 'a' } }, { labels: { tier: 'b' } }, 'labels'],
    [
      'the version of the chart',
      { labels: { 'helm.sh/chart': 'a-1' } },
      { labels: { 'helm.sh/chart': 'a-2' } },
      'versions',
    ],
    ['annotations', { annotations: { note: 'a' } }, { annotations: { note: 'b' } }, 'annotations'],
    ['both', { labels: { a: 'a' } }, { labels: { a: 'b' }, annotations: { note: 'b' } }, 'metadata'],
    ['a checksum', { annotations: { 'checksum/a': '1' } }, { annotations: { 'checksum/a': '2' } }, 'checksum'],
    ['a checksum that appears', {}, { annotations: { 'checksum/a': '2' } }, 'checksum'],
    ['no checksum alone with another annotation', {}, { annotations: { 'checksum/a': '2', note: 'x' } }, 'annotations'],
    ['nothing', {}, {}, undefined],
  ])('%s', (_what, before, after, because) => {
    const [old, now] = [before, after].map((template) => object('Deployment', { template: podTemplate(template) }))
    if (old === undefined || now === undefined) throw new Error('two objects')
    expect(impactOfBoth(old, now).restart?.because).toBe(because)
  })

  test('nothing outside of the template', () => {
    const scaled = (replicas: number) => object('Deployment', { replicas, template: podTemplate({}) })
    expect(impactOfBoth(scaled(1), scaled(2))).toMatchObject({ risk: 'other', scale: { from: 1, to: 2 } })
    expect(impactOfBoth(scaled(1), scaled(2)).restart).toBeUndefined()
  })
})

describe('the disruption budget of pods that restart', () => {
  const budget = (spec: string, namespace = 'shop'): KubeObject => {
    const one = object('PodDisruptionBudget', yaml(spec))
    return { ...one, metadata: { ...one.metadata, namespace } }
  }
  const all = 'selector: { matchLabels: { app: web } }'

  test.each<[string, string, string, string]>([
    ['is kept', '{ replicas: 4 }', `{ minAvailable: 3, ${all} }`, '; within budget web (at least 3 available)'],
    [
      'is kept by percent',
      '{ replicas: 4 }',
      `{ maxUnavailable: 25%, ${all} }`,
      '; within budget web (at most 25% unavailable)',
    ],
    [
      'is not kept where all pods stop',
      '{ replicas: 3, strategy: { type: Recreate } }',
      `{ minAvailable: 50%, ${all} }`,
      '; ⚠️ takes 3 of 3 pods down at once, budget web allows 1 (at least 50% available)',
    ],
    [
      'is not kept where more may be missing than it allows',
      '{ replicas: 4, strategy: { rollingUpdate: { maxUnavailable: 2 } } }',
      `{ maxUnavailable: 1, ${all} }`,
      '; ⚠️ takes 2 of 4 pods down at once, budget web allows 1 (at most 1 unavailable)',
    ],
    [
      'cannot be told without the number of pods',
      '{}',
      `{ minAvailable: 1, ${all} }`,
      '; budget web (at least 1 available)',
    ],
    [
      'selects by expressions',
      '{ replicas: 4 }',
      '{ minAvailable: 1, selector: { matchExpressions: [{ key: app, operator: In, values: [api, web] }] } }',
      '; within budget web (at least 1 available)',
    ],
    ['is of other pods', '{ replicas: 4 }', '{ minAvailable: 1, selector: { matchLabels: { app: api } } }', ''],
    ['is none without a selector', '{ replicas: 4 }', '{ minAvailable: 1 }', ''],
  ])('%s', (_what, spec, asks, expected) => {
    const elsewhere = budget(`{ minAvailable: 9, ${all} }`, 'other')
    const text = said('Deployment', spec, { beside: [elsewhere, budget(asks)] })
    expect(text.slice(text.indexOf('(image)') + '(image)'.length)).toBe(expected)
  })

  test.each<[string, string, string, string | undefined]>([
    ['more must be available', '{ minAvailable: 1 }', '{ minAvailable: 2 }', 'tighter'],
    ['more may be missing', '{ maxUnavailable: 10% }', '{ maxUnavailable: 50% }', 'looser'],
    ['none may be missing', '{ maxUnavailable: 1 }', '{ maxUnavailable: 0 }', 'closed'],
    ['all must be available', '{ minAvailable: 1 }', '{ minAvailable: 100% }', 'closed'],
    ['a number becomes a share: that depends on the pods', '{ minAvailable: 1 }', '{ minAvailable: 50% }', undefined],
    ['it asks for something else', '{ minAvailable: 1 }', '{ maxUnavailable: 1 }', undefined],
    ['nothing', '{ maxUnavailable: 0 }', '{ maxUnavailable: 0 }', undefined],
  ])('changes: %s', (_what, before, after, expected) => {
    expect(impactOfBoth(budget(before), budget(after)).evictions).toBe(expected)
  })

  const covered = (kind: string, spec: string) => ({
    ...budget('{}'),
    apiVersion: 'apps/v1',
    kind,
    spec: { ...(load(spec) as JsonObject), template: { metadata: { labels: { app: 'web' } } } },
  })
  const scaler: KubeObject = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: covered('Deployment', '{}').metadata,
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  }

  test.each<[string, string, string, readonly KubeObject[], string]>([
    [
      'a number for a share',
      'minAvailable: 1',
      'maxUnavailable: 50%',
      [covered('Deployment', '{ replicas: 4 }')],
      'at most 2 of 4 pods may be evicted at once, before that 3',
    ],
    [
      'the same, said otherwise',
      'minAvailable: 1',
      'maxUnavailable: 1',
      [covered('StatefulSet', '{ replicas: 2 }')],
      'at most 1 of 2 pods may be evicted at once, as before',
    ],
    [
      'more of them',
      'maxUnavailable: 1',
      'maxUnavailable: 50%',
      [covered('Deployment', '{ replicas: 3 }')],
      'at most 2 of 3 pods may be evicted at once, before that 1',
    ],
    [
      'none of them',
      'maxUnavailable: 1',
      'minAvailable: 2',
      [covered('Deployment', '{ replicas: 2 }')],
      '⚠️ no pod may be evicted: nodes cannot be drained',
    ],
    ['an unknown number', 'maxUnavailable: 1', 'maxUnavailable: 50%', [covered('DaemonSet', '{}')], ''],
    [
      'a number that an autoscaler decides',
      'minAvailable: 1',
      'maxUnavailable: 1',
      [covered('Deployment', '{ replicas: 2 }'), scaler],
      '',
    ],
  ])('in pods: %s', (_what, before, after, beside, expected) => {
    const of = (limit: string) => budget(`{ ${limit}, selector: { matchLabels: { app: web } } }`)
    const { evictable, evictions } = impactOfBoth(of(before), of(after), beside)
    const facts = { ...(evictable && { evictable }), ...(evictions && { evictions }) }
    expect(plainText(impactPhrase({ risk: 'other', fields: [], ...facts }))).toBe(expected)
  })
})

describe('how many pods an update stops at once', () => {
  const now = (max: string) => `rollingUpdate: { maxUnavailable: ${max} }`
  const nodes = (amount: number) => ({ desiredNumberScheduled: amount })

  test.each<[string, string, readonly [string, string], JsonObject | undefined, string]>([
    [
      'half of the nodes, where it was one by one',
      'DaemonSet',
      ['{}', `{ updateStrategy: { ${now('50%')} } }`],
      undefined,
      '⚠️ updates stop up to 50% of its pods at once (before: 1)',
    ],
    ['less than half', 'DaemonSet', [`{}`, `{ updateStrategy: { ${now('49%')} } }`], undefined, ''],
    [
      'half as before',
      'DaemonSet',
      [`{ updateStrategy: { ${now('60%')} } }`, `{ updateStrategy: { ${now('50%')} } }`],
      undefined,
      '',
    ],
    ['the only node, as before', 'DaemonSet', ['{}', `{ updateStrategy: { ${now('100%')} } }`], nodes(1), ''],
    [
      'all of the nodes that there are',
      'DaemonSet',
      [`{ updateStrategy: { ${now('1')} } }`, `{ updateStrategy: { ${now('3')} } }`],
      nodes(3),
      '⚠️ updates stop all of its pods at once (before: 1)',
    ],
    ['a number of an unknown one', 'DaemonSet', ['{}', `{ updateStrategy: { ${now('3')} } }`], undefined, ''],
    [
      'more than the default of a Deployment',
      'Deployment',
      ['{ replicas: 4 }', `{ replicas: 4, strategy: { ${now('75%')} } }`],
      undefined,
      '⚠️ updates stop up to 75% of its pods at once (before: 25%)',
    ],
    [
      'half of one pod, which is none',
      'Deployment',
      ['{ replicas: 1 }', `{ replicas: 1, strategy: { ${now('50%')} } }`],
      undefined,
      '',
    ],
    [
      'a Deployment that stopped all of them before',
      'Deployment',
      ['{ replicas: 2, strategy: { type: Recreate } }', `{ replicas: 2, strategy: { ${now('50%')} } }`],
      undefined,
      '',
    ],
    [
      'a StatefulSet',
      'StatefulSet',
      ['{ replicas: 2 }', `{ replicas: 2, updateStrategy: { ${now('2')} } }`],
      undefined,
      '⚠️ updates stop all of its pods at once (before: 1)',
    ],
    [
      'one that stopped none by itself',
      'DaemonSet',
      ['{ updateStrategy: { type: OnDelete } }', `{ updateStrategy: { ${now('"100%"')} } }`],
      undefined,
      '⚠️ updates stop up to 100% of its pods at once (before: 0)',
    ],
  ])('%s', (_what, kind, [old, later], status, expected) => {
    const of = (spec: string) => object(kind, { ...yaml(spec), template: podTemplate({}) }, status)
    const { atOnce } = impactOfBoth(of(old), of(later))
    expect(atOnce === undefined ? '' : plainText(impactPhrase({ risk: 'other', fields: [], atOnce }))).toBe(expected)
  })

  test('is told by its field no more', () => {
    const of = (max: string) => object('DaemonSet', yaml(`{ updateStrategy: { ${now(max)} } }`))
    expect(unspokenFields(impactOfBoth(of('1'), of('50%')))).toEqual([])
  })

  test('is told once where no pod is left meanwhile', () => {
    expect(said('Deployment', ['{ replicas: 3 }', `{ replicas: 3, strategy: { ${now('100%')} } }`])).toBe(
      'restart: 3 pods restart in a rolling update (image), ⚠️ no pod available meanwhile',
    )
  })
})

describe('a checksum in the template', () => {
  const config = (kind: string, name: string, value: string, namespace = 'shop'): KubeObject => ({
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace },
    data: { a: value },
  })
  const reading = (spec: string, sum: string) => {
    const web = object('Deployment', {
      replicas: 2,
      template: podTemplate({ annotations: { 'checksum/config': sum } }),
    })
    const pod = { containers: [{ name: 'web', image: 'web:1' }], ...yaml(spec) }
    const template = { metadata: { annotations: { 'checksum/config': sum } }, spec: pod }
    return { ...web, metadata: { name: 'web', namespace: 'shop' }, spec: { replicas: 2, template } }
  }
  const container = (text: string) => `{ containers: [{ name: web, image: "web:1", ${text} }] }`

  test.each<[string, string, string]>([
    ['a volume', '{ volumes: [{ configMap: { name: conf } }] }', 'checksum of ConfigMap/conf'],
    [
      'a projected volume',
      '{ volumes: [{ projected: { sources: [{ secret: { name: key } }] } }] }',
      'checksum of Secret/key',
    ],
    ['all of its keys as variables', container('envFrom: [{ secretRef: { name: key } }]'), 'checksum of Secret/key'],
    [
      'a variable',
      container('env: [{ name: A, valueFrom: { configMapKeyRef: { name: conf, key: a } } }]'),
      'checksum of ConfigMap/conf',
    ],
    [
      'several',
      '{ volumes: [{ configMap: { name: conf } }, { secret: { secretName: key } }] }',
      'checksum of ConfigMap/conf, Secret/key',
    ],
    ['one that stays as it is', '{ volumes: [{ configMap: { name: same } }] }', 'checksum only'],
    ['one of another namespace', '{ volumes: [{ configMap: { name: far } }] }', 'checksum only'],
    ['nothing', '{}', 'checksum only'],
  ])('names what changes of what the pods read: %s', (_what, spec, expected) => {
    const [before, after] = [reading(spec, 'a'), reading(spec, 'b')]
    const side = (value: string) =>
      releaseObjects([
        config('ConfigMap', 'conf', value),
        config('Secret', 'key', value),
        config('ConfigMap', 'same', 'x'),
        config('ConfigMap', 'far', value, 'other'),
      ])
    const pair = { before, after }
    const releases = { before: side('1'), after: side('2') }
    const impact = impactOf({
      ref: refOfObject(after),
      change: 'update',
      real: pair,
      shown: pair,
      isDrifted: false,
      releases,
    })

    expect(plainText(impactPhrase(impact))).toBe(`2 pods restart in a rolling update (${expected})`)
  })
})
