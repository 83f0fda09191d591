import type { HandOver } from '../model/handed-over.ts'
import type { JsonObject, JsonValue, KubeObject } from '../model/object.ts'
import { FIELD_MANAGER, isHelmsClientSide, isOurApply, managerEntries } from './field-managers.ts'
import { entryAt, type FieldSet, fieldsV1Of, parseFieldSet, stepOf, unionOf } from './field-set.ts'
import { pointerOf, stepsOf } from './json-pointer.ts'
import { type Known, stepInto, stepsThrough } from './known-path.ts'
import { fieldSetsOf, ownersOf } from './managed-fields.ts'

/** Whether Helm applied the object client-side, and nobody has handed its fields over since. */
export function isClientSide(live: KubeObject): boolean {
  return managerEntries(live).some(isHelmsClientSide)
}

/**
 * JSON patch (RFC 6902) that makes manager `helm` the applier of what it wrote client-side: every `Update` entry of Helm
 * becomes part of its `Apply` entry. Then fields that leave the chart also leave the cluster, and Helm does not conflict
 * with itself. Undefined: nothing to hand over. Without `written` the same as client-go's csaupgrade; the patch replaces
 * the resourceVersion with itself, so that a concurrent change is answered with 409 and not overwritten.
 */
export function handOverPatch(live: KubeObject, handOver: HandOver = {}): readonly JsonObject[] | undefined {
  const value = handedOverEntries(live, handOver)
  if (value === undefined) return undefined
  return [
    { op: 'replace', path: '/metadata/managedFields', value },
    { op: 'replace', path: '/metadata/resourceVersion', value: live.metadata.resourceVersion ?? '' },
  ]
}

/** The live object as it is after that patch. */
export function asHandedOver(live: KubeObject, handOver: HandOver = {}): KubeObject {
  const managedFields = handedOverEntries(live, handOver)
  return managedFields === undefined ? live : { ...live, metadata: { ...live.metadata, managedFields } }
}

function handedOverEntries(live: KubeObject, { written, unset = [] }: HandOver): readonly JsonObject[] | undefined {
  const entries = managerEntries(live)
  const old = entries.filter(isHelmsClientSide)
  const applied = entries.find(isOurApply)
  const target = applied ?? old[0]
  if (target === undefined) return undefined
  const known = { object: live, sets: fieldSetsOf(live) }
  const fields = old
    .filter((entry) => entry.apiVersion === target.apiVersion)
    .map((entry) => parseFieldSet(entry.fieldsV1))
    .map((set) => (written === undefined ? set : writtenPart(set, known, written)))
    .reduce(unionOf, parseFieldSet(applied?.fieldsV1))
  const withFields = (set: FieldSet) => {
    const merged = { ...target, manager: FIELD_MANAGER, operation: 'Apply', fieldsV1: fieldsV1Of(set) }
    return entries.flatMap((entry) => (entry === target ? [merged] : isHelmsClientSide(entry) ? [] : [entry]))
  }
  const owned = { ...live, metadata: { ...live.metadata, managedFields: withFields(fields) } }
  const free = unset.filter((pointer) => ownersOf(owned, pointer).length === 0)
  const taken = free.flatMap((pointer) => fieldAt(known, pointer) ?? [])
  return old.length === 0 && taken.length === 0 ? undefined : withFields(taken.reduce(unionOf, fields))
}

const nothing: FieldSet = { isMember: false, children: new Map() }

/** The part of a field set that stands in one of the manifests: the rest are defaults. */
function writtenPart(set: FieldSet, known: Known, manifests: readonly KubeObject[]): FieldSet {
  const isWritten = (steps: readonly string[]) => manifests.some((one) => stepsThrough(one, known, steps) !== undefined)
  const visit = (node: FieldSet, value: JsonValue | undefined, steps: readonly string[]): FieldSet | undefined => {
    const children = [...node.children].flatMap(([key, child]): (readonly [string, FieldSet])[] => {
      const step = stepOf(key, value)
      const part =
        step === undefined ? undefined : visit(child, stepInto(value, String(step)), [...steps, String(step)])
      return part === undefined ? [] : [[key, part]]
    })
    const isMember = node.isMember && isWritten(steps)
    return isMember || children.length > 0 ? { isMember, children: new Map(children) } : undefined
  }
  return visit(set, known.object, []) ?? nothing
}

/** A set with one field; undefined: a list on the way has no item that anyone owns, so that its key is not known. */
function fieldAt({ object, sets }: Known, pointer: string): FieldSet | undefined {
  const build = (
    steps: readonly string[],
    value: JsonValue | undefined,
    here: readonly FieldSet[],
  ): FieldSet | undefined => {
    const [step, ...rest] = steps
    if (step === undefined) return { isMember: true, children: new Map() }
    const entries = here.flatMap((set) => entryAt(set, step, value) ?? [])
    const key = Array.isArray(value) ? entries[0]?.key : `f:${step}`
    const below = build(
      rest,
      stepInto(value, step),
      entries.map(({ child }) => child),
    )
    return key === undefined || below === undefined ? undefined : { isMember: false, children: new Map([[key, below]]) }
  }
  const steps = stepsOf(pointer)
  return pointerOf(steps) === '' ? undefined : build(steps, object, sets)
}
