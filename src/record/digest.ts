import { createHash } from 'node:crypto'
import { stringifyJson } from '../model/json.ts'
import type { ReleaseRecord } from '../model/release.ts'

/**
 * SHA-256 of what a revision holds, in hexadecimal; status and times stay out, because repairs change them. Nobody who
 * cannot read the record can know it: it keys the HMAC of secret values (issue 5, Plan and hash).
 */
export function recordDigest({ name, namespace, version, manifest, hooks, config }: ReleaseRecord): string {
  const definitions = hooks.map((hook) => hook.manifest)
  const text = stringifyJson({ name, namespace, version, manifest, hooks: definitions, config })
  return createHash('sha256').update(text).digest('hex')
}
