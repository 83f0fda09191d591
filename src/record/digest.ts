import { createHash } from 'node:crypto'
import { stringifyJson } from '../model/json.ts'
import type { StoredRevision } from '../model/release.ts'

/**
 * SHA-256 of what a revision holds, in hexadecimal; status and times stay out, because repairs change them. Nobody who
 * cannot read the record can know it: it keys the HMAC of secret values (docs/decisions/0016). The random `uid` of its
 * Secret is in it, because chart and values may be public but for one short password, which could be tried out.
 */
export function recordDigest({ record, uid }: StoredRevision): string {
  const { name, namespace, version, manifest, hooks, config } = record
  const definitions = hooks.map((hook) => hook.manifest)
  const text = stringifyJson({ name, namespace, version, manifest, hooks: definitions, config, uid: uid ?? '' })
  return createHash('sha256').update(text).digest('hex')
}
