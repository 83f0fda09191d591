import { parseJson } from '../model/json.ts'
import { isJsonObject, type JsonObject } from '../model/object.ts'
import { fence, prose } from './markdown.ts'
import { toYaml } from './yaml.ts'

/** Longest object in a hint that is laid out, in UTF-16 units. */
const MAX_OBJECT_CHARS = 20_000

/**
 * What to do next as lines of Markdown: one of running text, and where the hint ends in a JSON object (a Role to paste)
 * that object as YAML in a fence of its own, unescaped, so that it can be copied.
 */
export function hintLines(hint: string): readonly string[] {
  const { object, words } = partsOf(hint)
  return object === undefined ? [prose(words)] : [prose(words), '', ...fence(yamlLines(object), 'yaml').split('\n')]
}

function partsOf(hint: string): { readonly words: string; readonly object?: JsonObject } {
  const start = hint.indexOf(': {"')
  if (start === -1 || hint.length > MAX_OBJECT_CHARS) return { words: hint }
  try {
    const object = parseJson(hint.slice(start + 2))
    return isJsonObject(object) ? { words: hint.slice(0, start + 1), object } : { words: hint }
  } catch {
    return { words: hint } // Words that only look like an object.
  }
}

function yamlLines(object: JsonObject): readonly string[] {
  return toYaml(object).trimEnd().split('\n')
}
