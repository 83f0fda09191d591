import { readFileSync } from 'node:fs'
import type { V1ManagedFieldsEntry } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import { withApplied } from '../../src/manifest/applied-fields.ts'
import { isHelmManager, ownersOf, pathsOfOthers } from '../../src/manifest/managed-fields.ts'
import type { JsonObject, KubeObject, Wire } from '../../src/model/object.ts'

type ManagedFieldsEntry = Wire<V1ManagedFieldsEntry>

interface Vectors {
  readonly live: KubeObject
}

const { live } = JSON.parse(readFileSync(new URL('./managed-fields-vectors.json', import.meta.url), 'utf8')) as Vectors

describe('owners of a path', () => {
  test.each([
    ['a scalar', '/spec/progressDeadlineSeconds', ['helm']],
    ['an item of a keyed list, found by its key', '/spec/template/spec/containers/0/image', ['kubectl']],
    ['an item that several managers share', '/spec/template/spec/containers/0', ['helm', 'kubectl']],
    ['a port, whose key has two fields', '/spec/template/spec/containers/0/ports/0/name', ['helm']],
    ['a value below an atomic field', '/spec/selector/matchLabels/app', ['helm']],
    ['a key with a slash', '/metadata/annotations/deployment.kubernetes.io~1revision', ['kube-controller-manager']],
    ['a subresource', '/spec/replicas', ['helm']],
    ['a value that nobody owns', '/spec/paused', []],
    ['a value below one whose parts are owned', '/metadata/labels/new', []],
  ])('%s', (_name, pointer, owners) => {
    expect(ownersOf(live, pointer)).toEqual(owners)
  })

  test('an item of a set is found by its value, an item by index by its index', () => {
    const object = withEntries([
      entry('a', 'Update', { 'f:finalizers': { 'v:"x"': {} } }),
      entry('b', 'Update', { 'f:list': { 'i:1': {} } }),
    ])
    const held = { ...object, finalizers: ['y', 'x'], list: [1, 2] }
    expect([ownersOf(held, '/finalizers/0'), ownersOf(held, '/finalizers/1')]).toEqual([[], ['a']])
    expect([ownersOf(held, '/list/0'), ownersOf(held, '/list/1')]).toEqual([[], ['b']])
  })

  test('the key of a port names TCP where the object leaves its protocol out, and nothing else', () => {
    const keyed = (port: JsonObject) => ({ 'f:ports': { [`k:${JSON.stringify(port)}`]: { '.': {}, 'f:name': {} } } })
    const owners = (port: JsonObject) =>
      ownersOf({ ...withEntries([entry('a', 'Update', keyed(port))]), ports: [{ port: 80 }] }, '/ports/0/name')
    expect(owners({ port: 80, protocol: 'TCP' })).toEqual(['a'])
    expect(owners({ port: 80, protocol: 'UDP' })).toEqual([])
    expect(owners({ port: 81, protocol: 'TCP' })).toEqual([])
    expect(owners({ port: 80, name: 'TCP' })).toEqual([])
  })

  test('managedFields that are no such thing own nothing', () => {
    const broken = { ...live, metadata: { name: 'x', managedFields: [null, 1, { fieldsV1: 'x' }] } }
    expect(ownersOf(broken as unknown as KubeObject, '/spec')).toEqual([])
  })
})

function withEntries(managedFields: readonly ManagedFieldsEntry[]): KubeObject {
  return { ...live, metadata: { ...live.metadata, managedFields } }
}

function entry(manager: string, operation: string, fieldsV1: JsonObject = { 'f:spec': {} }): ManagedFieldsEntry {
  return { apiVersion: 'apps/v1', fieldsType: 'FieldsV1', manager, operation, fieldsV1 }
}

describe('Helm before 3.7, which had no name of its own', () => {
  const marked = {
    'f:metadata': { 'f:annotations': { 'f:meta.helm.sh/release-name': {} } },
    'f:spec': { 'f:replicas': {} },
  }
  const owned = (...entries: readonly ManagedFieldsEntry[]): KubeObject => ({
    ...withEntries(entries),
    spec: { replicas: 1 },
  })

  test('owns as helm', () => {
    expect(ownersOf(owned(entry('Go-http-client', 'Update', marked)), '/spec/replicas')).toEqual(['helm'])
  })

  test('is no other manager, unless another nameless program wrote as well', () => {
    const helm = entry('Go-http-client', 'Update', marked)
    const other = entry('Go-http-client', 'Update', { 'f:spec': { 'f:paused': {} } })
    expect([owned(helm), owned(helm, other), owned()].map((one) => isHelmManager(one, 'Go-http-client'))).toEqual([
      true,
      false,
      false,
    ])
  })

  test('helm is Helm by its name, and no other manager of the object is', () => {
    const object = withEntries([entry('helm', 'Apply'), entry('kubectl', 'Update')])
    expect(['helm', 'kubectl', 'absent'].map((manager) => isHelmManager(object, manager))).toEqual([true, false, false])
  })
})

describe('what other managers hold alone', () => {
  const body: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } }
  const object = (...entries: readonly ManagedFieldsEntry[]): KubeObject => ({
    ...withEntries(entries),
    data: { a: '1', b: '2' },
  })
  const data = (...keys: readonly string[]) => ({
    'f:data': { '.': {}, ...Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) },
  })

  test('all of it, the map included', () => {
    expect(pathsOfOthers(object(entry('kubectl', 'Update', data('a', 'b'))), body)).toEqual(['/data'])
  })

  test('not what helm holds as well, by whatever operation', () => {
    const kubectl = entry('kubectl', 'Update', data('a', 'b'))
    expect(pathsOfOthers(object(kubectl, entry('helm', 'Apply', data('a'))), body)).toEqual(['/data/b'])
    expect(pathsOfOthers(object(kubectl, entry('helm', 'Update', data('a'))), body)).toEqual(['/data/b'])
  })

  test('not what is gone from the object', () => {
    const { data: _data, ...gone } = object(entry('kubectl', 'Update', data('a')))
    expect(pathsOfOthers(gone as KubeObject, body)).toEqual([])
  })

  test('an item of a list, as a pointer into the object', () => {
    const containers = { 'k:{"name":"debug"}': { '.': {}, 'f:name': {}, 'f:image': {} } }
    const kubectl = entry('kubectl', 'Update', { 'f:spec': { 'f:containers': containers } })
    const pod = { ...object(kubectl), spec: { containers: [{ name: 'web' }, { name: 'debug', image: 'a' }] } }
    expect(pathsOfOthers(pod, body)).toEqual(['/spec/containers/1'])
  })

  test('nothing where managedFields are no such thing', () => {
    const broken = {
      ...body,
      metadata: { name: 'web', managedFields: [null, 1, { fieldsV1: 'x' }] },
    } as unknown as KubeObject
    expect([pathsOfOthers(broken, body), withApplied(broken, body)]).toEqual([[], broken])
  })

  test('not what the body writes', () => {
    expect(pathsOfOthers(object(entry('kubectl', 'Update', data('a', 'b'))), { ...body, data: { a: '1' } })).toEqual([
      '/data/b',
    ])
  })
})
