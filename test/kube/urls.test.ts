import { describe, expect, test } from 'vitest'
import { apiPath, findKind, queryString } from '../../src/kube/urls.ts'
import { isApiError } from '../../src/model/errors.ts'
import type { ServedKind } from '../../src/ports.ts'

const about = { doing: 'get it' }
const pods: ServedKind = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  resource: 'pods',
  singular: 'pod',
  shortNames: ['po'],
  isNamespaced: true,
  hasStatus: true,
  isPreferred: true,
}
const roles: ServedKind = {
  ...pods,
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  resource: 'clusterroles',
  isNamespaced: false,
}

describe('paths', () => {
  test.each([
    [pods, { namespace: 'shop', name: 'web' }, '/api/v1/namespaces/shop/pods/web'],
    [pods, { namespace: 'shop' }, '/api/v1/namespaces/shop/pods'],
    [pods, {}, '/api/v1/pods'],
    [roles, { name: 'system:x' }, '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Ax'],
    // A namespace on a cluster-scoped object means nothing.
    [roles, { namespace: 'shop', name: 'x' }, '/apis/rbac.authorization.k8s.io/v1/clusterroles/x'],
    [pods, { namespace: 'shop', name: 'a?b#c d' }, '/api/v1/namespaces/shop/pods/a%3Fb%23c%20d'],
  ])('%#', (kind, place, path) => {
    expect(apiPath(kind, place, about)).toBe(path)
  })

  test.each(['', '.', '..', 'a/b', '../x', '%2e%2e'])('the name %j cannot leave its place', (name) => {
    expect(() => apiPath(pods, { namespace: 'shop', name }, about)).toThrow(
      expect.toSatisfy((error: unknown) => isApiError(error, 'BadRequest')),
    )
  })

  test('queries leave out what is undefined, and escape', () => {
    expect(queryString({ a: 'x=y&z', b: undefined, c: true, d: 5 })).toBe('?a=x%3Dy%26z&c=true&d=5')
    expect(queryString({ a: undefined })).toBe('')
  })

  test('kinds of one name in two groups are two kinds', () => {
    const other = { ...pods, group: 'demo.example' }
    const discovery = { kinds: [other, pods], failed: [] }
    expect(findKind(discovery, 'v1', 'Pod')).toBe(pods)
    expect(findKind(discovery, 'demo.example/v1', 'Pod')).toBe(other)
    expect(findKind(discovery, 'v2', 'Pod')).toBeUndefined()
  })
})
