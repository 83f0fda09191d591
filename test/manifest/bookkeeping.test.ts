import { describe, expect, test } from 'vitest'
import { forApply, withoutBookkeeping } from '../../src/manifest/bookkeeping.ts'
import type { KubeObject } from '../../src/model/object.ts'

const live = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'web',
    uid: 'u',
    resourceVersion: '5',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
    deletionTimestamp: '2026-01-02T00:00:00Z',
    deletionGracePeriodSeconds: 0,
    selfLink: '/x',
    managedFields: [],
    finalizers: ['f'],
    labels: { a: 'b' },
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'x' },
  },
  spec: { type: 'ClusterIP' },
  status: { loadBalancer: {} },
} as KubeObject

test('S-18 bookkeeping of the API server and of kubectl is left out of comparisons', () => {
  expect(withoutBookkeeping(live)).toEqual({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', finalizers: ['f'], labels: { a: 'b' }, annotations: { note: 'x' } },
    spec: { type: 'ClusterIP' },
  })
})

test('annotations that hold nothing else go with the last-applied one', () => {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' }
  expect(withoutBookkeeping({ metadata: { name: 'a', annotations } })).toEqual({ metadata: { name: 'a' } })
})

test('empty annotations that the chart wrote stay', () => {
  expect(withoutBookkeeping({ metadata: { annotations: {} } })).toEqual({ metadata: { annotations: {} } })
})

describe('what is sent', () => {
  test('has no metadata of the server, and keeps the status that the chart wrote', () => {
    expect(forApply(live)).toEqual({
      ...live,
      metadata: {
        name: 'web',
        finalizers: ['f'],
        labels: { a: 'b' },
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'x' },
      },
    })
  })

  test('has no annotation whose key has two slashes, which the API server rejects', () => {
    const annotations = { 'helm.sh/depends-on/resource-groups': '["a"]', 'helm.sh/resource-group': 'b', plain: 'c' }
    expect(forApply({ ...live, metadata: { name: 'a', annotations } }).metadata).toEqual({
      name: 'a',
      annotations: { 'helm.sh/resource-group': 'b', plain: 'c' },
    })
  })
})
