import { withApplied } from '../manifest/applied-fields.ts'
import { asHandedOver } from '../manifest/hand-over.ts'
import type { HandOver } from '../model/handed-over.ts'
import type { KubeObject } from '../model/object.ts'
import type { DryRun, Observed } from '../model/observed.ts'

/**
 * The observation of an account that may not patch: every answer that a dry run gave, or would have given, is computed
 * from the rendered and the live fields. All of them, so that a deploy that may ask can still make the plan that was
 * approved. `previous`: manifests of the previous revision.
 */
export function withoutDryRuns(observed: Observed, previous: ReadonlyMap<string, KubeObject>): Observed {
  const answers = [...observed.dryRuns].map(
    ([key, answer]) => [key, computed(key, answer, observed, previous.get(key))] as const,
  )
  return { ...observed, dryRuns: new Map(answers) }
}

/** The same for what only the apply will show, so that defaults and what webhooks have set do not look as if they went. */
export function withExpectedObjects(observed: Observed, previous: ReadonlyMap<string, KubeObject>): Observed {
  const answers = [...observed.dryRuns].map(([key, answer]) => {
    const body = observed.bodies.get(key)
    if (answer.kind !== 'not-possible' || body === undefined || !observed.live.has(key)) return [key, answer] as const
    return [key, { ...answer, object: expected(key, body, observed, previous.get(key)) }] as const
  })
  return { ...observed, dryRuns: new Map(answers) }
}

function computed(key: string, answer: DryRun, observed: Observed, previous: KubeObject | undefined): DryRun {
  const isAsked = answer.kind === 'accepted' || answer.kind === 'forbidden' || answer.kind === 'not-possible'
  const body = observed.bodies.get(key)
  if (!isAsked || body === undefined) return answer
  return { kind: 'accepted', object: expected(key, body, observed, previous), isWithoutDryRun: true }
}

function expected(
  key: string,
  body: KubeObject,
  { handOvers, live }: Observed,
  previous: KubeObject | undefined,
): KubeObject {
  const current = live.get(key)
  return current === undefined ? body : withApplied(handedOver(current, body, handOvers.get(key)), body, previous)
}

/** Without a manifest of the previous revision all that left the chart may be a default, which the server would set. */
function handedOver(live: KubeObject, body: KubeObject, handOver: HandOver | undefined): KubeObject {
  return handOver === undefined ? live : asHandedOver(live, { written: [body], ...handOver })
}
