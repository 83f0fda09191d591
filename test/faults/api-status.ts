import type { ProxyAnswer } from '../doubles/proxy-fault.ts'

/** A refusal as the API server words it. */
export function apiStatus(status: number, reason: string, message: string): ProxyAnswer {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code: status }
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** The last line of a watch whose version is gone. */
export const GONE_EVENT = `${JSON.stringify({
  type: 'ERROR',
  object: JSON.parse(apiStatus(410, 'Expired', 'too old resource version: 1 (2)').body ?? ''),
})}\n`
