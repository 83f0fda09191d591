import { builtInKind } from '../manifest/built-in-kinds.ts'
import type { KubeObject } from '../model/object.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { customResourceDefinition } from './built-in-rules.ts'
import { ruleOf } from './rule-of-kind.ts'
import { completedJob, completedPod } from './run-to-end.ts'
import { progressing, ready } from './verdict.ts'

/**
 * Whether a live object is ready. `relatives`: what it owns, of the kinds that `relativeKindsOf` names. A pure
 * function; whoever waits calls it again after every change.
 */
export function readiness(
  object: KubeObject | undefined,
  relatives: readonly KubeObject[],
  facts: ReadinessFacts,
): Readiness {
  if (object === undefined) return progressing({ code: 'absent' })
  return goingAway(object) ?? ruleOf(object)(object, relatives, facts)
}

/**
 * Whether a hook has finished: Jobs and Pods ran to completion, CRDs are established, anything else is done once
 * applied. See docs/decisions/0020.
 */
export function completion(
  object: KubeObject | undefined,
  relatives: readonly KubeObject[],
  facts: ReadinessFacts,
): Readiness {
  if (object === undefined) return progressing({ code: 'absent' })
  switch (builtInKind(object)?.readiness) {
    case 'job':
      return completedJob(object, relatives, facts)
    case 'pod':
      return completedPod(object, facts)
    case 'custom-resource-definition':
      return goingAway(object) ?? customResourceDefinition(object, facts)
    default:
      return ready()
  }
}

/** It will be gone, or recreated by its owner; neither is what was applied. */
function goingAway({ metadata }: KubeObject): Readiness | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined
  return progressing({ code: 'deleting', finalizers: metadata.finalizers ?? [] })
}
