import type { Resource } from './directives.ts'
import type { Verb } from './verb.ts'

/** Whether a plan of the verb applies the resource, in any of its stages. */
export function isAppliedBy(verb: Verb, { directives }: Resource): boolean {
  return !directives.excluded && directives.occasions.some((occasion) => occasion.verb === verb)
}
