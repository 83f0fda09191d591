import { describe, expect, test } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { compareTwins, type Twins } from './equal-clusters.ts'
import { keyOf, type Snapshot } from './snapshot.ts'

const secret = (password: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'shop', uid: password, resourceVersion: password },
  data: { password },
})
const service = (spec: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'shop' },
  spec,
})
const holding = (...objects: readonly KubeObject[]): Snapshot =>
  new Map(objects.map((object) => [keyOf(object), object]))

function compared(ours: readonly [Snapshot, Snapshot], helms: readonly [Snapshot, Snapshot], more?: Partial<Twins>) {
  return compareTwins({
    ours: { before: ours[0], after: ours[1] },
    helms: { before: helms[0], after: helms[1] },
    crdsFolder: new Set(),
    becameHooks: new Set(),
    varies: false,
    helm: 'helm3',
    random: new Map(),
    ...more,
  })
}

describe('twins after their upgrade', () => {
  test('are equal where only what the API server keeps is different', () => {
    const [a, b] = [holding(secret('word')), holding({ ...secret('word'), metadata: { name: 'shop', uid: 'other' } })]
    expect(compared([a, a], [b, b])).toEqual({ differences: [], tolerated: [] })
  })

  test('differ in a value', () => {
    const old = holding(secret('old'))
    expect(compared([old, holding(secret('a'))], [old, holding(secret('b'))]).differences).toEqual([
      'Secret/shop /data/password: ours "a", Helm\'s "b"',
    ])
  })

  test('differ where one of them has an object more', () => {
    const [none, some] = [holding(), holding(secret('a'))]
    expect(compared([none, some], [none, none]).differences).toEqual(['Secret/shop: only ours'])
    expect(compared([none, none], [none, some]).differences).toEqual(["Secret/shop: only Helm's"])
  })

  test('may have random values, if both keep theirs or both replace them', () => {
    const of = (password: string) => holding(secret(password))
    const tolerated = { differences: [], tolerated: ['random'] }
    expect(compared([of('a'), of('a')], [of('b'), of('b')])).toEqual(tolerated)
    expect(compared([of('a'), of('c')], [of('b'), of('d')])).toEqual(tolerated)
    expect(compared([of('a'), of('c')], [of('b'), of('b')]).differences).toHaveLength(1)
  })

  test('may have random values in new objects, as far as two renders have them', () => {
    const all = [
      [holding(), holding(secret('a'))],
      [holding(), holding(secret('b'))],
    ] as const
    expect(compared(...all).differences).toHaveLength(1)
    expect(compared(...all, { random: new Map([['Secret/shop', ['/data/password']]]) }).differences).toEqual([])
  })

  test('may have other addresses, but not an address beside none', () => {
    const of = (spec: JsonObject) => holding(service(spec))
    const old = of({})
    expect(compared([old, of({ clusterIP: '10.0.0.1' })], [old, of({ clusterIP: '10.0.0.2' })])).toEqual({
      differences: [],
      tolerated: ['server-chosen'],
    })
    expect(compared([old, of({ clusterIP: '10.0.0.1' })], [old, old]).differences).toHaveLength(1)
  })

  test('may have other CRDs of the folder crds/, which Helm never updates', () => {
    const of = (spec: JsonObject) => holding({ ...service(spec), kind: 'CustomResourceDefinition' })
    const crdsFolder = new Set(['CustomResourceDefinition/shop'])
    expect(compared([of({}), of({ a: 1 })], [of({}), of({})], { crdsFolder })).toEqual({
      differences: [],
      tolerated: ['crds/'],
    })
  })

  test('may differ by what became a hook, which Helm deletes after it has made it', () => {
    const [none, some] = [holding(), holding(secret('a'))]
    const becameHooks = new Set(['Secret/shop'])
    expect(compared([some, some], [some, none], { becameHooks }).differences).toEqual([])
    expect(compared([some, none], [some, some], { becameHooks }).differences).toHaveLength(1)
  })
  test('may differ by a port that Helm 3 has lost, and by no other', () => {
    const port = (number: number, protocol: string) => ({ port: number, protocol })
    const of = (...ports: readonly JsonObject[]) => holding(service({ ports }))
    const old = of(port(53, 'TCP'))
    const both = of(port(53, 'TCP'), port(53, 'UDP'))
    expect(compared([old, both], [old, of(port(53, 'UDP'))]).tolerated).toEqual(["Helm 3's merge of ports"])
    expect(compared([old, both], [old, of(port(54, 'TCP'))]).differences).not.toEqual([])
    expect(compared([old, of(port(53, 'TCP'), port(54, 'TCP'))], [old, old]).differences).not.toEqual([])
  })
  test('may differ in the last newlines of a text, which Helm 3 trims', () => {
    const of = (text: string) => holding({ ...service({}), kind: 'ConfigMap', data: { text } })
    const all = [
      [of('a'), of('a\n\n')],
      [of('a'), of('a\n')],
    ] as const
    expect(compared(...all)).toEqual({ differences: [], tolerated: ["Helm 3's last newlines"] })
    expect(compared(...all, { helm: 'helm4' }).differences).toHaveLength(1)
    expect(compared([of('a'), of('b\n')], [of('a'), of('a\n')]).differences).toHaveLength(1)
  })
})
