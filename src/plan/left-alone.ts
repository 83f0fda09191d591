import type { Resource } from '../model/directives.ts'
import type { Untouched } from '../model/plan.ts'
import { compareRefs, refKey } from '../model/ref.ts'
import { isRevisionVerb } from '../model/verb.ts'
import { changedHooksOf } from './hook-changes.ts'
import type { PlanInput } from './plan-input.ts'

/** Resources that no stage of this verb applies, and annotations that nothing reads. */
export function leftAlone(input: PlanInput): readonly Untouched[] {
  return input.desired.flatMap((resource): readonly Untouched[] => {
    const { directives, manifest, unusedKeys } = resource
    const unused: readonly Untouched[] =
      unusedKeys.length === 0 ? [] : [{ ref: manifest.ref, reason: 'unused-annotation', detail: unusedKeys.join(', ') }]
    if (directives.excluded) return [{ ref: manifest.ref, reason: 'excluded' }, ...unused]
    const isForVerb = directives.occasions.some((occasion) => occasion.verb === input.verb)
    const isHere = input.observed.live.has(refKey(manifest.ref))
    if (isForVerb || !isRevisionVerb(input.verb)) return unused
    const detail = directives.isHook ? hookDetail(resource, input) : isHere ? 'left unchanged' : 'not created'
    return [{ ref: manifest.ref, reason: 'not-for-this-verb', detail }, ...unused]
  })
}

function hookDetail(hook: Resource, input: PlanInput): string {
  const isChanged = input.previousHooks !== undefined && changedHooksOf({ ...input, desired: [hook] }).length > 0
  return isChanged ? 'hook of another event, changed by the chart' : 'hook of another event'
}

export function compareUntouched(a: Untouched, b: Untouched): number {
  return compareRefs(a.ref, b.ref) || (a.reason < b.reason ? -1 : a.reason > b.reason ? 1 : 0)
}
