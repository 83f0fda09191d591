import { FETCHED, HOOKS_OFF, INPUT, RECORD_END } from '../../model/digest-id.ts'
import type { ApprovedPlan, Operation, Plan, PlanDifference } from '../../model/plan.ts'
import { formatRef, type Ref } from '../../model/ref.ts'
import { unreachable } from '../../model/unreachable.ts'
import { shownChangeOf } from '../rows/shown-change.ts'
import { wordOf } from './change-words.ts'
import { shortPath } from './field-path.ts'
import { nameList, type Phrase, phrase, plainText } from './phrase.ts'
import { planText } from './plan-text.ts'

/** Most differences that are listed one by one; the rest is counted. */
const MAX_TOLD = 100

/**
 * What is not as it was approved, resource by resource, as lines of the log: `not approved: update Deployment/shop/web
 * (image)`. Where only the hash of the approved plan is known, the lines say so and give the plan as it is now.
 */
export function differenceLines(
  differences: readonly PlanDifference[],
  plan: Plan | undefined,
  approved?: ApprovedPlan,
): readonly string[] {
  if (isTold(differences, approved)) return differencePhrases(differences).map(plainText)
  const now = plan === undefined ? [] : planText(plan).trimEnd().split('\n')
  return [`${HASH_ONLY}${now.length === 0 ? '' : ' The plan as it is now:'}`, ...now.map((line) => `  ${line}`)]
}

/** The same for Markdown; empty where only the hash is known: the plan stands beside it there. */
export function differencePhrases(differences: readonly PlanDifference[]): readonly Phrase[] {
  const shown = differences.slice(0, MAX_TOLD).map(differencePhrase)
  const more = differences.length - MAX_TOLD
  return more > 0 ? [...shown, [`and ${more} more`]] : shown
}

export const HASH_ONLY = 'Only the hash of the approved plan is known.'

function isTold(differences: readonly PlanDifference[], approved: ApprovedPlan | undefined): boolean {
  const hasDigests = approved === undefined || (approved.digests ?? approved.stageDigests) !== undefined
  return hasDigests && differences.length > 0
}

function differencePhrase({ id, kind, operation }: PlanDifference): Phrase {
  const what = operation === undefined ? placePhrase(id) : operationPhrase(operation)
  switch (kind) {
    case 'not-approved':
      return phrase`not approved: ${what}`
    case 'otherwise':
      return phrase`changed since approval: ${what}`
    case 'gone':
      return phrase`no longer planned: ${what}`
    default:
      return unreachable(kind)
  }
}

/** `update Deployment/shop/web (containers[0].image)`. */
function operationPhrase(operation: Operation): Phrase {
  const head = phrase`${[wordOf(shownChangeOf(operation))]} ${formatRef(operation.ref)}`
  const hook = operation.hook === undefined ? [] : phrase` [${operation.hook}]`
  const paths = reasonPaths(operation)
  return paths.length === 0 ? phrase`${head}${hook}` : phrase`${head}${hook} (${nameList(paths.map(shortPath))})`
}

function reasonPaths(operation: Operation): readonly string[] {
  if (operation.kind === 'await') return []
  const { reason } = operation
  if (reason.code === 'drift') return reason.drift.map(({ path }) => path)
  return reason.code === 'chart-changed' || reason.code === 'both' || reason.code === 'immutable' ? reason.paths : []
}

/** A stage by its name; an operation that is gone by what its id says: `main/apply/apps/Deployment/shop/web`. */
function placePhrase(id: string): Phrase {
  if (id === RECORD_END) return ['what becomes of the release history (keep-history)']
  if (id.startsWith(INPUT)) return phrase`input ${id.slice(INPUT.length)}`
  if (id.startsWith(FETCHED)) return phrase`fetched chart ${id.slice(FETCHED.length)} (version or digest)`
  if (id === HOOKS_OFF) return ['that hooks do not run (hooks: false)']
  const [stage = '', what = '', group, kind, namespace, ...name] = id.replace(/#\d+$/, '').split('/')
  if (!/^[a-z]+$/.test(stage) || !/^[a-z-]*$/.test(what)) return phrase`${id}`
  if (what === '') return [`stage ${stage}`]
  if (group === undefined || kind === undefined || namespace === undefined || name.length === 0) return phrase`${id}`
  const ref: Ref = {
    apiVersion: group,
    kind,
    name: name.join('/'),
    ...(namespace === '' ? {} : { namespace }),
  }
  // A hook of another event is only recorded: it stands in no stage.
  if (stage === 'hook') return phrase`${[what]} hook ${formatRef(ref)}`
  return phrase`${[what]} ${formatRef(ref)} in ${[`stage ${stage}`]}`
}
