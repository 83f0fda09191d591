import type { PassResult } from '../../model/pass.ts'
import type { Place, Problem } from '../../model/problem.ts'
import { formatRef } from '../../model/ref.ts'
import { hintText } from './hint-text.ts'

/** What is wrong with a release, from before its plan and in it; each once, errors first. */
export function problemsOfPass({ plan, problems }: PassResult): readonly Problem[] {
  const all = new Map([...problems, ...(plan?.problems ?? [])].map((problem) => [problemText(problem), problem]))
  const isError = (problem: Problem) => problem.severity === 'error'
  return [...[...all.values()].filter(isError), ...[...all.values()].filter((problem) => !isError(problem))]
}

/** What is shown beside the plan: where errors block it, they are in the box above. */
export function warningsOfPass(pass: PassResult): readonly Problem[] {
  return problemsOfPass(pass).filter(({ severity }) => severity === 'warning')
}

/** `templates/web.yaml:12 Deployment/shop/web werf.io/weight: is not an integer; write a whole number in quotes`. */
export function problemText(problem: Problem): string {
  // A mistake in one of many lines names its line itself.
  const { line: _line, ...rest } = problem.place
  const place = placeText(/^line \d/.test(problem.what) ? rest : problem.place)
  const hint = problem.hint === undefined ? '' : `; ${hintText(problem.hint)}`
  return `${place === '' ? '' : `${place}: `}${problem.what}${hint}`
}

export function placeText(place: Place): string {
  const file = place.file !== undefined && place.line !== undefined ? `${place.file}:${place.line}` : place.file
  const line = place.file === undefined && place.line !== undefined ? `line ${place.line}` : undefined
  const parts = [
    place.input === undefined ? undefined : `input ${place.input}`,
    file,
    line,
    place.ref === undefined ? undefined : formatRef(place.ref),
    place.key,
  ]
  return parts.filter((part) => part !== undefined).join(' ')
}
