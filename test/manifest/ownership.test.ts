import { describe, expect, test } from 'vitest'
import { ownershipOf, withOwnership } from '../../src/manifest/ownership.ts'
import type { KubeObject } from '../../src/model/object.ts'

const owner = { release: 'shop', namespace: 'web' }
const plain: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { x: '1' } } }

describe("Helm's marks of ownership", () => {
  test('are one label and two annotations, set on a copy', () => {
    expect(withOwnership(plain, owner).metadata).toEqual({
      name: 'a',
      labels: { x: '1', 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': 'shop', 'meta.helm.sh/release-namespace': 'web' },
    })
    expect(plain.metadata).toEqual({ name: 'a', labels: { x: '1' } })
  })

  test('overwrite what the chart wrote for them', () => {
    const wrong = { ...plain, metadata: { name: 'a', labels: { 'app.kubernetes.io/managed-by': 'Tiller' } } }
    expect(ownershipOf(withOwnership(wrong, owner), owner)).toEqual({ kind: 'ours' })
  })

  test.each([
    ['the same release', {}, { kind: 'ours' }],
    ['another release', { 'meta.helm.sh/release-name': 'bank' }, { kind: 'other', release: 'bank', namespace: 'web' }],
    [
      'a release of that name in another namespace',
      { 'meta.helm.sh/release-namespace': 'dev' },
      { kind: 'other', release: 'shop', namespace: 'dev' },
    ],
  ])('of %s', (_name, annotations, expected) => {
    const marked = withOwnership(plain, owner)
    const changed = {
      ...marked,
      metadata: { ...marked.metadata, annotations: { ...marked.metadata.annotations, ...annotations } },
    }
    expect(ownershipOf(changed as KubeObject, owner)).toEqual(expected)
  })

  test('each missing mark is named; all three are needed', () => {
    expect(ownershipOf(plain, owner)).toEqual({
      kind: 'none',
      missing: ['app.kubernetes.io/managed-by', 'meta.helm.sh/release-name', 'meta.helm.sh/release-namespace'],
    })
    const unlabelled = { ...withOwnership(plain, owner).metadata, labels: { 'app.kubernetes.io/managed-by': 'helm' } }
    expect(ownershipOf({ ...plain, metadata: unlabelled }, owner)).toEqual({
      kind: 'none',
      missing: ['app.kubernetes.io/managed-by'],
    })
  })
})
