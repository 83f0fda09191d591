import type { PassResult } from '../../model/pass.ts'

/** Whether a problem, from before the plan or in it, would stop every deploy of it. */
export function isBlocked({ plan, problems }: PassResult): boolean {
  return [...problems, ...(plan?.problems ?? [])].some(({ severity }) => severity === 'error')
}
