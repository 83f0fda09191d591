import { immutableAmong } from '../manifest/immutable-fields.ts'
import type { ApplyOperation, ComparedBy, Stage } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { Payload } from './draft.ts'
import { consequenceOf } from './plan-problems.ts'

/**
 * Updates that a cluster is known to refuse, where no dry run has said so. Warnings only: whether the object exists, and as
 * what, is not known either.
 */
export function immutableWarnings(
  stages: readonly Stage[],
  payloads: ReadonlyMap<string, Payload>,
  comparedBy: ComparedBy,
): readonly Problem[] {
  if (comparedBy === 'dry-run') return []
  const operations = stages.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat()))
  return operations.flatMap((operation) => {
    if (operation.kind !== 'apply' || operation.change !== 'update' || operation.hook !== undefined) return []
    const resource = payloads.get(operation.id)?.resource
    const isRecreated = resource?.directives.deletePolicies.includes('before-creation-if-immutable') === true
    const fields = isRecreated ? [] : refusedFields(operation)
    if (fields.length === 0) return []
    const { file, ref } = operation
    return [
      {
        severity: 'warning',
        ...consequenceOf('immutable'),
        place: { ...(file === undefined ? {} : { file }), ref },
        what: `${fields.join(', ')} ${fields.length === 1 ? 'is' : 'are'} immutable: where the object exists, the API server refuses this update`,
      },
    ]
  })
}

/** As people write them; each once, however much changes below. */
function refusedFields({ before, impact, ref }: ApplyOperation): readonly string[] {
  const fields = impact?.fields ?? []
  const refused = new Set(
    immutableAmong(
      ref,
      fields.map(({ pointer }) => pointer),
      before,
    ),
  )
  return fields.filter(({ pointer }) => refused.has(pointer)).map(({ path }) => path)
}
