import { describe, expect, test } from 'vitest'
import { holdsAlready } from '../../src/manifest/held-already.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'

interface Case {
  readonly kind?: string
  readonly apiVersion?: string
  /** Beside kind, name and managed fields. */
  readonly live: JsonObject
  readonly body: JsonObject
  /** What our apply owns, as fieldsV1; null: we have never applied it. */
  readonly ours?: JsonObject | null
  readonly isAsRecorded?: boolean
  readonly hasStatus?: boolean
}

function isHeld({ apiVersion = 'v1', kind = 'ConfigMap', live, body, ours = {}, ...options }: Case): boolean {
  const entry = { manager: 'helm', operation: 'Apply', apiVersion, fieldsType: 'FieldsV1', fieldsV1: ours }
  const managedFields = ours === null ? [] : [entry]
  const object = (fields: JsonObject, metadata: JsonObject): KubeObject =>
    ({ ...fields, apiVersion, kind, metadata: { name: 'a', ...metadata } }) as KubeObject
  return holdsAlready(object(live, { uid: 'u', managedFields }), object(body, {}), {
    isAsRecorded: true,
    hasStatus: false,
    ...options,
  })
}

const crd = 'apiextensions.k8s.io/v1'

describe('what an apply would leave as it is', () => {
  test.each<[string, Case]>([
    ['the same values', { live: { data: { a: '1' } }, body: { data: { a: '1' } } }],
    [
      'texts of a Secret',
      { kind: 'Secret', live: { data: { a: 'eA==', b: 'eQ==' } }, body: { stringData: { a: 'x' } } },
    ],
    [
      'texts of a Secret over data of the same name',
      { kind: 'Secret', live: { data: { a: 'eA==' } }, body: { data: { a: 'b2xk' }, stringData: { a: 'x' } } },
    ],
    [
      'quantities in other units',
      {
        live: { spec: { resources: { requests: { cpu: '500m', memory: '1Gi' } } } },
        body: { spec: { resources: { requests: { cpu: 0.5, memory: '1024Mi' } } } },
      },
    ],
    ['an empty list, and null', { live: { rules: null }, body: { rules: [], data: null, list: [] } }],
    [
      'an empty text, 0, false and {} that we own and the API server does not keep',
      {
        live: { spec: { items: [{ name: 'a' }] } },
        body: { spec: { ip: '', delay: 0, map: {}, items: [{ name: 'a', value: '' }] }, flag: false },
        ours: {
          'f:spec': {
            'f:ip': {},
            'f:delay': {},
            'f:map': {},
            'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:value': {} } },
          },
          'f:flag': {},
        },
      },
    ],
    [
      'defaults where we own single keys',
      { live: { spec: { a: 1, b: 2 } }, body: { spec: { a: 1 } }, ours: { 'f:spec': { 'f:a': {} } } },
    ],
    [
      'defaults inside of what we own as a whole',
      {
        live: { spec: { list: [{ a: 1, b: 2 }] } },
        body: { spec: { list: [{ a: 1 }] } },
        ours: { 'f:spec': { 'f:list': {} } },
      },
    ],
    [
      'an address that the API server chose',
      {
        kind: 'Service',
        live: { spec: { clusterIP: '10.0.0.1' } },
        body: { spec: { clusterIP: '' } },
        ours: { 'f:spec': { 'f:clusterIP': {} } },
      },
    ],
    [
      'a status, where the kind has the subresource',
      { live: { status: { a: 1 } }, body: { status: {} }, hasStatus: true },
    ],
    ['labels and annotations of others', { live: { metadata: { name: 'a', labels: { theirs: '1' } } }, body: {} }],
    [
      'what was not recorded, where we own nothing that is not sent',
      {
        live: { data: { a: '1', b: '2' } },
        body: { data: { a: '1' } },
        ours: { 'f:data': { 'f:a': {} } },
        isAsRecorded: false,
      },
    ],
  ])('%s', (_what, given) => {
    expect(isHeld(given)).toBe(true)
  })
})

describe('what only the API server can tell', () => {
  test.each<[string, Case]>([
    ['another value', { live: { data: { a: '1' } }, body: { data: { a: '2' } } }],
    [
      'a text of a Secret that was edited',
      { kind: 'Secret', live: { data: { a: 'eQ==' } }, body: { stringData: { a: 'x' } } },
    ],
    ['a value that is gone', { live: { data: {} }, body: { data: { a: '1' } } }],
    ['quantities that differ', { live: { limits: { cpu: '1' } }, body: { limits: { cpu: '1100m' } } }],
    ['texts that look like quantities', { live: { data: { a: '1Gi' } }, body: { data: { a: '1024Mi' } } }],
    [
      'quantities too large to compare',
      { live: { limits: { a: '100000000000000001' } }, body: { limits: { a: '100000000000000000' } } },
    ],
    [
      'a default of a CRD that looks like a quantity',
      {
        apiVersion: crd,
        kind: 'CustomResourceDefinition',
        live: { default: { a: '1Gi' } },
        body: { default: { a: '1024Mi' } },
      },
    ],
    [
      'false that somebody removed',
      { kind: 'ServiceAccount', live: {}, body: { automountServiceAccountToken: false } },
    ],
    [
      'an empty selector that somebody filled',
      {
        live: { spec: { podSelector: { matchLabels: { app: 'web' } } } },
        body: { spec: { podSelector: {} } },
        ours: { 'f:spec': { 'f:other': {} } },
      },
    ],
    [
      'keys that somebody wrote inside of what an apply owns as a whole',
      {
        live: { spec: { list: [{ a: 1, b: 5 }] } },
        body: { spec: { list: [{ a: 1 }] } },
        ours: { 'f:spec': { 'f:other': {} } },
      },
    ],
    ['items that somebody added', { live: { list: [1, 2] }, body: { list: [1] } }],
    ['items in another order', { live: { list: [2, 1] }, body: { list: [1, 2] } }],
    [
      'a port that somebody chose',
      {
        kind: 'Service',
        live: { spec: { ports: [{ port: 80, nodePort: 30001 }] } },
        body: { spec: { ports: [{ port: 80, nodePort: null }] } },
      },
    ],
    [
      'no replicas where somebody has scaled',
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        live: { spec: { replicas: 3 } },
        body: { spec: { replicas: 0 } },
        ours: { 'f:spec': { 'f:replicas': {} } },
      },
    ],
    ['a status, where it is a field like others', { live: { status: { a: 1 } }, body: { status: { a: 2 } } }],
    [
      'an empty value that a custom resource lacks',
      {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        live: { spec: {} },
        body: { spec: { a: '' } },
        ours: { 'f:spec': { 'f:a': {} } },
      },
    ],
    [
      'what we have never applied',
      { live: { data: { a: '1' } }, body: { data: { a: '1' } }, ours: null, isAsRecorded: false },
    ],
    [
      'what we own and the body lacks',
      {
        live: { data: { a: '1', b: '2' } },
        body: { data: { a: '1' } },
        ours: { 'f:data': { 'f:a': {}, 'f:b': {} } },
        isAsRecorded: false,
      },
    ],
    [
      'more inside of a whole that was not recorded: it may have been ours',
      {
        live: { list: [{ a: 1, b: 2 }] },
        body: { list: [{ a: 1 }] },
        ours: { 'f:list': {} },
        isAsRecorded: false,
      },
    ],
  ])('%s', (_what, given) => {
    expect(isHeld(given)).toBe(false)
  })

  test('an object nested beyond all measure', () => {
    const deep = () => JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as JsonObject
    expect(isHeld({ live: deep(), body: deep() })).toBe(false)
  })

  test('what our apply owns in another version', () => {
    const given = { live: { spec: { a: 1, b: 2 } }, body: { spec: { a: 1 } }, ours: { 'f:spec': { 'f:a': {} } } }
    expect(isHeld(given)).toBe(true)
    const entry = { manager: 'helm', operation: 'Apply', apiVersion: 'v1beta1', fieldsV1: given.ours }
    const live = {
      apiVersion: 'v1',
      kind: 'A',
      metadata: { managedFields: [entry] },
      ...given.live,
    } as unknown as KubeObject
    const body = { apiVersion: 'v1', kind: 'A', metadata: {}, ...given.body } as KubeObject
    expect(holdsAlready(live, body, { isAsRecorded: true, hasStatus: false })).toBe(false)
  })
})
