import type { FieldChange } from '../../model/impact.ts'
import type { Drift, Reason, UntouchedReason } from '../../model/plan.ts'
import { unreachable } from '../../model/unreachable.ts'
import { fieldChangesPhrase, revertedFieldPhrase } from './field-changes.ts'
import { formatPath } from './field-path.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'

/** How many fields of others are named before the rest is counted. */
const MAX_DRIFT = 4

/**
 * Why a resource changes; empty where its change says it all. `fields`: what differs, by names; without them the paths of the
 * reason are told.
 */
export function reasonPhrase(reason: Reason, fields: readonly FieldChange[] = []): Phrase {
  switch (reason.code) {
    case 'new':
    case 'unchanged':
      return []
    case 'chart-changed':
      return fields.length === 0
        ? phrase`chart changed ${nameList(reason.paths.map(formatPath))}`
        : fieldChangesPhrase(fields)
    case 'drift':
      return driftPhrase(reason.drift, fields)
    case 'both': {
      const drifted = new Set(reason.drift.flatMap(({ path }) => fieldsAt(path, fields)))
      const byChart = fields.filter((field) => !drifted.has(field))
      const chart = byChart.length === 0 ? phrase`chart changed` : fieldChangesPhrase(byChart)
      return phrase`${chart}; ${driftPhrase(reason.drift, fields)}`
    }
    case 'immutable': {
      const fixed = new Set(reason.paths.flatMap((path) => fieldsAt(path, fields)))
      const others = fields.filter((field) => !fixed.has(field))
      const what = fixed.size === 0 ? nameList(reason.paths.map(formatPath)) : fieldChangesPhrase([...fixed])
      return phrase`immutable: ${what}${others.length === 0 ? [] : phrase`; also ${fieldChangesPhrase(others)}`}`
    }
    case 'delete-policy':
      return fields.length === 0 ? phrase`delete policy` : phrase`delete policy; ${fieldChangesPhrase(fields)}`
    case 'unknown-until-applied':
      return [`unknown until applied, ${becauseText(reason.because)}`]
    case 'pruned':
      return phrase`no longer in the chart`
    case 'uninstalled':
      return phrase`uninstalled`
    default:
      return unreachable(reason)
  }
}

/** By what an object was judged that comes behind its CRD. */
export function newSchemaPhrase(crd: string): Phrase {
  return phrase`validated against the new schema of CRD ${crd}, without its CEL rules`
}

/** Why the plan leaves something alone. */
export function untouchedText(reason: UntouchedReason): string {
  switch (reason) {
    case 'kept':
      return 'kept by its resource policy'
    case 'not-for-this-verb':
      return 'not deployed on this verb'
    case 'other-hook':
      return 'hook of another event'
    case 'hooks-off':
      return 'not run, hooks are off'
    case 'other-hook-random-name':
      return 'hook of another event, with another name at each render'
    case 'changed-hook':
      return 'changed hook of another event'
    case 'new-hook':
      return 'new hook of another event'
    case 'gone-hook':
      return 'hook that the chart no longer has'
    case 'not-owned':
      return 'not owned by this release'
    case 'adopted':
      return 'was there before the install that failed, which had adopted it'
    case 'excluded':
      return 'excluded'
    case 'skip-policy':
      return 'skipped by its resource policy'
    case 'unused-annotation':
      return 'annotations of other tools, not used'
    case 'prune-disabled':
      return 'left in the cluster, pruning is off'
    default:
      return unreachable(reason)
  }
}

/**
 * `reverts a change in the cluster: maxReplicas 9 (by kubectl-edit) → 5`: with what is there now and what the deploy makes of it.
 * Marked whoever wrote it: a person's mend of production is lost by it, and so is what a controller found the pods to need.
 */
function driftPhrase(drift: readonly Drift[], fields: readonly FieldChange[]): Phrase {
  const shown = drift.slice(0, MAX_DRIFT).map(({ manager, path }) => {
    const own = fieldsAt(path, fields)
    const [only] = own
    return own.length === 1 && only !== undefined
      ? revertedFieldPhrase(only, manager)
      : phrase`${formatPath(path)} (by ${manager})`
  })
  const more = drift.length > MAX_DRIFT ? ` and ${drift.length - MAX_DRIFT} more` : ''
  return marked(
    phrase`reverts ${[drift.length === 1 ? 'a change' : 'changes']} in the cluster: ${joinPhrases(shown, ', ')}${[more]}`,
  )
}

/** The fields that a JSON pointer of a reason is about, whose names say more than positions in lists. */
function fieldsAt(pointer: string, fields: readonly FieldChange[]): readonly FieldChange[] {
  const exact = fields.filter((field) => field.pointer === pointer || field.pointerBefore === pointer)
  return exact.length > 0
    ? exact
    : fields.filter((field) => field.pointer.startsWith(`${pointer}/`) || pointer.startsWith(`${field.pointer}/`))
}

function becauseText(because: Extract<Reason, { code: 'unknown-until-applied' }>['because']): string {
  switch (because) {
    case 'kind-not-served':
      return 'its kind is not served yet'
    case 'namespace-missing':
      return 'its namespace does not exist yet'
    case 'schema-changes':
      return 'its CRD gets another schema before'
    case 'judged-by-earlier':
      return 'what it is judged by comes before it'
    case 'dry-run-refused':
      return 'a webhook refuses dry runs'
    case 'webhook-down':
      return 'its webhook cannot be called now'
    default:
      return unreachable(because)
  }
}
