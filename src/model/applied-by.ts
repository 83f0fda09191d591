import type { Resource } from './directives.ts'
import type { Occasion, Verb } from './verb.ts'

/** Whether a plan of the verb applies the resource, in this stage or, without one, in any. */
export function isAppliedBy(verb: Verb, { directives }: Resource, stage?: Occasion['stage']): boolean {
  const isMeant = (occasion: Occasion) => occasion.verb === verb && (stage === undefined || occasion.stage === stage)
  return !directives.excluded && directives.isSwitchedOff !== true && directives.occasions.some(isMeant)
}
