import type { Evidence } from '../../model/evidence.ts'
import type { PassResult } from '../../model/pass.ts'
import { refKey } from '../../model/ref.ts'

/** Evidence about the resource that failed the pass; absent where none was gathered. */
export function evidenceOf(pass: PassResult): Evidence | undefined {
  const { failure } = pass.outcome
  if (failure === undefined) return undefined
  const all = allEvidence(pass)
  const key = failure.ref === undefined ? undefined : refKey(failure.ref)
  return all.findLast((evidence) => refKey(evidence.ref) === key)
}

/** Evidence about all resources, in the order it was gathered. */
export function allEvidence(pass: PassResult): readonly Evidence[] {
  return pass.events.flatMap((event) => (event.type === 'evidence' ? [event.evidence] : []))
}
