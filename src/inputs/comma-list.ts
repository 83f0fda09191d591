/**
 * The fields of one line of comma-separated values, as Go's encoding/csv reads it with its defaults; undefined where
 * that is an error, or the text has more than one line.
 */
export function commaList(text: string): readonly string[] | undefined {
  if (text === '') return []
  if (text.includes('\n')) return undefined
  const fields: string[] = []
  for (let at = 0; at <= text.length; ) {
    const field = text[at] === '"' ? quotedField(text, at + 1) : bareField(text, at)
    if (field === undefined) return undefined
    fields.push(field.text)
    at = field.end + 1
  }
  return fields
}

interface Field {
  readonly text: string
  /** Of the comma behind it, or of the end of the text. */
  readonly end: number
}

function bareField(text: string, from: number): Field | undefined {
  const comma = text.indexOf(',', from)
  const end = comma === -1 ? text.length : comma
  const field = text.slice(from, end)
  return field.includes('"') ? undefined : { text: field, end }
}

/** `from`: behind the opening quote. A quote in the field is written twice. */
function quotedField(text: string, from: number): Field | undefined {
  const pieces: string[] = []
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return undefined
    pieces.push(text.slice(at, quote))
    const end = quote + 1
    if (end === text.length || text[end] === ',') return { text: pieces.join('"'), end }
    if (text[end] !== '"') return undefined
    at = end + 1
  }
}
