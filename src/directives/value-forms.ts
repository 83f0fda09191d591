import { RE2JS } from 're2js'

/** What a reader of annotation values gives: the value, or a clause that says what is wrong with the text. */
export type Read<T> = { readonly value: T } | { readonly fault: string }

export function readInteger(text: string, range?: { readonly min: number; readonly max?: number }): Read<number> {
  const value = Number(text)
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value)) return { fault: 'not an integer' }
  if (range !== undefined && value < range.min) return { fault: `less than ${range.min}` }
  if (range?.max !== undefined && value > range.max) return { fault: `more than ${range.max}` }
  // No negative zero, which prints as "-0".
  return { value: value + 0 }
}

/** Go's strconv.ParseBool. */
export function readBoolean(text: string): Read<boolean> {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return { value: true }
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return { value: false }
  return { fault: 'neither true nor false' }
}

/** One word of a closed set, in exactly this spelling. */
export function readChoice<T>(text: string, choices: ReadonlyMap<string, T>): Read<T> {
  const value = choices.get(text)
  return value === undefined ? { fault: text === '' ? 'empty' : 'unknown value' } : { value }
}

/** A comma list of words of a closed set, blanks around them allowed. `known` holds what was understood in any case. */
export function readChoices<T>(
  text: string,
  choices: ReadonlyMap<string, T>,
): { readonly known: readonly T[]; readonly fault?: string } {
  const words = listOf(text)
  const known = [...new Set(words.flatMap((word) => choices.get(word) ?? []))]
  const unknown = words.filter((word) => !choices.has(word))
  if (unknown.length === 0) return { known }
  if (unknown.every((word) => word === '')) return { known, fault: words.length === 1 ? 'empty' : 'an empty item' }
  return { known, fault: `unknown: ${unknown.map((word) => `"${shortValue(word)}"`).join(', ')}` }
}

/** A comma list of any words; none may be empty. */
export function readWords(text: string): Read<readonly string[]> {
  const words = listOf(text)
  return words.includes('') ? { fault: words.length === 1 ? 'empty' : 'an empty item' } : { value: [...new Set(words)] }
}

/** A Go duration that is not negative, in seconds: `90s`, `1h30m`, `1.5m`, `0`. Source: Go's time.ParseDuration. */
export function readDuration(text: string): Read<number> {
  if (text.startsWith('-')) return { fault: 'a negative duration' }
  const unsigned = text.replace(/^\+/, '')
  if (unsigned === '0') return { value: 0 }
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(unsigned)) return { fault: 'not a duration' }
  const parts = unsigned.matchAll(/([\d.]+)(ns|us|µs|μs|ms|s|m|h)/gy)
  const seconds = [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitSeconds[unit ?? ''] ?? 0), 0)
  return { value: seconds }
}

/** RE2, the regular expressions of Go. The library matches in linear time, whatever a chart writes. */
export function readRegex(text: string): Read<string> {
  if (text === '') return { fault: 'empty' }
  try {
    RE2JS.compile(text)
    return { value: text }
  } catch (error) {
    return { fault: error instanceof Error ? shortValue(error.message) : 'not a regular expression' }
  }
}

/** Foreign text for a message: at most 80 characters. */
export function shortValue(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}...` : text
}

export function listOf(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim())
}

const MAX_SHOWN_CHARS = 80

const unitSeconds: { readonly [unit: string]: number } = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
}
