import { type ReleaseObjects, type Releases, releaseObjects } from '../impact/release-objects.ts'
import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { sameObject } from '../manifest/compare.ts'
import { crdKind, schemaOfVersion, servedVersions } from '../manifest/crd-kind.ts'
import { servedByCrd } from '../manifest/crd-served.ts'
import { runsToCompletion } from '../manifest/recreation.ts'
import { isAppliedBy } from '../model/applied-by.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { JsonObject, KubeObject } from '../model/object.ts'
import type { ChangeKind } from '../model/plan.ts'
import { groupOf, type Ref, refKey, refOfObject, versionOf } from '../model/ref.ts'
import type { ServedKind } from '../model/served.ts'
import type { Occasion, StageName } from '../model/verb.ts'
import type { PlanInput } from './plan-input.ts'

/** What a stage is built from: the input, what is looked up in it by key, and what exists when the stage starts. */
export interface PlanContext {
  readonly input: PlanInput
  /** Live objects, and those that an earlier stage has made and not deleted again. Keys are `refKey`. */
  readonly existing: ReadonlySet<string>
  /** Resources of earlier revisions, by `refKey`. */
  readonly previous: ReadonlyMap<string, Resource>
  /** What this plan applies at any time (`refKey`). */
  readonly applied: ReadonlySet<string>
  /** Hooks of earlier revisions (`refKey`): they make objects without the marks of the release. */
  readonly madeByHooks: ReadonlySet<string>
  /** CRDs that this plan applies (`refKey`), by the kind (`group/Kind`) that they serve. */
  readonly crds: ReadonlyMap<string, readonly string[]>
  /** CRDs that an earlier step of this plan makes or changes, as they are then, by kind (`group/Kind`). */
  readonly changedCrds: ReadonlyMap<string, KubeObject>
  /** What an earlier step of this plan makes or changes. */
  readonly changedBefore: readonly Ref[]
  /** Kinds (`group/Kind`) that earlier releases of the run will serve. */
  readonly earlierKinds: ReadonlySet<string>
  /** Namespaces that this plan makes. */
  readonly ownNamespaces: ReadonlySet<string>
  /** CRDs that this plan applies, by the kinds that they serve then: what comes later serves nothing yet. */
  readonly comingTypes: readonly ComingType[]
  /** A Job or Pod runs in stage `pre`: it may install CRDs, as hooks of public charts do. */
  readonly mayInstallCrds: boolean
  /** What the release held and is to hold, as far as it tells what changes mean. */
  readonly releases: Releases
}

/** A kind as discovery will name it, once its CRD (`refKey`) is applied. */
export interface ComingType extends ServedKind {
  readonly crd: string
}

/** What the operations of one stage are built from; of a hook, those of one event. */
export interface StageContext extends PlanContext {
  readonly stage: StageName
  /** `pre-upgrade` */
  readonly hook?: string
}

/** As the first stage finds it. */
export function contextOf(input: PlanInput): PlanContext {
  const applied = input.desired.filter((resource) => isAppliedBy(input.verb, resource))
  const hooksBefore = [...(input.previousHooks ?? []), ...(input.failedHooks ?? [])]
  return {
    input,
    existing: new Set(input.observed.live.keys()),
    previous: new Map(input.previous.map((resource) => [refKey(resource.manifest.ref), resource])),
    applied: new Set(applied.map(({ manifest }) => refKey(manifest.ref))),
    madeByHooks: new Set(hooksBefore.map(({ manifest }) => refKey(manifest.ref))),
    crds: crdsByKind(applied),
    changedCrds: new Map(),
    changedBefore: [],
    earlierKinds: new Set(input.comingKinds),
    comingTypes: applied.flatMap(({ manifest: { object, ref } }) =>
      servedByCrd(object).map((kind) => ({ ...kind, crd: refKey(ref) })),
    ),
    ownNamespaces: namespacesMade(applied, input),
    mayInstallCrds: stageMembers('pre', input).some(runsToCompletion),
    releases: {
      before: objectsOf(eachOnce([...input.previous, ...(input.previousHooks ?? [])])),
      after: objectsOf(applied),
    },
  }
}

/** A hook that the release owns is among both. */
function eachOnce(resources: readonly Resource[]): readonly Resource[] {
  return [...new Map(resources.map((resource) => [refKey(resource.manifest.ref), resource])).values()]
}

/** What is hidden tells nothing of others either. */
function objectsOf(resources: readonly Resource[]): ReleaseObjects {
  const isHidden = ({ directives }: Resource) => directives.sensitive === true || directives.sensitivePaths.length > 0
  return releaseObjects(
    resources
      .filter((resource) => !isHidden(resource))
      .map(({ manifest: { object, ref } }) => ({
        ...object,
        metadata: { ...object.metadata, ...defined({ namespace: ref.namespace }) },
      })),
    resources.some(isHidden),
  )
}

/** What the stage applies, in the order of the input. */
export function stageMembers(stage: Occasion['stage'], { desired, verb }: PlanInput): readonly Resource[] {
  return desired.filter((resource) => isAppliedBy(verb, resource, stage))
}

/** The live object, unless the plan has deleted it by then. */
export function liveByThen(ref: Ref, { existing, input }: PlanContext): KubeObject | undefined {
  const key = refKey(ref)
  return existing.has(key) ? input.observed.live.get(key) : undefined
}

/** Of a kind that is not served: its CRD comes before it, from this plan, a hook or an earlier release of the run. */
export function mayBeServedByThen(ref: Ref, context: PlanContext): boolean {
  const kind = groupKindOf(ref)
  if (context.earlierKinds.has(kind) || context.mayInstallCrds) return true
  return context.crds.get(kind)?.some((crd) => context.existing.has(crd)) === true
}

/** The schema by which the API server will judge the object, where an earlier step of this plan makes or changes it. */
export interface NewSchema {
  /** Name of the CRD. */
  readonly crd: string
  readonly schema: JsonObject
}

export function newSchemaOf({ apiVersion, kind }: Ref, { changedCrds, input }: PlanContext): NewSchema | undefined {
  const crd = changedCrds.get(groupKindOf({ apiVersion, kind }))
  if (crd === undefined) return undefined
  const before = input.observed.live.get(refKey(refOfObject(crd)))
  // Without a schema everything is taken.
  const [old, schema] = [before, crd].map((one) => one && (schemaOfVersion(one, versionOf(apiVersion)) ?? {}))
  if (schema === undefined || (old !== undefined && sameObject(old, schema))) return undefined
  return { crd: crd.metadata.name ?? '', schema }
}

/** Whether an earlier step of this plan makes the kind be served in other versions only. */
export function isLeftOutByCrd({ apiVersion, kind }: Ref, { changedCrds }: PlanContext): boolean {
  const crd = changedCrds.get(groupKindOf({ apiVersion, kind }))
  return crd !== undefined && !servedVersions(crd).includes(versionOf(apiVersion))
}

/** A CRD of an earlier release of the run may replace the schema of the kind; which one, the plan cannot see. */
export function mayGetUnknownSchema(ref: Ref, { earlierKinds }: PlanContext): boolean {
  return earlierKinds.has(groupKindOf(ref))
}

/** The CRDs as they are once these operations are done. */
export function withCrdChange(
  changed: ReadonlyMap<string, KubeObject>,
  applied: { readonly change: ChangeKind; readonly object: KubeObject },
): ReadonlyMap<string, KubeObject> {
  const defined = applied.change === 'none' ? undefined : crdKind(applied.object)
  return defined === undefined ? changed : new Map([...changed, [`${defined.group}/${defined.kind}`, applied.object]])
}

/** Of a namespace that does not exist yet: it is made before the release, or earlier in this plan or run. */
export function namespaceExistsByThen(namespace: string, { input, existing }: PlanContext): boolean {
  if (input.options.createNamespace && namespace === input.namespace) return true
  if (existing.has(refKey({ apiVersion: 'v1', kind: 'Namespace', name: namespace }))) return true
  return input.comingNamespaces?.includes(namespace) === true
}

/** Whether the object's kind or namespace comes with an earlier release of the run. */
export function dependsOnEarlier(ref: Ref, { input, earlierKinds, ownNamespaces }: PlanContext): boolean {
  if (earlierKinds.has(groupKindOf(ref))) return true
  const { namespace } = ref
  return namespace !== undefined && input.observed.missingNamespaces.has(namespace) && !ownNamespaces.has(namespace)
}

function crdsByKind(resources: readonly Resource[]): ReadonlyMap<string, readonly string[]> {
  const crds = new Map<string, string[]>()
  for (const { manifest } of resources) {
    const defined = crdKind(manifest.object)
    if (defined === undefined) continue
    const kind = `${defined.group}/${defined.kind}`
    const known = crds.get(kind)
    if (known === undefined) crds.set(kind, [refKey(manifest.ref)])
    else known.push(refKey(manifest.ref))
  }
  return crds
}

function namespacesMade(
  applied: readonly Resource[],
  { namespace, options }: Pick<PlanInput, 'namespace' | 'options'>,
): ReadonlySet<string> {
  const made = applied.flatMap(({ manifest: { ref } }) => (isBuiltIn(ref, 'Namespace') ? [ref.name] : []))
  return new Set(options.createNamespace ? [namespace, ...made] : made)
}

function groupKindOf({ apiVersion, kind }: Pick<Ref, 'apiVersion' | 'kind'>): string {
  return `${groupOf(apiVersion)}/${kind}`
}
