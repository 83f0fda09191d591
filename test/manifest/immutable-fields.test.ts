import { describe, expect, test } from 'vitest'
import { immutableAmong, immutableInJob } from '../../src/manifest/immutable-fields.ts'

const of = (apiVersion: string, kind: string) => ({ apiVersion, kind })

describe('fields that are never updated', () => {
  test.each<[string, { apiVersion: string; kind: string }, readonly string[], readonly string[]]>([
    [
      'the selector of a Deployment',
      of('apps/v1', 'Deployment'),
      ['/spec/selector/matchLabels/app', '/spec/replicas'],
      ['/spec/selector/matchLabels/app'],
    ],
    ['nothing of a kind of the same name', of('example.com/v1', 'Deployment'), ['/spec/selector'], []],
    [
      'what a StatefulSet claims',
      of('apps/v1', 'StatefulSet'),
      ['/spec/volumeClaimTemplates/0/spec', '/spec/serviceName', '/spec/template/spec', '/spec/replicas'],
      ['/spec/volumeClaimTemplates/0/spec', '/spec/serviceName'],
    ],
    [
      'a role that is bound',
      of('rbac.authorization.k8s.io/v1', 'RoleBinding'),
      ['/roleRef/name', '/subjects'],
      ['/roleRef/name'],
    ],
    [
      'a claim but for its size',
      of('v1', 'PersistentVolumeClaim'),
      ['/spec/storageClassName', '/spec/resources/requests/storage'],
      ['/spec/storageClassName'],
    ],
    ['the type of a Secret', of('v1', 'Secret'), ['/type', '/data/a'], ['/type']],
    ['nothing else', of('v1', 'Service'), ['/spec/ports/0/port'], []],
  ])('%s', (_what, kind, changed, expected) => {
    expect(immutableAmong(kind, changed, {})).toEqual(expected)
  })

  test('the data of what says so of itself', () => {
    const changed = ['/data/a', '/metadata/labels/a']
    expect(immutableAmong(of('v1', 'ConfigMap'), changed, { immutable: true })).toEqual(['/data/a'])
    expect(immutableAmong(of('v1', 'ConfigMap'), changed, { immutable: false })).toEqual([])
  })
})

test.each([
  ['its template', {}, ['/spec/template/spec/containers/0/image', '/spec/parallelism'], 1],
  ['how often it runs', {}, ['/spec/completions'], 1],
  ['how often it runs, where it is indexed', { completionMode: 'Indexed' }, ['/spec/completions'], 0],
  ['its template while it is suspended', { suspend: true }, ['/spec/template/spec/nodeSelector'], 0],
])('of a Job: %s', (_what, spec, changed, amount) => {
  expect(immutableInJob(changed, { spec })).toEqual(changed.slice(0, amount))
})
