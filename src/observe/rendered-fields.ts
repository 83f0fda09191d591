import { withApplied } from '../manifest/applied-fields.ts'
import type { DryRun, Observed } from '../model/observed.ts'

/**
 * The same observation as an account sees it that may not patch: every answer that a dry run gave, or would have given, is
 * computed from the rendered fields and the live ones. All of them, so that a deploy which may ask can make the very plan
 * that was approved.
 */
export function withoutDryRuns(observed: Observed): Observed {
  const answers = [...observed.dryRuns].map(([key, answer]) => [key, computed(key, answer, observed)] as const)
  return { ...observed, dryRuns: new Map(answers) }
}

function computed(key: string, answer: DryRun, { bodies, live }: Observed): DryRun {
  const isAsked = answer.kind === 'accepted' || answer.kind === 'forbidden' || answer.kind === 'not-possible'
  const body = bodies.get(key)
  if (!isAsked || body === undefined) return answer
  const current = live.get(key)
  return { kind: 'accepted', object: current === undefined ? body : withApplied(current, body), isWithoutDryRun: true }
}
