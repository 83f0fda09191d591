import type { Drift, Reason, UntouchedReason } from '../model/plan.ts'
import { unreachable } from '../model/unreachable.ts'
import { formatPath } from './path.ts'

/** How many paths or fields are named before the rest is counted. */
const MAX_NAMED = 4

/** Why a resource changes, as a phrase; empty where there is nothing to say. Contains foreign text, not yet escaped. */
export function reasonText(reason: Reason): string {
  switch (reason.code) {
    case 'new':
      return 'new'
    case 'unchanged':
      return ''
    case 'chart-changed':
      return `chart changed ${named(reason.paths.map(formatPath))}`.trim()
    case 'drift':
      return driftText(reason.drift)
    case 'both':
      return `chart changed ${named(reason.paths.map(formatPath))}; ${driftText(reason.drift)}`
    case 'immutable':
      return `immutable ${named(reason.paths.map(formatPath))}`.trim()
    case 'delete-policy':
      return 'delete policy'
    case 'unknown-until-applied':
      return `unknown until applied, ${becauseText(reason.because)}`
    case 'pruned':
      return 'no longer in the chart'
    case 'uninstalled':
      return 'uninstalled'
    default:
      return unreachable(reason)
  }
}

/** Why the plan leaves something alone. */
export function untouchedText(reason: UntouchedReason): string {
  switch (reason) {
    case 'kept':
      return 'kept by its resource policy'
    case 'not-for-this-verb':
      return 'not deployed on this verb'
    case 'not-owned':
      return 'not owned by this release'
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

/** The first few of a list, and how many more there are. */
export function named(texts: readonly string[], limit = MAX_NAMED): string {
  const shown = texts.slice(0, limit).join(', ')
  return texts.length > limit ? `${shown} and ${texts.length - limit} more` : shown
}

function driftText(drift: readonly Drift[]): string {
  return `changed in the cluster: ${named(drift.map((one) => `${formatPath(one.path)} by ${one.manager}`))}`
}

function becauseText(because: Extract<Reason, { code: 'unknown-until-applied' }>['because']): string {
  switch (because) {
    case 'kind-not-served':
      return 'its kind is not served yet'
    case 'namespace-missing':
      return 'its namespace does not exist yet'
    case 'dry-run-refused':
      return 'a webhook refuses dry runs'
    default:
      return unreachable(because)
  }
}
