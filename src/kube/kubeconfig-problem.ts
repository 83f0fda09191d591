import { defined } from '../model/defined.ts'
import { ProblemsError } from '../model/errors.ts'
import type { Hint } from '../model/hint.ts'

/**
 * The error of a kubeconfig that cannot be used. `what` names keys and lines only: a value of a kubeconfig may be secret,
 * and a parser's message quotes what it read.
 */
export function kubeconfigProblem(
  what: string,
  options: { readonly hint?: Hint; readonly line?: number; readonly input?: 'kubeconfig' | 'context' } = {},
): ProblemsError {
  const { hint, line, input = 'kubeconfig' } = options
  return new ProblemsError([
    {
      severity: 'error',
      reason: 'invalid-input',
      place: { input, ...defined({ line }) },
      what,
      ...defined({ hint }),
    },
  ])
}
