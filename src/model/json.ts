import type { JsonValue } from './object.ts'

/** How deep foreign objects and lists may nest: no kind of Kubernetes reaches a quarter, and all code that walks them may recurse. */
export const MAX_DEPTH = 256

/** Its message tells the limit and quotes nothing. */
export class NestingError extends Error {
  override readonly name = 'NestingError'
}

/**
 * JSON without loss: a whole number beyond 2^53 arrives as a bigint and leaves as the digits it came with.
 * Kubernetes allows such numbers (int64); plain JSON.parse would round them. Throws NestingError before anything is parsed.
 */
export function parseJson(text: string, maxDepth = MAX_DEPTH): JsonValue {
  requireDepth(text, maxDepth)
  if (!mayHoldLargeNumber.test(text)) return JSON.parse(text) as JsonValue
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    const isRounded =
      typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(context?.source ?? '')
    return isRounded ? BigInt(context?.source ?? '') : value
  }) as JsonValue
}

function requireDepth(text: string, maxDepth: number): void {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) index = endOfString(text, index)
    else if (code === BRACE_OPEN || code === BRACKET_OPEN) depth += 1
    else if (code === BRACE_CLOSE || code === BRACKET_CLOSE) depth -= 1
    if (depth > maxDepth) throw new NestingError(`nests deeper than ${maxDepth} levels`)
  }
}

/** Index of the quote that closes the string opened at `start`; the end where there is none (the parser refuses it). */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET_OPEN = 0x5b
const BRACKET_CLOSE = 0x5d
const BRACE_OPEN = 0x7b
const BRACE_CLOSE = 0x7d

/** `indent`: blanks per level; 0 for one line. */
export function stringifyJson(value: unknown, indent = 0): string {
  const replace = (_key: string, member: unknown) => (typeof member === 'bigint' ? rawJson(member.toString()) : member)
  return JSON.stringify(value, replace, indent)
}

/** Sixteen digits where a value may start; may also match inside a string, which costs time only. */
const mayHoldLargeNumber = /[:[,\s-]\d{16}|^\d{16}/
const wholeNumber = /^-?\d+$/

/** In Node since 22; not yet in TypeScript's library. */
function rawJson(text: string): unknown {
  return (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON(text)
}
