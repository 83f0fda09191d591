import { expect, test } from 'vitest'
import { relativeKindsOf } from '../../src/readiness/relative-kinds.ts'

test.each([
  ['apps/v1', 'Deployment', ['ReplicaSet', 'Pod']],
  ['apps/v1', 'StatefulSet', ['Pod']],
  ['apps/v1', 'DaemonSet', ['Pod']],
  ['apps/v1', 'ReplicaSet', ['Pod']],
  ['v1', 'ReplicationController', ['Pod']],
  ['batch/v1', 'Job', ['Pod']],
  ['v1', 'ConfigMap', []],
  // Another group's kind of the same name has other children.
  ['example.com/v1', 'Job', []],
])('%s %s: owners before what they own', (apiVersion, kind, expected) => {
  const kinds = relativeKindsOf({ apiVersion, kind, metadata: { name: 'a' } }).map((relative) => relative.kind)
  expect(kinds).toEqual(expected)
})
