import { withoutBookkeeping } from '../manifest/bookkeeping.ts'
import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import {
  type ClusterValue,
  clusterValues,
  type Foreseen,
  nothingForeseen,
  withStandIns,
} from '../manifest/cluster-values.ts'
import { pointerOf } from '../manifest/json-pointer.ts'
import { withoutMatching } from '../manifest/remove-paths.ts'
import { keptAt, withSecretData } from '../manifest/secret-data.ts'
import { serverChosen } from '../manifest/server-chosen.ts'
import { defined } from '../model/defined.ts'
import type { Manifest } from '../model/manifest.ts'
import { isJsonArray, isJsonObject, type JsonObject, type KubeObject } from '../model/object.ts'
import { type Ref, refKey, refOfObject } from '../model/ref.ts'
import { stageOperations } from '../model/stage-operations.ts'
import type { Planned } from '../plan/make-plan.ts'
import { variationsOf } from '../plan/variation.ts'
import type { Lookup, Secrets } from '../ports.ts'
import { learnLookedUp } from './learn-secrets.ts'

/** How an object stands once an earlier release of the run is deployed, by its key; undefined: it is gone. */
export type ObjectsAhead = ReadonlyMap<string, ObjectAhead | undefined>

export interface ObjectAhead {
  readonly object: KubeObject
  readonly foreseen: Foreseen
}

/**
 * What the plan makes of objects, as far as it is known: of what only the cluster will say, identity and addresses have
 * stand-ins, and so have random words; states are left out. One whose content comes out otherwise at each render in another way is
 * not known at all.
 */
export function objectsAhead(planned: Planned): () => ObjectsAhead {
  return remembered(() => foundAhead(planned))
}

function remembered<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined
  return () => {
    found ??= { value: find() }
    return found.value
  }
}

function foundAhead({ plan, payloads }: Planned): ObjectsAhead {
  const ahead = new Map<string, ObjectAhead | undefined>()
  const operations = plan.stages.flatMap(stageOperations)
  for (const operation of operations) {
    const key = refKey(operation.ref)
    if (operation.kind === 'delete' && operation.onlyIf !== 'failed') ahead.set(key, undefined)
    if (operation.kind !== 'apply' || operation.change === 'none') continue
    const payload = payloads.get(operation.id)
    const random = payload && randomWords(payload.resource.manifest)
    if (payload === undefined || random === undefined) continue
    const result = withSecretData(payload.result)
    const isThere = operation.change === 'update'
    ahead.set(
      key,
      isThere
        ? withStandIns(result, { random })
        : withStandIns(knownOf(result, payload.body), { answered: result, random }),
    )
  }
  return ahead
}

function knownOf(result: KubeObject, body: KubeObject): KubeObject {
  const known = withoutMatching(withoutBookkeeping(result), serverChosen(result, body))
  const { name, namespace } = result.metadata
  const { apiVersion, kind } = result
  const metadata = isJsonObject(known.metadata) ? known.metadata : {}
  return { ...known, apiVersion, kind, metadata: { ...metadata, ...defined({ name, namespace }) } }
}

/** Where the data of the object are random words, and nothing else of it varies; undefined: more does. */
function randomWords(manifest: Manifest): ReadonlySet<string> | undefined {
  const random = new Set<string>()
  const isData = isBuiltIn(manifest.ref, 'Secret') || isBuiltIn(manifest.ref, 'ConfigMap')
  for (const { kind, parts = [], steps } of variationsOf(manifest)) {
    const isField = isData && steps.length === 2 && (steps[0] === 'data' || steps[0] === 'stringData')
    if (!isField || kind !== 'text' || !parts.every((part) => 'fixed' in part || part.varies === 'word'))
      return undefined
    const pointer = keptAt(pointerOf(steps), manifest.ref).at(-1)
    if (pointer !== undefined) random.add(pointer)
  }
  return random
}

export interface EarlierReleases {
  /** What they leave to be found, where they are not deployed yet. */
  readonly ahead: readonly (() => ObjectsAhead)[]
  /** What is theirs. */
  readonly objects: readonly Ref[]
  /** What of it is random, where they are deployed. */
  readonly made: readonly (() => ObjectsAhead)[]
}

export interface Answers {
  readonly lookup: Lookup
  /** What of the answers so far only the cluster knows. */
  values(): readonly ClusterValue[]
  /** The same answers with the other values. */
  readonly other: Lookup
}

/** More of them would have to be searched in every text. */
const MAX_VALUES = 1_000

/** Answers of the cluster as they will be once the earlier releases of the run are deployed. */
export function answersAfter(asked: Lookup, earlier: EarlierReleases, secrets: Secrets): Answers {
  const [ahead, made] = [ofAll(earlier.ahead), ofAll(earlier.made)]
  const lookup = lookupAhead(asked, ahead, secrets)
  const theirs = new Set(earlier.objects.map(refKey))
  const values = new Map<string, ClusterValue>()
  const given = new Map<string, JsonObject | undefined>()
  const otherOf = (item: KubeObject, type: Pick<KubeObject, 'apiVersion' | 'kind'>): KubeObject => {
    const object = { ...item, apiVersion: type.apiVersion, kind: type.kind }
    const key = refKey(refOfObject(object))
    if (!theirs.has(key)) return item
    const random = made().get(key)?.foreseen.random ?? nothingForeseen.random
    const found = clusterValues(object, ahead().get(key)?.foreseen ?? { ...nothingForeseen, random })
    for (const value of found.values) values.set(`${key} ${value.of.path} ${value.of.isEncoded}`, value)
    const { apiVersion, kind, ...rest } = found.other
    return (item.apiVersion === undefined ? rest : { ...rest, apiVersion, kind }) as KubeObject
  }
  const inBoth = async (...question: Parameters<Lookup>) => {
    const [apiVersion, kind, _namespace, name] = question
    const found = await lookup(...question)
    if (found === undefined) return { found, other: undefined }
    const type = { apiVersion, kind }
    const other =
      name === ''
        ? { ...found, items: listed(found).map((item) => otherOf(item, type)) }
        : otherOf(found as KubeObject, type)
    return { found, other }
  }
  return {
    lookup: async (...question) => {
      const { found, other } = await inBoth(...question)
      given.set(JSON.stringify(question), other)
      return found
    },
    values: () => (values.size > MAX_VALUES ? [] : [...values.values()]),
    other: async (...question) => {
      const key = JSON.stringify(question)
      return given.has(key) ? given.get(key) : (await inBoth(...question)).other
    },
  }
}

/** The later release has the word. */
function ofAll(releases: readonly (() => ObjectsAhead)[]): () => ObjectsAhead {
  return remembered(() => new Map(releases.flatMap((one) => [...one()])))
}

function lookupAhead(lookup: Lookup, objectsLater: () => ObjectsAhead, secrets: Secrets): Lookup {
  return async (apiVersion, kind, namespace, name) => {
    const ahead = objectsLater()
    const found = await lookup(apiVersion, kind, namespace, name)
    if (ahead.size === 0) return found
    const keyOf = (metadata: { readonly namespace?: string; readonly name?: string }) =>
      refKey({
        apiVersion,
        kind,
        name: metadata.name ?? '',
        ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
      })
    if (name !== '') {
      const key = keyOf({ namespace, name })
      const object = ahead.get(key)?.object
      if (!ahead.has(key)) return found
      // Under another version it has another form, which only the API server knows.
      if (object !== undefined && object.apiVersion !== apiVersion) return found
      if (object !== undefined) learnLookedUp([object], secrets)
      return object
    }
    const items = listed(found).filter((item) => !ahead.has(keyOf(item.metadata)))
    const coming = [...ahead.values()].flatMap((one) => {
      const object = one?.object
      return object === undefined || object.apiVersion !== apiVersion || object.kind !== kind ? [] : [object]
    })
    const here = coming.filter(({ metadata }) => namespace === '' || metadata.namespace === namespace)
    learnLookedUp(here, secrets)
    // A kind that is not there has no list, be it an empty one.
    if (found === undefined && here.length === 0) return undefined
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
