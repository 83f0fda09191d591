import { planCommandOf } from '../../model/command.ts'
import { isPlan, type PassResult, type RunInfo } from '../../model/pass.ts'
import { rowOf } from '../../model/verb.ts'
import { planHash } from '../rows/plan-hash.ts'
import { hasStarted, rowsOf } from '../rows/rows.ts'
import { hasNews } from '../words/table-lines.ts'
import { code } from './markdown.ts'

/** What to copy next, as one line; empty where nothing is to be done. */
export function nextStep(passes: readonly PassResult[], info: RunInfo): string {
  const failed = passes.find(({ outcome }) => outcome.failure !== undefined)
  if (failed !== undefined) return afterFailure(failed, info)
  const isPlanned = passes.every(isPlan)
  const hash = planHash(passes)
  if (!isPlanned || hash === '' || !passes.some(hasWork)) return ''
  return info.needsApproval === true
    ? `**To approve** this plan, merge or start the deploy of this commit; **to plan again:** ${code(rerun(info))}`
    : `**To run exactly this plan:** ${code(`expect-plan-hash: ${hash}`)}`
}

function hasWork({ plan }: PassResult): boolean {
  return plan !== undefined && hasNews(rowsOf(plan, []))
}

function afterFailure(pass: PassResult, info: RunInfo): string {
  const again = code(`${rerun(info)} --failed`)
  const reason = pass.outcome.failure?.reason
  if (reason === 'plan-changed' || reason === 'approval-missing') {
    const plan = code(`command: ${planCommandOf(pass.command) ?? 'plan'}`)
    return `**To approve the plan as it is now:** run ${plan} on the pull request, then ${again}`
  }
  const mayGoBack = canGoBack(pass) && pass.previousRevision !== undefined
  const back = mayGoBack ? `; **to go back to revision ${pass.previousRevision}:** ${code('command: rollback')}` : ''
  return `**To run again:** ${again}${back}`
}

function canGoBack({ events, plan }: PassResult): boolean {
  return hasStarted(events) && plan !== undefined && rowOf(plan.verb).mayGoBack === true
}

/** GitHub's own command line, in a clone of the repository. */
function rerun({ runId }: RunInfo): string {
  return runId === undefined ? 'gh run rerun' : `gh run rerun ${runId}`
}
