import { describe, expect, test } from 'vitest'
import { directivesOf } from '../../src/directives/read-directives.ts'
import { bodyFor } from '../../src/manifest/apply-body.ts'
import { withOwnership } from '../../src/manifest/ownership.ts'
import { toManifests } from '../../src/manifest/scope.ts'
import type { JsonValue, KubeObject } from '../../src/model/object.ts'

const owner = { release: 'shop', namespace: 'web' }
const web = (annotations = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', annotations },
  spec: { replicas: 2, paused: false },
})

function bodyOf(object: KubeObject, live: KubeObject | undefined): KubeObject {
  const document = { object, file: 'a.yaml', line: 1, source: 'template' as const }
  const { manifests } = toManifests([document], { namespace: 'web', served: [] })
  const [resource] = directivesOf(manifests, { isPlainManifests: false }).resources
  if (resource === undefined) throw new Error('no resource')
  return bodyFor(resource, { ...owner, live })
}

/** A live Deployment whose replicas belong to these managers. */
const heldBy = (...managers: readonly string[]): KubeObject => ({
  ...web(),
  metadata: {
    name: 'web',
    managedFields: managers.map((manager) => ({
      manager,
      operation: manager === 'helm' ? 'Apply' : 'Update',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    })),
  },
})

describe('the body that is sent', () => {
  test('replicas are left out where another manager holds the field', () => {
    expect(bodyOf(web(), heldBy('kube-controller-manager')).spec).toEqual({ paused: false })
  })

  test('replicas are sent where helm holds them, alone or with another manager, and on creation', () => {
    for (const live of [heldBy('helm'), heldBy('helm', 'kube-controller-manager'), heldBy(), undefined]) {
      expect(bodyOf(web(), live).spec).toEqual({ replicas: 2, paused: false })
    }
  })

  test('what anyone owns keeps the marks of the release that it belongs to, and gets none itself', () => {
    const anyones = web({ 'werf.io/ownership': 'anyone' })
    const other = withOwnership(web(), { release: 'other', namespace: 'infra' })
    expect(bodyOf(anyones, other).metadata).toMatchObject({
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': 'other', 'meta.helm.sh/release-namespace': 'infra' },
    })
    for (const live of [undefined, web(), withOwnership(web(), owner)]) {
      expect(bodyOf(anyones, live).metadata.annotations).toEqual({ 'werf.io/ownership': 'anyone' })
    }
  })

  test('werf.io/replicas-on-creation counts on creation only', () => {
    const object = web({ 'werf.io/replicas-on-creation': '5' })
    expect(bodyOf(object, undefined).spec).toMatchObject({ replicas: 5 })
    expect(bodyOf(object, heldBy('helm')).spec).toMatchObject({ replicas: 2 })
  })

  test('carries the marks of the release, but not where it belongs to anyone', () => {
    expect(bodyOf(web(), undefined).metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'Helm' })
    expect(bodyOf(web({ 'werf.io/ownership': 'anyone' }), undefined).metadata.labels).toBeUndefined()
  })

  test('the rules of an aggregated ClusterRole are left out where its controller holds them', () => {
    const role = (rules: JsonValue): KubeObject => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'all' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
      rules,
    })
    const managedFields = [
      { manager: 'clusterrole-aggregation-controller', operation: 'Apply', fieldsV1: { 'f:rules': {} } },
    ]
    const live = { ...role([{ verbs: ['get'] }]), metadata: { name: 'all', managedFields } }
    expect(bodyOf(role([]), live)).not.toHaveProperty('rules')
    expect(bodyOf(role([]), undefined)).toHaveProperty('rules')
    const { aggregationRule: _rule, ...plain } = role([])
    expect(bodyOf(plain as KubeObject, live)).toHaveProperty('rules')
  })
})
