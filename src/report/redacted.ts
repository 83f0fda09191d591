import type { PassResult } from '../model/pass.ts'
import type { Secrets } from '../model/secrets.ts'

/** Names of things print as they are (issue 5, Masking): without them no reader could tell what is meant. */
const PRINTED_AS_IS: ReadonlySet<string> = new Set([
  'ref',
  'id',
  'operationId',
  'file',
  'release',
  'namespace',
  'kind',
  'apiVersion',
  'image',
])

/**
 * The pass with every secret value taken out of its texts, before they are escaped for Markdown: an escaped secret would
 * not be found any more.
 */
export function redactedPass(pass: PassResult, secrets: Secrets): PassResult {
  return redactDeep(pass, secrets) as PassResult
}

function redactDeep(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return secrets.redact(value)
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, PRINTED_AS_IS.has(key) ? member : redactDeep(member, secrets)]),
  )
}
