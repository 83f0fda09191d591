import type { RefusalKind } from '../../model/refusal.ts'
import { unreachable } from '../../model/unreachable.ts'
import { reasonHint } from './reason-hint.ts'

/** What to do about a refusal of the API server: before the first write the chart can still be changed, later it must go on. */
export function refusalHint(
  where: 'refused-dry-run' | 'refused-operation' | 'refused-request',
  refusal: RefusalKind,
): string {
  switch (where) {
    case 'refused-dry-run':
      return DRY_RUN[refusal]
    case 'refused-operation':
      return OPERATION[refusal]
    case 'refused-request':
      return REQUEST[refusal]
    default:
      return unreachable(where)
  }
}

type Texts = { readonly [kind in RefusalKind]: string }

const ANSWERS = 'check that the API server responds, then run again'
const CHANGED = 'the object was changed meanwhile: run again'
const NAMED_RIGHT = 'grant the account of the kubeconfig the permission in the message'
const PLACE = 'check that the namespace exists and that the cluster serves this kind'
const POLICY = 'change the resource so that the admission policy accepts it'

const OPERATION: Texts = {
  conflict: 'set the input force-conflicts to true to take ownership of these fields, or remove them from the chart',
  'changed-meanwhile': CHANGED,
  'already-exists': CHANGED,
  immutable: 'set the annotation werf.io/delete-policy: before-creation-if-immutable to recreate it',
  invalid: 'correct the fields in the message',
  forbidden: NAMED_RIGHT,
  escalation: NAMED_RIGHT,
  unauthorized: 'renew the credentials of the kubeconfig: the API server does not accept them',
  quota: 'raise the quota of the namespace, or request less',
  'webhook-denied': POLICY,
  'admission-denied': POLICY,
  'webhook-failed':
    'check that the Service of the webhook in the message has ready pods, and that its caBundle fits their certificate',
  'dry-run-unsupported': reasonHint('rejected'),
  'namespace-missing': PLACE,
  'namespace-terminating': 'wait until the namespace is gone, then run again',
  'not-found': PLACE,
  'kind-not-served': 'install the CRD of this kind first, or use an apiVersion that the cluster serves',
  throttled: ANSWERS,
  'server-error': ANSWERS,
  unreachable: ANSWERS,
  rejected: reasonHint('rejected'),
}

const MANIFEST = 'correct the manifest, or the policy that rejects it'
const GRANT = 'grant the permission, or deploy with another account'
const CREATE_NAMESPACE = 'create it, or set the input create-namespace to true if it is the namespace of the release'

const DRY_RUN: Texts = {
  ...OPERATION,
  conflict: 'remove the fields from the chart, or set the input force-conflicts to true',
  immutable: 'revert the change, or set werf.io/delete-policy: before-creation-if-immutable on the object',
  forbidden: GRANT,
  'namespace-missing': CREATE_NAMESPACE,
  'kind-not-served': 'install the CustomResourceDefinition first, or correct apiVersion and kind',
  invalid: MANIFEST,
  escalation: MANIFEST,
  quota: MANIFEST,
  'webhook-denied': MANIFEST,
  'admission-denied': MANIFEST,
  'namespace-terminating': MANIFEST,
  'not-found': MANIFEST,
  rejected: MANIFEST,
}

const HEALTH = 'check the health of the API server'

const REQUEST: Texts = {
  ...OPERATION,
  forbidden: GRANT,
  unauthorized: 'renew the credentials of the kubeconfig',
  throttled: HEALTH,
  'server-error': HEALTH,
  unreachable: 'check the server in the kubeconfig and the network between runner and cluster',
  'namespace-missing': CREATE_NAMESPACE,
  invalid: reasonHint('rejected'),
  'webhook-denied': reasonHint('rejected'),
  'admission-denied': reasonHint('rejected'),
  'not-found': reasonHint('rejected'),
  'kind-not-served': reasonHint('rejected'),
}
