import { isJsonArray, isJsonObject, type JsonValue } from '../model/object.ts'

/** Longer texts are to be read in the objects themselves. */
const MAX_TEXT_CHARS = 200

export function shortText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || isJsonObject(value) || isJsonArray(value)) return undefined
  const text = String(value)
  return text.length > MAX_TEXT_CHARS || text.includes('\n') ? undefined : text
}
