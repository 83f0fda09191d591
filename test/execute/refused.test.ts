import { describe, expect, test } from 'vitest'
import type { ApiCause } from '../../src/model/errors.ts'
import { apiError } from '../doubles/fake-cluster.ts'
import { apply, planOf, stage } from '../doubles/plans.ts'
import { scene } from './run-plan.ts'

const cause = (field: string, message: string): ApiCause => ({ reason: 'FieldValueInvalid', field, message })

describe('what the API server refuses has one name in the plan and in the run', () => {
  test.each([
    [
      'a Service keeps its address',
      'Invalid',
      'Service "web" is invalid: spec.clusterIPs[0]: Invalid value: []string{"10.0.0.9"}: may not change once set',
      [cause('spec.clusterIPs[0]', 'Invalid value: []string{"10.0.0.9"}: may not change once set')],
      'immutable',
    ],
    [
      'a rule of a CRD keeps a field as it was',
      'Invalid',
      'Widget.example.com "w" is invalid: spec.size: Invalid value: "integer": Value is immutable',
      [cause('spec.size', 'Invalid value: "integer": Value is immutable')],
      'immutable',
    ],
    [
      'a webhook keeps a field as it was',
      'Invalid',
      'admission webhook "v.example.com" denied the request: Widget.example.com "w" is invalid: spec.size: Invalid value: 2: field is immutable',
      [cause('spec.size', 'Invalid value: 2: field is immutable')],
      'immutable',
    ],
    [
      'a LimitRange is no missing right',
      'Forbidden',
      'pods "web" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
      [],
      'rejected',
    ],
    [
      'a priority class that is not there is no missing right',
      'Forbidden',
      'pods "web" is forbidden: no PriorityClass with name urgent was found',
      [],
      'rejected',
    ],
    [
      'a quota that asks for limits is no missing right',
      'Forbidden',
      'pods "web" is forbidden: failed quota: compute: must specify limits.cpu for: app',
      [],
      'rejected',
    ],
    [
      'rights that the account has not and would give',
      'Forbidden',
      'roles.rbac.authorization.k8s.io "web" is forbidden: user "ci" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
      [],
      'rejected',
    ],
    ['a namespace that is gone', 'NotFound', 'namespaces "shop" not found', [], 'invalid-input'],
  ] as const)('%s', async (_rule, reason, message, causes, expected) => {
    const given = scene()
    given.cluster.failWhen({ verb: 'apply' }, apiError(reason, { message, causes }))
    const { failure } = await given.run(planOf(stage('main', [[apply('ConfigMap/a', { change: 'update' })]])))
    expect(failure).toMatchObject({ reason: expected, message })
  })
})
