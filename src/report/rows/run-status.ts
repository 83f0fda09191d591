import { type Status, statuses } from '../../model/outcome.ts'
import type { PassResult } from '../../model/pass.ts'

/** Output `status` of all passes together: the one that counts most. Without a pass the run has failed. */
export function runStatus(passes: readonly PassResult[]): Status {
  const found = new Set(passes.map((pass) => pass.outcome.status))
  const inOrder = Object.keys(statuses) as readonly Status[]
  return inOrder.find((status) => found.has(status)) ?? 'failed'
}
