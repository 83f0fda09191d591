import { startDeadline } from '../concurrency/deadline.ts'
import type { Environment } from '../network/proxy.ts'
import type { Clock, RegistryAccess } from '../ports.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { Http, HttpAnswer, HttpForm, HttpRequest } from './http.ts'
import { createHttpConnections, type HostTls } from './http-connections.ts'
import { httpRefusal } from './http-refusal.ts'
import { fetchRetryMs } from './http-retry.ts'
import { tryOnce } from './http-try.ts'
import { followRedirect, type Hop, isRedirect, startHop } from './redirect.ts'

export interface HttpOptions {
  readonly env: Environment
  readonly registries: readonly RegistryAccess[]
  readonly clock: Clock
  /** Ends every request; they reject with its reason. */
  readonly signal: AbortSignal
  /** Longest time of one request, its redirects and retries. */
  readonly timeoutSeconds: number
  /** What files of the machine say about TLS with a host, beside `registries`. */
  readonly tlsOf?: (url: URL) => Promise<HostTls | undefined>
  /** Before each wait: `https://charts.example/index.yaml answers 503; trying again in 2 s`. */
  readonly onRetry?: (line: string) => void
}

export function createHttp(options: HttpOptions): Http {
  const { clock, registries, timeoutSeconds } = options
  const connections = createHttpConnections(options)

  async function within(request: HttpRequest & Partial<HttpForm>): Promise<HttpAnswer> {
    options.signal.throwIfAborted()
    let hop = startHop(request, registries)
    const overtime = fetchFailure(`${hop.shown} is not there after ${timeoutSeconds} s`, { kind: 'check-network' })
    const deadline = startDeadline(clock, timeoutSeconds * 1000, overtime)
    const terms: Terms = {
      signal: AbortSignal.any([options.signal, deadline.signal]),
      endsMs: clock.now() + timeoutSeconds * 1000,
    }
    try {
      for (;;) {
        const answer = await tryAgain(request, hop, terms)
        if (!isRedirect(answer.status)) return answer
        hop = followRedirect(hop, answer, { registries, isForm: request.form !== undefined })
      }
    } finally {
      await deadline.close()
    }
  }

  async function tryAgain(request: HttpRequest & Partial<HttpForm>, hop: Hop, terms: Terms): Promise<HttpAnswer> {
    const startedMs = clock.now()
    for (let tries = 1; ; tries += 1) {
      terms.signal.throwIfAborted()
      const { dispatcher } = await connections.of(hop.url)
      const result = await tryOnce(request, hop, { dispatcher, clock, signal: terms.signal })
      if (result.kind === 'answer') return result.answer
      const refusal = httpRefusal(result, { hop, tries, maxBytes: request.maxBytes, nowMs: clock.now() })
      const waitMs = fetchRetryMs(refusal, { tries, failingMs: clock.now() - startedMs })
      if (waitMs === undefined || clock.now() + waitMs >= terms.endsMs) throw refusal.toError()
      options.onRetry?.(`${refusal.said}; trying again in ${Math.ceil(waitMs / 1000)} s`)
      await clock.sleep(waitMs, terms.signal)
    }
  }

  return {
    get: within,
    postForm: within,
    close: () => connections.close(),
  }
}

interface Terms {
  readonly signal: AbortSignal
  readonly endsMs: number
}
