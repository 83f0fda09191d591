import { dump } from 'js-yaml'
import { parseJson, stringifyJson } from '../../model/json.ts'
import type { JsonObject, JsonValue } from '../../model/object.ts'

/**
 * An object as people read it: sorted keys, block scalars for texts of several lines, one line feed at the end. For reading
 * only: it need not parse to the same object. With `spreadsJson`, JSON inside of a value stands on lines of its own; two
 * objects that are compared keep it as it is, or another layout would be no difference.
 */
export function toYaml(object: JsonObject, options: { readonly spreadsJson?: true } = {}): string {
  const text = dump(readable(object, options.spreadsJson === true ? spreadJson : (one) => one), {
    sortKeys: true,
    lineWidth: -1,
    noRefs: true,
  })
  return text.replace(/[\ue000-\ue09f]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - FIRST_MARK))
}

/** Longest text that is looked at for JSON, in UTF-16 units. */
const MAX_JSON_CHARS = 200_000
const FIRST_MARK = 0xe000

/** The YAML library knows no bigints; undefined members are left out. */
function readable(value: JsonValue, spread: (text: string) => string): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return readableText(spread(hiddenText(value)))
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: JsonValue) => readable(item, spread))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, readable(item, spread)]])),
  )
}

/** A whole value that was redacted reads as one that is hidden from the start, and needs no quotes. */
function hiddenText(text: string): string {
  return text === '***' ? '(hidden)' : text === '*** (changed)' ? '(hidden, changed)' : text
}

function readableText(text: string): string {
  // Tabs and carriage returns would turn the whole text into one quoted line: they go through as private characters.
  if (!text.includes('\n')) return text
  return text.replace(/(?!\n)\p{Cc}/gu, (control) => String.fromCharCode(control.charCodeAt(0) + FIRST_MARK))
}

/** `{"a":1}` on lines of its own; anything else as it is. */
function spreadJson(text: string): string {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_JSON_CHARS || text.trim().includes('\n')) return text
  try {
    return `${stringifyJson(parseJson(text), 2)}\n`
  } catch {
    return text // It only begins like JSON.
  }
}
