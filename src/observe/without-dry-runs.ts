import { withApplied } from '../manifest/applied-fields.ts'
import type { KubeObject } from '../model/object.ts'
import type { DryRun, Observed } from '../model/observed.ts'

/**
 * The same observation as an account sees it that may not patch: every answer that a dry run gave, or would have given, is
 * computed from the rendered fields and the live ones. `previous`: manifests of the revision before. All of them, so that a deploy which may ask can make the very plan
 * that was approved.
 */
export function withoutDryRuns(observed: Observed, previous: ReadonlyMap<string, KubeObject>): Observed {
  const answers = [...observed.dryRuns].map(
    ([key, answer]) => [key, computed(key, answer, observed, previous.get(key))] as const,
  )
  return { ...observed, dryRuns: new Map(answers) }
}

function computed(key: string, answer: DryRun, { bodies, live }: Observed, previous: KubeObject | undefined): DryRun {
  const isAsked = answer.kind === 'accepted' || answer.kind === 'forbidden' || answer.kind === 'not-possible'
  const body = bodies.get(key)
  if (!isAsked || body === undefined) return answer
  const current = live.get(key)
  const object = current === undefined ? body : withApplied(current, body, previous)
  return { kind: 'accepted', object, isWithoutDryRun: true }
}
