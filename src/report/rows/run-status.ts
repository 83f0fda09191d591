import type { Status } from '../../model/outcome.ts'
import type { PassResult } from '../../model/pass.ts'

/** Worst first; a rollback that went well comes after the failure it answers. */
const STATUS_ORDER: readonly Status[] = [
  'cancelled',
  'rolled-back',
  'failed',
  'deployed',
  'uninstalled',
  'tested',
  'planned',
  'no-changes',
]

/** Output `status` of all passes together. */
export function runStatus(passes: readonly PassResult[]): Status {
  const found = new Set(passes.map((pass) => pass.outcome.status))
  return STATUS_ORDER.find((status) => found.has(status)) ?? 'failed'
}
