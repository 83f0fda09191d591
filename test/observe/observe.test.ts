import { beforeEach, describe, expect, test } from 'vitest'
import { keptIn } from '../../src/directives/kept-live.ts'
import { withOwnership } from '../../src/manifest/ownership.ts'
import type { DeletePolicy, Directives, Resource } from '../../src/model/directives.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import type { DryRun } from '../../src/model/observed.ts'
import { type Ref, refKey } from '../../src/model/ref.ts'
import { type ObserveInput, observe } from '../../src/observe/observe.ts'
import { withoutDryRuns } from '../../src/observe/without-dry-runs.ts'
import type { Reader } from '../../src/ports.ts'
import { directives } from '../directives/given.ts'
import { fakeClock } from '../doubles/fake-clock.ts'
import { apiError, type FakeCluster, fakeCluster } from '../doubles/fake-cluster.ts'
import { servedKind } from '../doubles/served-kind.ts'

const owner = { release: 'shop', namespace: 'web' }

function resource(object: KubeObject, change: Partial<Directives> = {}): Resource {
  const ref: Ref = {
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: 'web',
    name: object.metadata.name ?? '',
  }
  const named = { ...object, metadata: { ...object.metadata, namespace: 'web' } }
  const manifest = {
    ref,
    object: named,
    origin: { file: 'shop/templates/a.yaml', line: 1 },
    source: 'template' as const,
  }
  return { manifest, directives: { ...directives({}), ...change }, unusedKeys: [] }
}

const config = (name: string, data: { readonly [key: string]: string } = { a: '1' }) =>
  resource({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })

const job = (policy: readonly DeletePolicy[]) =>
  resource(
    { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'migrate' }, spec: {} },
    { isHook: true, deletePolicies: policy },
  )

let cluster: FakeCluster
beforeEach(() => {
  cluster = fakeCluster(fakeClock())
  cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } })
})

async function look(
  desired: readonly Resource[],
  previous: readonly Resource[] = [],
  change: Partial<ObserveInput> = {},
) {
  const kinds = [servedKind('', 'v1', 'ConfigMap'), servedKind('', 'v1', 'Namespace'), servedKind('batch', 'v1', 'Job')]
  const discovery = { kinds, failed: [] }
  return observe({
    ...owner,
    reader: cluster,
    discovery,
    verb: 'upgrade',
    desired,
    previous,
    previousIsServerSide: true,
    force: false,
    keptIn,
    ...change,
  })
}

async function answerFor(one: Resource): Promise<DryRun | undefined> {
  return (await look([one])).dryRuns.get(refKey(one.manifest.ref))
}

const requests = () => cluster.requests.map(({ verb, ref, query }) => `${verb} ${ref?.kind ?? query?.kind ?? ''}`)

describe('observing a release', () => {
  test('never writes', async () => {
    await look([config('a'), config('b'), config('c'), job(['before-creation'])])
    expect(cluster.writes()).toEqual([])
  })

  test('reads many objects of a kind with one LIST, few with a GET each', async () => {
    await look([], [config('a'), config('b'), config('c'), job([])])
    expect(requests().toSorted()).toEqual(['get Job', 'get Namespace', 'list ConfigMap'])
  })

  test('reads objects one by one where listing them is forbidden', async () => {
    cluster.put(config('b').manifest.object)
    cluster.failWhen({ verb: 'list' }, apiError('Forbidden'))
    const { live } = await look([], [config('a'), config('b'), config('c')])
    expect([...live.keys()]).toEqual(['/ConfigMap/web/b'])
  })

  test('tells which objects may not be read, with the words of the server', async () => {
    cluster.failWhen(
      { verb: 'get', kind: 'ConfigMap' },
      apiError('Forbidden', { message: 'user cannot get configmaps' }),
    )
    const { unreadable } = await look([config('a')])
    expect([...unreadable]).toEqual([['/ConfigMap/web/a', 'user cannot get configmaps']])
  })

  test('asks for a dry run of what is new', async () => {
    expect(await answerFor(config('a'))).toMatchObject({
      kind: 'accepted',
      object: { metadata: { labels: { 'app.kubernetes.io/managed-by': 'Helm' } } },
    })
  })

  test('asks nothing where neither the manifest nor the live object changed', async () => {
    cluster.put(withOwnership(config('a').manifest.object, owner))
    const { dryRuns } = await look([config('a')], [config('a')])
    expect([...dryRuns.values()]).toEqual([{ kind: 'unchanged' }])
    expect(requests()).not.toContain('dry-run ConfigMap')
  })

  test('asks where somebody else changed the live object', async () => {
    cluster.put(withOwnership(config('a', { a: 'edited' }).manifest.object, owner))
    const { dryRuns } = await look([config('a')], [config('a')])
    expect(dryRuns.get('/ConfigMap/web/a')).toMatchObject({ kind: 'accepted' })
  })

  test('asks where the manifest lost a field that the live object still has', async () => {
    cluster.put(withOwnership(config('a', { a: '1', b: '2' }).manifest.object, owner))
    const { dryRuns } = await look([config('a')], [config('a', { a: '1', b: '2' })])
    expect(dryRuns.get('/ConfigMap/web/a')).toMatchObject({ kind: 'accepted' })
  })

  test('asks for everything after a revision that was applied client-side', async () => {
    cluster.put(withOwnership(config('a').manifest.object, owner))
    const { dryRuns } = await look([config('a')], [config('a')], { previousIsServerSide: false })
    expect(dryRuns.get('/ConfigMap/web/a')).toMatchObject({ kind: 'accepted' })
  })

  test('asks nothing about a hook that is deleted before its creation', async () => {
    cluster.put(job([]).manifest.object)
    expect(await answerFor(job(['before-creation']))).toEqual({ kind: 'not-asked' })
  })

  test('knows a kind that nobody serves without asking', async () => {
    const widget = resource({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } })
    expect(await answerFor(widget)).toEqual({ kind: 'kind-not-served' })
  })

  test('knows a namespace that does not exist without asking', async () => {
    cluster.remove({ apiVersion: 'v1', kind: 'Namespace', name: 'web' })
    const { dryRuns, missingNamespaces } = await look([config('a')])
    expect([[...missingNamespaces], [...dryRuns.values()]]).toEqual([['web'], [{ kind: 'namespace-missing' }]])
  })
})

describe('the answer to a dry run', () => {
  test.each<[string, ReturnType<typeof apiError>, DryRun]>([
    [
      'a conflict names manager and field',
      apiError('Conflict', {
        message: 'Apply failed with 1 conflict',
        causes: [
          { reason: 'FieldManagerConflict', field: '.data.a', message: 'conflict with "kubectl-edit" using v1' },
        ],
      }),
      {
        kind: 'conflict',
        message: 'Apply failed with 1 conflict',
        conflicts: [{ manager: 'kubectl-edit', field: '.data.a' }],
      },
    ],
    [
      'an immutable field is named',
      apiError('Invalid', {
        message: 'is invalid',
        causes: [{ reason: 'FieldValueInvalid', field: 'spec.selector', message: 'field is immutable' }],
      }),
      { kind: 'immutable', message: 'is invalid', fields: ['spec.selector'] },
    ],
    [
      "a StatefulSet's own sentence means immutable too",
      apiError('Invalid', {
        message: 'is invalid',
        causes: [
          {
            reason: 'FieldValueForbidden',
            field: 'spec',
            message: "updates to statefulset spec for fields other than 'replicas' are forbidden",
          },
        ],
      }),
      { kind: 'immutable', message: 'is invalid', fields: ['spec'] },
    ],
    [
      'any other invalid field is a refusal',
      apiError('Invalid', {
        message: 'no',
        causes: [{ reason: 'FieldValueInvalid', field: 'data', message: 'too long' }],
      }),
      {
        kind: 'refused',
        refusal: { kind: 'invalid', message: 'no', fields: ['data'] },
      },
    ],
    [
      'a missing right is told apart',
      apiError('Forbidden', { message: 'User "ci" cannot patch resource "configmaps"' }),
      {
        kind: 'forbidden',
        message: 'User "ci" cannot patch resource "configmaps"',
        right: { verb: 'patch', group: '', resource: 'configmaps' },
      },
    ],
    [
      'from a refusal by quota or admission, which is Forbidden as well',
      apiError('Forbidden', { message: 'exceeded quota: count/configmaps' }),
      { kind: 'refused', refusal: { kind: 'quota', message: 'exceeded quota: count/configmaps' } },
    ],
    [
      'a webhook that is down leaves it open',
      apiError('InternalError', { status: 500, message: 'failed calling webhook "policy.example.com"' }),
      { kind: 'not-possible', because: 'webhook-down' },
    ],
    [
      'so does one that has side effects',
      apiError('BadRequest', { status: 400, message: 'admission webhook "a.example.com" does not support dry run' }),
      { kind: 'not-possible', because: 'dry-run-refused' },
    ],
  ])('%s', async (_rule, refusal, expected) => {
    cluster.failWhen({ verb: 'dry-run' }, refusal)
    expect(await answerFor(config('a'))).toEqual(expected)
  })

  test('what the API server and webhooks have set stays in what is expected where a webhook is down', async () => {
    const { object } = config('a', { a: 'old', left: 'chart' }).manifest
    const live = withOwnership({ ...object, data: { a: 'old', left: 'chart', set: 'by default' } }, owner)
    cluster.put(live)
    cluster.failWhen(
      { verb: 'dry-run' },
      apiError('InternalError', { status: 500, message: 'failed calling webhook "policy.example.com"' }),
    )
    const { dryRuns } = await look([config('a', { a: 'new' })], [config('a', { a: 'old', left: 'chart' })])
    expect(dryRuns.get('/ConfigMap/web/a')).toMatchObject({
      kind: 'not-possible',
      because: 'webhook-down',
      object: { data: { a: 'new', set: 'by default' } },
    })
    expect(dryRuns.get('/ConfigMap/web/a')).not.toHaveProperty(['object', 'data', 'left'])
  })

  test('an outage of the server is no answer', async () => {
    cluster.failWhen(
      { verb: 'dry-run' },
      apiError('InternalError', { status: 503, message: 'etcdserver: leader changed' }),
    )
    await expect(answerFor(config('a'))).rejects.toThrow('leader changed')
  })
})

describe('an object that somebody writes while it is looked at', () => {
  const write = (version: number) => {
    const { object } = config('a', { a: 'old', seen: String(version) }).manifest
    cluster.put(withOwnership(object, owner))
  }
  const writingEach = (times: number): Reader => {
    let asked = 0
    return {
      ...cluster,
      dryRunApply: async (...body) => {
        asked += 1
        if (asked <= times) write(asked)
        return cluster.dryRunApply(...body)
      },
    }
  }
  const lookBy = async (reader: Reader) => (await look([config('a')], [], { reader })).live.get('/ConfigMap/web/a')

  test('is read and asked about again, so that both answers are about one version', async () => {
    write(0)
    expect(await lookBy(writingEach(1))).toMatchObject({ data: { seen: '1' } })
    expect(requests()).toEqual([...requests().slice(0, 2), 'dry-run ConfigMap', 'get ConfigMap', 'dry-run ConfigMap'])
  })

  test('is asked about once where only its status was written', async () => {
    write(0)
    const reader: Reader = {
      ...cluster,
      dryRunApply: async (...body) => {
        const live = cluster.object(config('a').manifest.ref)
        cluster.put({ ...live, status: { phase: 'Ready' } } as KubeObject)
        return cluster.dryRunApply(...body)
      },
    }
    expect(await lookBy(reader)).toMatchObject({ status: { phase: 'Ready' } })
    expect(requests().filter((one) => one === 'dry-run ConfigMap')).toHaveLength(1)
  })

  test('is looked at three times at most', async () => {
    write(0)
    expect(await lookBy(writingEach(9))).toMatchObject({ data: { seen: '2' } })
    expect(requests().filter((one) => one === 'dry-run ConfigMap')).toHaveLength(3)
  })

  test('is planned as new where it was deleted meanwhile', async () => {
    write(0)
    const reader: Reader = {
      ...cluster,
      dryRunApply: async (...body) => {
        write(1)
        const answer = await cluster.dryRunApply(...body)
        cluster.remove(config('a').manifest.ref)
        return answer
      },
    }
    expect(await lookBy(reader)).toBeUndefined()
  })

  test('is taken as it was listed where it may not be read alone', async () => {
    for (const name of ['a', 'b', 'c']) cluster.put(withOwnership(config(name, { a: 'old' }).manifest.object, owner))
    cluster.failWhen({ verb: 'get', kind: 'ConfigMap' }, apiError('Forbidden'))
    const { live } = await look([config('a'), config('b'), config('c')], [], { reader: writingEach(1) })
    expect(live.get('/ConfigMap/web/a')?.data).toEqual({ a: 'old' })
  })
})

describe('a default that the API server refuses beside the new manifest', () => {
  const strategy = (spec: JsonObject) =>
    resource({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, spec } as KubeObject)
  const ours = { manager: 'helm', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:type': {} } } }
  const put = (spec: JsonObject, ...others: readonly JsonObject[]) => {
    const live = withOwnership(strategy(spec).manifest.object, owner)
    cluster.put({ ...live, metadata: { ...live.metadata, managedFields: [ours, ...others] } } as KubeObject)
  }
  const refusal = (field: string) =>
    apiError('Invalid', { message: 'not both', causes: [{ reason: 'FieldValueForbidden', field, message: 'no' }] })
  const key = '/ConfigMap/web/a'

  test.each([
    ['is the refused field', 'spec.rolling'],
    ['stands beside it', 'spec.other'],
  ])('goes where nobody owns it: it %s', async (_what, field) => {
    put({ type: 'Rolling', rolling: { surge: 1 }, replicas: 1 })
    cluster.failWhen({ verb: 'dry-run' }, refusal(field), 1)
    const { dryRuns, handOvers } = await look([strategy({ type: 'Recreate', other: { a: 1 } })])
    expect(dryRuns.get(key)).toMatchObject({ kind: 'accepted', object: { spec: { type: 'Recreate', replicas: 1 } } })
    expect(JSON.stringify(dryRuns.get(key))).not.toContain('surge')
    expect(handOvers.get(key)).toEqual({ unset: ['/spec/rolling'] })
  })

  test.each<[string, JsonObject, readonly JsonObject[]]>([
    [
      'another manager owns it',
      { type: 'Recreate' },
      [{ manager: 'operator', operation: 'Update', fieldsV1: { 'f:spec': { 'f:rolling': { 'f:surge': {} } } } }],
    ],
    ['the manifest names it', { type: 'Recreate', rolling: { surge: 2 } }, []],
  ])('stays where %s', async (_what, spec, others) => {
    put({ type: 'Rolling', rolling: { surge: 1 } }, ...others)
    cluster.failWhen({ verb: 'dry-run' }, refusal('spec.rolling'), 1)
    expect(await answerFor(strategy(spec))).toMatchObject({ kind: 'refused', refusal: { message: 'not both' } })
    expect(requests()).not.toContain('dry-run-patch ConfigMap')
  })

  test('is looked for with four questions at most, and then the first refusal counts', async () => {
    put(Object.fromEntries(['type', ...'abcdefgh'].map((name) => [name, name === 'type' ? 'A' : { x: 1 }])))
    cluster.failWhen({ verb: 'dry-run' }, refusal('spec.type'), 1)
    cluster.failWhen({ verb: 'dry-run-patch' }, refusal('spec.type'))
    expect(await answerFor(strategy({ type: 'B' }))).toMatchObject({ refusal: { fields: ['spec.type'] } })
    expect(requests().filter((one) => one === 'dry-run-patch ConfigMap')).toHaveLength(4)
  })
})

describe('a release that Helm 3 applied', () => {
  const marks = { 'f:metadata': { 'f:annotations': { 'f:meta.helm.sh/release-name': {} } } }
  const conflict = (manager: string) =>
    apiError('Conflict', {
      message: 'Apply failed',
      causes: [{ reason: 'FieldManagerConflict', field: '.data.a', message: `conflict with "${manager}" using v1` }],
    })

  test.each(['helm', 'Go-http-client'])('%s is no other manager: its hand-over is foreseen', async (manager) => {
    const live = withOwnership(config('a', { a: 'old' }).manifest.object, owner)
    const managedFields = [{ manager, operation: 'Update', fieldsV1: marks }]
    cluster.put({ ...live, metadata: { ...live.metadata, managedFields } })
    cluster.failWhen({ verb: 'dry-run' }, conflict(manager), 1)
    const { dryRuns, handOvers } = await look([config('a')])
    expect([dryRuns.get('/ConfigMap/web/a')?.kind, [...handOvers.keys()]]).toEqual(['accepted', ['/ConfigMap/web/a']])
  })

  test('is asked about as a whole where a dry run of the apply alone is refused', async () => {
    const live = withOwnership(config('a', { a: 'old', b: 'old' }).manifest.object, owner)
    const fieldsV1 = { ...marks, 'f:data': { 'f:a': {}, 'f:b': {} } }
    cluster.put({
      ...live,
      immutable: false,
      metadata: { ...live.metadata, managedFields: [{ manager: 'helm', operation: 'Update', fieldsV1 }] },
    })
    cluster.failWhen({ verb: 'dry-run' }, apiError('Invalid', { message: 'a and b are one thing' }), 1)
    const answer = await answerFor(config('a', { a: 'new' }))
    expect(answer).toMatchObject({ kind: 'accepted', object: { immutable: false, data: { a: 'new' } } })
    expect(JSON.stringify(answer)).not.toContain('old')
  })

  test('what is refused as a whole, too, is refused', async () => {
    const live = withOwnership(config('a', { a: 'old' }).manifest.object, owner)
    const managedFields = [{ manager: 'helm', operation: 'Update', fieldsV1: marks }]
    cluster.put({ ...live, metadata: { ...live.metadata, managedFields } })
    cluster.failWhen({ verb: 'dry-run' }, apiError('Invalid', { message: 'x' }), 1)
    cluster.failWhen({ verb: 'dry-run-patch' }, apiError('Invalid', { message: 'not that way' }), 1)
    expect(await answerFor(config('a'))).toMatchObject({
      kind: 'refused',
      refusal: { kind: 'invalid', message: 'not that way' },
    })
  })

  test('what names a field that its schema does not have stays refused: sent as a whole, the field would be dropped', async () => {
    const live = withOwnership(config('a', { a: 'old' }).manifest.object, owner)
    const managedFields = [{ manager: 'helm', operation: 'Update', fieldsV1: marks }]
    cluster.put({ ...live, metadata: { ...live.metadata, managedFields } })
    const message =
      'failed to create typed patch object (web/a; /v1, Kind=ConfigMap): .dat: field not declared in schema'
    cluster.failWhen({ verb: 'dry-run' }, apiError('BadRequest', { status: 400, message }), 1)
    expect(await answerFor(config('a'))).toMatchObject({ kind: 'refused', refusal: { message } })
  })

  test('another manager beside it stays one', async () => {
    const live = withOwnership(config('a', { a: 'old' }).manifest.object, owner)
    const managedFields = [{ manager: 'helm', operation: 'Update', fieldsV1: marks }]
    cluster.put({ ...live, metadata: { ...live.metadata, managedFields } })
    cluster.failWhen({ verb: 'dry-run' }, conflict('kubectl-edit'), 1)
    expect(await answerFor(config('a'))).toMatchObject({ kind: 'conflict', conflicts: [{ manager: 'kubectl-edit' }] })
  })

  test('and is told alone, in the same order each time', async () => {
    const live = withOwnership(config('a', { a: 'old' }).manifest.object, owner)
    const managedFields = [{ manager: 'helm', operation: 'Update', fieldsV1: marks }]
    cluster.put({ ...live, metadata: { ...live.metadata, managedFields } })
    const causes = ['.data.b kubectl-edit', '.data.a helm', '.data.a kubectl-edit', '.data.a argocd'].map((text) => {
      const [field = '', manager] = text.split(' ')
      return { reason: 'FieldManagerConflict', field, message: `conflict with "${manager}" using v1` }
    })
    cluster.failWhen({ verb: 'dry-run' }, apiError('Conflict', { message: 'Apply failed', causes }), 1)
    expect(await answerFor(config('a'))).toMatchObject({
      conflicts: [
        { field: '.data.a', manager: 'argocd' },
        { field: '.data.a', manager: 'kubectl-edit' },
        { field: '.data.b', manager: 'kubectl-edit' },
      ],
    })
  })
})

describe('an account that may not dry-run', () => {
  const cannot = apiError('Forbidden', { message: 'User "ci" cannot patch resource "configmaps"' })

  test('in a plan all changes are found in the rendered fields', async () => {
    cluster.put(withOwnership(config('a', { a: 'old', b: 'kept' }).manifest.object, owner))
    cluster.failWhen({ verb: 'dry-run' }, cannot)
    const { dryRuns, bodies } = await look([config('a'), config('b')], [], { mayDryRunBeForbidden: true })
    expect([...dryRuns.values()]).toEqual([
      { kind: 'accepted', object: expect.objectContaining({ data: { a: '1', b: 'kept' } }), isWithoutDryRun: true },
      { kind: 'accepted', object: bodies.get('/ConfigMap/web/b'), isWithoutDryRun: true },
    ])
  })

  test('in a deploy it stays forbidden', async () => {
    cluster.failWhen({ verb: 'dry-run' }, cannot)
    expect(await answerFor(config('a'))).toMatchObject({ kind: 'forbidden' })
  })

  test('a plan that may ask asks', async () => {
    const { dryRuns } = await look([config('a')], [], { mayDryRunBeForbidden: true })
    expect(dryRuns.get('/ConfigMap/web/a')).not.toHaveProperty('isWithoutDryRun')
  })

  test('a deploy that may ask makes the very plan of one that may not', async () => {
    cluster.put(withOwnership(config('a', { a: 'old' }).manifest.object, owner))
    const strong = await look([config('a'), config('b'), job([])])
    cluster.failWhen({ verb: 'dry-run' }, cannot)
    const weak = await look([config('a'), config('b'), job([])], [], { mayDryRunBeForbidden: true })
    expect(withoutDryRuns(strong, new Map()).dryRuns).toEqual(weak.dryRuns)
  })

  test('what was not asked and what was refused stays as it is', async () => {
    cluster.put(job([]).manifest.object)
    const observed = await look([job(['before-creation'])])
    const answer: DryRun = { kind: 'refused', refusal: { kind: 'rejected', message: 'no' } }
    const refused = { ...observed, dryRuns: new Map([['x', answer]]) }
    expect(withoutDryRuns(observed, new Map()).dryRuns).toEqual(observed.dryRuns)
    expect(withoutDryRuns(refused, new Map()).dryRuns).toEqual(refused.dryRuns)
  })
})

describe('quotas', () => {
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'limits', namespace: 'web' } }

  test('are read where objects are to be created', async () => {
    cluster.put(quota)
    expect((await look([config('a'), config('b')])).quotas).toMatchObject([{ metadata: { name: 'limits' } }])
    expect(requests().filter((line) => line === 'list ResourceQuota')).toHaveLength(1)
  })

  test('are not asked for where nothing is created', async () => {
    cluster.put(withOwnership(config('a').manifest.object, owner))
    await look([config('a')], [config('a')])
    expect(requests()).not.toContain('list ResourceQuota')
  })

  test('are not checked where they may not be read', async () => {
    cluster.failWhen({ verb: 'list', kind: 'ResourceQuota' }, apiError('Forbidden'))
    expect((await look([config('a')])).quotas).toEqual([])
  })
})
