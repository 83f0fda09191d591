import { load } from 'js-yaml'
import { keptIn } from '../../src/directives/kept-live.ts'
import { directivesOf } from '../../src/directives/read-directives.ts'
import { bodyFor } from '../../src/manifest/apply-body.ts'
import { builtInKinds } from '../../src/manifest/built-in-kinds.ts'
import { asHandedOver, isClientSide } from '../../src/manifest/hand-over.ts'
import { pathsNoLongerApplied } from '../../src/manifest/managed-fields.ts'
import { withOwnership } from '../../src/manifest/ownership.ts'
import { isRecreated } from '../../src/manifest/recreation.ts'
import { withoutPaths } from '../../src/manifest/remove-paths.ts'
import { toManifests } from '../../src/manifest/scope.ts'
import type { Resource } from '../../src/model/directives.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../../src/model/object.ts'
import type { DryRun, Observed } from '../../src/model/observed.ts'
import type { RevisionCause } from '../../src/model/plan.ts'
import { formatRef, refKey, refOfObject } from '../../src/model/ref.ts'
import type { ServedKind } from '../../src/model/served.ts'
import type { Verb } from '../../src/model/verb.ts'
import type { PlanInput } from '../../src/plan/plan-input.ts'
import { servedKind } from '../doubles/served-kind.ts'

const RELEASE = 'shop'
const NAMESPACE = 'web'

/** A golden case: what the release shall hold, what it held, what the cluster holds and answers. */
export interface Given {
  /** The rule that the case shows, in one sentence. */
  readonly rule: string
  /** The document that states it. */
  readonly source: string
  readonly verb: Verb
  readonly chart: readonly KubeObject[]
  readonly crds: readonly KubeObject[]
  readonly previous: readonly KubeObject[]
  /** Hooks of the last deployed revision; absent where nobody knows them. */
  readonly previousHooks?: readonly KubeObject[]
  /** Hooks of failed revisions after it. */
  readonly failedHooks?: readonly KubeObject[]
  /** Beside the objects of `previous`, which are live with the release's marks unless `lost` names them. */
  readonly live: readonly KubeObject[]
  readonly lost: readonly string[]
  /** The API server's answers by `Kind/namespace/name`, where not "accepted". */
  readonly answers: { readonly [ref: string]: DryRun }
  /** Why an object may not be read, by `Kind/namespace/name`. */
  readonly unreadable: JsonObject
  readonly quotas: readonly KubeObject[]
  /** Namespaces that do not exist. */
  readonly missing: readonly string[]
  /** What earlier releases of the run bring. */
  readonly comingKinds: readonly string[]
  /** As `group/version/Kind`. */
  readonly comingTypes?: readonly string[]
  readonly comingNamespaces: readonly string[]
  readonly comingObjects?: readonly KubeObject[]
  /** Custom kinds, as `group/version/Kind`, that the cluster serves. */
  readonly served: readonly string[]
  /** JSON pointers that each render gives another value, by `Kind/namespace/name`. */
  readonly varies: JsonObject
  readonly options: JsonObject
  readonly revisionCauses: readonly RevisionCause[]
}

export function parseGiven(text: string): Given {
  return givenOf(load(text) as JsonObject)
}

export function givenOf(parsed: JsonObject): Given {
  const objects = (key: string) => (isJsonArray(parsed[key]) ? parsed[key] : []).map(asObject)
  return {
    rule: String(parsed.rule),
    source: String(parsed.source),
    verb: (parsed.verb ?? 'install') as Verb,
    chart: objects('chart'),
    crds: objects('crds'),
    previous: objects('previous'),
    ...(parsed.previousHooks === undefined ? {} : { previousHooks: objects('previousHooks') }),
    failedHooks: objects('failedHooks'),
    live: objects('live'),
    lost: texts(parsed.lost),
    unreadable: isJsonObject(parsed.unreadable) ? parsed.unreadable : {},
    quotas: objects('quotas'),
    missing: texts(parsed.missing),
    comingKinds: texts(parsed.comingKinds),
    comingTypes: texts(parsed.comingTypes),
    comingNamespaces: texts(parsed.comingNamespaces),
    comingObjects: objects('comingObjects'),
    served: texts(parsed.served),
    varies: isJsonObject(parsed.varies) ? parsed.varies : {},
    answers: (parsed.answers ?? {}) as unknown as { [ref: string]: DryRun },
    options: isJsonObject(parsed.options) ? parsed.options : {},
    revisionCauses: causesOf(parsed),
  }
}

function causesOf({ revisionCauses, verb = 'install' }: JsonObject): readonly RevisionCause[] {
  return (
    revisionCauses === undefined && verb === 'install' ? ['first-revision'] : texts(revisionCauses)
  ) as RevisionCause[]
}

function texts(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.map(String) : []
}

/** What the API server holds after it has accepted `body` for an object that is `live`. */
export type Accepted = (live: KubeObject | undefined, body: KubeObject) => KubeObject

/** The planner's input, with an API server that accepts everything that `answers` does not name. */
export function planInput(given: Given, accepted: Accepted = merged): PlanInput {
  const desired = resources(given, given.chart, given.crds)
  const previous = resources(given, given.previous, [])
  const problems = [...desired.problems]
  return {
    verb: given.verb,
    release: RELEASE,
    namespace: NAMESPACE,
    revision: given.verb === 'install' ? 1 : 2,
    desired: desired.resources.map((resource) => varying(given, resource)),
    previous: previous.resources,
    ...(given.previousHooks === undefined
      ? {}
      : { previousHooks: resources(given, given.previousHooks, []).resources }),
    failedHooks: resources(given, given.failedHooks ?? [], []).resources,
    observed: observedOf(given, { desired: desired.resources, previous: previous.resources, accepted }),
    served: servedTo(given),
    comingKinds: given.comingKinds,
    comingTypes: (given.comingTypes ?? []).map(kindNamed),
    comingNamespaces: given.comingNamespaces,
    comingObjects: (given.comingObjects ?? []).map(refOfObject),
    leftOut: [],
    options: { wait: true, prune: true, takeOwnership: false, createNamespace: false, ...given.options },
    revisionCauses: given.revisionCauses,
    problems,
  }
}

function varying(given: Given, resource: Resource): Resource {
  const varies = texts(given.varies[formatRef(resource.manifest.ref)])
  return varies.length === 0 ? resource : { ...resource, manifest: { ...resource.manifest, varies } }
}

function resources(given: Given, chart: readonly KubeObject[], crds: readonly KubeObject[]) {
  const documents = (objects: readonly KubeObject[], source: 'crds' | 'template') =>
    objects.map((object, index) => ({ object, file: `shop/${source}/${index + 1}.yaml`, line: 1, source }))
  const { manifests, problems } = toManifests([...documents(crds, 'crds'), ...documents(chart, 'template')], {
    namespace: NAMESPACE,
    served: servedTo(given),
  })
  const read = directivesOf(manifests, { isPlainManifests: given.options.isPlainManifests === true })
  return { resources: read.resources, problems: [...problems, ...read.problems] }
}

interface World {
  readonly desired: readonly Resource[]
  readonly previous: readonly Resource[]
  readonly accepted: Accepted
}

function observedOf(given: Given, { accepted, desired, previous }: World): Observed {
  const live = new Map<string, KubeObject>()
  for (const { manifest, directives } of previous) {
    if (given.lost.includes(formatRef(manifest.ref))) continue
    const owned = directives.ownership === 'release'
    const object = owned ? withOwnership(manifest.object, { release: RELEASE, namespace: NAMESPACE }) : manifest.object
    live.set(refKey(manifest.ref), object)
  }
  for (const { manifest } of resources(given, given.live, []).resources) live.set(refKey(manifest.ref), manifest.object)

  const kept = keptIn(live)
  const bodies = new Map<string, KubeObject>()
  const dryRuns = new Map<string, DryRun>()
  for (const resource of desired) {
    const key = refKey(resource.manifest.ref)
    const current = live.get(key)
    const body = bodyFor(resource, { release: RELEASE, namespace: NAMESPACE, live: current })
    bodies.set(key, body)
    const named = given.answers[formatRef(resource.manifest.ref)]
    const isAsked = current === undefined || !isRecreated(resource, { kept, verb: given.verb })
    const before = previous.find(({ manifest }) => refKey(manifest.ref) === key)?.manifest.object
    const freed = current === undefined ? undefined : withoutFreed(current, body, before)
    dryRuns.set(key, named ?? (isAsked ? { kind: 'accepted', object: accepted(freed, body) } : { kind: 'not-asked' }))
  }
  const handOvers = new Map([...live].flatMap(([key, object]) => (isClientSide(object) ? [[key, {}]] : [])))
  const unreadable = new Map(
    desired.flatMap(({ manifest: { ref } }) => {
      const message = given.unreadable[formatRef(ref)]
      return message === undefined ? [] : [[refKey(ref), String(message)]]
    }),
  )
  const missingNamespaces = new Set(given.missing)
  return { live, kept, bodies, dryRuns, handOvers, unreadable, missingNamespaces, quotas: given.quotas }
}

/** What is left of an object that Helm 3 applied, of what is not in the new body. */
function withoutFreed(live: KubeObject, body: KubeObject, previous: KubeObject | undefined): KubeObject {
  if (!isClientSide(live)) return live
  const handedOver = asHandedOver(live, previous === undefined ? {} : { written: [previous, body] })
  return withoutPaths(live, pathsNoLongerApplied(handedOver, body))
}

/** Maps merge, everything else is replaced. */
function merged(live: KubeObject | undefined, body: KubeObject): KubeObject {
  return overlay(live ?? body, body)
}

function overlay<T extends JsonValue>(below: T, above: JsonValue): T {
  if (!isJsonObject(below) || !isJsonObject(above)) return above as T
  const merged: Record<string, JsonValue | undefined> = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const under = below[key]
    merged[key] = under === undefined || value === undefined ? value : overlay(under, value)
  }
  return merged as T
}

function asObject(value: JsonValue): KubeObject {
  return value as KubeObject
}

function servedTo({ served }: Given): readonly ServedKind[] {
  return [...builtIns, ...served.map(kindNamed)]
}

function kindNamed(text: string): ServedKind {
  const [group = '', version = '', kind = ''] = text.split('/')
  return servedKind(group, version, kind)
}

const builtIns: readonly ServedKind[] = builtInKinds.flatMap(
  ({ group, hasStatus, kind, resource, scope, shortNames, versions: [version] }) =>
    version === undefined
      ? []
      : [
          {
            ...servedKind(group, version, kind),
            resource,
            shortNames,
            isNamespaced: scope === 'namespaced',
            hasStatus,
          },
        ],
)
