import { ownershipOf } from '../manifest/ownership.ts'
import type { KubeObject } from '../model/object.ts'
import type { Problem } from '../model/problem.ts'
import { refOfObject } from '../model/ref.ts'
import type { History } from '../model/release.ts'

/**
 * Objects carry the marks of a release of which there is no record, readable or not: it was deleted, or lies where neither
 * Helm's default nor this action looks. The deploy takes them over, but what else that release has is not known.
 */
export function lostRecords(
  { revisions, unreadable }: History,
  live: Iterable<KubeObject>,
  place: { readonly release: string; readonly namespace: string },
): readonly Problem[] {
  if (revisions.length > 0 || unreadable.length > 0) return []
  const ours = [...live].filter((object) => ownershipOf(object, place).kind === 'ours')
  const [first] = ours
  if (first === undefined) return []
  const count = ours.length === 1 ? 'this object belongs' : `this object and ${ours.length - 1} more belong`
  return [
    {
      severity: 'warning',
      reason: 'invalid-input',
      place: { ref: refOfObject(first) },
      what: `${count} to release ${place.release}, but there is no record of it: objects that this deploy does not have stay`,
      hint: { kind: 'look-for-records' },
    },
  ]
}
