import type { FailureReason } from '../../model/outcome.ts'
import { unreachable } from '../../model/unreachable.ts'

/** What to do next where nothing more is known than the reason. */
export function reasonHint(reason: FailureReason): string {
  switch (reason) {
    case 'invalid-input':
      return 'correct the input and run again'
    case 'fetch-failed':
      return 'check the address and the login, and run again'
    case 'render-failed':
      return 'correct the chart or its values; helm template with the same values shows what Helm renders'
    case 'cluster-unreachable':
      return 'check that the runner reaches the API server of the kubeconfig'
    case 'forbidden':
      return 'grant the missing permission to the account of the kubeconfig'
    case 'locked':
      return 'wait for the other run, then run again'
    case 'conflict':
      return 'set force-conflicts to true, or leave the field to its field manager'
    case 'immutable':
      return 'annotate the resource with werf.io/delete-policy: before-creation-if-immutable'
    case 'not-owned':
      return 'set take-ownership to true, or remove the object'
    case 'rejected':
      return 'correct what the API server names and run again'
    case 'plan-changed':
      return 'plan again on the pull request, review what is new, then deploy that plan'
    case 'approval-missing':
      return 'plan this command on the pull request, so that its comment shows what would happen, then run it again'
    case 'crd-not-established':
      return 'correct the names or the schema of the CRD'
    case 'hook-failed':
      return 'correct what the hook reports and run again; its log is above'
    case 'not-ready':
      return 'correct what keeps it from being ready and run again: the deploy continues from here'
    case 'test-failed':
      return 'check the log of the test; the release itself stays deployed'
    case 'timeout':
      return 'check what was not ready, or raise timeout; a new run continues from here'
    case 'cancelled':
      return 'run again: the deploy continues from here; nothing was rolled back'
    case 'internal':
      return 'this is a bug in the action: please report it with the log'
    default:
      return unreachable(reason)
  }
}
