import { readFileSync } from 'node:fs'
import type { V1ManagedFieldsEntry } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import { asHandedOver, handOverPatch } from '../../src/manifest/hand-over.ts'
import { pathsIn, pathsNoLongerApplied } from '../../src/manifest/managed-fields.ts'
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

describe('a hand-over without manifests gives the patch of client-go csaupgrade', () => {
  test.each(cases)('$name', ({ managedFields, patch }) => {
    expect(handOverPatch(withEntries(managedFields))).toEqual(patch)
  })
})

describe('the hand-over of client-side fields', () => {
  test('is not needed where helm has no client-side entry', () => {
    expect(handOverPatch(withEntries([entry('helm', 'Apply'), entry('kubectl', 'Update')]))).toBeUndefined()
    expect(handOverPatch({ ...live, metadata: { name: 'web' } })).toBeUndefined()
  })

  test('leaves entries for subresources alone: a scale is not what the chart wrote', () => {
    expect(handOverPatch(withEntries([{ ...entry('helm', 'Update'), subresource: 'scale' }]))).toBeUndefined()
  })

  test('counts Go-http-client as Helm before 3.7 where its entry holds the release annotation (helm/helm#9859)', () => {
    const marked = { 'f:metadata': { 'f:annotations': { 'f:meta.helm.sh/release-name': {} } } }
    const [replacement] = handOverPatch(withEntries([entry('Go-http-client', 'Update', marked)])) ?? []
    expect(replacement).toMatchObject({ value: [{ manager: 'helm', operation: 'Apply', fieldsV1: marked }] })
  })

  test('leaves any other nameless program alone', () => {
    const foreign = { 'f:metadata': { 'f:annotations': { 'f:cloud.google.com/neg-status': {} } } }
    expect(handOverPatch(withEntries([entry('Go-http-client', 'Update', foreign)]))).toBeUndefined()
  })

  test('leaves other programs alone, whatever annotation they hold', () => {
    const marked = { 'f:metadata': { 'f:annotations': { 'f:meta.helm.sh/release-name': {} } } }
    expect(handOverPatch(withEntries([entry('kubectl', 'Update', marked)]))).toBeUndefined()
  })

  test('takes over only fields of the same API version', () => {
    const older = { ...entry('helm', 'Update', { 'f:old': {} }), apiVersion: 'apps/v1beta1' }
    const [replacement] = handOverPatch(withEntries([entry('helm', 'Update', { 'f:data': {} }), older])) ?? []
    expect(replacement).toMatchObject({ value: [{ fieldsV1: { 'f:data': {} } }] })
    expect(JSON.stringify(replacement)).not.toContain('f:old')
  })

  test('a member with children keeps its own membership', () => {
    const [replacement] =
      handOverPatch(
        withEntries([entry('helm', 'Apply', { 'f:data': {} }), entry('helm', 'Update', { 'f:data': { 'f:a': {} } })]),
      ) ?? []
    expect(replacement).toMatchObject({ value: [{ fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } } }] })
  })

  test('makes a change in between answer 409: the patch carries the resourceVersion', () => {
    expect(handOverPatch(live)?.[1]).toEqual({
      op: 'replace',
      path: '/metadata/resourceVersion',
      value: '812',
    })
  })
})

describe('what the hand-over frees', () => {
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
    expect(freed(live, body, { ...previous, spec })).toEqual([
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
    expect(freed(live, moved).filter((path) => path.includes('/env'))).toEqual([])
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
    expect(freed(keyed(port(80, 'http')), { ...body, ports }, previous)).toEqual(lost)
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
    expect(freed(live, body)).toContain('/spec/progressDeadlineSeconds')
  })

  test('is nothing where another manager owns the value too', () => {
    const shared = entry('operator', 'Update', { 'f:metadata': { 'f:annotations': { 'f:old': {} } } })
    const object = withEntries([...(live.metadata.managedFields ?? []), shared])
    expect(freed(object, body)).not.toContain('/metadata/annotations/old')
  })
})

describe('a hand-over of what is known to be written', () => {
  const object: KubeObject = {
    ...withEntries([
      entry('helm', 'Update', {
        'f:spec': { 'f:strategy': { 'f:type': {}, 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {} } }, 'f:size': {} },
      }),
    ]),
    spec: { strategy: { type: 'A', rollingUpdate: { maxSurge: 1 } }, size: 1, free: { a: 1 } },
  }
  const written = (spec: JsonObject): readonly KubeObject[] => [{ ...object, spec }]
  const fieldsOf = (patch: readonly JsonObject[] | undefined) => JSON.stringify(patch?.[0]?.value)

  test('leaves defaults to nobody', () => {
    const patch = handOverPatch(object, { written: written({ strategy: { rollingUpdate: {} } }) })
    const fieldsV1 = { 'f:spec': { 'f:strategy': { 'f:rollingUpdate': {} } } }
    expect(patch?.[0]).toMatchObject({ value: [{ manager: 'helm', operation: 'Apply', fieldsV1 }] })
    expect(fieldsOf(patch)).not.toMatch(/maxSurge|type|size/)
  })

  test('takes a default that has to go', () => {
    const handOver = { written: written({ size: 1 }), unset: ['/spec/strategy/rollingUpdate'] }
    const fieldsV1 = { 'f:spec': { 'f:strategy': { 'f:rollingUpdate': {} }, 'f:size': {} } }
    expect(handOverPatch(object, handOver)?.[0]).toMatchObject({ value: [{ fieldsV1 }] })
    const applied = withEntries([entry('helm', 'Apply', { 'f:spec': { 'f:size': {} } })])
    const patch = handOverPatch({ ...applied, spec: object.spec }, { unset: ['/spec/free'] })
    expect(patch?.[0]).toMatchObject({ value: [{ fieldsV1: { 'f:spec': { 'f:size': {}, 'f:free': {} } } }] })
  })

  test('takes nothing that somebody else owns by then, nor an item of a list whose key nobody tells', () => {
    const theirs = entry('operator', 'Update', { 'f:spec': { 'f:free': { 'f:a': {} } } })
    const applied = withEntries([entry('helm', 'Apply', { 'f:spec': { 'f:size': {} } }), theirs])
    const live = { ...applied, spec: { ...(object.spec as JsonObject), list: [{ x: { a: 1 } }] } }
    expect(handOverPatch(live, { unset: ['/spec/free', '/spec/list/0/x'] })).toBeUndefined()
  })
})

/** What an apply of the body removes after the hand-over of what these manifests wrote, or of everything. */
function freed(object: KubeObject, body: KubeObject, previous?: KubeObject): readonly string[] {
  return pathsNoLongerApplied(asHandedOver(object, previous === undefined ? {} : { written: [previous, body] }), body)
}

function withEntries(managedFields: readonly ManagedFieldsEntry[]): KubeObject {
  return { ...live, metadata: { ...live.metadata, managedFields } }
}

function entry(manager: string, operation: string, fieldsV1: JsonObject = { 'f:spec': {} }): ManagedFieldsEntry {
  return { apiVersion: 'apps/v1', fieldsType: 'FieldsV1', manager, operation, fieldsV1 }
}
