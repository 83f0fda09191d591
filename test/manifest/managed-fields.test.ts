import { readFileSync } from 'node:fs'
import type { V1ManagedFieldsEntry } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import { withApplied } from '../../src/manifest/applied-fields.ts'
import {
  isHelmManager,
  migrateToServerSideApply,
  ownersOf,
  pathsIn,
  pathsOfOthers,
  pathsOwnedBefore,
} from '../../src/manifest/managed-fields.ts'
import { defined } from '../../src/model/defined.ts'
import type { JsonObject, KubeObject, Wire } from '../../src/model/object.ts'

type ManagedFieldsEntry = Wire<V1ManagedFieldsEntry>

interface Vectors {
  readonly live: KubeObject
  readonly cases: readonly {
    readonly name: string
    readonly managedFields: readonly ManagedFieldsEntry[]
    readonly patch: readonly JsonObject[]
  }[]
}

const { live, cases } = JSON.parse(
  readFileSync(new URL('./managed-fields-vectors.json', import.meta.url), 'utf8'),
) as Vectors

describe('migration to server-side apply gives the patch of client-go csaupgrade', () => {
  test.each(cases)('$name', ({ managedFields, patch }) => {
    expect(migrateToServerSideApply(withEntries(managedFields))).toEqual(patch)
  })
})

describe('migration to server-side apply', () => {
  test('is not needed where helm has no client-side entry', () => {
    expect(migrateToServerSideApply(withEntries([entry('helm', 'Apply'), entry('kubectl', 'Update')]))).toBeUndefined()
    expect(migrateToServerSideApply({ ...live, metadata: { name: 'web' } })).toBeUndefined()
  })

  test('leaves entries for subresources alone: a scale is not what the chart wrote', () => {
    expect(
      migrateToServerSideApply(withEntries([{ ...entry('helm', 'Update'), subresource: 'scale' }])),
    ).toBeUndefined()
  })

  test('counts Go-http-client as Helm before 3.7 where its entry holds the release annotation (helm/helm#9859)', () => {
    const marked = { 'f:metadata': { 'f:annotations': { 'f:meta.helm.sh/release-name': {} } } }
    const [replacement] = migrateToServerSideApply(withEntries([entry('Go-http-client', 'Update', marked)])) ?? []
    expect(replacement).toMatchObject({ value: [{ manager: 'helm', operation: 'Apply', fieldsV1: marked }] })
  })

  test('leaves any other nameless program alone', () => {
    const foreign = { 'f:metadata': { 'f:annotations': { 'f:cloud.google.com/neg-status': {} } } }
    expect(migrateToServerSideApply(withEntries([entry('Go-http-client', 'Update', foreign)]))).toBeUndefined()
  })

  test('leaves other programs alone, whatever annotation they hold', () => {
    const marked = { 'f:metadata': { 'f:annotations': { 'f:meta.helm.sh/release-name': {} } } }
    expect(migrateToServerSideApply(withEntries([entry('kubectl', 'Update', marked)]))).toBeUndefined()
  })

  test('takes over only fields of the same API version', () => {
    const older = { ...entry('helm', 'Update', { 'f:old': {} }), apiVersion: 'apps/v1beta1' }
    const [replacement] =
      migrateToServerSideApply(withEntries([entry('helm', 'Update', { 'f:data': {} }), older])) ?? []
    expect(replacement).toMatchObject({ value: [{ fieldsV1: { 'f:data': {} } }] })
    expect(JSON.stringify(replacement)).not.toContain('f:old')
  })

  test('a member with children keeps its own membership', () => {
    const [replacement] =
      migrateToServerSideApply(
        withEntries([entry('helm', 'Apply', { 'f:data': {} }), entry('helm', 'Update', { 'f:data': { 'f:a': {} } })]),
      ) ?? []
    expect(replacement).toMatchObject({ value: [{ fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } } }] })
  })

  test('makes a change in between answer 409: the patch carries the resourceVersion', () => {
    expect(migrateToServerSideApply(live)?.[1]).toEqual({
      op: 'replace',
      path: '/metadata/resourceVersion',
      value: '812',
    })
  })
})

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

describe('what the migration will remove', () => {
  const body: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      labels: { app: 'web', 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': 'shop', 'meta.helm.sh/release-namespace': 'shop' },
    },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [
            { name: 'web', image: 'web:3', ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' }] },
          ],
        },
      },
    },
  }

  test('is what left the chart and nobody else owns, as outermost paths', () => {
    const previous: KubeObject = { ...live, metadata: { ...live.metadata, annotations: { old: 'x' } } }
    const { progressDeadlineSeconds: _default, ...spec } = live.spec as JsonObject
    expect(pathsOwnedBefore(live, body, { ...previous, spec })).toEqual([
      '/metadata/annotations/old',
      '/spec/template/spec/containers/0/env',
    ])
  })

  test('items of lists are found by their name, wherever they stand', () => {
    const containers = [
      { name: 'proxy', image: 'p' },
      { name: 'web', image: 'web:3', env: [{ name: 'OLD', value: '2' }] },
    ]
    const moved = { ...body, spec: { ...(body.spec as JsonObject), template: { spec: { containers } } } }
    expect(pathsOwnedBefore(live, moved).filter((path) => path.includes('/env'))).toEqual([])
  })

  const port = (containerPort: number, name?: string) => ({
    containerPort,
    protocol: 'TCP',
    ...defined({ name }),
  })
  const keyed = (...ports: readonly ReturnType<typeof port>[]): KubeObject => ({
    ...live,
    metadata: {
      name: 'web',
      managedFields: [
        entry('helm', 'Update', {
          'f:ports': Object.fromEntries(
            ports.map(({ containerPort, protocol, name }) => [
              `k:${JSON.stringify({ containerPort, protocol })}`,
              { '.': {}, 'f:containerPort': {}, 'f:protocol': {}, ...(name === undefined ? {} : { 'f:name': {} }) },
            ]),
          ),
        }),
      ],
    },
    ports,
  })

  test.each([
    ['another name', [{ containerPort: 80, name: 'web' }], []],
    ['no name any more', [{ containerPort: 80 }], ['/ports/0/name']],
    ['another number', [{ containerPort: 81, name: 'http' }], ['/ports/0']],
  ])('a port is the same by its number and protocol: %s', (_what, ports, lost) => {
    const previous = { ...body, ports: [{ containerPort: 80, name: 'http' }] }
    expect(pathsOwnedBefore(keyed(port(80, 'http')), { ...body, ports }, previous)).toEqual(lost)
  })

  test('is found again in the answer of the API server, whose lists are in another order', () => {
    const before = keyed(port(80), port(81), port(82))
    const answer = keyed(port(82), port(81), port(80))
    expect(pathsIn(answer, before, ['/ports/0', '/ports/1/protocol', '/ports/2/name'])).toEqual([
      '/ports/2',
      '/ports/1/protocol',
    ])
  })

  test('without the revision before, defaults count as well', () => {
    expect(pathsOwnedBefore(live, body)).toContain('/spec/progressDeadlineSeconds')
  })

  test('is nothing where another manager owns the value too', () => {
    const shared = entry('operator', 'Update', { 'f:metadata': { 'f:annotations': { 'f:old': {} } } })
    const object = withEntries([...(live.metadata.managedFields ?? []), shared])
    expect(pathsOwnedBefore(object, body)).not.toContain('/metadata/annotations/old')
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
