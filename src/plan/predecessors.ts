import { changedPaths } from '../manifest/compare.ts'
import { pointerOf, stepsOf } from '../manifest/json-pointer.ts'
import { stepInto } from '../manifest/known-path.ts'
import type { Resource } from '../model/directives.ts'
import type { JsonValue } from '../model/object.ts'
import { compareRefs, groupOf, refKey } from '../model/ref.ts'

/** Of so many objects of one template is the one sought that differs least; of more, the first that is left. */
const MAX_CANDIDATES = 50

/**
 * What stood in the place of each resource before. One whose name comes out otherwise at each render is found by what stays:
 * kind, namespace and template; of several from one template the one that differs least, each but once.
 */
export function predecessorsOf(
  resources: readonly Resource[],
  previous: readonly Resource[],
): ReadonlyMap<Resource, Resource> {
  const old = new Map(previous.map((resource) => [refKey(resource.manifest.ref), resource]))
  const found = new Map<Resource, Resource>()
  for (const resource of resources) {
    const before = old.get(refKey(resource.manifest.ref))
    if (before !== undefined) found.set(resource, before)
  }
  const taken = new Set(found.values())
  const byTemplate = Map.groupBy(previous.filter((resource) => !taken.has(resource)).toSorted(byRef), templateKey)
  for (const resource of resources.filter((one) => hasRandomName(one) && !found.has(one)).toSorted(byRef)) {
    const left = (byTemplate.get(templateKey(resource)) ?? []).filter((one) => !taken.has(one))
    const before = leastChanged(left.slice(0, MAX_CANDIDATES), resource)
    if (before === undefined) continue
    taken.add(before)
    found.set(resource, before)
  }
  return found
}

/** Whether the object has another name at each render. */
export function hasRandomName({ manifest }: Pick<Resource, 'manifest'>): boolean {
  return manifest.varies?.includes('/metadata/name') === true
}

/**
 * JSON pointers of what the chart changed. A value that comes out otherwise at each render counts only where it was not
 * there before, or is not any more.
 */
export function changedByChart({ manifest: before }: Resource, { manifest: after }: Resource): readonly string[] {
  const varies = new Set(after.varies)
  return changedPaths(before.object, after.object).filter((path) => {
    const steps = stepsOf(path)
    if (varies.has(path)) return [before, after].some(({ object }) => valueAt(object, steps) === undefined)
    return !steps.some((_step, index) => varies.has(pointerOf(steps.slice(0, index))))
  })
}

function leastChanged(candidates: readonly Resource[], resource: Resource): Resource | undefined {
  let least: { readonly resource: Resource; readonly changes: number } | undefined
  for (const candidate of candidates) {
    const changes = changedByChart(candidate, resource).length
    if (changes === 0) return candidate
    if (least === undefined || changes < least.changes) least = { resource: candidate, changes }
  }
  return least?.resource
}

function templateKey({ directives: { isHook }, manifest: { origin, ref } }: Resource): string {
  return JSON.stringify([isHook, groupOf(ref.apiVersion), ref.kind, ref.namespace ?? '', origin.file])
}

function byRef(a: Resource, b: Resource): number {
  return compareRefs(a.manifest.ref, b.manifest.ref)
}

function valueAt(object: JsonValue, steps: readonly string[]): JsonValue | undefined {
  return steps.reduce<JsonValue | undefined>(stepInto, object)
}
