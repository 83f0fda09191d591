import type { PassResult, RunInfo } from '../model/pass.ts'
import { unreachable } from '../model/unreachable.ts'
import { durationText } from './duration.ts'
import { code, link } from './markdown.ts'

/** Last line of the comment: where the plan stands now, and in which run. */
export function statusLine(pass: PassResult, info: RunInfo): string {
  const run = info.runNumber === undefined ? '' : ` in ${link(`run ${info.runNumber}`, info.runUrl)}`
  return `**Status:** ${statusText(pass)}${run}.${noteText(pass)}${planText(pass)}`
}

function statusText(pass: PassResult): string {
  const took = durationText(pass.finishedAtMs - pass.startedAtMs)
  const { status } = pass.outcome
  switch (status) {
    case 'running':
      return `running for ${took}`
    case 'planned':
      return 'planned'
    case 'deployed':
      return `deployed after ${took}`
    case 'uninstalled':
      return `uninstalled after ${took}`
    case 'tested':
      return `tested after ${took}`
    case 'failed':
      return pass.command === 'plan' ? 'blocked' : `failed after ${took}`
    case 'rolled-back':
      return `rolled back after ${took}`
    case 'no-changes':
      return 'no changes'
    case 'cancelled':
      return `cancelled after ${took}`
    default:
      return unreachable(status)
  }
}

function noteText(pass: PassResult): string {
  const isDryRun = pass.outcome.status === 'planned'
  return isDryRun ? ' Compared with the live cluster by dry run; nothing has been written.' : ''
}

function planText(pass: PassResult): string {
  return pass.fingerprint === undefined ? '' : ` Plan ${code(pass.fingerprint.hash.slice(0, 12))}.`
}
