import type { PassResult } from '../../model/pass.ts'
import type { Untouched } from '../../model/plan.ts'
import type { Problem } from '../../model/problem.ts'
import { formatRef } from '../../model/ref.ts'
import { placeText } from '../words/problem-text.ts'
import { untouchedText } from '../words/reason-text.ts'
import { hintLines } from './hint-lines.ts'
import { code, details, prose } from './markdown.ts'

/** Most entries of a list; the rest is counted. */
const MAX_ENTRIES = 100

/** Problems as a list in their order; empty where there are none. */
export function problemList(problems: readonly Problem[], limit = MAX_ENTRIES): string {
  return bulletList(
    problems.map((problem) => `**${problem.severity}** ${problemMarkdown(problem)}`),
    limit,
  )
}

/** What the plan leaves alone, folded, without what `keptLine` names; empty where there is nothing. */
export function untouchedDetails(pass: PassResult): string {
  const named = new Set(keptObjects(pass).slice(0, MAX_KEPT))
  const untouched = (pass.plan?.untouched ?? []).filter((one) => !named.has(one))
  if (untouched.length === 0) return ''
  const entries = untouched.map((one) => {
    const detail = one.detail === undefined ? '' : ` (${code(one.detail)})`
    return `${code(formatRef(one.ref))}: ${untouchedText(one.reason)}${detail}`
  })
  return details(`Left alone: ${untouched.length}`, bulletList(entries))
}

/** What the chart no longer has and the deploy does not delete, in one line: it costs and may be forgotten. */
export function keptLine(pass: PassResult): string {
  const kept = keptObjects(pass)
  if (kept.length === 0) return ''
  const names = kept.slice(0, MAX_KEPT).map(({ ref }) => code(formatRef(ref)))
  const more = kept.length > MAX_KEPT ? ` and ${kept.length - MAX_KEPT} more` : ''
  return `**Left in the cluster, no longer part of the release:** ${names.join(', ')}${more}.`
}

const MAX_KEPT = 5

function keptObjects(pass: PassResult): readonly Untouched[] {
  return (pass.plan?.untouched ?? []).filter(({ reason }) => reason === 'kept')
}

export function bulletList(entries: readonly string[], limit = MAX_ENTRIES): string {
  const shown = entries.slice(0, limit).map((entry) => `- ${entry}`)
  const more = entries.length - limit
  return [...shown, ...(more > 0 ? [`- and ${more} more, see the log`] : [])].join('\n')
}

/** One problem as an entry of a list: `templates/web.yaml: what is wrong; what to do`, what to paste below it. */
export function problemMarkdown(problem: Problem): string {
  const place = placeText(problem.place)
  const [next, ...more] = problem.hint === undefined ? [] : hintLines(problem.hint)
  const text = `${place === '' ? '' : `${code(place)}: `}${prose(problem.what)}${next === undefined ? '' : `; ${next}`}`
  return [text, ...more.map((line) => (line === '' ? '' : `  ${line}`))].join('\n')
}
