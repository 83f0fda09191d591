import { CHANGED_HOOK } from '../model/digest-id.ts'
import type { Resource } from '../model/directives.ts'
import type { Operation, Plan } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import { stageOperations } from '../model/stage-operations.ts'
import { hasRandomName } from './predecessors.ts'

/**
 * Operation id -> its id in a fingerprint: the same, unless each render gives the object another name. Then the
 * template's file takes the place of the name, so that the next plan finds the operation again.
 */
export function digestIds(plan: Plan): ReadonlyMap<string, string> {
  const operations = plan.stages.flatMap(stageOperations)
  const unnamed = new Set(operations.filter(getsRandomName).map(({ ref }) => refKey(ref)))
  const taken = new Map<string, number>()
  return new Map(
    operations.map((operation) => {
      if (!unnamed.has(refKey(operation.ref))) return [operation.id, operation.id]
      const id = namelessId(operation)
      const count = (taken.get(id) ?? 0) + 1
      taken.set(id, count)
      return [operation.id, count === 1 ? id : `${id}#${count}`]
    }),
  )
}

export function changedHookId({ manifest }: Resource): string {
  const key = refKey(manifest.ref)
  if (!hasRandomName({ manifest })) return `${CHANGED_HOOK}${key}`
  return `${CHANGED_HOOK}${key.slice(0, -manifest.ref.name.length)}*@${manifest.origin.file}`
}

function getsRandomName(operation: Operation): boolean {
  return operation.kind === 'apply' && operation.varies?.includes('/metadata/name') === true
}

function namelessId({ id, ref, file }: Operation): string {
  const key = refKey(ref)
  return id.replace(key, () => `${key.slice(0, -ref.name.length)}*${file === undefined ? '' : `@${file}`}`)
}
