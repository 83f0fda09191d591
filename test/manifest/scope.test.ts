import { describe, expect, test } from 'vitest'
import { booleanKeys } from '../../src/directives/dialects.ts'
import { toManifests } from '../../src/manifest/scope.ts'
import type { SourceDocument } from '../../src/manifest/single-documents.ts'
import type { JsonValue, KubeObject } from '../../src/model/object.ts'
import { formatRef } from '../../src/model/ref.ts'

const served = [
  { group: '', version: 'v1', kind: 'ConfigMap', isNamespaced: true },
  { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole', isNamespaced: false },
  { group: 'example.io', version: 'v1', kind: 'Zone', isNamespaced: false },
]

describe('namespaces', () => {
  test.each([
    ['a namespaced object without one gets that of the release', configMap('a'), 'ConfigMap/web/a'],
    ['an empty one counts as none', configMap('a', { namespace: '' }), 'ConfigMap/web/a'],
    ['another namespace stays', configMap('a', { namespace: 'other' }), 'ConfigMap/other/a'],
    [
      'a cluster-scoped object loses the one it was given',
      object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'r', { namespace: 'x' }),
      'ClusterRole/r',
    ],
    [
      'a version that discovery does not list has the scope of its kind',
      object('example.io/v2', 'Zone', 'z'),
      'Zone/z',
    ],
    ['kinds of the same name in two groups are two kinds', object('other.io/v1', 'Zone', 'z'), 'Zone/web/z'],
    ['a kind that nobody knows is namespaced', object('new.io/v1', 'Thing', 't'), 'Thing/web/t'],
    ["Kubernetes' own kinds are known without discovery", object('v1', 'Namespace', 'n'), 'Namespace/n'],
  ])('%s', (_name, value, expected) => {
    expect(refs([value])).toEqual([expected])
  })

  test('the object carries what the ref says', () => {
    const { manifests } = toManifests(
      [document(configMap('a')), document(object('example.io/v1', 'Zone', 'z', { namespace: 'x' }))],
      { namespace: 'web', served },
    )
    expect(manifests.map((manifest) => manifest.object.metadata)).toEqual([
      { name: 'a', namespace: 'web' },
      { name: 'z' },
    ])
  })

  test.each([
    ['Cluster', 'Thing/t'],
    ['Namespaced', 'Thing/web/t'],
  ])('a kind of a CRD in the release has its scope: %s', (scope, expected) => {
    const crd = {
      ...object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'things.new.io'),
      spec: { group: 'new.io', scope, names: { kind: 'Thing' } },
    }
    expect(refs([object('new.io/v1', 'Thing', 't'), crd])).toEqual([expected, 'CustomResourceDefinition/things.new.io'])
  })

  test('a CustomResourceDefinition of another group says nothing about the scope of a kind', () => {
    const foreign = {
      ...object('example.io/v1', 'CustomResourceDefinition', 'a'),
      spec: { group: 'new.io', scope: 'Cluster', names: { kind: 'Thing' } },
    }
    expect(refs([object('new.io/v1', 'Thing', 't'), foreign])).toEqual([
      'Thing/web/t',
      'CustomResourceDefinition/web/a',
    ])
  })
})

describe('Lists', () => {
  test('become their items, in order, also a List within a List', () => {
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [configMap('a'), { apiVersion: 'v1', kind: 'List', items: [configMap('b')] }, configMap('c')],
    }
    expect(refs([list, configMap('d')])).toEqual([
      'ConfigMap/web/a',
      'ConfigMap/web/b',
      'ConfigMap/web/c',
      'ConfigMap/web/d',
    ])
  })

  test('of one kind give their items kind and apiVersion', () => {
    expect(refs([{ apiVersion: 'v1', kind: 'ConfigMapList', items: [{ metadata: { name: 'a' } }] }])).toEqual([
      'ConfigMap/web/a',
    ])
  })

  test('hand their annotations to their items, which may set them themselves', () => {
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      metadata: { annotations: { 'helm.sh/hook': 'pre-install', x: 'list' } },
      items: [configMap('a', { annotations: { x: 'item' } }), configMap('b')],
    }
    const { manifests } = toManifests([document(list)], { namespace: 'web', served })
    expect(manifests.map(({ object: { metadata } }) => metadata.annotations)).toEqual([
      { 'helm.sh/hook': 'pre-install', x: 'item' },
      { 'helm.sh/hook': 'pre-install', x: 'list' },
    ])
  })

  test('a kind that only ends in List is none', () => {
    expect(refs([object('acl.io/v1', 'AllowList', 'x')])).toEqual(['AllowList/web/x'])
  })
})

describe('what a second render makes otherwise', () => {
  test('varies, as JSON pointers; what is only written otherwise does not', () => {
    const first = { ...configMap('a', { labels: { on: 'true' } }), data: { fixed: 'x', password: 'p1', 'a/b': '1' } }
    const again = {
      ...configMap('a', { labels: { on: true }, namespace: 'web' }),
      data: { fixed: 'x', password: 'p2', 'a/b': '2', more: '' },
    }
    expect(variesOf(first, again)).toEqual(['/data/a~1b', '/data/more', '/data/password'])
  })

  test('is nothing where there was no second render, or none that says anything', () => {
    expect(variesOf(configMap('a'), undefined)).toBeUndefined()
    expect(variesOf(configMap('a'), { kind: 'ConfigMap' })).toBeUndefined()
    expect(variesOf(configMap('a'), { ...configMap('a', { namespace: '' }) })).toBeUndefined()
  })

  test('is found for each item of a List', () => {
    const list = (a: string, b: string) => ({
      apiVersion: 'v1',
      kind: 'List',
      items: [configMap('a', { annotations: { a } }), configMap('b', { annotations: { b } }), configMap('c')],
    })
    const { manifests } = toManifests([{ ...document(list('1', '1')), again: document(list('1', '2')).object }], {
      namespace: 'web',
      served,
    })
    expect(manifests.map(({ varies }) => varies)).toEqual([undefined, ['/metadata/annotations/b'], undefined])
  })
})

describe('malformed documents are problems that name file and line', () => {
  test.each<[string, JsonValue, readonly string[]]>([
    ['a list', [1], ['the document is a list, not an object']],
    ['a scalar', 'x', ['the document is a string, not an object']],
    ['no apiVersion and no kind', { metadata: { name: 'a' } }, ['the document has no apiVersion and no kind']],
    ['a kind that is no text', { apiVersion: 'v1', kind: 5 }, ['the document has no kind']],
    [
      'an item without a kind',
      { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1' }] },
      ['the document has no kind'],
    ],
    [
      'metadata that is no object',
      { apiVersion: 'v1', kind: 'Pod', metadata: 'x' },
      ['Pod: metadata is a string, not an object'],
    ],
    ['no name', { apiVersion: 'v1', kind: 'Pod' }, ['Pod: metadata.name is missing']],
    [
      'generateName',
      { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'p-' } },
      ['Pod: metadata.generateName is not supported'],
    ],
    [
      'a number as name',
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 5 } },
      ['Pod: metadata.name is a number, not a string'],
    ],
    ['a path as name', configMap('../x'), ['ConfigMap: metadata.name may not be "." or "..", nor hold "/" or "%"']],
    [
      'a path as namespace',
      configMap('x', { namespace: '..' }),
      ['ConfigMap: metadata.namespace may not be "." or "..", nor hold "/" or "%"'],
    ],
    [
      'a boolean as namespace',
      configMap('x', { namespace: true }),
      ['ConfigMap: metadata.namespace is a boolean, not a string'],
    ],
    [
      'values that are no strings, all of them',
      configMap('a', { annotations: { weight: 5, on: true, ok: 'x' }, labels: { v: 1.2, l: [], o: {} } }),
      [
        'ConfigMap/web/a: metadata.annotations: the value of weight is a number, not a string',
        'ConfigMap/web/a: metadata.annotations: the value of on is a boolean, not a string',
        'ConfigMap/web/a: metadata.labels: the value of v is a number, not a string',
        'ConfigMap/web/a: metadata.labels: the value of l is a list, not a string',
        'ConfigMap/web/a: metadata.labels: the value of o is an object, not a string',
      ],
    ],
    [
      'annotations that are no object',
      configMap('a', { annotations: 'x' }),
      ['ConfigMap/web/a: metadata.annotations is a string, not an object'],
    ],
  ])('%s', (_name, value, expected) => {
    const { manifests, problems } = toManifests([document(value)], { namespace: 'web', served })
    expect(problems.map(({ what }) => what)).toEqual(expected)
    expect(problems.map(({ severity, place }) => [severity, place.file, place.line])).toEqual(
      expected.map(() => ['error', 'shop/templates/a.yaml', 7]),
    )
    expect(manifests).toEqual([])
  })

  test('the key and the object are named in the place', () => {
    const { problems } = toManifests([document(configMap('a', { labels: { v: 1 } }))], { namespace: 'web', served })
    expect(problems[0]?.place).toMatchObject({ key: 'v', ref: { kind: 'ConfigMap', namespace: 'web', name: 'a' } })
  })

  test('an object of another namespace is named by it', () => {
    const labels = { v: 1 }
    const { problems } = toManifests([document(configMap('a', { labels, namespace: 'other' }))], {
      namespace: 'web',
      served,
    })
    expect(problems[0]?.place.ref?.namespace).toBe('other')
  })

  test('a null value is the empty text that Go reads, and empty annotations are none', () => {
    const { manifests, problems } = toManifests(
      [document(configMap('a', { annotations: { x: null }, labels: null }))],
      { namespace: 'web', served },
    )
    expect(problems).toEqual([])
    expect(manifests[0]?.object.metadata).toEqual({ name: 'a', namespace: 'web', annotations: { x: '' } })
  })

  test('a bare boolean is the text of it where KOTS reads it before Kubernetes does, and nowhere else', () => {
    const annotations = { 'kots.io/exclude': true, 'kots.io/when': false }
    const { manifests, problems } = toManifests([document(configMap('a', { annotations }))], {
      namespace: 'web',
      served,
      booleanKeys,
    })
    expect(problems).toEqual([])
    expect(manifests[0]?.object.metadata.annotations).toEqual({ 'kots.io/exclude': 'true', 'kots.io/when': 'false' })
  })

  test('the others are deployed-to-be all the same, with their origin', () => {
    const { manifests } = toManifests([document(null), { ...document(configMap('a')), source: 'crds' }], {
      namespace: 'web',
      served,
    })
    expect(manifests).toMatchObject([{ origin: { file: 'shop/templates/a.yaml', line: 7 }, source: 'crds' }])
  })
})

function refs(values: readonly JsonValue[]): readonly string[] {
  return toManifests(values.map(document), { namespace: 'web', served }).manifests.map(({ ref }) => formatRef(ref))
}

function variesOf(value: JsonValue, again: JsonValue | undefined): readonly string[] | undefined {
  const both = { ...document(value), ...(again !== undefined && { again: again as KubeObject }) }
  return toManifests([both], { namespace: 'web', served }).manifests[0]?.varies
}

function document(value: JsonValue): SourceDocument {
  return { object: value as KubeObject, file: 'shop/templates/a.yaml', line: 7, source: 'template' }
}

function configMap(name: string, metadata: { readonly [key: string]: JsonValue } = {}) {
  return object('v1', 'ConfigMap', name, metadata)
}

function object(apiVersion: string, kind: string, name: string, metadata: { readonly [key: string]: JsonValue } = {}) {
  return { apiVersion, kind, metadata: { name, ...metadata } }
}
