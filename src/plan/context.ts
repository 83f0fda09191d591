import { type ReleaseObjects, type Releases, releaseObjects } from '../impact/release-objects.ts'
import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { crdKind } from '../manifest/crd-kind.ts'
import { runsToCompletion } from '../manifest/recreation.ts'
import { isAppliedBy } from '../model/applied-by.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import { groupOf, type Ref, refKey } from '../model/ref.ts'
import type { Occasion, StageName } from '../model/verb.ts'
import type { PlanInput } from './plan-input.ts'

/** What a stage is built from: the input, what is looked up in it by key, and what exists when the stage starts. */
export interface PlanContext {
  readonly input: PlanInput
  /** Live objects, and those that an earlier stage has made and not deleted again. Keys are `refKey`. */
  readonly existing: ReadonlySet<string>
  /** Resources of earlier revisions, by `refKey`. */
  readonly previous: ReadonlyMap<string, Resource>
  /** CRDs that this plan applies (`refKey`), by the kind (`group/Kind`) that they serve. */
  readonly crds: ReadonlyMap<string, readonly string[]>
  /** Kinds (`group/Kind`) that earlier releases of the run will serve. */
  readonly earlierKinds: ReadonlySet<string>
  /** Namespaces that this plan makes. */
  readonly ownNamespaces: ReadonlySet<string>
  /** A Job or Pod runs in stage `pre`: it may install CRDs, as hooks of public charts do. */
  readonly mayInstallCrds: boolean
  /** What the release held and is to hold, as far as it tells what changes mean. */
  readonly releases: Releases
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
  return {
    input,
    existing: new Set(input.observed.live.keys()),
    previous: new Map(input.previous.map((resource) => [refKey(resource.manifest.ref), resource])),
    crds: crdsByKind(applied),
    earlierKinds: new Set(input.comingKinds),
    ownNamespaces: namespacesMade(applied, input),
    mayInstallCrds: stageMembers('pre', input).some(runsToCompletion),
    releases: { before: objectsOf([...input.previous, ...(input.previousHooks ?? [])]), after: objectsOf(applied) },
  }
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

/** A CRD of this plan, or of an earlier release of the run, may replace the schema of the kind. */
export function mayGetAnotherSchema(ref: Ref, { crds, earlierKinds }: PlanContext): boolean {
  const kind = groupKindOf(ref)
  return crds.has(kind) || earlierKinds.has(kind)
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

function groupKindOf({ apiVersion, kind }: Ref): string {
  return `${groupOf(apiVersion)}/${kind}`
}
