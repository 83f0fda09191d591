import { describe, expect, test } from 'vitest'
import { type ImpactInput, impactOf } from '../../src/impact/assess.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import { risks } from '../../src/model/impact.ts'
import type { JsonObject } from '../../src/model/object.ts'
import { impactPhrase } from '../../src/report/words/impact-text.ts'
import { plainText } from '../../src/report/words/phrase.ts'
import { crd, object, version } from './crds.ts'

const noReleases = { before: releaseObjects([]), after: releaseObjects([]) }

const workload = (kind: string, spec: JsonObject, template: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'web', namespace: 'shop' },
  spec: { ...spec, template: { metadata: { labels: { app: 'web' } }, ...template } },
})

const image = (tag: string) => ({ spec: { containers: [{ name: 'web', image: `web:${tag}` }] } })

function impact(before: JsonObject | undefined, after: JsonObject | undefined, more: Partial<ImpactInput> = {}) {
  const pair = { ...(before && { before }), ...(after && { after }) }
  const ref = { apiVersion: 'apps/v1', kind: String((after ?? before)?.kind), namespace: 'shop', name: 'web' }
  return impactOf({ ref, change: 'update', real: pair, shown: pair, isDrifted: false, releases: noReleases, ...more })
}

describe('the risk of a change', () => {
  test.each<[string, ImpactInput['change'], string]>([
    ['a deletion of a workload', 'delete', 'stopped'],
    ['a recreation', 'recreate', 'recreated'],
    ['a new object', 'create', 'new'],
    ['a hook that runs', 'run', 'other'],
    ['pods that are replaced', 'update', 'restart'],
  ])('%s', (_what, change, risk) => {
    const [before, after] = [workload('Deployment', {}, image('1')), workload('Deployment', {}, image('2'))]
    const pair = change === 'create' ? [undefined, after] : change === 'delete' ? [before, undefined] : [before, after]
    expect(impact(pair[0], pair[1], { change }).risk).toBe(risk)
  })
})

describe('the risk of a deletion', () => {
  test.each([
    ['PersistentVolumeClaim', 'v1', 'deleted'],
    ['StatefulSet', 'apps/v1', 'deleted'],
    ['CustomResourceDefinition', 'apiextensions.k8s.io/v1', 'deleted'],
    ['Deployment', 'apps/v1', 'stopped'],
    ['CronJob', 'batch/v1', 'stopped'],
    ['Service', 'v1', 'stopped'],
    ['Ingress', 'networking.k8s.io/v1', 'stopped'],
    ['NetworkPolicy', 'networking.k8s.io/v1', 'stopped'],
    ['Secret', 'v1', 'stopped'],
    ['ValidatingWebhookConfiguration', 'admissionregistration.k8s.io/v1', 'stopped'],
    ['Widget', 'example.com/v1', 'stopped'],
    ['Role', 'rbac.authorization.k8s.io/v1', 'removed'],
    ['ConfigMap', 'v1', 'removed'],
    ['Job', 'batch/v1', 'removed'],
    ['ServiceAccount', 'v1', 'removed'],
    ['PodDisruptionBudget', 'policy/v1', 'removed'],
  ])('of a %s of %s: %s', (kind, apiVersion, risk) => {
    const ref = { apiVersion, kind, namespace: 'shop', name: 'web' }
    expect(impact({ apiVersion, kind, metadata: { name: 'web' } }, undefined, { ref, change: 'delete' }).risk).toBe(
      risk,
    )
  })
})

describe('fewer pods, and more', () => {
  test.each([
    [20, 1, 'restart', '19 of 20 pods stop'],
    [4, 2, 'restart', '2 of 4 pods stop'],
    [2, 1, 'restart', '1 of 2 pods stops'],
    [2, 0, 'restart', '⚠️ all 2 pods stop'],
    [4, 3, 'other', ''],
    [1, 4, 'other', '3 more start'],
    [3, 4, 'other', '1 more starts'],
    [0, 2, 'other', '2 pods start'],
  ])('from %i to %i', (from, to, risk, text) => {
    const [before, after] = [workload('Deployment', { replicas: from }), workload('Deployment', { replicas: to })]
    const found = impact(before, after)
    expect([found.risk, plainText(impactPhrase(found))]).toEqual([risk, text])
  })

  test('that may be evicted: none is as risky as pods that stop', () => {
    const ref = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', namespace: 'shop', name: 'web' }
    const budget = (maxUnavailable: number) => ({ kind: 'PodDisruptionBudget', spec: { maxUnavailable } })
    expect(impact(budget(2), budget(0), { ref }).risk).toBe('restart')
    expect(impact(budget(2), budget(1), { ref }).risk).toBe('other')
  })
})

test('what somebody else changed in the cluster is riskier than what is new', () => {
  const [before, after] = [{ data: { a: 'b' } }, { data: { a: 'c' } }]
  expect(impact(before, after, { isDrifted: true }).risk).toBe('reverted')
  expect(risks.indexOf('reverted')).toBeLessThan(risks.indexOf('new'))
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
    ['a new role that nobody has', 'create', undefined, role('pods'), 'new'],
    ['a new role without any', 'create', undefined, role(), 'new'],
    ['a role that goes', 'delete', role('pods'), undefined, 'removed'],
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

test('the number of pods is not told where it is hidden', () => {
  const deployment = (tag: string, replicas: JsonObject) => workload('Deployment', replicas, image(tag))
  const found = impactOf({
    ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    change: 'update',
    real: { before: deployment('1', { replicas: 2 }), after: deployment('2', { replicas: 3 }) },
    shown: {
      before: deployment('1', { replicas: '(hidden)' }),
      after: deployment('2', { replicas: '(hidden, changed)' }),
    },
    isDrifted: false,
    releases: noReleases,
  })
  expect([found.restart, found.scale]).toEqual([{ how: 'rolling', because: 'image' }, undefined])
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

  test.each([
    ['failedJobsHistoryLimit', 'schedule'],
    ['minReadySeconds', 'strategy'],
    ['externalTrafficPolicy', 'type'],
    ['externalTrafficPolicy', 'selector'],
    ['completions', 'suspend'],
    ['dnsPolicy', 'hostNetwork'],
    ['dnsPolicy', 'serviceAccountName'],
    ['lifecycle', 'readinessProbe'],
    ['nodeSelector', 'volumes'],
    ['revisionHistoryLimit', 'minReadySeconds'],
    ['image', 'containers'],
    ['command', 'securityContext'],
    ['env', 'args'],
    ['ports', 'envFrom'],
    ['livenessProbe', 'resources'],
    ['volumeMounts', 'startupProbe'],
    ['selector', 'volumeClaimTemplates'],
    ['replicas', 'selector'],
    ['resources', 'args'],
    ['envFrom', 'volumeMounts'],
  ])('name %s after %s', (last, first) => {
    const of = (value: string) => ({ spec: { [last]: value, [first]: value } })

    expect(impact(of('a'), of('b')).fields.map(({ path }) => path)).toEqual([`spec.${first}`, `spec.${last}`])
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

describe('a CustomResourceDefinition', () => {
  const of = (
    change: ImpactInput['change'],
    before: JsonObject | undefined,
    after: JsonObject,
    more: Partial<ImpactInput> = {},
  ) =>
    impact(before, after, {
      ref: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'a' },
      change,
      ...more,
    })
  const widgets = (size: JsonObject, labels: JsonObject = {}): JsonObject => ({
    ...crd([version('v1', object({ spec: object({ size }) }))]),
    metadata: { name: 'a', labels },
  })
  const [text, number] = [{ type: 'string' }, { type: 'integer' }]

  test('counts the schema of a version as one field', () => {
    expect(of('update', widgets(text), widgets(number, { a: 'b' })).fields).toEqual([
      { path: 'spec.versions[v1].schema', pointer: '/spec/versions/0/schema', kind: 'changed' },
      { path: 'metadata.labels.a', pointer: '/metadata/labels/a', kind: 'added', after: 'b' },
    ])
  })

  test.each<[string, JsonObject, JsonObject, ImpactInput['change'], string]>([
    ['refuses what it took before', text, number, 'update', 'schema'],
    ['takes more than before', number, { type: 'number' }, 'update', 'other'],
    ['is made again', text, number, 'recreate', 'recreated'],
    ['is a hook', text, number, 'run', 'schema'],
  ])('%s', (_what, before, after, change, risk) => {
    expect(of(change, widgets(before), widgets(after))).toMatchObject({ risk, schema: { versions: [{ name: 'v1' }] } })
  })

  test('that is new says its versions', () => {
    expect(of('create', undefined, widgets(text))).toMatchObject({
      risk: 'new',
      schema: { versions: [{ name: 'v1', after: { isStored: true }, changes: [] }] },
    })
  })

  const described = { ...text, description: 'How large it is.' }

  test.each<[string, JsonObject, JsonObject, string | undefined]>([
    ['descriptions', widgets(text), widgets(described), 'descriptions'],
    ['descriptions and versions', widgets(text), widgets(described, { chart: 'b' }), 'descriptions'],
    ['versions', widgets(text), widgets(text, { chart: 'b' }), 'labels'],
    ['descriptions and another label', widgets(text), widgets(described, { a: 'b' }), undefined],
    ['a default', widgets(text), widgets({ ...described, default: 'a' }), undefined],
  ])('of which change only %s', (_what, before, after, noise) => {
    expect(of('update', before, after).noise).toBe(noise)
    expect(of('update', before, after, { isDrifted: true }).noise).toBeUndefined()
  })

  test('of another group is an object like any other', () => {
    const ref = { apiVersion: 'example.com/v1', kind: 'CustomResourceDefinition', name: 'a' }
    expect(of('update', widgets(text), widgets(number), { ref }).schema).toBeUndefined()
  })

  test('whose values are hidden quotes none', () => {
    const real = { before: widgets({ ...text, enum: ['a'] }), after: widgets({ ...text, enum: ['b'] }) }
    const hidden = { ...real, after: widgets({ ...text, enum: ['(hidden, changed)'] }) }
    const [change] = of('update', real.before, real.after, { real, shown: hidden }).schema?.versions[0]?.changes ?? []
    expect(change).toEqual({ what: 'values', effect: 'tightens', paths: ['spec.size'] })
  })
})
