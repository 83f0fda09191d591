import { statusRow } from '../../model/outcome.ts'
import { isPlan, type PassResult, type RunInfo } from '../../model/pass.ts'
import type { ComparedBy, Plan } from '../../model/plan.ts'
import { unreachable } from '../../model/unreachable.ts'
import { rowOf } from '../../model/verb.ts'
import { isBlocked } from '../rows/blocked.ts'
import { addCounts, countsOf, noCounts } from '../rows/counts.ts'
import { releaseCount } from '../rows/first-passes.ts'
import { runStatus } from '../rows/run-status.ts'
import { capitalized } from './capitalized.ts'
import { countsDone, countsText, planVerdict } from './counts-text.ts'
import { durationText } from './duration-text.ts'
import { stageText } from './failure-sentence.ts'
import { nameList, type Phrase, phrase } from './phrase.ts'
import { problemsOfPass } from './problem-text.ts'
import { revisionBecauseText } from './revision-text.ts'

/** First line about a pass: verdict, release, place, counts or how long. Readable in a preview, before any table. */
export function headline(pass: PassResult, info: RunInfo): Phrase {
  const { plan, outcome } = pass
  const name = phrase`${pass.release} in ${pass.namespace}${info.label === undefined ? [] : phrase` on ${info.label}`}`
  if (isPlan(pass)) return planHeadline(pass, name)
  const took = durationText(pass.finishedAtMs - pass.startedAtMs)
  const where = outcome.failure === undefined ? '' : stageText(outcome.failure)
  const revision = plan?.writesRevision === true ? `: revision ${plan.revision}${revisionBecauseText(plan, ',')}` : ''
  switch (outcome.status) {
    case 'running':
      return phrase`Running: ${name}, for ${[took]} so far`
    case 'planned':
      return phrase`Planned: ${name}: ${[countsText(countsOf(pass))]}`
    case 'deployed':
      return phrase`Deployed ${name}${[revision]} in ${[took]}`
    case 'uninstalled':
      return phrase`Uninstalled ${name}${[recordEndDone(plan)]} in ${[took]}`
    case 'tested':
      return phrase`Tested ${name} in ${[took]}`
    case 'failed':
      if (outcome.failure?.reason === 'plan-changed') return phrase`Not deployed: ${name}: the plan has changed`
      if (outcome.failure?.reason === 'approval-missing') return phrase`Not deployed: ${name}: no plan is approved`
      return phrase`Failed: ${name}${[where]}, after ${[took]}`
    case 'rolled-back':
      return phrase`Rolled back ${name}${[revision]} in ${[took]}`
    case 'taken-down':
      return phrase`Taken down: the failed first install of ${name} in ${[took]}`
    case 'no-changes':
      return phrase`No changes: ${name}`
    case 'cancelled':
      return phrase`Cancelled: ${name}${[where]}, after ${[took]}`
    default:
      return unreachable(outcome.status)
  }
}

/** First line about several releases: verdict and the sum of what changes. */
export function headlineOfAll(passes: readonly PassResult[]): Phrase {
  const amount = `${releaseCount(passes)} releases`
  const failed = passes.filter(({ outcome }) => outcome.failure !== undefined).map(({ release }) => release)
  const isPlanned = passes.every(isPlan)
  if (failed.length > 0) return phrase`${[isPlanned ? 'Plan blocked' : 'Failed']}: ${nameList(failed)} of ${[amount]}`
  const counts = passes.map(countsOf).reduce(addCounts, noCounts)
  const status = runStatus(passes)
  if (status === 'running') return [`Running: ${amount}`]
  if (!isPlanned) return [`${capitalized(status)}: ${amount}: ${countsDone(counts)}`]
  const isOffline = passes.some(({ plan }) => plan?.comparedBy === 'base-render')
  return [`Plan: ${amount}: ${countsText(counts)}${isOffline ? howCompared('base-render') : ''}`]
}

/** What one line of an index says of a pass. */
export function passVerdict(pass: PassResult): string {
  const { failure, status } = pass.outcome
  if (failure !== undefined) return `${isPlan(pass) ? 'blocked' : status}: ${failure.reason}`
  if (status === 'uninstalled') return `${status}: ${countsDone(countsOf(pass))}${recordEndDone(pass.plan, ', ')}`
  if (statusRow(status).isDone) return `${status}: ${countsDone(countsOf(pass))}`
  return `${status}: ${pass.plan === undefined ? countsText(noCounts) : planVerdict(pass.plan)}`
}

function planHeadline(pass: PassResult, name: Phrase): Phrase {
  const { outcome, plan } = pass
  const verb = plan === undefined ? '' : `${rowOf(plan.verb).phrase} `
  if (outcome.failure !== undefined || isBlocked(pass)) {
    const amount = problemsOfPass(pass).filter(({ severity }) => severity === 'error').length
    const problems = amount === 0 ? '' : `: ${amount} ${amount === 1 ? 'problem' : 'problems'}`
    return phrase`Plan blocked: ${[verb]}${name}${[problems]}`
  }
  if (plan === undefined) return phrase`Plan: ${name}`
  const because = revisionBecauseText(plan)
  const revision = because === '' ? '' : `, revision ${plan.revision}${because}`
  return phrase`Plan: ${[verb]}${name}: ${[planVerdict(plan)]}${[revision]}${[howCompared(plan.comparedBy)]}`
}

function recordEndDone(plan: Plan | undefined, before = ': '): string {
  if (plan?.recordEnd === undefined) return ''
  return `${before}release history ${plan.recordEnd === 'removed' ? 'removed' : 'kept'}`
}

/** Who reads only the first line must know what a plan without the cluster, or without dry runs, is worth. */
export function howCompared(comparedBy: ComparedBy): string {
  switch (comparedBy) {
    case 'dry-run':
      return ''
    case 'rendered-fields':
      return ' (without dry run)'
    case 'base-render':
      return ' (rendered diff against the base branch, not compared with the cluster)'
    default:
      return unreachable(comparedBy)
  }
}
