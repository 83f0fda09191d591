import { keptIn } from '../directives/kept-live.ts'
import { withApiDefaults } from '../manifest/api-defaults.ts'
import { bodyFor } from '../manifest/apply-body.ts'
import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { changedPaths } from '../manifest/compare.ts'
import { immutableAmong, immutableInJob } from '../manifest/immutable-fields.ts'
import { stepsOf } from '../manifest/json-pointer.ts'
import { type Owner, withOwnership } from '../manifest/ownership.ts'
import type { Resource } from '../model/directives.ts'
import { at, isJsonArray, isJsonObject, type JsonValue, type KubeObject, stringAt } from '../model/object.ts'
import type { DryRun, Observed } from '../model/observed.ts'
import { refKey } from '../model/ref.ts'
import { rowOf } from '../model/verb.ts'

/**
 * The two renders as the planner takes them: what a cluster would hold and say, if it held the base and took everything
 * of the head as it is rendered, with the defaults of the API filled into both (docs/decisions/0040). Neither has what the release leaves out (hooks, `crds/`).
 */
export function compareRenders(
  base: readonly Resource[],
  head: readonly Resource[],
  owner: Owner,
): { readonly observed: Observed; readonly previous: readonly Resource[] } {
  const desired = new Map(head.map((resource) => [refKey(resource.manifest.ref), resource]))
  const aligned = base.map((resource) => withSameRandomness(resource, desired.get(refKey(resource.manifest.ref))))
  const scaled = scaledBy(base)
  const isDesired = (resource: Resource) => desired.has(refKey(resource.manifest.ref))
  const live = new Map(
    aligned
      .filter(isDeployed)
      // What left the chart has the marks of the release: the planner deletes nothing without them.
      .map((resource) => [
        refKey(resource.manifest.ref),
        isDesired(resource)
          ? liveOf(resource, scaled, desired.get(refKey(resource.manifest.ref)))
          : withOwnership(resource.manifest.object, owner),
      ]),
  )
  return {
    observed: {
      live,
      kept: keptIn(live),
      dryRuns: new Map(
        head.map((resource): [string, DryRun] => {
          const key = refKey(resource.manifest.ref)
          return [key, answerTo(resource, live.get(key), storedAfterApply(resource, scaled))]
        }),
      ),
      bodies: new Map(head.map((resource) => [refKey(resource.manifest.ref), unmarkedBody(resource, owner)])),
      handOvers: new Map(),
      unreadable: new Map(),
      missingNamespaces: new Set(),
    },
    // As in a record: hooks and crds/ that left the chart are not deleted. Hooks that stay show what changed in them.
    previous: aligned.filter(
      (resource) => isDesired(resource) || (!resource.directives.isHook && resource.manifest.source === 'template'),
    ),
  }
}

/** Whether a deploy creates it: a hook may run on uninstall, rollback or test alone. */
function isDeployed({ directives }: Resource): boolean {
  return directives.occasions.some(({ verb }) => rowOf(verb).isDeploy === true)
}

/**
 * What cannot be changed is refused where the planner recreates it then: a Job, and what a policy recreates. Elsewhere the
 * object may not exist, and a plan that is blocked would say too much.
 */
function answerTo({ directives, manifest }: Resource, live: KubeObject | undefined, object: KubeObject): DryRun {
  const isAsked = directives.deletePolicies.includes('before-creation-if-immutable')
  const isJob = isBuiltIn(manifest.ref, 'Job')
  if (live === undefined || (!isAsked && !isJob)) return { kind: 'accepted', object }
  const changed = changedPaths(live, object)
  const refused = isJob ? immutableInJob(changed, live) : immutableAmong(manifest.ref, changed, live)
  const fields = new Set(refused.map((pointer) => stepsOf(pointer).slice(0, 2).join('.')))
  if (fields.size === 0) return { kind: 'accepted', object }
  return { kind: 'immutable', fields: [...fields], message: `${[...fields].join(', ')}: field is immutable` }
}

/** As it would be stored. A Job, and a hook of an earlier run, has finished. */
function liveOf(resource: Resource, scaled: ReadonlySet<string>, head: Resource | undefined): KubeObject {
  const stored = withoutNewlyStated(storedAfterApply(resource, scaled), resource, head)
  if (!resource.directives.isHook && !isBuiltIn(resource.manifest.ref, 'Job')) return stored
  return { ...stored, status: { phase: 'Succeeded', conditions: [{ type: 'Complete', status: 'True' }] } }
}

/**
 * What others write where a chart leaves it out (an autoscaler, `kubectl scale`, a queue that suspends) may be something else than the
 * default by now: a chart that states the default from now on sets it.
 */
function withoutNewlyStated(stored: KubeObject, base: Resource, head: Resource | undefined): KubeObject {
  const newly = WRITTEN_BY_OTHERS.filter((field) => !states(base, field) && states(head, field))
  return withoutInSpec(stored, newly)
}

const WRITTEN_BY_OTHERS: readonly string[] = ['replicas', 'suspend']

/** An autoscaler that is there already has written its own number of pods: no default takes the place of one. */
function storedAfterApply(resource: Resource, scaled: ReadonlySet<string>): KubeObject {
  const { object, ref } = resource.manifest
  const isScaled = scaled.has(`${ref.kind} ${ref.namespace} ${ref.name}`)
  return withoutInSpec(withApiDefaults(object), isScaled && !states(resource, 'replicas') ? ['replicas'] : [])
}

function states(resource: Resource | undefined, field: string): boolean {
  return (at(resource?.manifest.object, 'spec', field) ?? null) !== null
}

function withoutInSpec(object: KubeObject, fields: readonly string[]): KubeObject {
  if (fields.length === 0 || !isJsonObject(object.spec)) return object
  return { ...object, spec: Object.fromEntries(Object.entries(object.spec).filter(([key]) => !fields.includes(key))) }
}

/**
 * What autoscalers scale: HorizontalPodAutoscalers, and custom resources with the same field, of which KEDA's may leave out
 * the kind. Source: https://keda.sh/docs/latest/reference/scaledobject-spec/.
 */
function scaledBy(base: readonly Resource[]): ReadonlySet<string> {
  const targets = base.flatMap(({ manifest: { object, ref } }) => {
    const target = at(object, 'spec', 'scaleTargetRef')
    const name = stringAt(target, 'name')
    return name === undefined ? [] : [`${stringAt(target, 'kind') ?? 'Deployment'} ${ref.namespace} ${name}`]
  })
  return new Set(targets)
}

function unmarkedBody(resource: Resource, owner: Owner): KubeObject {
  const anyones = { ...resource, directives: { ...resource.directives, ownership: 'anyone' as const } }
  return bodyFor(anyones, { ...owner, live: undefined })
}

/** A value that is random in both renders is no change: the base gets the value of the head. */
function withSameRandomness(base: Resource, head: Resource | undefined): Resource {
  const inBase = new Set(base.manifest.varies)
  const pointers = head?.manifest.varies?.filter((pointer) => inBase.has(pointer)) ?? []
  if (head === undefined || pointers.length === 0) return base
  const object = pointers.reduce<JsonValue>(
    (result, pointer) => withValueOf(result, head.manifest.object, stepsOf(pointer)),
    base.manifest.object,
  )
  // The name does not vary: both have the same ref.
  return { ...base, manifest: { ...base.manifest, object: object as KubeObject } }
}

/** A copy with the value that `other` has at these steps, where both have one. */
function withValueOf(value: JsonValue, other: JsonValue, [step, ...rest]: readonly string[]): JsonValue {
  if (step === undefined) return other
  if (isJsonArray(value) && isJsonArray(other)) {
    return value.map((item, index) => {
      const found = String(index) === step ? other[index] : undefined
      return found === undefined ? item : withValueOf(item, found, rest)
    })
  }
  if (!isJsonObject(value) || !isJsonObject(other)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const found = key === step && Object.hasOwn(other, key) ? other[key] : undefined
      return [key, member === undefined || found === undefined ? member : withValueOf(member, found, rest)]
    }),
  )
}
