import { createHash } from 'node:crypto'
import { stringifyJson } from '../../model/json.ts'
import type { PassResult } from '../../model/pass.ts'
import { isBlocked } from './blocked.ts'
import { firstOfEach } from './first-passes.ts'

/**
 * Output `plan-hash`: of one release its plan's own; of several SHA-256 over the list of release, namespace and hash in
 * the order of the run. Empty where a plan has no fingerprint, is blocked or was made without a cluster: such a plan is
 * nothing that a deploy could be compared with.
 */
export function planHash(passes: readonly PassResult[]): string {
  const planned = firstOfEach(passes)
  const hashes = planned.flatMap((pass) => hashOf(pass) ?? [])
  if (hashes.length === 0 || hashes.length < planned.length) return ''
  if (hashes.length === 1) return hashes[0] ?? ''
  const list = planned.map((pass, index) => [pass.namespace, pass.release, hashes[index] ?? ''])
  return createHash('sha256').update(stringifyJson(list)).digest('hex')
}

/** The hash of one pass's plan, or undefined where it has none that counts. */
export function hashOf(pass: PassResult): string | undefined {
  const { plan, fingerprint } = pass
  if (plan === undefined || fingerprint === undefined) return undefined
  if (plan.comparedBy === 'base-render' || isBlocked(pass)) return undefined
  return fingerprint.hash
}
