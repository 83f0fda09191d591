import { evaluate, parseJsonPath, printed } from '../manifest/jsonpath.ts'
import type { PropertyWait } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import type { AwaitOperation } from '../model/plan.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { completion, readiness } from '../readiness/readiness.ts'

/** What the goal of the await says about the live object. */
export function verdictOf(
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
    case 'readable':
      return { state: 'ready', reason: { code: 'exists' } }
    case 'properties':
      return propertiesOf(operation.properties ?? [], object)
  }
}

/** The first property that is not as wanted. Values compare as the text that client-go prints. */
function propertiesOf(properties: readonly PropertyWait[], object: KubeObject): Readiness {
  for (const { path, value: want } of properties) {
    const parsed = parseJsonPath(path)
    if ('error' in parsed) {
      return { state: 'failed', reason: { code: 'field', path, value: '', message: parsed.error } }
    }
    const values = evaluate(parsed, object)
    const have = values.length === 0 ? null : printed(values)
    if (have !== want) return { state: 'progressing', reason: { code: 'property', path, have, want } }
  }
  return { state: 'ready', reason: { code: 'exists' } }
}
