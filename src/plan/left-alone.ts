import { isAppliedBy } from '../model/applied-by.ts'
import type { Resource } from '../model/directives.ts'
import type { Untouched } from '../model/plan.ts'
import { compareRefs, refKey } from '../model/ref.ts'
import { isRevisionVerb } from '../model/verb.ts'
import type { PlanInput } from './plan-input.ts'

/**
 * Resources that no stage of this verb applies, and annotations that nothing reads. `changedHooks`: those of other events
 * that differ from the revision before.
 */
export function leftAlone(input: PlanInput, changedHooks: readonly Resource[]): readonly Untouched[] {
  const changed = new Set(input.previousHooks === undefined ? [] : changedHooks)
  return input.desired.flatMap((resource): readonly Untouched[] => {
    const { directives, manifest, unusedKeys } = resource
    const unused: readonly Untouched[] =
      unusedKeys.length === 0 ? [] : [{ ref: manifest.ref, reason: 'unused-annotation', detail: unusedKeys.join(', ') }]
    if (directives.excluded) return [{ ref: manifest.ref, reason: 'excluded' }, ...unused]
    const isHere = input.observed.live.has(refKey(manifest.ref))
    if (isAppliedBy(input.verb, resource) || !isRevisionVerb(input.verb)) return unused
    const detail = directives.isHook ? hookDetail(changed.has(resource)) : isHere ? 'left unchanged' : 'not created'
    return [{ ref: manifest.ref, reason: 'not-for-this-verb', detail }, ...unused]
  })
}

function hookDetail(isChanged: boolean): string {
  return isChanged ? 'hook of another event, changed by the chart' : 'hook of another event'
}

export function compareUntouched(a: Untouched, b: Untouched): number {
  return compareRefs(a.ref, b.ref) || (a.reason < b.reason ? -1 : a.reason > b.reason ? 1 : 0)
}
