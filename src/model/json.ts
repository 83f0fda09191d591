import type { JsonValue } from './object.ts'

/**
 * JSON without loss: a whole number beyond 2^53 arrives as a bigint and leaves as the digits it came with.
 * Kubernetes allows such numbers (int64); plain JSON.parse would round them.
 */
export function parseJson(text: string): JsonValue {
  if (!mayHoldLargeNumber.test(text)) return JSON.parse(text) as JsonValue
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    const isRounded =
      typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(context?.source ?? '')
    return isRounded ? BigInt(context?.source ?? '') : value
  }) as JsonValue
}

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
