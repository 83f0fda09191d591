import { isPlan, type PassResult, type RunInfo } from '../../model/pass.ts'
import type { ChartInfo } from '../../model/rendered.ts'
import type { Row } from '../rows/rows.ts'
import { fetchedPhrase } from '../words/fetched-text.ts'
import { releaseImagesPhrase } from '../words/image-changes.ts'
import { phrase } from '../words/phrase.ts'
import { versionPhrase } from '../words/version-text.ts'
import { code, link, markdown } from './markdown.ts'

/** What is true of one release: chart and revision on one line of Markdown, what was fetched and its images on others. */
export function factsOfRelease(pass: PassResult, rows: readonly Row[]): string {
  return withMore([chartText(pass.chart, pass.previousChart), passRevisionText(pass)], pass, rows)
}

/** What is true of the whole run: cluster, commit, run. */
export function factsOfRun(passes: readonly PassResult[], info: RunInfo): string {
  return joinFacts(runParts(passes, info))
}

/** Both, where there is but one release. */
export function factsLine(pass: PassResult, info: RunInfo, rows: readonly Row[]): string {
  return withMore(
    [chartText(pass.chart, pass.previousChart), passRevisionText(pass), ...runParts([pass], info)],
    pass,
    rows,
  )
}

function withMore(parts: readonly string[], { plan }: PassResult, rows: readonly Row[]): string {
  const images = releaseImagesPhrase(rows)
  const fetched = plan === undefined ? [] : fetchedPhrase(plan)
  const imagesLine = images.length === 0 ? '' : `images: ${markdown(images)}`
  const fetchedLine = fetched.length === 0 ? '' : `fetched: ${markdown(fetched)}`
  return [joinFacts(parts), fetchedLine, imagesLine].filter((line) => line !== '').join('  \n')
}

function joinFacts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ')
}

function runParts(passes: readonly PassResult[], info: RunInfo): readonly string[] {
  return [
    info.cluster === '' ? '' : `cluster ${code(info.cluster)}${readAtText(passes)}`,
    info.commitSha === undefined ? '' : `commit ${code(info.commitSha.slice(0, 7))}`,
    info.runNumber === undefined ? '' : link(`run ${info.runNumber}`, info.runUrl),
  ]
}

/** `chart shop 1.8.0 → 1.9.2 (app 4.2.0 → 4.3.1)`. */
function chartText(chart: ChartInfo | undefined, previous: ChartInfo | undefined): string {
  if (chart === undefined) return ''
  const before = previous?.name === chart.name ? previous : undefined
  const version = versionPhrase(before?.version, chart.version)
  if (chart.appVersion === undefined) return markdown(phrase`chart ${chart.name} ${version}`)
  return markdown(phrase`chart ${chart.name} ${version} (app ${versionPhrase(before?.appVersion, chart.appVersion)})`)
}

function passRevisionText(pass: PassResult): string {
  const { plan, previousRevision } = pass
  if (plan?.comparedBy === 'base-render') return ''
  if (plan === undefined || !plan.writesRevision) {
    return previousRevision === undefined ? '' : `revision ${previousRevision}`
  }
  return previousRevision === undefined
    ? `revision ${plan.revision}`
    : `revision ${previousRevision} → ${plan.revision}`
}

/** `, read 14:02 UTC`, of several the latest: the commit tells the day well enough. */
function readAtText(passes: readonly PassResult[]): string {
  const times = passes.flatMap((pass) => (isPlan(pass) ? (pass.readAtMs ?? []) : []))
  if (times.length === 0) return ''
  return `, read ${new Date(Math.max(...times)).toISOString().slice(11, 16)} UTC`
}
