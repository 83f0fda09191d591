import type { ImpactInput } from '../impact/assess.ts'
import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { sameObject } from '../manifest/compare.ts'
import { stepsOf } from '../manifest/json-pointer.ts'
import { isKept } from '../manifest/recreation.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { FieldChange } from '../model/impact.ts'
import type { JsonObject } from '../model/object.ts'
import type { OpenField } from '../model/open-field.ts'
import type { ApplyOperation, AwaitGoal, AwaitOperation, DeleteOperation, Operation, Reason } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import { unreachable } from '../model/unreachable.ts'
import { isNotAwaited } from './await-goal.ts'
import type { ApplyChange } from './change.ts'
import { dependsOnEarlier, type StageContext } from './context.ts'
import type { ApplyDraft, Draft } from './draft.ts'
import { hiddenPlaces } from './mask.ts'
import { openText } from './open-fields.ts'
import { type Reviewed, reviewed } from './reviewed.ts'
import { trackingOf } from './tracking.ts'

export function applyDraft(resource: Resource, change: ApplyChange, context: StageContext): ApplyDraft {
  const { directives, manifest } = resource
  const { observed } = context.input
  const key = refKey(manifest.ref)
  const body = observed.bodies.get(key) ?? manifest.object
  const propagation = directives.deletePropagation ?? 'Foreground'
  return {
    operation: {
      ...operationBase('apply', resource, context),
      kind: 'apply',
      change: change.change,
      reason: change.reason,
      ...reviewedApply(resource, change, body, context),
      ...(change.change === 'recreate' ? { propagation } : {}),
      ...(manifest.varies === undefined || manifest.varies.length === 0 ? {} : { varies: manifest.varies }),
      ...(change.change === 'none' ? {} : openMark(resource)),
      ...(change.isWithoutDryRun === true ? { isWithoutDryRun: true } : {}),
      ...defined({ newSchema: change.newSchema }),
      ...(isNotAwaited(resource, context.stage) ? { isNotAwaited: true } : {}),
    },
    payload: {
      resource,
      body,
      result: change.result ?? (change.change === 'none' ? observed.live.get(key) : undefined) ?? body,
      ...(change.change === 'recreate' ? {} : defined({ handOver: observed.handOvers.get(key) })),
    },
  }
}

/** Characters of an open text that is shown beside its place. */
const MAX_SHOWN_CHARS = 160

function openMark(resource: Resource): Pick<ApplyOperation, 'open'> {
  const { open = [] } = resource.manifest
  if (open.length === 0) return {}
  const isHidden = hiddenPlaces(resource)
  const shown = (field: OpenField) => {
    const text = openText(field)
    const isShort = text.length <= MAX_SHOWN_CHARS && !text.includes('\n')
    return isShort && !isHidden(stepsOf(field.path)) ? text : undefined
  }
  return {
    open: open.map((field) => ({
      path: field.path,
      ...defined({ isKnown: field.isKnown, text: shown(field) }),
      of: field.parts.flatMap((part) => ('of' in part ? [{ ...part.of, ...defined({ value: part.value }) }] : [])),
    })),
  }
}

/** What the reviewer sees: live against result; for a recreation the last definition against this one. */
function reviewedApply(
  resource: Resource,
  { change, isWithoutDryRun, reason, result }: ApplyChange,
  body: JsonObject,
  { hook, input, previous, releases }: StageContext,
): Partial<Reviewed> {
  const key = refKey(resource.manifest.ref)
  const isAskedFor = resource.directives.deletePolicies.includes('before-creation-if-immutable')
  const isDryRun = isWithoutDryRun !== true && (input.comparedBy ?? 'dry-run') === 'dry-run'
  const isUnasked = !isDryRun && !isAskedFor
  const isDrifted = reason.code === 'drift' || reason.code === 'both'
  const about = { isDrifted, releases }
  switch (change) {
    case 'none':
      return hook === undefined && input.comparedBy === 'base-render'
        ? asRespelled(respelled(resource, previous.get(key)?.manifest.object, about))
        : {}
    case 'create':
      return reviewed(resource, { after: body }, { ...about, change: hook === undefined ? change : 'run' })
    case 'recreate':
      return reviewed(
        resource,
        { ...defined({ before: previous.get(key)?.manifest.object }), after: resource.manifest.object },
        { ...about, change: hook === undefined ? change : 'run' },
      )
    case 'update': {
      const shown = reviewed(
        resource,
        { ...defined({ before: input.observed.live.get(key) }), after: result ?? body },
        { ...about, change: hook === undefined ? change : 'run', isUnasked: hook === undefined && isUnasked },
      )
      return hook === undefined && input.comparedBy === 'base-render'
        ? withRespelled(shown, respelled(resource, previous.get(key)?.manifest.object, about))
        : shown
    }
    default:
      return unreachable(change)
  }
}

/** The two renders as they are written; undefined where they are the same. */
function respelled(
  resource: Resource,
  before: JsonObject | undefined,
  about: Pick<ImpactInput, 'isDrifted' | 'releases'>,
): Reviewed | undefined {
  const after = resource.manifest.object
  if (before === undefined || sameObject(before, after)) return undefined
  return reviewed(resource, { before, after }, { ...about, change: 'update' })
}

/** What a chart writes otherwise, though the API server would store the same. */
function asRespelled(written: Reviewed | undefined): Partial<Reviewed> {
  if (written === undefined) return {}
  const { impact, ...shown } = written
  return { ...shown, impact: { risk: 'other', fields: impact.fields, noise: 'spelling' } }
}

/** Of an object of which more changes: what is written otherwise and stored as before. */
function withRespelled(shown: Reviewed, written: Reviewed | undefined): Reviewed {
  const isStored = ({ path }: FieldChange) =>
    shown.impact.fields.some((stored) => isWithin(stored.path, path) || isWithin(path, stored.path))
  const fields = (written?.impact.fields ?? []).filter((field) => !isStored(field))
  return fields.length === 0 ? shown : { ...shown, impact: { ...shown.impact, respelled: fields } }
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || (path.startsWith(parent) && /^[.[]/.test(path.slice(parent.length)))
}

export function awaitDraft(resource: Resource, until: AwaitGoal, context: StageContext): Draft<AwaitOperation> {
  const { directives } = resource
  return {
    operation: {
      ...operationBase(`await-${until}`, resource, context),
      kind: 'await',
      until,
      failure: directives.failMode,
      tracking: trackingOf(directives),
      ...(until === 'properties' ? { properties: directives.propertyWaits } : {}),
      ...(directives.outputLogsOn.length > 0 ? { outputLogsOn: directives.outputLogsOn } : {}),
    },
  }
}

/** What a policy deletes once the result is known. Never a CRD, never against `keep`. */
export function policyDeletes(resource: Resource, context: StageContext): readonly Draft[] {
  const { directives, manifest } = resource
  if (isBuiltIn(manifest.ref, 'CustomResourceDefinition')) return []
  if (isKept(resource, context.input.observed.kept)) return []
  return (['succeeded', 'failed'] as const)
    .filter((result) => directives.deletePolicies.includes(result))
    .map((onlyIf) => {
      const base = operationBase(`delete-if-${onlyIf}`, resource, context)
      return { operation: { ...base, ...deletion(resource, { code: 'delete-policy' }), onlyIf } }
    })
}

/** `held`: what the object holds, where it is known. */
export function deleteDraft(
  resource: Resource,
  { reason, held }: Pick<DeleteOperation, 'reason'> & { readonly held: JsonObject },
  context: StageContext,
): Draft {
  const base = operationBase('delete', resource, context)
  const { releases } = context
  const { before, impact } = reviewed(resource, { before: held }, { change: 'delete', isDrifted: false, releases })
  return { operation: { ...base, ...deletion(resource, reason), ...defined({ before, impact }) } }
}

function deletion({ directives }: Resource, reason: Reason): Pick<DeleteOperation, 'kind' | 'reason' | 'propagation'> {
  return { kind: 'delete', reason, propagation: directives.deletePropagation ?? 'Foreground' }
}

/** `action`: what the id calls it. */
function operationBase(
  action: string,
  resource: Resource,
  context: StageContext,
): Pick<Operation, 'id' | 'ref' | 'file' | 'hook' | 'dependsOnEarlier'> {
  const { origin, ref } = resource.manifest
  return {
    id: `${context.stage}/${action}/${refKey(ref)}`,
    ref,
    file: origin.file,
    ...defined({ hook: context.hook }),
    ...(dependsOnEarlier(ref, context) ? { dependsOnEarlier: true } : {}),
  }
}
