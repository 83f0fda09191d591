import type { Drift, Reason, UntouchedReason } from '../../model/plan.ts'
import { unreachable } from '../../model/unreachable.ts'
import { formatPath } from './field-path.ts'
import { joinPhrases, nameList, type Phrase, phrase } from './phrase.ts'

/** How many fields of others are named before the rest is counted. */
const MAX_DRIFT = 4

/** Why a resource changes; empty where there is nothing to say. `format`: how JSON pointers are written. */
export function reasonPhrase(reason: Reason, format: (pointer: string) => string = formatPath): Phrase {
  switch (reason.code) {
    case 'new':
      return phrase`new`
    case 'unchanged':
      return []
    case 'chart-changed':
      return changedPathsPhrase('chart changed', reason.paths, format)
    case 'drift':
      return driftPhrase(reason.drift, format)
    case 'both':
      return phrase`${changedPathsPhrase('chart changed', reason.paths, format)}; ${driftPhrase(reason.drift, format)}`
    case 'immutable':
      return changedPathsPhrase('immutable', reason.paths, format)
    case 'delete-policy':
      return phrase`delete policy`
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

function changedPathsPhrase(what: string, paths: readonly string[], format: (pointer: string) => string): Phrase {
  return paths.length === 0 ? [what] : [`${what} `, ...nameList(paths.map(format))]
}

function driftPhrase(drift: readonly Drift[], format: (pointer: string) => string): Phrase {
  const shown = drift.slice(0, MAX_DRIFT).map((one) => phrase`${format(one.path)} by ${one.manager}`)
  const more = drift.length > MAX_DRIFT ? ` and ${drift.length - MAX_DRIFT} more` : ''
  return phrase`changed in the cluster: ${joinPhrases(shown, ', ')}${[more]}`
}

function becauseText(because: Extract<Reason, { code: 'unknown-until-applied' }>['because']): string {
  switch (because) {
    case 'kind-not-served':
      return 'its kind is not served yet'
    case 'namespace-missing':
      return 'its namespace does not exist yet'
    case 'schema-changes':
      return 'its CRD gets another schema before'
    case 'dry-run-refused':
      return 'a webhook refuses dry runs'
    default:
      return unreachable(because)
  }
}
