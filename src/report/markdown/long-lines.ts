import { diffArrays } from 'diff'

/** Lines up to this length are shown whole, in UTF-16 units; beyond it GitHub scrolls, and nobody does. */
const MAX_LINE_CHARS = 160
/** Of a long line that appears or disappears. */
const HEAD_CHARS = 120
/** Around what changes: enough to find the place. */
const AROUND_CHARS = 24
/** Of a changed part; what is longer is cut in its middle. */
const MAX_PART_CHARS = 100
/** Most places of one line. */
const MAX_PLACES = 6
/** So little between two changes makes them one: a blank, a comma. */
const MAX_BETWEEN_CHARS = 3
/** Beyond that many words the middle of a line counts as one change: the search takes the product of words and edits. */
const MAX_WORDS = 20_000
const MAX_EDITS = 300

/**
 * Lines of a diff in which the long ones are shortened: a removed line and the added one in its place to what differs
 * between them, any other to its beginning. What is left out is marked with `…`, and counted where it changes.
 */
export function shortenedLines(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.length > MAX_LINE_CHARS)) return lines
  const shown: string[] = []
  let at = 0
  while (at < lines.length) {
    const removed = runOf(lines, at, '-')
    const added = runOf(lines, at + removed.length, '+')
    if (removed.length + added.length === 0) {
      shown.push(clipped(lines[at] ?? ''))
      at += 1
      continue
    }
    const pairs = removed.map((line, index) => shortenedPair(line, added[index]))
    shown.push(...pairs.map(([line]) => line), ...added.map((line, index) => pairs[index]?.[1] ?? clippedChange(line)))
    at += removed.length + added.length
  }
  return shown
}

function runOf(lines: readonly string[], from: number, sign: string): readonly string[] {
  let to = from
  while (lines[to]?.startsWith(sign) === true) to += 1
  return lines.slice(from, to)
}

function shortenedPair(removed: string, added: string | undefined): readonly [string, string | undefined] {
  if (added === undefined) return [clippedChange(removed), undefined]
  if (Math.max(removed.length, added.length) <= MAX_LINE_CHARS) return [removed, added]
  const parts = partsOf(removed.slice(1), added.slice(1))
  return [`-${lineOf(parts, 'before')}`, `+${lineOf(parts, 'after')}`]
}

/** What both lines have, or what stands in its place in each. */
type Part = { readonly same: string } | { readonly before: string; readonly after: string }

function lineOf(parts: readonly Part[], side: 'before' | 'after'): string {
  const places = parts.filter((part) => !('same' in part))
  const last = places.length > MAX_PLACES ? parts.indexOf(places[MAX_PLACES] as Part) : parts.length
  const more = places.length - MAX_PLACES
  const shown = parts.slice(0, last).map((part, index) => {
    if (!('same' in part)) return trimmedPart(part, side)
    return aroundOf(part.same, { isFirst: index === 0, isLast: index === parts.length - 1 })
  })
  return `${shown.join('')}${more > 0 ? `(${more} more ${more === 1 ? 'place differs' : 'places differ'})` : ''}`
}

/** Of what stays: its ends beside the changes, and the beginning of the line, where the key stands. */
function aroundOf(same: string, { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean }): string {
  const [head, tail] = [isFirst ? AROUND_CHARS * 2 : AROUND_CHARS, isLast ? 0 : AROUND_CHARS]
  if (same.length <= head + tail + 1) return same
  return `${same.slice(0, head)}…${same.slice(same.length - tail)}`
}

/** The first difference of two long parts is always in what is shown. */
function trimmedPart(part: { readonly before: string; readonly after: string }, side: 'before' | 'after'): string {
  const text = part[side]
  if (Math.max(part.before.length, part.after.length) <= MAX_PART_CHARS) return text
  const from = Math.max(0, commonHead(part.before, part.after) - AROUND_CHARS)
  const rest = text.slice(from)
  const shown =
    rest.length <= MAX_PART_CHARS ? rest : `${rest.slice(0, MAX_PART_CHARS)}${leftOut(rest, MAX_PART_CHARS)}`
  return `${from === 0 ? '' : '…'}${shown}`
}

function clippedChange(line: string): string {
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, HEAD_CHARS)}${leftOut(line, HEAD_CHARS)}`
}

function clipped(line: string): string {
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, HEAD_CHARS)}…`
}

function leftOut(text: string, shownChars: number): string {
  return `…(${(text.length - shownChars).toLocaleString('en')} more characters)`
}

function partsOf(before: string, after: string): readonly Part[] {
  const head = wordStart(before, commonHead(before, after))
  const tail = Math.min(commonTail(before, after), Math.min(before.length, after.length) - head)
  const [beforeEnd, afterEnd] = [before.length - tail, after.length - tail]
  const middle = middleParts(before.slice(head, beforeEnd), after.slice(head, afterEnd))
  return [{ same: before.slice(0, head) }, ...middle, { same: before.slice(beforeEnd) }].filter(
    (part) => !('same' in part) || part.same !== '',
  )
}

function middleParts(before: string, after: string): readonly Part[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old === undefined || now === undefined) return [{ before, after }]
  const changes = diffArrays([...old], [...now], { maxEditLength: MAX_EDITS })
  if (changes === undefined) return [{ before, after }]
  const parts: Part[] = []
  for (const { added, removed, value } of changes) {
    const text = value.join('')
    if (added) append(parts, { before: '', after: text })
    else if (removed) append(parts, { before: text, after: '' })
    else parts.push({ same: text })
  }
  return parts
}

/** Behind another change it is one with it, also where only a few characters stand between them. */
function append(parts: Part[], change: { readonly before: string; readonly after: string }): void {
  const last = parts.at(-1)
  const between = last !== undefined && 'same' in last && last.same.length <= MAX_BETWEEN_CHARS ? last.same : ''
  const earlier = parts.at(between === '' ? -1 : -2)
  if (earlier === undefined || 'same' in earlier) {
    parts.push(change)
    return
  }
  parts.splice(between === '' ? -1 : -2, 2, {
    before: `${earlier.before}${between}${change.before}`,
    after: `${earlier.after}${between}${change.after}`,
  })
}

/** Words with their digits, points and dashes; every other character alone. */
function wordsOf(text: string): readonly string[] | undefined {
  const words = text.match(/[\p{L}\p{N}_.-]+|./gsu) ?? []
  return words.length > MAX_WORDS ? undefined : words
}

function wordStart(text: string, at: number): number {
  const word = /[\p{L}\p{N}_.-]*$/u.exec(text.slice(Math.max(0, at - AROUND_CHARS), at))?.[0] ?? ''
  return at - word.length
}

function commonHead(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at < most && a[at] === b[at]) at += 1
  return at
}

function commonTail(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at < most && a[a.length - 1 - at] === b[b.length - 1 - at]) at += 1
  return at
}
