import type { Outcome } from '../model/outcome.ts'
import type { PassResult, RunInfo } from '../model/pass.ts'
import type { ChartInfo } from '../model/rendered.ts'
import { unreachable } from '../model/unreachable.ts'
import { type Counts, countsText, isChange } from './counts.ts'
import { durationText } from './duration.ts'
import { code, link, markdown } from './markdown.ts'
import { countsOf } from './outputs.ts'
import { type Phrase, phrase } from './phrase.ts'
import { stageText } from './sentence.ts'

/** First line of the summary: verdict, release, place, how long. Readable in a preview, before any table. */
export function headline(pass: PassResult): Phrase {
  const { plan, outcome } = pass
  const took = durationText(pass.finishedAtMs - pass.startedAtMs)
  const where = outcome.failure === undefined ? '' : stageText(outcome.failure)
  const name = phrase`${pass.release} in ${pass.namespace}`
  const revision = plan?.writesRevision === true ? `: revision ${plan.revision}` : ''
  switch (outcome.status) {
    case 'running':
      return phrase`Running: ${name}, for ${[took]} so far`
    case 'planned':
      return phrase`Plan: ${[plan?.verb ?? 'deploy']} ${name}: ${[countsText(countsOf(pass))]}`
    case 'deployed':
      return phrase`Deployed ${name}${[revision]} in ${[took]}`
    case 'uninstalled':
      return phrase`Uninstalled ${name} in ${[took]}`
    case 'tested':
      return phrase`Tested ${name} in ${[took]}`
    case 'failed':
      if (pass.command === 'plan') return phrase`Plan blocked: ${[plan?.verb ?? 'deploy']} ${name}`
      return phrase`Failed: ${name}${[where]}, after ${[took]}`
    case 'rolled-back':
      return phrase`Rolled back ${name}${[revision]} in ${[took]}`
    case 'no-changes':
      return phrase`No changes: ${name}`
    case 'cancelled':
      return phrase`Cancelled: ${name}${[where]}, after ${[took]}`
    default:
      return unreachable(outcome.status)
  }
}

/** Chart, revision, cluster, commit and run on one line of Markdown. */
export function factsLine(pass: PassResult, info: RunInfo): string {
  const parts = [
    chartText(pass.chart, pass.previousChart),
    revisionText(pass),
    `cluster ${code(info.cluster)}`,
    info.commitSha === undefined ? '' : `commit ${code(info.commitSha.slice(0, 7))}`,
    info.runNumber === undefined ? '' : link(`run ${info.runNumber}`, info.runUrl),
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

/** `2 created, 1 updated, 41 unchanged, 3 hooks run`. */
export function countsDone(counts: Counts): string {
  const parts = [
    counts.create > 0 ? `${counts.create} created` : '',
    counts.update > 0 ? `${counts.update} updated` : '',
    counts.recreate > 0 ? `${counts.recreate} recreated` : '',
    counts.delete > 0 ? `${counts.delete} deleted` : '',
    isChange(counts) ? '' : 'nothing changed',
    counts.unchanged > 0 ? `${counts.unchanged} unchanged` : '',
    counts.hooks > 0 ? `${counts.hooks} ${counts.hooks === 1 ? 'hook' : 'hooks'} run` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** Whether the plan was carried out to its end. */
export function isDone(outcome: Outcome): boolean {
  return ['deployed', 'uninstalled', 'tested', 'rolled-back', 'no-changes'].includes(outcome.status)
}

/** `chart shop 1.8.0 → 1.9.2 (app 4.2.0 → 4.3.1)`. */
function chartText(chart: ChartInfo | undefined, previous: ChartInfo | undefined): string {
  if (chart === undefined) return ''
  const before = previous?.name === chart.name ? previous : undefined
  const version = changed(before?.version, chart.version)
  if (chart.appVersion === undefined) return markdown(phrase`chart ${chart.name} ${version}`)
  return markdown(phrase`chart ${chart.name} ${version} (app ${changed(before?.appVersion, chart.appVersion)})`)
}

function changed(before: string | undefined, now: string): Phrase {
  return before === undefined || before === now ? phrase`${now}` : phrase`${before} → ${now}`
}

function revisionText(pass: PassResult): string {
  const { plan, previousRevision } = pass
  if (plan === undefined || !plan.writesRevision) {
    return previousRevision === undefined ? '' : `revision ${previousRevision}`
  }
  return previousRevision === undefined
    ? `revision ${plan.revision}`
    : `revision ${previousRevision} → ${plan.revision}`
}
