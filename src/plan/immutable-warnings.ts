import type { Stage } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { stageOperations } from '../model/stage-operations.ts'
import { consequenceOf } from './plan-problems.ts'

/**
 * Updates that a cluster is known to refuse, where no dry run has said so. Warnings only: whether the object exists, and as
 * what, is not known either.
 */
export function immutableWarnings(stages: readonly Stage[]): readonly Problem[] {
  const operations = stages.flatMap(stageOperations)
  return operations.flatMap((operation) => {
    const paths = operation.kind === 'apply' ? (operation.impact?.immutable ?? []) : []
    if (paths.length === 0) return []
    const { file, ref } = operation
    return [
      {
        severity: 'warning',
        ...consequenceOf('immutable'),
        place: { ...(file === undefined ? {} : { file }), ref },
        what: `${paths.map(readable).join(', ')} ${paths.length === 1 ? 'is' : 'are'} immutable: where the object exists, the API server refuses this update`,
      },
    ]
  })
}

/** `matchLabels[app.kubernetes.io/name]`: quotes help nobody to read it. */
function readable(path: string): string {
  return path.replaceAll(/\["((?:[^"\\]|\\.)*)"\]/g, '[$1]')
}
