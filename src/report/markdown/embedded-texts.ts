import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../model/object.ts'

/** A text of several lines, or JSON on one line, inside of a value that differs. */
export interface EmbeddedText {
  /** `data["nginx.conf"]`, `spec.template.spec.containers[app].args[2]` */
  readonly path: string
  readonly before: string
  readonly after: string
}

export interface WithoutTexts {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly texts: readonly EmbeddedText[]
}

/** Deeper than any object that Kubernetes accepts. */
const MAX_DEPTH = 200

/**
 * Takes out the texts that differ, so that each can be compared as what it is. In their place, on both sides, stands that
 * they come below. Texts that have no counterpart stay where they are.
 */
export function withoutTexts(before: JsonObject, after: JsonObject): WithoutTexts {
  const texts: EmbeddedText[] = []
  const pair = takeOut(before, after, { path: '', depth: 0 }, texts)
  return { before: pair.before as JsonObject, after: pair.after as JsonObject, texts }
}

interface Pair {
  readonly before: JsonValue
  readonly after: JsonValue
}

interface Place {
  readonly path: string
  readonly depth: number
}

const BELOW = '(text, compared below)'

function takeOut(before: JsonValue, after: JsonValue, { depth, path }: Place, found: EmbeddedText[]): Pair {
  if (before === after || depth > MAX_DEPTH) return { before, after }
  if (typeof before === 'string' && typeof after === 'string') {
    if (!isText(before) && !isText(after)) return { before, after }
    found.push({ path, before, after })
    return { before: BELOW, after: BELOW }
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const pairs = new Map<string, Pair>()
    for (const key of Object.keys(before).sort()) {
      const [a, b] = [before[key], Object.hasOwn(after, key) ? after[key] : undefined]
      if (a === undefined || b === undefined) continue
      pairs.set(key, takeOut(a, b, { path: `${path}${stepText(key, path)}`, depth: depth + 1 }, found))
    }
    return {
      before: mapped(before, (key) => pairs.get(key)?.before),
      after: mapped(after, (key) => pairs.get(key)?.after),
    }
  }
  if (isJsonArray(before) && isJsonArray(after)) return takeOutOfList(before, after, { depth, path }, found)
  return { before, after }
}

/** Items that have the same name, else those at the same place of lists that are equally long. */
function takeOutOfList(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  { depth, path }: Place,
  found: EmbeddedText[],
): Pair {
  const names = [before, after].map((items) => items.map(nameOf))
  const isNamed = names.every((each) => !each.includes(undefined) && new Set(each).size === each.length)
  if (!isNamed && before.length !== after.length) return { before, after }
  const [old, now] = [[...before], [...after]]
  before.forEach((item, index) => {
    const other = isNamed ? (names[1]?.indexOf(nameOf(item)) ?? -1) : index
    const [a, b] = [before[index], after[other]]
    if (a === undefined || b === undefined) return
    const step = `[${isNamed ? nameOf(item) : index}]`
    const pair = takeOut(a, b, { path: `${path}${step}`, depth: depth + 1 }, found)
    old[index] = pair.before
    now[other] = pair.after
  })
  return { before: old, after: now }
}

function nameOf(item: JsonValue): string | undefined {
  return isJsonObject(item) && typeof item.name === 'string' ? item.name : undefined
}

/** Several lines, or what begins like JSON; `{{` begins a template. */
function isText(value: string): boolean {
  const text = value.trim()
  return text.includes('\n') || /^(?:\{(?!\{)|\[)/.test(text)
}

/** `.key`, and `["key"]` for one that is no plain word. */
function stepText(key: string, path: string): string {
  return /^[\w-]+$/.test(key) ? `${path === '' ? '' : '.'}${key}` : `[${JSON.stringify(key)}]`
}

function mapped(object: JsonObject, memberOf: (key: string) => JsonValue | undefined): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, memberOf(key) ?? value]))
}
