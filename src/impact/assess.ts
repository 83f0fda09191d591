import { withoutBookkeeping } from '../manifest/bookkeeping.ts'
import { builtInKind, isBuiltIn } from '../manifest/built-in-kinds.ts'
import { deletionRisk } from '../manifest/deletion-risk.ts'
import { FIELD_MANAGER } from '../manifest/field-managers.ts'
import { immutableAmong } from '../manifest/immutable-fields.ts'
import { pointerOf } from '../manifest/json-pointer.ts'
import { ownersOf } from '../manifest/managed-fields.ts'
import { defined } from '../model/defined.ts'
import type {
  AdmissionChange,
  Autoscaler,
  FieldChange,
  ImageChange,
  Impact,
  Restart,
  Risk,
  Scale,
  ScheduleChange,
  SteeringChange,
} from '../model/impact.ts'
import { arrayAt, at, isJsonArray, isJsonObject, type JsonObject, numberAt, stringAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { unreachable } from '../model/unreachable.ts'
import { admissionChanges, decidesMore } from './admission.ts'
import { crdDifferences } from './crd-fields.ts'
import { budgetChange } from './disruption-budgets.ts'
import { comparedAmounts, evictableOf } from './evictable.ts'
import { fieldImportance } from './field-order.ts'
import { type FieldDifference, fieldDifferences, pointerTo } from './fields.ts'
import { imagesImpact } from './images.ts'
import { noiseOf } from './noise.ts'
import { isHarmfulEffect, objectEffects } from './object-effects.ts'
import { podLimits } from './pod-limits.ts'
import { podLosses, startsAfter } from './pod-losses.ts'
import { podSecurity } from './pod-security.ts'
import { podSources } from './pod-sources.ts'
import { relationsOf } from './relations.ts'
import type { Releases } from './release-objects.ts'
import { CONTAINER_LISTS } from './renamed-containers.ts'
import { autoscalerOf, changedConfigOf, restartOf } from './restart.ts'
import { accessOf, hasGains } from './role-access.ts'
import { morePodsAtOnce, rolloutOf } from './rollout.ts'
import { scheduleChange } from './schedule.ts'
import { isRiskySchema, schemaImpactOf } from './schema-change.ts'
import { shortText } from './short-text.ts'
import { isEqual } from './side-by-side.ts'
import { staleReaders } from './stale-readers.ts'
import { isRiskySteering, steeringChanges } from './steering.ts'
import { textChange } from './text-change.ts'
import { changesReach, trafficChanges } from './traffic.ts'

/** One object before and after; either is absent where there is none. */
export interface Pair {
  readonly before?: JsonObject
  readonly after?: JsonObject
}

export interface ImpactInput {
  readonly ref: Ref
  /** `run`: a hook that runs, compared with the hook of the revision before. */
  readonly change: 'create' | 'update' | 'recreate' | 'delete' | 'run'
  /** As they are: may hold secret values. */
  readonly real: Pair
  /** The same, with every secret value masked: texts are taken from here. */
  readonly shown: Pair
  /** Somebody else changed fields of the object: that is never noise. */
  readonly isDrifted: boolean
  /** Nobody has asked the API server whether it takes the update. */
  readonly isUnasked?: boolean
  /** A hook before everything else, whose failure ends the run. */
  readonly runsFirst?: boolean
  readonly releases: Releases
}

/** What the change means. Complexity: linear in the size of the object. */
export function impactOf(input: ImpactInput): Impact {
  const { change, isDrifted, ref, releases, shown } = input
  const before = input.real.before === undefined ? undefined : withoutBookkeeping(input.real.before)
  const after = input.real.after === undefined ? undefined : withoutBookkeeping(input.real.after)
  const isCrd = isBuiltIn(ref, 'CustomResourceDefinition')
  const differencesOf = isCrd ? crdDifferences : fieldDifferences
  const differences = before === undefined || after === undefined ? [] : differencesOf(before, after)
  const schema = isCrd && after !== undefined ? schemaImpactOf(before, after, { isMasked: !isShown(input) }) : undefined
  const isUpdate = change === 'update' || change === 'run'
  const noise = isUpdate && !isDrifted ? noiseOf(differences, isCrd && schema === undefined) : undefined
  const immutable = input.isUnasked === true ? immutableFields(input, differences) : []
  // What is refused replaces no pods.
  const pods = change === 'update' && immutable.length === 0 ? podsImpact(input, differences) : {}
  const isCompared = shown.before !== undefined && shown.after !== undefined
  const images = imagesImpact({ ref, real: defined({ before, after }), shown, releases })
  // A hook that merely runs gives what it gave before.
  const isFirstRun = change === 'run' && before === undefined
  const access = isFirstRun ? undefined : accessOf(ref, { before, after }, releases)
  const admission = isFirstRun ? [] : admissionChanges(ref, before, after, releases)
  const traffic = isFirstRun ? [] : trafficChanges(ref, { before, after }, releases)
  const steering = isFirstRun ? [] : steeringChanges(ref, { before, after })
  const steered = steeringToTell(input, steering)
  const security = isFirstRun ? undefined : podSecurity(before, after)
  const limits = podLimits(before, after)
  const losses = podLosses(ref, before, after, releases.after)
  const sources = podSources(ref, before, after, releases.after)
  const first = startsAfter(before, after)
  const schedule = before === undefined || after === undefined ? undefined : scheduleChange(ref, before, after)
  const stale = change !== 'update' || !before || !after ? [] : staleReaders(ref, before, after, releases)
  const effects = isFirstRun ? [] : objectEffects(ref, { before, after }, releases)
  const evictable = after === undefined || !isBudget(ref) ? undefined : evictableOf(ref, before, after, releases.after)
  const evictions =
    after === undefined || !isBudget(ref) ? undefined : (budgetChange(before, after) ?? comparedAmounts(evictable))
  return {
    risk: riskOf(input, {
      ...pods,
      ...defined({ schema, evictions, schedule }),
      isRefused: immutable.length > 0,
      isMoreAccess:
        (access !== undefined && hasGains(access)) ||
        admission.some(decidesMore) ||
        traffic.some(changesReach) ||
        steering.some(isRiskySteering) ||
        (schema === undefined && effects.some(isHarmfulEffect)) ||
        (security !== undefined && security.gained.length > 0),
    }),
    fields: differences
      .map((difference) => withJump(fieldChange(difference, shown), images.images ?? []))
      .toSorted((a, b) => fieldImportance(a.path) - fieldImportance(b.path)),
    ...(immutable.length === 0 ? {} : { immutable }),
    ...pods,
    ...images,
    ...defined({
      scaledBy: change === 'update' ? scalerOf(input, pods.scale) : undefined,
      noise: traffic.length > 0 || security !== undefined ? undefined : noise,
      evictions,
      evictable,
      schema,
      schedule:
        schedule !== undefined && isCompared && isEqualFact(schedule, scheduleChange(ref, shown.before, shown.after))
          ? schedule
          : undefined,
      // Of what goes only names are told.
      effects: effects.length > 0 && (change === 'delete' || isShown(input)) ? effects : undefined,
      traffic: traffic.length > 0 && isEqualFact(traffic, trafficChanges(ref, shown, releases)) ? traffic : undefined,
      steering: steered.length > 0 ? steered : undefined,
      podSecurity:
        security !== undefined && isEqualFact(security, podSecurity(shown.before, shown.after)) ? security : undefined,
      podLosses: losses.length > 0 ? losses : undefined,
      podSources:
        sources.length > 0 && isEqualFact(sources, podSources(ref, shown.before, shown.after, releases.after))
          ? sources
          : undefined,
      runsFirst: runsOtherwise(input, differences) ? true : undefined,
      startsAfter: first.length > 0 ? first : undefined,
      podLimits: limits.length > 0 && isEqualFact(limits, podLimits(shown.before, shown.after)) ? limits : undefined,
    }),
    ...relations(input),
    ...(stale.length === 0 ? {} : { staleIn: stale }),
    // What is masked is not told in words either; that a webhook trusts another authority has no text.
    ...(access !== undefined && isShown(input) ? { access } : {}),
    ...(admission.length > 0 && isAdmissionShown(input, admission)
      ? { admission: withShownRules(input, admission) }
      : {}),
  }
}

/** Of a hook that stands before everything else: that it is new to a release that was there, or runs something else. */
function runsOtherwise({ releases, real, runsFirst }: ImpactInput, differences: readonly FieldDifference[]): boolean {
  if (runsFirst !== true) return false
  if (real.before === undefined) return releases.before.all.length > 0
  return differences.some(({ path }) => RUN.test(path))
}

/** Of a pod: which containers it has, and what they run with. */
const RUN = /\b(containers|initContainers)(\[[^[\]]*\])?(\.(image|command|args|env|envFrom)\b|$)/

function relations({
  change,
  real: { after, before },
  ref,
  releases,
}: ImpactInput): Pick<Impact, 'usedBy' | 'workloads'> {
  const object = change === 'delete' ? before : change === 'create' ? after : undefined
  return object === undefined
    ? {}
    : relationsOf(ref, object, { isDeleted: change === 'delete', release: releases.after })
}

/** With texts that are masked; without what masking hides. */
function steeringToTell({ ref, shown }: ImpactInput, found: readonly SteeringChange[]): readonly SteeringChange[] {
  if (found.length === 0) return []
  const isSame = (one: SteeringChange, other: SteeringChange) => one.key === other.key && one.effect === other.effect
  return steeringChanges(ref, shown).filter((one) => found.some((other) => isSame(one, other)))
}

function isBudget(ref: Ref): boolean {
  return builtInKind(ref)?.kind === 'PodDisruptionBudget'
}

/** Paths of what the API server refuses to change. */
function immutableFields({ real, ref }: ImpactInput, differences: readonly FieldDifference[]): readonly string[] {
  const refused = new Set(immutableAmong(ref, differences.map(pointerTo), real.before))
  return differences.filter((difference) => refused.has(pointerTo(difference))).map(({ path }) => path)
}

/** What happens to the pods of a workload. The live object is taken with its status. */
function podsImpact(
  { real: { after, before }, ref, releases, shown }: ImpactInput,
  differences: readonly FieldDifference[],
): Pick<Impact, 'atOnce' | 'restart' | 'scale'> {
  if (before === undefined || after === undefined || rolloutOf(ref, after, undefined) === undefined) return {}
  const restart = withChecksum(restartOf({ ref, before, after, differences, release: releases.after }), () =>
    changedConfigOf(ref, after, releases),
  )
  const [from, said] = [numberAt(before, 'spec', 'replicas'), numberAt(after, 'spec', 'replicas')]
  const to = said ?? (isHandedOver({ ref, before, after }, releases) ? DEFAULT_REPLICAS : undefined)
  if (said !== numberAt(shown.after, 'spec', 'replicas')) {
    return restart === undefined ? {} : { restart: { how: restart.how, because: restart.because } }
  }
  const scale = from === undefined || to === undefined || from === to ? undefined : { from, to }
  return defined({
    restart,
    scale,
    atOnce: restart?.hasGap === true ? undefined : atOnceOf(ref, { before, after }, shown),
  })
}

function withChecksum(restart: Restart | undefined, changed: () => readonly string[]): Restart | undefined {
  if (restart?.because !== 'checksum') return restart
  const checksumOf = changed()
  return checksumOf.length === 0 ? restart : { ...restart, checksumOf }
}

/** Where nothing of the two values is masked. */
function atOnceOf(ref: Ref, { after, before }: Required<Pair>, shown: Pair): Impact['atOnce'] {
  const found = morePodsAtOnce(ref, before, after)
  const isMasked = shown.before === undefined || shown.after === undefined
  return !isMasked && isEqualFact(found, morePodsAtOnce(ref, shown.before, shown.after)) ? found : undefined
}

/** The autoscaler that decides from now on: the workload says no more how many pods there are to be, or fewer than it keeps. */
function scalerOf(
  { real: { after, before }, ref, releases }: ImpactInput,
  scale: Scale | undefined,
): Autoscaler | undefined {
  const isLeft = leavesReplicas(before, after)
  if (!isLeft && scale === undefined) return undefined
  const found = autoscalerOf(ref, releases.after.autoscalers)
  return isLeft || (scale !== undefined && scale.to < (found?.minReplicas ?? 1)) ? found : undefined
}

const DEFAULT_REPLICAS = 1

/**
 * Of a plan without a dry run: the API server fills in its default where nobody else has set the number, and the new autoscaler
 * acts later. Source: the docs of Kubernetes, "Migrating Deployments and StatefulSets to horizontal autoscaling".
 */
function isHandedOver(
  { after, before, ref }: { readonly ref: Ref; readonly before: JsonObject; readonly after: JsonObject },
  releases: Releases,
): boolean {
  const isNew =
    autoscalerOf(ref, releases.after.autoscalers) !== undefined &&
    autoscalerOf(ref, releases.before.autoscalers) === undefined
  if (!isNew || !leavesReplicas(before, after)) return false
  const { apiVersion, kind } = ref
  const live = { ...before, apiVersion, kind, metadata: isJsonObject(before.metadata) ? before.metadata : {} }
  return ownersOf(live, '/spec/replicas').every((owner) => owner === FIELD_MANAGER)
}

/** It says no longer how many pods there are to be. */
function leavesReplicas(before: JsonObject | undefined, after: JsonObject | undefined): boolean {
  const isLeft = at(before, 'spec', 'replicas') !== undefined && after !== undefined
  return isLeft && at(after, 'spec', 'replicas') === undefined
}

/** Where masking does not touch what the fact is about. */
function isEqualFact(real: unknown, shown: unknown): boolean {
  return JSON.stringify(real) === JSON.stringify(shown)
}

/** Another authority is told although it is masked; the requests that it is about only where they are not. */
function withShownRules({ real, shown }: ImpactInput, all: readonly AdmissionChange[]): typeof all {
  const rulesIn = (side: JsonObject | undefined, name: string | undefined) =>
    arrayAt(
      arrayAt(side, 'webhooks').find((one) => stringAt(one, 'name') === name),
      'rules',
    )
  const isShown = ({ webhook }: AdmissionChange) =>
    isEqualFact(rulesIn(real.after, webhook), rulesIn(shown.after, webhook))
  return all.map((one) => {
    if (!isOtherAuthority(one) || isShown(one)) return one
    const { rules: _, ...rest } = one
    return rest
  })
}

function isOtherAuthority({ effect }: AdmissionChange): boolean {
  return effect === 'other-authority' || effect === 'other-authority-open'
}

/** The name of each webhook is no secret, nor is anything else that is told of it. */
function isAdmissionShown({ ref, releases, shown }: ImpactInput, admission: readonly AdmissionChange[]): boolean {
  const names = new Set(arrayAt(shown.after, 'webhooks').map((webhook) => stringAt(webhook, 'name')))
  // Policies have their names only, and follow from another authority, too.
  const facts = (all: readonly AdmissionChange[]) =>
    all.filter((one) => !isOtherAuthority(one) && one.effect !== 'cut-off' && one.effect !== 'cut-off-open')
  return (
    admission.filter(isOtherAuthority).every(({ webhook }) => names.has(webhook)) &&
    isEqualFact(facts(admission), facts(admissionChanges(ref, shown.before, shown.after, releases)))
  )
}

function isShown({ real, shown }: ImpactInput): boolean {
  return (['before', 'after'] as const).every((side) =>
    isEqual(withoutBookkeeping(real[side] ?? {}), withoutBookkeeping(shown[side] ?? {})),
  )
}

interface Findings extends Pick<Impact, 'evictions' | 'restart' | 'scale' | 'schedule' | 'schema'> {
  readonly isMoreAccess: boolean
  readonly isRefused: boolean
}

function riskOf(
  { change, isDrifted, ref }: ImpactInput,
  { evictions, isMoreAccess, isRefused, restart, scale, schedule, schema }: Findings,
): Risk {
  if (change === 'delete') return deletionRisk(ref)
  if (change === 'recreate' || isRefused) return 'recreated'
  if (isMoreAccess) return 'access'
  if (schema !== undefined && isRiskySchema(schema)) return 'schema'
  const isOutage =
    (scale !== undefined && scale.to * 2 <= scale.from) || evictions === 'closed' || isSuspended(schedule)
  if (isOutage || (restart !== undefined && replacesPods(restart))) return 'restart'
  if (isDrifted) return 'reverted'
  return change === 'create' ? 'new' : 'other'
}

function isSuspended(schedule: ScheduleChange | undefined): boolean {
  return schedule !== undefined && schedule.after === undefined
}

function replacesPods({ held = 0, how, replicas }: Restart): boolean {
  switch (how) {
    case 'rolling':
    case 'recreate':
      return true
    case 'partial':
      return replicas === undefined || held < replicas
    case 'on-delete':
    case 'paused':
    case 'next-run':
    case 'suspended':
      return false
    default:
      return unreachable(how)
  }
}

function fieldChange(difference: FieldDifference, shown: Pair): FieldChange {
  const { itemsAdded, itemsRemoved, kind, path, stepsAfter, stepsBefore } = difference
  const [pointer, old] = [pointerTo(difference), pointerOf(stepsBefore)]
  const shownBefore = kind === 'added' ? undefined : at(shown.before, ...stepsBefore)
  const shownAfter = kind === 'removed' ? undefined : at(shown.after, ...stepsAfter)
  const isScalar = kind === 'added' || kind === 'removed' || kind === 'changed'
  return {
    path,
    pointer,
    ...(pointer === old ? {} : { pointerBefore: old }),
    kind,
    ...defined({
      before: isScalar ? shortText(shownBefore) : undefined,
      after: isScalar ? shortText(shownAfter) : undefined,
      containers: containersIn(difference, shown),
      itemsAdded,
      itemsRemoved,
      text: kind === 'changed' || kind === 'added' ? textChange(shownBefore, shownAfter) : undefined,
    }),
  }
}

/** Of a container that comes or goes, or of a list of them. */
function containersIn({ kind, stepsAfter, stepsBefore }: FieldDifference, shown: Pair): FieldChange['containers'] {
  if (kind !== 'added' && kind !== 'removed') return undefined
  const value = kind === 'added' ? at(shown.after, ...stepsAfter) : at(shown.before, ...stepsBefore)
  const [list, item] = [stepsAfter.at(-1), stepsAfter.at(-2)]
  const isOne = CONTAINER_LISTS.has(String(item))
  if (!isOne && !CONTAINER_LISTS.has(String(list))) return undefined
  const containers = isJsonArray(value) ? value : value === undefined || !isOne ? [] : [value]
  const found = containers.flatMap((one) => {
    const [name, image] = [shortText(at(one, 'name')), shortText(at(one, 'image'))]
    const isSidecar = [list, item].includes('initContainers') && at(one, 'restartPolicy') === 'Always'
    return name === undefined || image === undefined ? [] : [{ name, image, ...(isSidecar && { isSidecar }) }]
  })
  return found.length === 0 ? undefined : found
}

function withJump(field: FieldChange, images: readonly ImageChange[]): FieldChange {
  const image = /\bimage$/.test(field.path) ? images.find((one) => isSameChange(one, field)) : undefined
  return image?.jump === undefined ? field : { ...field, jump: image.jump }
}

function isSameChange(image: ImageChange, field: FieldChange): boolean {
  return image.before === field.before && image.after === field.after
}
