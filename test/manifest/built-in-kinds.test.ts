import { describe, expect, test } from 'vitest'
import { builtInKind, builtInKinds, isBuiltInGroup, kindNames, podPlaceOf } from '../../src/manifest/built-in-kinds.ts'
import type {
  Awaited,
  PodPlace,
  QuotaNames,
  ReadinessRule,
  Scope,
  ServerChosen,
} from '../../src/manifest/built-in-table.ts'

describe('the table of built-in kinds', () => {
  test('places in the install order are 0 to 37, each once, and no kind has two', () => {
    const ordered = builtInKinds.filter(({ installOrder }) => installOrder !== undefined)
    expect(ordered.map(({ installOrder = -1 }) => installOrder).sort((a, b) => a - b)).toEqual([...Array(38).keys()])
    expect(new Set(ordered.map(({ kind }) => kind)).size).toBe(38)
  })

  test('what is deleted right after another kind has a place, and so has that kind', () => {
    const kinds = new Set(builtInKinds.flatMap(({ installOrder, kind }) => (installOrder === undefined ? [] : [kind])))
    const moved = builtInKinds.filter(({ uninstallAfter }) => uninstallAfter !== undefined)
    expect(moved.map(({ kind, uninstallAfter = '' }) => [kind, kinds.has(kind), kinds.has(uninstallAfter)])).toEqual([
      ['Service', true, true],
    ])
  })

  // The records name all members of a union: the compiler asks for a new one here, and the test for its use.
  test.each<[string, (row: (typeof builtInKinds)[number]) => string | undefined, object]>([
    ['scope', ({ scope }) => scope, { namespaced: 0, cluster: 0 } satisfies Record<Scope, 0>],
    [
      'awaited',
      ({ awaited }) => awaited,
      { ready: 0, no: 0, 'load-balancer': 0, established: 0 } satisfies Record<Awaited, 0>,
    ],
    [
      'readiness',
      ({ readiness }) => readiness,
      {
        applied: 0,
        'api-service': 0,
        'custom-resource-definition': 0,
        'daemon-set': 0,
        deployment: 0,
        job: 0,
        namespace: 0,
        'persistent-volume': 0,
        'persistent-volume-claim': 0,
        pod: 0,
        'pod-disruption-budget': 0,
        'replica-set': 0,
        service: 0,
        'stateful-set': 0,
      } satisfies Record<ReadinessRule, 0>,
    ],
    [
      'pods',
      ({ pods }) => pods,
      {
        itself: 0,
        owned: 0,
        'owned-by-revision': 0,
        'owned-by-generation': 0,
        'through-replica-sets': 0,
      } satisfies Record<PodPlace, 0>,
    ],
    ['quota', ({ quota }) => quota, { count: 0, 'by-name': 0, services: 0 } satisfies Record<QuotaNames, 0>],
    [
      'serverChosen',
      ({ serverChosen }) => serverChosen,
      { nothing: 0, addresses: 0, 'job-uid': 0, 'token-volumes': 0 } satisfies Record<ServerChosen, 0>,
    ],
  ])('each value of %s stands in a row', (_name, columnOf, values) => {
    const used = new Set(builtInKinds.map(columnOf).filter((value) => value !== undefined))
    expect([...used].sort()).toEqual(Object.keys(values).sort())
  })

  test('what has a rule for its readiness is waited for', () => {
    expect(builtInKinds.filter(({ awaited, readiness }) => awaited === 'no' && readiness !== 'applied')).toEqual([])
  })

  test('a rule that asks for a status is for a kind that has one', () => {
    expect(builtInKinds.filter(({ hasStatus, readiness }) => readiness !== 'applied' && !hasStatus)).toEqual([])
  })

  test('what runs to its end is, or has, pods', () => {
    expect([...kindNames(({ runsToEnd }) => runsToEnd)].sort()).toEqual(['Job', 'Pod'])
    expect(builtInKinds.filter(({ pods, runsToEnd }) => runsToEnd && pods === undefined)).toEqual([])
  })

  test('two groups may have one kind, but then only one place for its pods', () => {
    const placed = builtInKinds.filter(({ pods }) => pods !== undefined)
    expect(
      placed.map(({ group, kind, pods }) => [kind, podPlaceOf({ apiVersion: `${group}/v1`, kind }) === pods]),
    ).toEqual(placed.map(({ kind }) => [kind, true]))
  })
})

describe('a kind is looked up by its group', () => {
  test('in any version', () => {
    expect(builtInKind({ apiVersion: 'apps/v1beta1', kind: 'Deployment' })?.readiness).toBe('deployment')
    expect(builtInKind({ apiVersion: 'v1', kind: 'Service' })?.awaited).toBe('load-balancer')
  })

  test('not by its name alone', () => {
    expect(builtInKind({ apiVersion: 'serving.knative.dev/v1', kind: 'Service' })).toBeUndefined()
    expect(builtInKind({ apiVersion: 'v1', kind: 'Deployment' })).toBeUndefined()
  })

  test('but a workload of another group owns its pods as the one of Kubernetes does; a Pod of another group is none', () => {
    expect(podPlaceOf({ apiVersion: 'apps.kruise.io/v1', kind: 'StatefulSet' })).toBe('owned-by-revision')
    expect(podPlaceOf({ apiVersion: 'example.com/v1', kind: 'Pod' })).toBeUndefined()
    expect(podPlaceOf({ apiVersion: 'v1', kind: 'Pod' })).toBe('itself')
  })

  test('groups that the API server serves by itself are known without any of their kinds', () => {
    expect(
      ['', 'apps', 'internal.apiserver.k8s.io', 'gateway.networking.k8s.io', 'toString'].map(isBuiltInGroup),
    ).toEqual([true, true, true, false, false])
  })
})
