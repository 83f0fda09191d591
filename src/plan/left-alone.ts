import type { Releases } from '../impact/release-objects.ts'
import { isAppliedBy } from '../model/applied-by.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { Untouched } from '../model/plan.ts'
import { compareRefs, refKey } from '../model/ref.ts'
import { isRevisionVerb } from '../model/verb.ts'
import { maskedPair } from './mask.ts'
import type { PlanInput } from './plan-input.ts'
import { hasRandomName } from './predecessors.ts'
import { reviewed } from './reviewed.ts'

/** Of what no stage applies: how it differs from the revision before. */
interface OtherChanges {
  readonly changed: readonly Resource[]
  readonly predecessors: ReadonlyMap<Resource, Resource>
  readonly releases: Releases
}

/** Resources that no stage of this verb applies, and annotations that nothing reads. */
export function leftAlone(input: PlanInput, others: OtherChanges): readonly Untouched[] {
  const changed = new Set(input.previousHooks === undefined ? [] : others.changed)
  const changeOf = (resource: Resource) => (changed.has(resource) ? definitionChange(resource, others) : {})
  return input.desired.flatMap((resource): readonly Untouched[] => {
    const { directives, manifest, unusedKeys } = resource
    const unused: readonly Untouched[] =
      unusedKeys.length === 0 ? [] : [{ ref: manifest.ref, reason: 'unused-annotation', detail: unusedKeys.join(', ') }]
    if (directives.excluded) return [{ ref: manifest.ref, reason: 'excluded' }, ...unused]
    if (directives.isSwitchedOff === true && directives.occasions.some(({ verb }) => verb === input.verb)) {
      return [
        { ref: manifest.ref, reason: 'hooks-off', ...defined({ detail: eventsText(resource) }), ...changeOf(resource) },
        ...unused,
      ]
    }
    const isHere = input.observed.live.has(refKey(manifest.ref))
    if (isAppliedBy(input.verb, resource) || !isRevisionVerb(input.verb)) return unused
    if (directives.isHook) {
      const stays = hasRandomName(resource) ? 'other-hook-random-name' : 'other-hook'
      const reason = !changed.has(resource) ? stays : others.predecessors.has(resource) ? 'changed-hook' : 'new-hook'
      return [
        { ref: manifest.ref, reason, ...defined({ detail: eventsText(resource) }), ...changeOf(resource) },
        ...unused,
      ]
    }
    const detail = isHere ? 'left unchanged' : 'not created'
    return [{ ref: manifest.ref, reason: 'not-for-this-verb', detail, ...changeOf(resource) }, ...unused]
  })
}

/** For the reviewer: a later verb runs or deploys what this one only records. */
function definitionChange(
  resource: Resource,
  { predecessors, releases }: OtherChanges,
): Pick<Untouched, 'before' | 'after' | 'impact'> {
  const before = predecessors.get(resource)
  const real = { after: resource.manifest.object, ...defined({ before: before?.manifest.object }) }
  return reviewed(resource, real, { change: before === undefined ? 'create' : 'run', isDrifted: false, releases })
}

/** The new revision does not run it any more, and no operation says so. */
export function goneHook(hook: Resource): Untouched {
  const { after: before } = maskedPair(hook, undefined, hook.manifest.object)
  return { ref: hook.manifest.ref, reason: 'gone-hook', ...defined({ detail: eventsText(hook) }), before }
}

/** `pre-delete, helm test`: when the hook runs, in the words of Helm; undefined where it never does. */
function eventsText({ directives }: Resource): string | undefined {
  const events = directives.occasions.map(({ stage, verb }) => {
    if (verb === 'test') return 'helm test'
    if (stage === 'crds') return 'crd-install'
    return `${stage}-${verb === 'uninstall' ? 'delete' : verb}`
  })
  return events.length === 0 ? undefined : [...new Set(events)].join(', ')
}

export function compareUntouched(a: Untouched, b: Untouched): number {
  return compareRefs(a.ref, b.ref) || (a.reason < b.reason ? -1 : a.reason > b.reason ? 1 : 0)
}
