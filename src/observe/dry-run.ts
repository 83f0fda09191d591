import { refusalOf } from '../model/api-refusal.ts'
import { isApiError } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { DryRun } from '../model/observed.ts'
import type { Refusal } from '../model/refusal.ts'
import { unreachable } from '../model/unreachable.ts'
import type { Reader } from '../ports.ts'

export interface DryRunOptions {
  readonly force: boolean
  readonly signal?: AbortSignal
}

/** Asks the API server what applying `body` would give. Answers about the object become values; an outage throws. */
export function dryRun(reader: Reader, body: KubeObject, options: DryRunOptions): Promise<DryRun> {
  return dryRunAnswer(() => reader.dryRunApply(body, { force: options.force }, options.signal))
}

/** The answer to any dry run. */
export async function dryRunAnswer(ask: () => Promise<KubeObject>): Promise<DryRun> {
  try {
    return { kind: 'accepted', object: await ask() }
  } catch (error) {
    if (!isApiError(error)) throw error
    const answer = fromRefusal(refusalOf(error))
    if (answer === undefined) throw error
    return answer
  }
}

function fromRefusal(refusal: Refusal): DryRun | undefined {
  switch (refusal.kind) {
    case 'conflict':
    case 'immutable':
    case 'forbidden':
    case 'kind-not-served':
    case 'namespace-missing':
    case 'not-found':
      return refusal
    case 'invalid':
    case 'changed-meanwhile':
    case 'already-exists':
    case 'escalation':
    case 'quota':
    case 'webhook-denied':
    case 'admission-denied':
    case 'namespace-terminating':
    case 'rejected':
      return { kind: 'refused', refusal }
    // The deploy itself may start the webhook.
    case 'webhook-failed':
      return { kind: 'not-possible', because: 'webhook-down' }
    case 'dry-run-unsupported':
      return { kind: 'not-possible', because: 'dry-run-refused' }
    case 'unauthorized':
    case 'throttled':
    case 'server-error':
    case 'unreachable':
      return undefined
    default:
      return unreachable(refusal)
  }
}
