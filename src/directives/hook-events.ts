import { type Occasion, rowOf, verbNames } from '../model/verb.ts'

const HOOK_STAGES = ['pre', 'post', 'test'] as const

/** Hook events of Helm 3 and 4, and the occasion of each. Source: docs/sources.md#helm-3-chart-hooks. */
export const hookEvents: ReadonlyMap<string, Occasion> = new Map(
  verbNames.flatMap((verb) => {
    const { event, stages } = rowOf(verb)
    if (event === undefined) return []
    return HOOK_STAGES.filter((stage) => stages.includes(stage)).map((stage): [string, Occasion] => [
      stage === 'test' ? event : `${stage}-${event}`,
      { verb, stage },
    ])
  }),
)

/** Each occasion once: `test` and `test-success` are the same one. */
export function distinctOccasions(occasions: readonly Occasion[]): readonly Occasion[] {
  const byName = new Map(occasions.map((occasion) => [`${occasion.verb}/${occasion.stage}`, occasion]))
  return [...byName.values()]
}
