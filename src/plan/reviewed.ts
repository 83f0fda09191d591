import { type ImpactInput, impactOf, type Pair } from '../impact/assess.ts'
import type { Resource } from '../model/directives.ts'
import type { Impact } from '../model/impact.ts'
import { maskedPair } from './mask.ts'
import { withShownOpen } from './open-fields.ts'

/** What a reviewer sees of a change: the object before and after, masked, and what the difference means. */
export interface Reviewed extends Pair {
  readonly impact: Impact
}

/** `real` may hold secret values: the impact is found on them, and says none. */
export function reviewed(
  resource: Resource,
  { after, ...held }: Pair,
  about: Pick<ImpactInput, 'change' | 'isDrifted' | 'isUnasked' | 'releases' | 'runsFirst'>,
): Reviewed {
  const real = { ...held, ...(after === undefined ? {} : { after: withShownOpen(after, resource.manifest) }) }
  const shown = maskedBoth(resource, real)
  return { ...shown, impact: impactOf({ ...about, ref: resource.manifest.ref, real, shown }) }
}

function maskedBoth(resource: Resource, { after, before }: Pair): Pair {
  if (after !== undefined) return maskedPair(resource, before, after)
  return before === undefined ? {} : { before: maskedPair(resource, undefined, before).after }
}
