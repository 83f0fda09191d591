import { describe, expect, test } from 'vitest'
import { errorOfAnswer, errorOfNetwork } from '../../src/kube/status.ts'
import { hintOfRefusal, reasonOfRefusal, refusalOf } from '../../src/model/api-refusal.ts'
import { defined } from '../../src/model/defined.ts'
import type { FailureReason } from '../../src/model/outcome.ts'
import type { Refusal } from '../../src/model/refusal.ts'

const about = { doing: 'apply Deployment/shop/web' }

/** A Status as the API server sends it. */
const status = (code: number, reason: string | undefined, message: string, details: object = { name: 'web' }) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  ...defined({ reason }),
  details,
  code,
})

const causedBy = (...causes: readonly (readonly [reason: string, message: string, field: string])[]) => ({
  name: 'web',
  causes: causes.map(([reason, message, field]) => ({ reason, message, field })),
})

const refused = (answer: ReturnType<typeof status>) =>
  refusalOf(errorOfAnswer(about, { status: answer.code, text: JSON.stringify(answer) }))

const POD = 'pods "web" is forbidden: '

const worded: readonly (readonly [string, ReturnType<typeof status>, Refusal['kind'], FailureReason])[] = [
  [
    'another writer between read and write',
    status(
      409,
      'Conflict',
      'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    ),
    'changed-meanwhile',
    'conflict',
  ],
  ['an object of this name', status(409, 'AlreadyExists', 'leases "web" already exists'), 'already-exists', 'conflict'],
  [
    'rights to give away that the account has not',
    status(
      403,
      'Forbidden',
      'roles.rbac.authorization.k8s.io "web" is forbidden: user "ci" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
    ),
    'escalation',
    'rejected',
  ],
  [
    'a full quota',
    status(403, 'Forbidden', `${POD}exceeded quota: compute, requested: pods=1, used: pods=10, limited: pods=10`),
    'quota',
    'rejected',
  ],
  [
    'a quota that asks for limits',
    status(403, 'Forbidden', `${POD}failed quota: compute: must specify limits.cpu for: app`),
    'admission-denied',
    'rejected',
  ],
  [
    'a LimitRange',
    status(403, 'Forbidden', `${POD}maximum cpu usage per Container is 1, but limit is 2`),
    'admission-denied',
    'rejected',
  ],
  [
    'a priority class that is not there',
    status(403, 'Forbidden', `${POD}no PriorityClass with name urgent was found`),
    'admission-denied',
    'rejected',
  ],
  [
    'Pod Security',
    status(
      403,
      'Forbidden',
      `${POD}violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false)`,
    ),
    'admission-denied',
    'rejected',
  ],
  [
    'a ValidatingAdmissionPolicy, which answers Invalid',
    status(
      422,
      'Invalid',
      `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'all' denied request: at most 5 replicas`,
      { name: 'web', causes: [{ message: 'at most 5 replicas' }] },
    ),
    'admission-denied',
    'rejected',
  ],
  [
    'a webhook that says no with a status of its own choice',
    status(500, undefined, 'admission webhook "policy.example.com" denied the request: no latest tag'),
    'webhook-denied',
    'rejected',
  ],
  [
    'a webhook that is down',
    status(
      500,
      'InternalError',
      'Internal error occurred: failed calling webhook "policy.example.com": failed to call webhook: Post "https://policy.tools.svc:443/": dial tcp 10.0.0.1:443: connect: connection refused',
    ),
    'webhook-failed',
    'rejected',
  ],
  [
    'a conversion webhook that is down',
    status(
      500,
      undefined,
      'conversion webhook for example.com/v1, Kind=Widget failed: Post "https://w.tools.svc": EOF',
    ),
    'webhook-failed',
    'rejected',
  ],
  [
    'a webhook that cannot be asked',
    status(400, 'BadRequest', 'admission webhook "policy.example.com" does not support dry run', {}),
    'dry-run-unsupported',
    'rejected',
  ],
  [
    'a namespace that is on its way out',
    status(
      403,
      'Forbidden',
      `${POD}unable to create new content in namespace shop because it is being terminated`,
      causedBy(['NamespaceTerminating', 'namespace shop is being terminated', 'metadata.namespace']),
    ),
    'namespace-terminating',
    'rejected',
  ],
  [
    'an object that is gone',
    status(404, 'NotFound', 'deployments.apps "web" not found', { name: 'web', group: 'apps', kind: 'deployments' }),
    'not-found',
    'rejected',
  ],
  ['credentials that are not accepted', status(401, 'Unauthorized', 'Unauthorized', {}), 'unauthorized', 'forbidden'],
  [
    'too many requests',
    status(429, 'TooManyRequests', 'the server has received too many requests and has asked us to try again later', {}),
    'throttled',
    'cluster-unreachable',
  ],
  [
    'etcd without a leader',
    status(500, undefined, 'etcdserver: leader changed', {}),
    'server-error',
    'cluster-unreachable',
  ],
  [
    'an answer too late',
    status(
      504,
      'Timeout',
      'Timeout: request did not complete within requested timeout - context deadline exceeded',
      {},
    ),
    'server-error',
    'cluster-unreachable',
  ],
  [
    'a body that cannot be read',
    status(
      400,
      'BadRequest',
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error',
      {},
    ),
    'rejected',
    'rejected',
  ],
]

describe('what the message alone says', () => {
  test.each(worded)('%s', (_what, answer, kind, reason) => {
    expect([refused(answer), reasonOfRefusal(kind)]).toEqual([{ kind, message: answer.message }, reason])
  })
})

describe('what carries data', () => {
  test('a conflict: manager and field of each, in one order', () => {
    const message = 'Apply failed with 2 conflicts: conflicts with "kubectl-edit":\n- .spec.paused\n- .data.a'
    const answer = status(
      409,
      'Conflict',
      message,
      causedBy(
        ['FieldManagerConflict', 'conflict with "kubectl-edit" using apps/v1', '.spec.paused'],
        ['FieldManagerConflict', 'conflict with "a \\"b\\"" with subresource "scale" using apps/v1', '.data.a'],
      ),
    )
    expect(refused(answer)).toEqual({
      kind: 'conflict',
      message,
      conflicts: [
        { manager: 'a \\"b\\"', field: '.data.a' },
        { manager: 'kubectl-edit', field: '.spec.paused' },
      ],
    })
  })

  test.each([
    ['spec.selector', 'Invalid value: {"matchLabels":{"app":"b"}}: field is immutable'],
    ['spec', "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals' are forbidden"],
    ['spec', 'Forbidden: spec is immutable after creation except resources.requests for bound claims'],
    ['roleRef', 'Invalid value: {"kind":"Role","name":"b"}: cannot change roleRef'],
    ['parameters', 'Forbidden: updates to parameters are forbidden.'],
    ['spec', 'Forbidden: pod updates may not change fields other than `spec.containers[*].image`'],
    ['value', 'Forbidden: may not be changed in an update.'],
    // The plan called these two immutable, the run rejected.
    ['spec.clusterIPs[0]', 'Invalid value: ["10.0.0.9"]: may not change once set'],
    ['spec.size', 'Invalid value: "integer": Value is immutable'],
  ])('%s: %s', (field, text) => {
    const message = `Thing.example.com "web" is invalid: ${field}: ${text}`
    const causes = causedBy(['FieldValueInvalid', 'Required value', 'spec.other'], ['FieldValueInvalid', text, field])
    expect(refused(status(422, 'Invalid', message, causes))).toEqual({ kind: 'immutable', message, fields: [field] })
  })

  test('an immutable field that a webhook guards', () => {
    const message =
      'admission webhook "v.example.com" denied the request: spec.size: Invalid value: 2: field is immutable'
    const causes = causedBy(['FieldValueInvalid', 'Invalid value: 2: field is immutable', 'spec.size'])
    expect(refused(status(422, 'Invalid', message, causes))).toEqual({
      kind: 'immutable',
      message,
      fields: ['spec.size'],
    })
  })

  test('an immutable field that no cause names', () => {
    const message = 'the server could not change it: field is immutable'
    expect(refused(status(422, 'Invalid', message))).toEqual({ kind: 'immutable', message, fields: [] })
  })

  test('invalid fields', () => {
    const message =
      'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0'
    const text = 'Invalid value: -1: must be greater than or equal to 0'
    expect(refused(status(422, 'Invalid', message, causedBy(['FieldValueInvalid', text, 'spec.replicas'])))).toEqual({
      kind: 'invalid',
      message,
      fields: ['spec.replicas'],
    })
  })

  test.each([
    [
      'deployments.apps "web" is forbidden: User "ci" cannot patch resource "deployments" in API group "apps" in the namespace "shop"',
      { verb: 'patch', group: 'apps', resource: 'deployments', namespace: 'shop' },
    ],
    [
      'namespaces is forbidden: User "ci" cannot create resource "namespaces" in API group "" at the cluster scope',
      { verb: 'create', group: '', resource: 'namespaces' },
    ],
    [
      'pods "web-0" is forbidden: User "ci" cannot get resource "pods/log" in API group "" in the namespace "shop": requires one of ["container.pods.getLogs"] permission(s).',
      { verb: 'get', group: '', resource: 'pods/log', namespace: 'shop' },
    ],
  ])('a missing right: %s', (message, right) => {
    const refusal = refused(status(403, 'Forbidden', message))
    expect(refusal).toEqual({ kind: 'forbidden', message, right })
    expect(hintOfRefusal('refused-operation', refusal)).toEqual({ kind: 'bind-role', rights: [right] })
  })

  test('a right that a proxy refuses is not known', () => {
    const message = 'the server answered 403 without a reason'
    const refusal = refusalOf(errorOfAnswer(about, { status: 403, text: '<html>no</html>' }))
    expect(refusal).toEqual({ kind: 'forbidden', message })
    expect(hintOfRefusal('refused-request', refusal)).toEqual({
      kind: 'refused-request',
      refusal: { kind: 'forbidden' },
    })
  })

  test('a namespace that does not exist', () => {
    const details = { name: 'shop', kind: 'namespaces' }
    expect(refused(status(404, 'NotFound', 'namespaces "shop" not found', details))).toEqual({
      kind: 'namespace-missing',
    })
  })

  test('a kind that is not served', () => {
    const message = 'the server could not find the requested resource'
    expect(refused(status(404, 'NotFound', message, {}))).toEqual({ kind: 'kind-not-served' })
  })

  test('no answer', () => {
    const error = errorOfNetwork(about, 'https://10.0.0.1', new Error('connect ECONNREFUSED'), 3)
    expect(refusalOf(error)).toEqual({ kind: 'unreachable', message: error.details.message })
  })
})
