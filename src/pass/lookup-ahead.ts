import { withoutBookkeeping } from '../manifest/bookkeeping.ts'
import { withoutMatching } from '../manifest/remove-paths.ts'
import { withSecretData } from '../manifest/secret-data.ts'
import { serverChosen } from '../manifest/server-chosen.ts'
import { defined } from '../model/defined.ts'
import { isJsonArray, isJsonObject, type JsonObject, type KubeObject } from '../model/object.ts'
import { refKey } from '../model/ref.ts'
import { stageOperations } from '../model/stage-operations.ts'
import type { Planned } from '../plan/make-plan.ts'
import type { Lookup, Secrets } from '../ports.ts'
import { learnLookedUp } from './learn-secrets.ts'

/** How an object stands once an earlier release of the run is deployed, by its key; undefined: it is gone. */
export type ObjectsAhead = ReadonlyMap<string, KubeObject | undefined>

/**
 * What the plan makes of objects, as far as it is known: without what only the cluster will say (identity, status, addresses). One whose
 * content comes out otherwise at each render is not known at all.
 */
export function objectsAhead({ plan, payloads }: Planned): ObjectsAhead {
  const ahead = new Map<string, KubeObject | undefined>()
  const operations = plan.stages.flatMap(stageOperations)
  for (const operation of operations) {
    const key = refKey(operation.ref)
    if (operation.kind === 'delete' && operation.onlyIf !== 'failed') ahead.set(key, undefined)
    if (operation.kind !== 'apply' || operation.change === 'none') continue
    const payload = payloads.get(operation.id)
    if (payload === undefined || (payload.resource.manifest.varies ?? []).length > 0) continue
    ahead.set(key, knownOf(withSecretData(payload.result), payload.body, operation.change === 'update'))
  }
  return ahead
}

function knownOf(result: KubeObject, body: KubeObject, isKept: boolean): KubeObject {
  if (isKept) return result
  const known = withoutMatching(withoutBookkeeping(result), serverChosen(result, body))
  const { name, namespace } = result.metadata
  const { apiVersion, kind } = result
  const metadata = isJsonObject(known.metadata) ? known.metadata : {}
  return { ...known, apiVersion, kind, metadata: { ...metadata, ...defined({ name, namespace }) } }
}

/** Answers of the cluster as they will be once the earlier releases of the run are deployed. */
export function lookupAhead(lookup: Lookup, ahead: ObjectsAhead, secrets: Secrets): Lookup {
  if (ahead.size === 0) return lookup
  return async (apiVersion, kind, namespace, name) => {
    const found = await lookup(apiVersion, kind, namespace, name)
    const keyOf = (metadata: { readonly namespace?: string; readonly name?: string }) =>
      refKey({
        apiVersion,
        kind,
        name: metadata.name ?? '',
        ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
      })
    if (name !== '') {
      const key = keyOf({ namespace, name })
      const object = ahead.get(key)
      if (!ahead.has(key)) return found
      // Under another version it has another form, which only the API server knows.
      if (object !== undefined && object.apiVersion !== apiVersion) return found
      if (object !== undefined) learnLookedUp([object], secrets)
      return object
    }
    const items = listed(found).filter((item) => !ahead.has(keyOf(item.metadata)))
    const coming = [...ahead.values()].flatMap((object) =>
      object === undefined || object.apiVersion !== apiVersion || object.kind !== kind ? [] : [object],
    )
    const here = coming.filter(({ metadata }) => namespace === '' || metadata.namespace === namespace)
    learnLookedUp(here, secrets)
    return { apiVersion, kind: `${kind}List`, metadata: {}, ...found, items: [...items, ...here].toSorted(byPlace) }
  }
}

function listed(list: JsonObject | undefined): readonly KubeObject[] {
  const items = list?.items
  return isJsonArray(items) ? items.filter((item): item is KubeObject => isJsonObject(item)) : []
}

/** In the order in which an API server lists. */
function byPlace(a: KubeObject, b: KubeObject): number {
  const [one, other] = [a, b].map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`)
  return (one ?? '') < (other ?? '') ? -1 : 1
}
