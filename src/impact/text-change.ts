import { CORE_SCHEMA, FAILSAFE_SCHEMA, load } from 'js-yaml'
import { defined } from '../model/defined.ts'
import type { TextChange } from '../model/impact.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { fieldDifferences } from './fields.ts'
import { shortText } from './short-text.ts'

/** Longer texts are counted in lines only. */
const MAX_CHARS = 100_000
/** Most values of one text that are told. */
const MAX_VALUES = 20

/**
 * How a text of several lines, or one that is JSON, changes; undefined for all others. Takes texts as a reader may see
 * them. Complexity: linear in their size.
 */
export function textChange(before: JsonValue | undefined, after: JsonValue | undefined): TextChange | undefined {
  const [old, now] = [textOf(before), textOf(after)]
  if (old === undefined || now === undefined || old === now) return undefined
  const isText = [old, now].some((text) => text.includes('\n') || /^\s*[{[]/.test(text))
  return isText ? { ...lineCounts(old, now), ...valuesOf(old, now) } : undefined
}

/** Of what is not there no line. */
function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined ? '' : typeof value === 'string' ? value : undefined
}

/** Lines that only stand elsewhere count on neither side. */
function lineCounts(before: string, after: string): Pick<TextChange, 'linesAdded' | 'linesRemoved'> {
  const left = new Map<string, number>()
  const old = linesOf(before)
  for (const line of old) left.set(line, (left.get(line) ?? 0) + 1)
  let stay = 0
  const now = linesOf(after)
  for (const line of now) {
    const amount = left.get(line) ?? 0
    if (amount === 0) continue
    left.set(line, amount - 1)
    stay++
  }
  return { linesAdded: now.length - stay, linesRemoved: old.length - stay }
}

function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** By path, where both texts are JSON or YAML. */
function valuesOf(before: string, after: string): Pick<TextChange, 'values' | 'moreValues'> {
  const [old, now] = [parsed(before), parsed(after)]
  if (old === undefined || now === undefined) return {}
  const all = fieldDifferences(old, now)
  const values = all.slice(0, MAX_VALUES).map(({ itemsAdded, itemsRemoved, kind, path, stepsAfter, stepsBefore }) => {
    const [was, is] = [shortText(valueAt(old, stepsBefore)), shortText(valueAt(now, stepsAfter))]
    return {
      path,
      kind,
      ...defined({
        before: kind === 'changed' || kind === 'removed' ? was : undefined,
        after: kind === 'changed' || kind === 'added' ? is : undefined,
        itemsAdded,
        itemsRemoved,
      }),
    }
  })
  // A number that is rounded, or a text that reads as one, is another value.
  if (values.length === 0 && !isSameAsWritten(before, after)) return {}
  return { values, ...(all.length > values.length ? { moreValues: all.length - values.length } : {}) }
}

function isSameAsWritten(before: string, after: string): boolean {
  const [old, now] = [parsed(before, FAILSAFE_SCHEMA), parsed(after, FAILSAFE_SCHEMA)]
  return old !== undefined && now !== undefined && fieldDifferences(old, now).length === 0
}

function parsed(text: string, schema = CORE_SCHEMA): JsonObject | undefined {
  if (text.length > MAX_CHARS) return undefined
  try {
    // An alias may stand for more than anybody can compare.
    const value = load(text, { schema, maxAliases: 0 }) as JsonValue
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined // It is neither, which most texts are not.
  }
}

function valueAt(value: JsonValue | undefined, steps: readonly (string | number)[]): JsonValue | undefined {
  return steps.reduce<JsonValue | undefined>((one, step) => {
    if (isJsonArray(one)) return one[Number(step)]
    return isJsonObject(one) && Object.hasOwn(one, step) ? one[step] : undefined
  }, value)
}
