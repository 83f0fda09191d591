import { createHash } from 'node:crypto'
import { stringifyJson } from '../model/json.ts'
import type { StoredRevision } from '../model/release.ts'

/**
 * SHA-256 of what a revision holds, in hexadecimal, without status and times, because repairs change them. Only those who
 * can read the record can compute it: it is the key of the HMAC of secret values (docs/decisions/0016). It covers the
 * random `uid` of the record's Secret, because chart and values may be public except for one short, guessable password.
 */
export function recordDigest({ record, uid }: StoredRevision): string {
  const { name, namespace, version, manifest, hooks, config } = record
  const definitions = hooks.map((hook) => hook.manifest)
  const text = stringifyJson({ name, namespace, version, manifest, hooks: definitions, config, uid: uid ?? '' })
  return createHash('sha256').update(text).digest('hex')
}
