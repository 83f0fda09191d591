import { ownershipOf } from '../manifest/ownership.ts'
import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import type { Problem } from '../model/problem.ts'
import { type Ref, refKey } from '../model/ref.ts'
import type { PlanContext } from './context.ts'
import type { PlanInput } from './plan-input.ts'

/**
 * Whether this release may write the live object. An object of the previous revision that lost its marks is still ours, as
 * is one that a hook of it made, which has none; one that carries another release's marks is not, unless anyone may own it. Sources: docs/sources.md#helm-upgrade,
 * docs/sources.md#helm-ownership, docs/sources.md#werf-resource-lifecycle.
 */
export function isOwner(resource: Resource, live: KubeObject, { input, madeByHooks, previous }: PlanContext): boolean {
  if (input.options.takeOwnership) return true
  const { directives, manifest } = resource
  const owner = ownershipOf(live, { release: input.release, namespace: input.namespace })
  const isAnyones = directives.ownership === 'anyone'
  const key = refKey(manifest.ref)
  if (owner.kind === 'none') return isAnyones || previous.has(key) || madeByHooks.has(key)
  // A hook would be recreated, a CRD changed under its owner: both are refused (docs/decisions/0030).
  if (isAnyones && !directives.isHook && manifest.source === 'template') return true
  return owner.kind === 'ours'
}

/** What exists and becomes this release's own by the input `take-ownership`. */
export function adoptedObjects(input: PlanInput): readonly Ref[] {
  if (!input.options.takeOwnership) return []
  return input.desired.flatMap(({ manifest: { ref } }) => {
    const live = input.observed.live.get(refKey(ref))
    const isOurs = live === undefined || ownershipOf(live, input).kind === 'ours'
    return isOurs ? [] : [ref]
  })
}

export function ownershipProblem(resource: Resource, live: KubeObject, input: PlanInput): Problem {
  const { origin, ref } = resource.manifest
  const owner = ownershipOf(live, { release: input.release, namespace: input.namespace })
  const whose =
    owner.kind === 'other'
      ? `belongs to release ${owner.release} in namespace ${owner.namespace}`
      : 'belongs to no release'
  return {
    severity: 'error',
    reason: 'not-owned',
    place: { file: origin.file, ref },
    what: `exists and ${whose}`,
    hint: { kind: 'take-ownership' },
  }
}
