import type { Place, Problem } from '../model/problem.ts'
import { formatRef } from '../model/ref.ts'

/** `templates/web.yaml:12 Deployment/shop/web werf.io/weight: is not an integer; write a whole number in quotes`. */
export function problemText(problem: Problem): string {
  // A mistake in one of many lines names its line itself.
  const { line: _line, ...rest } = problem.place
  const place = placeText(/^line \d/.test(problem.what) ? rest : problem.place)
  const hint = problem.hint === undefined ? '' : `; ${problem.hint}`
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
