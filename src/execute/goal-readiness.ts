import { evaluate, parseJsonPath, printedValues } from '../manifest/jsonpath.ts'
import type { PropertyWait } from '../model/directives.ts'
import { arrayAt, type KubeObject, stringAt } from '../model/object.ts'
import type { AwaitOperation } from '../model/plan.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { completion, readiness } from '../readiness/judge-readiness.ts'

/** What the goal of the await says about the live object. */
export function readinessForGoal(
  operation: AwaitOperation,
  object: KubeObject,
  relatives: readonly KubeObject[],
  facts: ReadinessFacts,
): Readiness {
  switch (operation.until) {
    case 'ready':
    case 'established':
      return readiness(object, relatives, facts)
    case 'complete':
      return completion(object, relatives, facts)
    case 'failed':
      return expectedFailure(object, completion(object, relatives, facts))
    case 'readable':
      return { state: 'ready', reason: { code: 'exists' } }
    case 'properties':
      return propertiesOf(operation.properties ?? [], object)
  }
}

/** Whether the goal is the end of a Job or Pod, good or bad. */
export function awaitsCompletion({ until }: AwaitOperation): boolean {
  return until === 'complete' || until === 'failed'
}

/**
 * Helm 2's `test-failure`: only a Pod that ran and failed, or a Job that gave up, is what was asked for; one that
 * cannot start has shown nothing. Source: docs/sources.md#helm-2-hooks.
 */
function expectedFailure(object: KubeObject, end: Readiness): Readiness {
  if (end.state === 'ready') return { state: 'failed', reason: { code: 'no-failure' } }
  const hasRun = stringAt(object, 'status', 'phase') === 'Failed' || hasGivenUp(object)
  return end.state === 'failed' && hasRun ? { state: 'ready', reason: end.reason } : end
}

function hasGivenUp(job: KubeObject): boolean {
  return arrayAt(job, 'status', 'conditions').some(
    (condition) => stringAt(condition, 'type') === 'Failed' && stringAt(condition, 'status') === 'True',
  )
}

/** The first property that is not as wanted. Values compare as the text that client-go prints. */
function propertiesOf(properties: readonly PropertyWait[], object: KubeObject): Readiness {
  for (const { path, value: want } of properties) {
    const parsed = parseJsonPath(path)
    if ('error' in parsed) {
      return { state: 'failed', reason: { code: 'field', path, value: '', message: parsed.error } }
    }
    const values = evaluate(parsed, object)
    if ('error' in values) {
      return { state: 'failed', reason: { code: 'field', path, value: '', message: values.error } }
    }
    const have = values.length === 0 ? null : printedValues(values)
    if (have !== want) return { state: 'progressing', reason: { code: 'property', path, have, want } }
  }
  return { state: 'ready', reason: { code: 'exists' } }
}
