import { describe, expect, test } from 'vitest'
import { directivesOf } from '../../src/directives/read-directives.ts'
import { toManifests } from '../../src/manifest/scope.ts'
import type { Resource } from '../../src/model/directives.ts'
import type { KubeObject } from '../../src/model/object.ts'
import { maskedPair } from '../../src/plan/mask.ts'

function resourceOf(object: KubeObject): Resource {
  const { manifests } = toManifests([{ object, file: 'a.yaml', line: 1, source: 'template' }], {
    namespace: 'web',
    served: [],
  })
  const [resource] = directivesOf(manifests, { isPlainManifests: false }).resources
  if (resource === undefined) throw new Error('no resource')
  return resource
}

const secret = (data: { readonly [key: string]: string }, annotations = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', annotations },
  data,
})

const config = (annotations: { readonly [key: string]: string }, data: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', annotations },
  data: data as { readonly [key: string]: string },
})

describe('masking', () => {
  test('a Secret shows its keys, and of a changed value only that it changed', () => {
    const after = secret({ a: 'c2FtZQ==', b: 'bmV3', c: 'YWRkZWQ=' })
    const { before, after: shown } = maskedPair(resourceOf(after), secret({ a: 'c2FtZQ==', b: 'b2xk' }), after)
    expect(before?.data).toEqual({ a: '(hidden)', b: '(hidden)' })
    expect(shown.data).toEqual({ a: '(hidden)', b: '(hidden, changed)', c: '(hidden, changed)' })
  })

  test('a new Secret shows its keys', () => {
    const after = secret({ a: 'c2FtZQ==' })
    expect(maskedPair(resourceOf(after), undefined, after).after.data).toEqual({ a: '(hidden)' })
  })

  test('a kind of another group that is called Secret hides the same fields', () => {
    const after = { ...secret({ a: 'x' }), apiVersion: 'example.com/v1', spec: { b: 'y' } }
    const shown = maskedPair(resourceOf(after), undefined, after).after
    expect([shown.data, shown.spec]).toEqual([{ a: '(hidden)' }, { b: 'y' }])
    const sensitive = { ...after, metadata: { name: 's', annotations: { 'werf.io/sensitive': 'true' } } }
    expect(maskedPair(resourceOf(sensitive), undefined, sensitive).after.spec).toEqual({ b: '(hidden)' })
  })

  test('werf.io/sensitive: "false" shows a Secret', () => {
    const after = secret({ a: 'c2FtZQ==' }, { 'werf.io/sensitive': 'false' })
    expect(maskedPair(resourceOf(after), undefined, after).after.data).toEqual({ a: 'c2FtZQ==' })
  })

  test('werf.io/sensitive: "true" hides all of any object but its metadata', () => {
    const after = config({ 'werf.io/sensitive': 'true' }, { a: 'x' })
    const shown = maskedPair(resourceOf(after), undefined, after).after
    expect([shown.data, shown.kind]).toEqual([{ a: '(hidden)' }, 'ConfigMap'])
  })

  test('werf.io/sensitive-paths hides what the paths name, lists included', () => {
    const after = config(
      { 'werf.io/sensitive-paths': '$.data.token,$.data.list[*].key' },
      {
        token: 'new',
        plain: 'shown',
        list: [{ key: 'a', name: 'n' }],
      },
    )
    const before = config({}, { token: 'old', plain: 'shown', list: [{ key: 'a', name: 'n' }] })
    const { after: shown, before: old } = maskedPair(resourceOf(after), before, after)
    expect(shown.data).toEqual({ token: '(hidden, changed)', plain: 'shown', list: [{ key: '(hidden)', name: 'n' }] })
    expect(old?.data).toEqual({ token: '(hidden)', plain: 'shown', list: [{ key: '(hidden)', name: 'n' }] })
  })

  test('a path that leads to more than is looked at hides all of the object', () => {
    const after = config(
      { 'werf.io/sensitive-paths': '$.data.list[*][*]' },
      { plain: 'x', list: Array.from({ length: 200 }, () => Array(60).fill('secret')) },
    )
    const shown = JSON.stringify(maskedPair(resourceOf(after), undefined, after).after)
    expect(shown).not.toMatch(/"secret"|"x"/)
  })

  test('neither status nor managed fields are shown', () => {
    const live = {
      ...config({}, {}),
      status: { a: 1 },
      metadata: { name: 'c', managedFields: [], resourceVersion: '1' },
    }
    expect(maskedPair(resourceOf(config({}, {})), live, config({}, {})).before).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c' },
      data: {},
    })
  })
})
