import { podTemplateOf } from '../manifest/pod-places.ts'
import { refusalOf } from '../model/api-refusal.ts'
import { type ApiError, messageOf } from '../model/errors.ts'
import { at, isJsonObject, type KubeObject } from '../model/object.ts'
import type { AwaitOperation } from '../model/plan.ts'
import type { ReadinessReason } from '../model/readiness.ts'
import { formatRef, type Ref, refKey } from '../model/ref.ts'
import { stageOperations } from '../model/stage-operations.ts'
import { createAwaitCheck } from './await-check.ts'
import { type Execution, emitEvent } from './execution.ts'
import { openObjectTree } from './object-tree.ts'
import { waitUntil } from './wait.ts'

/** The pods behind a webhook that cannot answer: what waits for them, and why they will never be ready. */
export interface FailedBackend {
  readonly operation: AwaitOperation
  readonly reason: ReadinessReason
}

/** Looks, while a write is held up by a webhook, whether the pods that should answer fail for good. */
export interface WebhookBackends {
  /** Fires when they do, and when the run has failed elsewhere meanwhile. */
  readonly signal: AbortSignal
  refusedBy(error: ApiError): void
  failed(): FailedBackend | undefined
  close(): Promise<void>
}

/** How the API server addresses the Service of a webhook, of admission as well as of conversion. */
const SERVICE_URL = /"https:\/\/([a-z0-9-]{1,63})\.([a-z0-9-]{1,63})\.svc:\d/

export function followWebhookBackends(execution: Execution, doing: string): WebhookBackends {
  const found = new AbortController()
  const over = new AbortController()
  let failed: FailedBackend | undefined
  let looking: Promise<void> | undefined

  async function look(service: Ref): Promise<void> {
    const backends = backendsOf(execution, service)
    const ends = backends.map((operation) => failureOf(execution, operation, over.signal))
    const failures = await Promise.all(ends)
    const [first] = failures.filter((failure) => failure !== undefined)
    // One that can answer is enough.
    if (first === undefined || failures.includes(undefined)) return
    failed = first
    const message = `${doing} cannot succeed: the webhook of ${formatRef(service)} needs ${formatRef(first.operation.ref)}, which fails`
    emitEvent(execution.input, { type: 'warning', message })
    found.abort(new Error(message))
  }

  return {
    signal: AbortSignal.any([execution.signal, found.signal]),
    failed: () => failed,
    refusedBy(error) {
      const service = serviceIn(messageOf(error))
      // Something else has failed: nothing was done yet, and nothing is to be started any more.
      if (refusalOf(error).kind === 'webhook-failed' && execution.halt.aborted) found.abort(execution.halt.reason)
      if (service === undefined || looking !== undefined) return
      // Without the right to look the write is held up as before. What is written beside it may be there at the next refusal.
      const looked = look(service).catch(() => undefined)
      looking = looked.finally(() => {
        looking = undefined
      })
    },
    async close() {
      over.abort(new Error('the write is over'))
      await looking
    },
  }
}

function serviceIn(message: string): Ref | undefined {
  const [, name, namespace] = SERVICE_URL.exec(message) ?? []
  return name === undefined || namespace === undefined
    ? undefined
    : { apiVersion: 'v1', kind: 'Service', namespace, name }
}

/** What this run brings and waits for whose pods the Service selects, as far as their failure would end the run. */
function backendsOf(execution: Execution, service: Ref): readonly AwaitOperation[] {
  const selector = at(known(execution, service), 'spec', 'selector')
  if (!isJsonObject(selector) || Object.keys(selector).length === 0) return []
  return execution.input.plan.stages.flatMap(stageOperations).filter((operation): operation is AwaitOperation => {
    if (operation.kind !== 'await' || operation.until !== 'ready' || operation.failure === 'ignore') return false
    if (operation.ref.namespace !== service.namespace || !execution.applied.has(refKey(operation.ref))) return false
    const labels = at(podTemplateOf(known(execution, operation.ref)), 'metadata', 'labels')
    return Object.entries(selector).every(([key, value]) => at(labels, key) === value)
  })
}

function known({ applied, input }: Execution, ref: Ref): KubeObject | undefined {
  return applied.get(refKey(ref)) ?? input.live.get(refKey(ref))
}

/** Judged as the wait for it would, with the same grace. */
async function failureOf(
  execution: Execution,
  operation: AwaitOperation,
  over: AbortSignal,
): Promise<FailedBackend | undefined> {
  const halt = AbortSignal.any([execution.halt, over])
  const tree = await openObjectTree({ ...execution, halt }, operation)
  try {
    const verdict = await waitUntil({
      clock: execution.input.clock,
      signal: halt,
      subscribe: (listener) => tree.subscribe(listener),
      onProgress: () => undefined,
      look: createAwaitCheck(execution, operation, tree),
    })
    return verdict.state === 'failed' ? { operation, reason: verdict.reason } : undefined
  } finally {
    tree.close()
  }
}
