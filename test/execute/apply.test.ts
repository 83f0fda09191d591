import { describe, expect, test } from 'vitest'
import { at } from '../../src/model/object.ts'
import { refKey } from '../../src/model/ref.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { apiError } from '../doubles/fake-cluster.ts'
import { apply, objectOf, planOf, refTo, stage } from '../doubles/plans.ts'
import { scene, told } from './run-plan.ts'

const onlyApply = (change: 'create' | 'update' | 'recreate' | 'none', target = 'ConfigMap/a') =>
  planOf(stage('main', [[apply(target, { change })]]))

describe('apply', () => {
  test('none: no request is made', async () => {
    const given = scene()
    const { result } = await given.run(onlyApply('none'))
    expect([result, given.cluster.requestCount()]).toEqual(['succeeded', 0])
  })

  test('create and update: one server-side apply of the body', async () => {
    const given = scene()
    await given.run(onlyApply('update'), { contents: { 'ConfigMap/a': { data: { key: 'new' } } } })
    expect(given.cluster.requests.map(({ verb }) => verb)).toEqual(['apply'])
    expect(at(given.cluster.object(refTo('ConfigMap/a')), 'data', 'key')).toBe('new')
  })

  describe('of what is judged by an object that comes before it', () => {
    const reason = { code: 'unknown-until-applied', because: 'judged-by-earlier' } as const
    const plan = planOf(stage('main', [[apply('Pod/a', { reason })]]))
    const refused = apiError('Forbidden', {
      message: 'pods "a" is forbidden: no PriorityClass with name urgent was found',
    })

    test('is tried again until the API server knows that object', async () => {
      const given = scene()
      given.cluster.failWhen({ verb: 'apply' }, refused, 3)
      expect((await given.run(plan)).result).toBe('succeeded')
      expect(given.cluster.writes()).toHaveLength(4)
    })

    test('fails by the refusal after 15 seconds', async () => {
      const given = scene()
      given.cluster.failWhen({ verb: 'apply' }, refused)
      const startedAtMs = given.clock.now()
      expect((await given.run(plan)).failure).toMatchObject({ reason: 'rejected', message: refused.details.message })
      expect(given.clock.now() - startedAtMs).toBe(15_000)
    })

    test('is tried once where a right is missing', async () => {
      const given = scene()
      given.cluster.failWhen(
        { verb: 'apply' },
        apiError('Forbidden', { message: 'User "ci" cannot patch resource "pods"' }),
      )
      expect((await given.run(plan)).failure).toMatchObject({ reason: 'forbidden' })
      expect(given.cluster.writes()).toHaveLength(1)
    })

    test('and what the plan knew is tried once', async () => {
      const given = scene()
      given.cluster.failWhen({ verb: 'apply' }, refused)
      await given.run(onlyApply('create', 'Pod/a'))
      expect(given.cluster.writes()).toHaveLength(1)
    })
  })

  describe('of a kind whose CRD the same plan changes', () => {
    const plan = planOf(stage('main', [[apply('Pod/a', { newSchema: 'CRD as.example.com' })]]))

    test.each([
      [
        'a field',
        apiError('BadRequest', {
          message: 'failed to create typed patch object: .spec.b: field not declared in schema',
        }),
      ],
      ['a field, strictly', apiError('BadRequest', { message: 'strict decoding error: unknown field "spec.b"' })],
      ['a value', apiError('Invalid', { message: 'A.example.com "a" is invalid: spec.b: Unsupported value: "c"' })],
    ])('is tried again until the API server knows %s of the new schema', async (_what, refused) => {
      const given = scene()
      given.cluster.failWhen({ verb: 'apply' }, refused, 3)
      expect((await given.run(plan)).result).toBe('succeeded')
      expect(given.cluster.writes()).toHaveLength(4)
    })

    test('fails by the refusal after 15 seconds', async () => {
      const given = scene()
      given.cluster.failWhen(
        { verb: 'apply' },
        apiError('BadRequest', { message: '.spec.b: field not declared in schema' }),
      )
      const startedAtMs = given.clock.now()
      expect((await given.run(plan)).failure).toMatchObject({ message: '.spec.b: field not declared in schema' })
      expect(given.clock.now() - startedAtMs).toBe(15_000)
    })

    test('is tried once where it is refused for another reason, or its schema stays', async () => {
      const denied = scene()
      denied.cluster.failWhen(
        { verb: 'apply' },
        apiError('Forbidden', { message: 'User "ci" cannot patch resource "as"' }),
      )
      await denied.run(plan)
      expect(denied.cluster.writes()).toHaveLength(1)
      const same = scene()
      same.cluster.failWhen(
        { verb: 'apply' },
        apiError('BadRequest', { message: '.spec.b: field not declared in schema' }),
      )
      await same.run(onlyApply('create', 'Pod/a'))
      expect(same.cluster.writes()).toHaveLength(1)
    })
  })

  test('recreate awaits the absence of the old object before it makes the new one', async () => {
    const given = scene()
    const old = given.cluster.put(objectOf('Job/a', { spec: { old: true } }))
    given.cluster.delayDeletion({ name: 'a' }, 4_000, 'foregroundDeletion')
    await given.run(onlyApply('recreate', 'Job/a'), { contents: { 'Job/a': { spec: { old: false } } } })
    expect(given.cluster.writes()).toEqual(['delete Job/shop/a', 'apply Job/shop/a'])
    const [deleted, made] = given.cluster.requests.filter(({ verb }) => verb === 'delete' || verb === 'apply')
    expect((made?.atMs ?? 0) - (deleted?.atMs ?? 0)).toBe(4_000)
    expect(given.cluster.object(refTo('Job/a'))?.metadata.uid).not.toBe(old.metadata.uid)
    expect(told(given, 'progress')).toEqual([
      '0s progress main/apply/Job/shop/a {"code":"deleting","finalizers":["foregroundDeletion"]}',
    ])
  })

  test('recreate of what is gone already is a plain apply', async () => {
    const given = scene()
    await given.run(onlyApply('recreate', 'Job/a'))
    expect(given.cluster.writes()).toEqual(['apply Job/shop/a'])
  })

  test('a CRD is updated in place, even where a recreation is asked for', async () => {
    const given = scene()
    given.cluster.put(objectOf('CustomResourceDefinition/a'))
    await given.run(onlyApply('recreate', 'CustomResourceDefinition/a'))
    expect(given.cluster.writes()).toEqual(['apply CustomResourceDefinition/a'])
  })

  test('what another group calls a CustomResourceDefinition is recreated', async () => {
    const given = scene()
    const object = { ...objectOf('CustomResourceDefinition/a'), apiVersion: 'example.com/v1' }
    given.cluster.put(object)
    const ref = { apiVersion: 'example.com/v1', kind: 'CustomResourceDefinition', name: 'a' }
    const recreate = { ...apply('CustomResourceDefinition/a', { change: 'recreate' }), ref }
    const bodies = new Map([[`main/${recreate.id}`, object]])
    await given.run(planOf(stage('main', [[recreate]])), { bodies })
    expect(given.cluster.writes()).toEqual(['delete CustomResourceDefinition/a', 'apply CustomResourceDefinition/a'])
  })

  test('managed fields of Helm 3 are migrated first, so that what left the chart goes', async () => {
    const given = scene()
    const managedFields = [
      {
        manager: 'helm',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsV1: { 'f:data': { 'f:kept': {}, 'f:gone': {} } },
      },
    ]
    given.cluster.put(objectOf('ConfigMap/a', { metadata: { managedFields }, data: { kept: '1', gone: '1' } }))
    const plan = onlyApply('update')
    const contents = { 'ConfigMap/a': { data: { kept: '2' } } }
    await given.run(plan, { contents, handedOver: new Set(['main/apply/ConfigMap/shop/a']) })
    expect(given.cluster.writes()).toEqual(['patch ConfigMap/shop/a', 'apply ConfigMap/shop/a'])
    expect(at(given.cluster.object(refTo('ConfigMap/a')), 'data')).toEqual({ kept: '2' })
  })

  test('a migration is tried again where somebody else was quicker', async () => {
    const given = scene()
    const managedFields = [{ manager: 'helm', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:data': {} } }]
    given.cluster.put(objectOf('ConfigMap/a', { metadata: { managedFields } }))
    given.cluster.failWhen({ verb: 'patch' }, apiError('Conflict'), 2)
    const { result } = await given.run(onlyApply('update'), { handedOver: new Set(['main/apply/ConfigMap/shop/a']) })
    expect([result, given.cluster.writes().length]).toEqual(['succeeded', 4])
  })

  test.each([
    ['helm', 'succeeded', ['patch', 'apply', 'apply']],
    ['hpa', 'failed', ['patch', 'apply']],
  ])(
    'a hand-over that the API server undoes: a conflict with %s, and the apply has %s',
    async (manager, outcome, verbs) => {
      const given = scene()
      const managedFields = [{ manager: 'helm', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:data': {} } }]
      given.cluster.put(objectOf('ConfigMap/a', { metadata: { managedFields } }))
      const message = `conflict with "${manager}" using v1`
      const causes = [{ field: '.data', reason: 'FieldManagerConflict', message }]
      given.cluster.failWhen({ verb: 'apply' }, apiError('Conflict', { message, causes }), 1)
      const { result } = await given.run(onlyApply('update'), { handedOver: new Set(['main/apply/ConfigMap/shop/a']) })
      expect([result, given.cluster.writes().map((line) => line.split(' ')[0])]).toEqual([outcome, verbs])
    },
  )

  test('a conflict names manager, field and the input that overrides it', async () => {
    const given = scene()
    const managedFields = [{ manager: 'hpa', operation: 'Update', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }]
    given.cluster.put(objectOf('Deployment/web', { metadata: { managedFields }, spec: { replicas: 9 } }))
    const plan = onlyApply('update', 'Deployment/web')
    const { failure } = await given.run(plan, { contents: { 'Deployment/web': { spec: { replicas: 2 } } } })
    expect(failure).toMatchObject({
      reason: 'conflict',
      doing: 'apply',
      stage: 'main',
      weight: 0,
      operationId: 'main/apply/Deployment/shop/web',
      message: 'conflict with "hpa": .spec.replicas',
    })
    expect(failure?.hint && hintText(failure.hint)).toContain('force-conflicts')
  })

  test('force-conflicts takes the fields over', async () => {
    const given = scene()
    const managedFields = [{ manager: 'hpa', operation: 'Update', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }]
    given.cluster.put(objectOf('Deployment/web', { metadata: { managedFields }, spec: { replicas: 9 } }))
    const contents = { 'Deployment/web': { spec: { replicas: 2 } } }
    const { result } = await given.run(onlyApply('update', 'Deployment/web'), { contents, forceConflicts: true })
    expect(result).toBe('succeeded')
  })

  test('says so where an announced update changed nothing', async () => {
    const given = scene()
    const ref = refTo('ConfigMap/a')
    const live = await given.cluster.apply(objectOf('ConfigMap/a'), { force: false })
    await given.run(onlyApply('update'), { live: new Map([[refKey(ref), live]]) })
    const finished = given.events.find((event) => event.type === 'operation-finished')
    expect(finished).toMatchObject({ note: 'nothing changed, although an update was planned' })
  })

  test.each([
    [
      'Invalid',
      'Deployment.apps "a" is invalid: spec.selector: Invalid value: {}: field is immutable',
      'immutable',
      'werf.io/delete-policy',
    ],
    [
      'Invalid',
      'spec: Forbidden: updates to statefulset spec for fields other than x are forbidden',
      'immutable',
      'werf.io/delete-policy',
    ],
    ['Invalid', 'spec.replicas: Invalid value: -1', 'rejected', 'correct'],
    [
      'Forbidden',
      'configmaps "a" is forbidden: User "ci" cannot patch resource "configmaps"',
      'forbidden',
      '"resources":["configmaps"],"verbs":["patch"]',
    ],
    ['Forbidden', 'pods "a" is forbidden: exceeded quota: compute', 'rejected', 'quota'],
    ['Forbidden', 'pods "a" is forbidden: violates PodSecurity "restricted:latest"', 'rejected', 'admission policy'],
    [
      'Forbidden',
      'unable to create new content in namespace shop because it is being terminated',
      'rejected',
      'namespace',
    ],
    ['BadRequest', 'admission webhook "policy.example.com" denied the request: no', 'rejected', 'admission policy'],
    ['InternalError', 'failed calling webhook "x": connection refused', 'rejected', 'webhook'],
    ['NotFound', 'namespaces "shop" not found', 'invalid-input', 'namespace'],
    ['NotFound', 'configmaps "a" not found', 'rejected', 'namespace'],
    ['Unauthorized', 'Unauthorized', 'forbidden', 'credentials'],
    ['Unreachable', 'connect ECONNREFUSED', 'cluster-unreachable', 'API server'],
  ])('%s (%s) fails as %s and says what to do', async (reason, message, expected, hint) => {
    const given = scene()
    given.cluster.failWhen({ verb: 'apply' }, apiError(reason, { message }))
    const { result, failure } = await given.run(onlyApply('update'))
    expect([result, failure?.reason, failure?.message]).toEqual(['failed', expected, message])
    expect(failure?.hint && hintText(failure.hint)).toContain(hint)
  })
})
