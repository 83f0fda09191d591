import { describe, expect, test } from 'vitest'
import { type ImpactInput, impactOf } from '../../src/impact/assess.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'

const noReleases = { before: releaseObjects([]), after: releaseObjects([]) }

const workload = (kind: string, spec: JsonObject, template: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'web', namespace: 'shop' },
  spec: { ...spec, template: { metadata: { labels: { app: 'web' } }, ...template } },
})

const image = (tag: string) => ({ spec: { containers: [{ name: 'web', image: `web:${tag}` }] } })
const annotations = (map: JsonObject) => ({ metadata: { labels: { app: 'web' }, annotations: map } })

function impact(before: JsonObject | undefined, after: JsonObject | undefined, more: Partial<ImpactInput> = {}) {
  const pair = { ...(before && { before }), ...(after && { after }) }
  const ref = { apiVersion: 'apps/v1', kind: String((after ?? before)?.kind), namespace: 'shop', name: 'web' }
  return impactOf({ ref, change: 'update', real: pair, shown: pair, isDrifted: false, releases: noReleases, ...more })
}

describe('the pods of a workload', () => {
  test.each<[string, string, JsonObject, string | undefined]>([
    ['a Deployment replaces its pods one after the other', 'Deployment', {}, 'rolling'],
    ['or all at once', 'Deployment', { strategy: { type: 'Recreate' } }, 'recreate'],
    ['a StatefulSet', 'StatefulSet', {}, 'rolling'],
    [
      'of which a partition holds some back',
      'StatefulSet',
      { updateStrategy: { rollingUpdate: { partition: 2 } } },
      'partial',
    ],
    [
      'or which waits for somebody to delete them',
      'StatefulSet',
      { updateStrategy: { type: 'OnDelete' } },
      'on-delete',
    ],
    ['a DaemonSet', 'DaemonSet', {}, 'rolling'],
    ['which waits for somebody to delete them', 'DaemonSet', { updateStrategy: { type: 'OnDelete' } }, 'on-delete'],
    ['a ReplicaSet keeps the pods that it has', 'ReplicaSet', {}, 'on-delete'],
    ['a CronJob has none that stay', 'CronJob', {}, undefined],
  ])('%s', (_what, kind, spec, how) => {
    expect(impact(workload(kind, spec, image('1')), workload(kind, spec, image('2'))).restart?.how).toBe(how)
  })

  test.each<[string, JsonObject, JsonObject, string | undefined]>([
    ['an image', image('1'), image('2'), 'image'],
    ['another field of the template', {}, { spec: { nodeName: 'a' } }, 'template'],
    ['labels of the template', annotations({ note: 'a' }), annotations({ note: 'b' }), 'labels'],
    ['a checksum', annotations({ 'checksum/a': '1' }), annotations({ 'checksum/a': '2' }), 'checksum'],
    ['a checksum that appears', {}, annotations({ 'checksum/a': '2' }), 'checksum'],
    ['no checksum with another annotation', {}, annotations({ 'checksum/a': '2', note: 'x' }), 'labels'],
  ])('restart for %s', (_what, before, after, because) => {
    const restart = impact(workload('Deployment', {}, before), workload('Deployment', {}, after)).restart
    expect(restart?.because).toBe(because)
  })

  test('do not restart for a field outside of the template', () => {
    const after = impact(workload('Deployment', { replicas: 1 }), workload('Deployment', { replicas: 2 }))
    expect(after.restart).toBeUndefined()
    expect(after.risk).toBe('other')
  })

  test('are covered by the PodDisruptionBudget of their namespace that selects them', () => {
    const budget = (name: string, namespace: string, selector: JsonObject): KubeObject => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace },
      spec: { minAvailable: '50%', selector },
    })
    const isIn = (values: readonly string[]) => ({ matchExpressions: [{ key: 'app', operator: 'In', values }] })
    const budgets = [
      budget('elsewhere', 'other', { matchLabels: { app: 'web' } }),
      budget('of-others', 'shop', isIn(['api'])),
      budget('web', 'shop', isIn(['api', 'web'])),
    ]
    const of = impact(
      workload('Deployment', { replicas: 3 }, image('1')),
      workload('Deployment', { replicas: 3 }, image('2')),
      { releases: { ...noReleases, after: { ...noReleases.after, budgets } } },
    )
    expect(of.restart).toEqual({
      how: 'rolling',
      because: 'image',
      replicas: 3,
      budget: { name: 'web', minAvailable: '50%' },
    })
  })
})

describe('the risk of a change', () => {
  test.each<[string, ImpactInput['change'], string]>([
    ['a deletion', 'delete', 'deleted'],
    ['a recreation', 'recreate', 'recreated'],
    ['a new object', 'create', 'new'],
    ['a hook that runs', 'run', 'other'],
    ['pods that are replaced', 'update', 'restart'],
  ])('%s', (_what, change, risk) => {
    const [before, after] = [workload('Deployment', {}, image('1')), workload('Deployment', {}, image('2'))]
    const pair = change === 'create' ? [undefined, after] : change === 'delete' ? [before, undefined] : [before, after]
    expect(impact(pair[0], pair[1], { change }).risk).toBe(risk)
  })

  test('is not a restart where the pods stay until somebody deletes them', () => {
    const spec = { updateStrategy: { type: 'OnDelete' } }
    const after = impact(workload('DaemonSet', spec, image('1')), workload('DaemonSet', spec, image('2')))
    expect(after.risk).toBe('other')
  })
})

describe('the rights that a role gives', () => {
  const role = (...resources: readonly string[]): JsonObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'web', namespace: 'shop' },
    rules: resources.map((resource) => ({ verbs: ['get'], apiGroups: [''], resources: [resource] })),
  })
  const ref = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', namespace: 'shop', name: 'web' }

  test.each<[string, ImpactInput['change'], JsonObject | undefined, JsonObject | undefined, string]>([
    ['more of them', 'update', role('pods'), role('pods', 'nodes'), 'access'],
    ['fewer', 'update', role('pods', 'nodes'), role('pods'), 'other'],
    ['the same in other words', 'update', role('pods', 'nodes'), role('nodes', 'pods'), 'other'],
    ['a new role', 'create', undefined, role('pods'), 'access'],
    ['a new role without any', 'create', undefined, role(), 'new'],
    ['a role that goes', 'delete', role('pods'), undefined, 'deleted'],
    ['a hook that merely runs', 'run', undefined, role('pods'), 'other'],
    ['a hook that gives more', 'run', role('pods'), role('pods', 'nodes'), 'access'],
  ])('count as a risk: %s', (_what, change, before, after, risk) => {
    expect(impact(before, after, { ref, change }).risk).toBe(risk)
  })

  test('are not told where the rules are hidden, and count all the same', () => {
    const hidden = { ...role(), rules: '(hidden)' }
    const found = impactOf({
      ref,
      change: 'update',
      real: { before: role('pods'), after: role('nodes') },
      shown: { before: hidden, after: hidden },
      isDrifted: false,
      releases: noReleases,
    })
    expect([found.risk, found.access]).toEqual(['access', undefined])
  })
})

describe('fields of a change', () => {
  test('come in the order in which they matter', () => {
    const before = workload('Deployment', { minReadySeconds: 1, replicas: 1 }, image('1'))
    const after = {
      ...workload('Deployment', { minReadySeconds: 2, replicas: 2 }, image('2')),
      metadata: { name: 'web', namespace: 'shop', labels: { a: 'b' } },
    }
    expect(impact(before, after).fields.map(({ path }) => path)).toEqual([
      'spec.template.spec.containers[web].image',
      'spec.replicas',
      'spec.minReadySeconds',
      'metadata.labels.a',
    ])
  })

  test('name the values that are shown, never the real ones', () => {
    const secret = (value: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { key: value },
    })
    const real = { before: secret('cmVhbA=='), after: secret('bmV3') }
    const shown = { before: secret('(hidden)'), after: secret('(hidden, changed)') }
    const ref = { apiVersion: 'v1', kind: 'Secret', name: 'a' }
    const { fields } = impactOf({ ref, change: 'update', real, shown, isDrifted: false, releases: noReleases })
    expect(fields).toEqual([
      { path: 'data.key', pointer: '/data/key', kind: 'changed', before: '(hidden)', after: '(hidden, changed)' },
    ])
  })

  test('are no noise where somebody else changed one of them', () => {
    const labelled = (chart: string) => ({ metadata: { labels: { chart } } })
    expect(impact(labelled('a-1'), labelled('a-2')).noise).toBe('labels')
    expect(impact(labelled('a-1'), labelled('a-2'), { isDrifted: true }).noise).toBeUndefined()
  })
})
