import type { PassResult, RunInfo } from '../model/pass.ts'
import type { ChartInfo } from '../model/rendered.ts'
import { imagePhrase } from './images.ts'
import { code, link, markdown } from './markdown.ts'
import { type Phrase, phrase } from './phrase.ts'
import type { Row } from './rows.ts'

/** Chart, revision, cluster, commit and run on one line of Markdown; images that change on a second. */
export function factsLine(pass: PassResult, info: RunInfo, rows: readonly Row[]): string {
  const parts = [
    chartText(pass.chart, pass.previousChart),
    revisionText(pass),
    info.cluster === '' ? '' : `cluster ${code(info.cluster)}${readText(pass)}`,
    info.commitSha === undefined ? '' : `commit ${code(info.commitSha.slice(0, 7))}`,
    info.runNumber === undefined ? '' : link(`run ${info.runNumber}`, info.runUrl),
  ]
  const images = imagePhrase(rows)
  const second = images.length === 0 ? '' : `images: ${markdown(images)}`
  return [parts.filter((part) => part !== '').join(' · '), second].filter((line) => line !== '').join('  \n')
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
  if (plan?.comparedBy === 'base-render') return ''
  if (plan === undefined || !plan.writesRevision) {
    return previousRevision === undefined ? '' : `revision ${previousRevision}`
  }
  return previousRevision === undefined
    ? `revision ${plan.revision}`
    : `revision ${previousRevision} → ${plan.revision}`
}

/** `, read 14:02 UTC`: the commit tells the day well enough. */
function readText({ command, readAtMs }: PassResult): string {
  if (command !== 'plan' || readAtMs === undefined) return ''
  return `, read ${new Date(readAtMs).toISOString().slice(11, 16)} UTC`
}
