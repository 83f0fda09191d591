import { at, isJsonObject, type KubeObject, numberAt, stringAt } from '../model/object.ts'
import type { AwaitOperation } from '../model/plan.ts'
import type { ReadinessFacts } from '../model/readiness.ts'
import { groupOf } from '../model/ref.ts'
import type { Execution } from './execution.ts'

/** Groups that the API server itself serves: their kinds have a status wherever readiness asks for one. */
const BUILT_IN_GROUP =
  /^(|apps|autoscaling|batch|extensions|policy|(admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|internal\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration)\.k8s\.io)$/

/** What readiness may know beside the object. What cannot be read is left out, never guessed. */
export interface FactsSource {
  of(object: KubeObject): Promise<ReadinessFacts>
}

/** Answers are kept for the length of one await: none of them changes while an object is waited for. */
export function createFacts(execution: Execution, operation: AwaitOperation): FactsSource {
  const { input, served } = execution
  let fixed: Promise<Pick<ReadinessFacts, 'hasStatusSubresource' | 'volumeBindingMode'>> | undefined
  const waitingSinceMs = input.clock.now()
  let isServed = false

  return {
    async of(object) {
      fixed ??= fixedFacts(execution, object)
      const isEstablishing = operation.until === 'established' && !isServed
      if (isEstablishing && isEstablished(object)) isServed = await served.has(object)
      const allowed = failuresAllowed(operation, object)
      return {
        nowMs: input.clock.now(),
        waitingSinceMs,
        ...(await fixed),
        ...(operation.until === 'established' ? { isServed } : {}),
        ...(allowed === undefined ? {} : { failuresAllowed: allowed }),
      }
    },
  }
}

async function fixedFacts(execution: Execution, object: KubeObject) {
  const { signal, input, served } = execution
  if (!BUILT_IN_GROUP.test(groupOf(object.apiVersion))) {
    const kind = await served.find(object).catch(() => {
      // Discovery may be refused or partly broken; readiness has a rule for what is not known.
      signal.throwIfAborted()
      return undefined
    })
    return kind === undefined ? {} : { hasStatusSubresource: kind.hasStatus }
  }
  const storageClass =
    object.kind === 'PersistentVolumeClaim' ? stringAt(object, 'spec', 'storageClassName') : undefined
  if (storageClass === undefined || storageClass === '') return {}
  const ref = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', name: storageClass }
  const found = await input.cluster.get(ref, signal).catch(() => {
    // Reading storage classes is a right of its own; without it the claim is judged by its phase alone.
    signal.throwIfAborted()
    return undefined
  })
  const volumeBindingMode = stringAt(found, 'volumeBindingMode')
  return volumeBindingMode === undefined ? {} : { volumeBindingMode }
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

/** The annotation counts per replica. Source: engine-semantics C1. */
function failuresAllowed(operation: AwaitOperation, object: KubeObject): number | undefined {
  const perReplica = operation.tracking.failuresAllowedPerReplica
  return perReplica === undefined ? undefined : perReplica * (numberAt(object, 'spec', 'replicas') ?? 1)
}
