import type { Hint } from '../model/hint.ts'
import { stringifyJson } from '../model/json.ts'
import type { JsonValue } from '../model/object.ts'
import type { Problem } from '../model/problem.ts'
import type { InputName } from './input-names.ts'

/** Longest piece of a user's text that a problem repeats, in characters. */
const MAX_SHOWN_CHARS = 80

/** A mistake in the text of an input. */
export function inputProblem(input: InputName, what: string, hint: Hint, line?: number): Problem {
  const place = line === undefined ? { input } : { input, line }
  return { severity: 'error', reason: 'invalid-input', place, what, hint }
}

/** A value of a document as text, shortened. */
export function shownValue(value: JsonValue | undefined): string {
  return shorten(typeof value === 'string' ? value : stringifyJson(value))
}

export function shorten(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS - 3)}...` : text
}
