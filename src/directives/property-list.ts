import { type Read, shortValue } from './value-forms.ts'

/**
 * `k=v`, `k="v, with a comma"`, `k='v'`; the separator is a comma. Matches from where the last one ended. No two of its
 * loops take the same blanks: with three of them, 4,000 blanks took half a minute.
 */
const PROPERTY = /\s*([^=,\s]+)\s*=\s*(?:"([^"]*)"\s*|'([^']*)'\s*|([^\s,"'][^,"']*)?)(?:,|$)/y

/** nelm's list of properties: keys are lower-cased, a key without a value or with an empty one is a fault. */
export function readProperties(text: string): Read<ReadonlyMap<string, string>> {
  const properties = new Map<string, string>()
  if (text.trim() === '') return { fault: 'empty' }
  PROPERTY.lastIndex = 0
  let end = 0
  while (end < text.length) {
    const found = PROPERTY.exec(text)
    if (found === null) return { fault: `not a property: "${shortValue(text.slice(end))}"` }
    end = PROPERTY.lastIndex
    const key = (found[1] ?? '').toLowerCase()
    const value = (found[2] ?? found[3] ?? found[4] ?? '').trim()
    if (value === '') return { fault: `property "${shortValue(key)}" is empty` }
    if (properties.has(key)) return { fault: `property "${shortValue(key)}" is given twice` }
    properties.set(key, value)
  }
  return { value: properties }
}
