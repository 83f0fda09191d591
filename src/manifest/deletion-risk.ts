import type { Risk } from '../model/impact.ts'
import type { Ref } from '../model/ref.ts'
import { builtInKind } from './built-in-kinds.ts'

/** What the deletion of such an object means. A Job has run or not: nothing waits for it to be there. */
export function deletionRisk(ref: Ref): Risk {
  const kind = builtInKind(ref)
  if (kind?.isPrecious === true) return 'deleted'
  const isRunning = kind === undefined || (kind.isWorkload && kind.kind !== 'Job')
  return isRunning || kind.isServing ? 'stopped' : 'removed'
}
