import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { defined } from '../model/defined.ts'
import { isApiError } from '../model/errors.ts'
import { at, isJsonObject, type KubeObject, numberAt, stringAt } from '../model/object.ts'
import type { AwaitOperation } from '../model/plan.ts'
import type { ReadinessFacts } from '../model/readiness.ts'
import type { Execution } from './execution.ts'

/** What readiness may know beside the object. What cannot be read is left out, never guessed. */
export interface ReadinessFactsSource {
  of(object: KubeObject): Promise<ReadinessFacts>
}

type FixedFacts = Pick<ReadinessFacts, 'hasStatusSubresource' | 'volumeBindingMode'>

/** Answers are kept for the length of one await: none of them changes while an object is waited for. */
export function createReadinessFacts(execution: Execution, operation: AwaitOperation): ReadinessFactsSource {
  const { input, discovered } = execution
  let fixed: Promise<FixedFacts> | undefined
  const waitingSinceMs = input.clock.now()
  let isServed = false

  return {
    async of(object) {
      fixed ??= fixedFacts(execution, object)
      const isEstablishing = operation.until === 'established' && !isServed
      if (isEstablishing && isEstablished(object)) isServed = await discovered.servesAllVersions(object)
      const allowed = failuresAllowedBy(operation, object)
      return {
        nowMs: input.clock.now(),
        waitingSinceMs,
        ...(await fixed),
        ...(operation.until === 'established' ? { isServed } : {}),
        ...defined({ failuresAllowed: allowed }),
      }
    },
  }
}

async function fixedFacts(execution: Execution, object: KubeObject): Promise<FixedFacts> {
  const kind = await unlessUnreadable(execution, execution.discovered.kindOf(object))
  const hasStatus = kind === undefined ? {} : { hasStatusSubresource: kind.hasStatus }
  const storageClass = isBuiltIn(object, 'PersistentVolumeClaim')
    ? stringAt(object, 'spec', 'storageClassName')
    : undefined
  if (storageClass === undefined || storageClass === '') return hasStatus
  const ref = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', name: storageClass }
  const found = await unlessUnreadable(execution, execution.input.cluster.get(ref, execution.signal))
  const volumeBindingMode = stringAt(found, 'volumeBindingMode')
  return volumeBindingMode === undefined ? hasStatus : { ...hasStatus, volumeBindingMode }
}

/** Discovery may be partly broken, and reading storage classes is a right of its own: readiness does without. */
async function unlessUnreadable<T>(execution: Execution, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    execution.signal.throwIfAborted()
    if (!isApiError(error)) throw error
    return undefined
  }
}

function isEstablished(crd: KubeObject): boolean {
  const conditions = at(crd, 'status', 'conditions')
  return (
    Array.isArray(conditions) &&
    conditions.some(
      (condition) => isJsonObject(condition) && condition.type === 'Established' && condition.status === 'True',
    )
  )
}

/** The annotation counts per replica. Source: docs/sources.md#kubedog-failures. */
function failuresAllowedBy(operation: AwaitOperation, object: KubeObject): number | undefined {
  const perReplica = operation.tracking.failuresAllowedPerReplica
  return perReplica === undefined ? undefined : perReplica * (numberAt(object, 'spec', 'replicas') ?? 1)
}
