import { type ApiError, isApiError } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { DryRun, FieldConflict } from '../model/observed.ts'
import { compareText } from '../model/ref.ts'
import type { Reader } from '../ports.ts'

export interface DryRunOptions {
  readonly force: boolean
  readonly signal?: AbortSignal
}

/** Asks the API server what applying `body` would give. Only answers about the object become values; an outage throws. */
export function dryRun(reader: Reader, body: KubeObject, options: DryRunOptions): Promise<DryRun> {
  return answerOf(() => reader.dryRunApply(body, { force: options.force }, options.signal))
}

/** The answer to any other dry run, told the same way. */
export async function answerOf(ask: () => Promise<KubeObject>): Promise<DryRun> {
  try {
    return { kind: 'accepted', object: await ask() }
  } catch (error) {
    if (!isApiError(error)) throw error
    const answer = fromRefusal(error)
    if (answer === undefined) throw error
    return answer
  }
}

function fromRefusal(error: ApiError): DryRun | undefined {
  const { status, reason, message, causes } = error.details
  if (reason === 'NotServed') return { kind: 'kind-not-served' }
  if (reason === 'Conflict' && causes.some((cause) => cause.reason === 'FieldManagerConflict')) {
    // The API server tells them in another order each time.
    const conflicts = causes.flatMap(fieldConflict).toSorted(compareConflicts)
    return { kind: 'conflict', message, conflicts }
  }
  if (reason === 'Invalid') {
    const fields = causes.filter(isImmutable).map((cause) => cause.field)
    return fields.length > 0 ? { kind: 'immutable', message, fields } : { kind: 'refused', message }
  }
  if (reason === 'Forbidden') {
    // Quota and admission answer Forbidden as well; only the authorizer names a user who "cannot" do it.
    return /cannot (patch|create|update) resource/.test(message)
      ? { kind: 'forbidden', message }
      : { kind: 'refused', message }
  }
  if (status === 404) return { kind: 'namespace-missing' }
  if (status === 400 && /dry ?run/i.test(message)) return { kind: 'not-possible', message }
  if (status === 401 || status === 0 || status === 429 || status >= 500) return webhookRefusal(message)
  return { kind: 'refused', message }
}

/** `failed calling webhook`: the webhook is down, which the deploy itself may mend. Anything else is an outage. */
function webhookRefusal(message: string): DryRun | undefined {
  return /failed calling webhook|conversion webhook/.test(message) ? { kind: 'not-possible', message } : undefined
}

/** The API server's words for a field that may not change. A StatefulSet has its own sentence. */
function isImmutable(cause: { readonly message: string }): boolean {
  return /immutable|updates to statefulset spec|may not change once set/i.test(cause.message)
}

function compareConflicts(a: FieldConflict, b: FieldConflict): number {
  return compareText(a.field, b.field) || compareText(a.manager, b.manager)
}

function fieldConflict(cause: {
  readonly reason: string
  readonly field: string
  readonly message: string
}): FieldConflict[] {
  if (cause.reason !== 'FieldManagerConflict') return []
  const quoted = /conflict with "((?:[^"\\]|\\.)*)"/.exec(cause.message)
  return [{ manager: quoted?.[1] ?? cause.message, field: cause.field }]
}
