import { structuredPatch } from 'diff'
import { canonicalYaml } from './canonical-yaml.ts'
import type { EmbeddedText } from './embedded-texts.ts'
import { pathOfLine } from './line-path.ts'

/** Changed lines with what stands around them. */
export interface Hunk {
  readonly title: string
  readonly lines: readonly string[]
}

/** Beyond that many edits two texts have nothing in common worth aligning; time grows with the square of it. */
const MAX_EDITS = 2_000
/** A longer line counts as several when two ways of showing a change are compared, in UTF-16 units. */
const LINE_CHARS = 160
/** What redaction leaves of a secret value: two of them may stand for different values. */
const MASK = '***'

/**
 * The changes inside of one text, as text or, where that is shorter (keys in another order, another indentation, JSON on
 * one line), as YAML in one layout. Where the layout is all that changes one line says so.
 */
export function textHunks(text: EmbeddedText, context: number): readonly Hunk[] {
  const { after, before, path } = text
  const asText = changedLines(before, after, context)
  const [oldYaml, newYaml] = [canonicalYaml(before), canonicalYaml(after)]
  if (oldYaml !== undefined && newYaml !== undefined) {
    if (oldYaml === newYaml) return isCertain(text) ? [layoutHunk(text)] : titled(asText, path)
    const asYaml = changedLines(oldYaml, newYaml, context)
    const isShorter = costOf(asYaml) < costOf(asText) + (isOneLine(text) ? 1 : 0)
    if (isShorter) return asYaml.map(({ lines, path }) => ({ title: yamlTitle(text, path), lines }))
  }
  return titled(asText, path)
}

export interface ChangedLines {
  readonly lines: readonly string[]
  /** Line of the new text where the first change is, from 1. */
  readonly line: number
  /** The keys above the first change, where the texts are YAML. */
  readonly path: string
}

/** Hunks of two texts; all lines of both where they have nothing in common. */
export function changedLines(before: string, after: string, context: number): readonly ChangedLines[] {
  const [old, now] = before.endsWith('\n') || after.endsWith('\n') ? [before, after] : [closed(before), closed(after)]
  const patch = structuredPatch('', '', old, now, '', '', { context: WHOLE_TEXT, maxEditLength: MAX_EDITS })
  const [oldLines, newLines] = [old.split('\n'), now.split('\n')]
  if (patch === undefined) return [{ lines: [...signed(oldLines, '-'), ...signed(newLines, '+')], line: 1, path: '' }]
  const all = patch.hunks.flatMap(({ lines }) => fromItemStart(lines))
  const isChanged = all.map(
    (line, at) => !line.startsWith(' ') && !(line.startsWith('\\') && all[at - 1]?.startsWith(' ')),
  )
  return rangesOf(isChanged, context).map(([from, to]) => {
    const first = isChanged.indexOf(true, from)
    const above = all.slice(0, first)
    const [oldIndex, newIndex] = [above.filter(isOf('-')).length, above.filter(isOf('+')).length]
    const isGone = all[first]?.startsWith('-') === true
    const path = isGone ? pathOfLine(oldLines, oldIndex) : pathOfLine(newLines, newIndex)
    return { lines: all.slice(from, to), line: newIndex + 1, path }
  })
}

const WHOLE_TEXT = Number.MAX_SAFE_INTEGER

/** Lines of one side. */
function isOf(sign: '+' | '-'): (line: string) => boolean {
  return (line) => line.startsWith(' ') || line.startsWith(sign)
}

/** From and up to which lines changes stand with `context` lines around them. */
function rangesOf(isChanged: readonly boolean[], context: number): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = []
  isChanged.forEach((changed, at) => {
    if (!changed) return
    const [from, to] = [Math.max(0, at - context), Math.min(isChanged.length, at + context + 1)]
    const last = ranges.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = to
    else ranges.push([from, to])
  })
  return ranges
}

/** Most lines that a block of changes is moved by. */
const MAX_SHIFT = 200

/**
 * The same change, read from where an item begins: a block of lines that come or go may as well stand earlier or later where
 * the lines around it repeat, and a diff that begins in the middle of an item is not understood.
 */
function fromItemStart(lines: readonly string[]): readonly string[] {
  const result = [...lines]
  for (let start = 0; start < result.length; ) {
    const sign = result[start]?.charAt(0) ?? ''
    let end = start + 1
    while (end < result.length && result[end]?.charAt(0) === sign) end++
    if (sign === '+' || sign === '-') {
      const shift = bestShift(result, start, end)
      const [from, to] = [Math.min(start, start + shift), Math.max(end, end + shift)]
      for (let at = from; at < to; at++) {
        const isInside = at >= start + shift && at < end + shift
        result[at] = `${isInside ? sign : ' '}${result[at]?.slice(1)}`
      }
      end = Math.max(end, end + shift)
    }
    start = end
  }
  return result
}

/** By how many lines the block reads better: where its first line stands furthest to the left, an item before a key. */
function bestShift(lines: readonly string[], start: number, end: number): number {
  const textOf = (at: number) =>
    lines[at]?.startsWith(' ') === true || (at >= start && at < end) ? lines[at]?.slice(1) : undefined
  const isNeighbour = (at: number) => textOf(at) !== undefined
  let [best, shift] = [placeOf(textOf(start)), 0]
  const isRepeated = (one: number, other: number) => isNeighbour(one) && textOf(one) === textOf(other)
  const tried = (by: number) => {
    const place = placeOf(textOf(start + by))
    if (place < best) [best, shift] = [place, by]
  }
  for (let by = 1; by <= MAX_SHIFT && isRepeated(start - by, end - by); by++) tried(-by)
  for (let by = 1; by <= MAX_SHIFT && isRepeated(end + by - 1, start + by - 1); by++) tried(by)
  return shift
}

/** Lower is further to the left; an empty line begins nothing. */
function placeOf(text = ''): number {
  const indent = text.search(/\S/)
  if (indent === -1) return Number.POSITIVE_INFINITY
  return indent * 2 + (text.startsWith('- ', indent) ? 0 : 1)
}

/** Where neither text ends with a line feed, the library would say so below each last line. */
function closed(text: string): string {
  return text === '' ? text : `${text}\n`
}

function signed(lines: readonly string[], sign: string): readonly string[] {
  return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).map((line) => `${sign}${line}`)
}

function titled(hunks: readonly ChangedLines[], path: string): readonly Hunk[] {
  return hunks.map(({ line, lines }) => ({ title: `${path}, line ${line}`, lines }))
}

function isOneLine({ after, before }: EmbeddedText): boolean {
  return !before.trim().includes('\n') && !after.trim().includes('\n')
}

function isCertain({ after, before }: EmbeddedText): boolean {
  return !before.includes(MASK) && !after.includes(MASK)
}

function layoutHunk(text: EmbeddedText): Hunk {
  const what = sameComments(text) ? 'only order and layout change' : 'only comments, order and layout change'
  return { title: `${text.path}: ${what}, the same as YAML`, lines: [] }
}

function yamlTitle(text: EmbeddedText, place: string): string {
  const comments = sameComments(text) ? '' : '; comments change as well'
  return `${text.path} as YAML${place === '' ? '' : `: ${place}`}${comments}`
}

/** Whether what looks like comments is the same, in whatever order. */
function sameComments({ after, before }: EmbeddedText): boolean {
  return commentsOf(before) === commentsOf(after)
}

function commentsOf(text: string): string {
  return (text.match(/(?:^|\s)#.*/gm) ?? [])
    .map((comment) => comment.trim())
    .sort()
    .join('\n')
}

/** How much a reader has to read of it. */
function costOf(hunks: readonly ChangedLines[]): number {
  const changed = hunks.flatMap(({ lines }) => lines.filter((line) => /^[+-]/.test(line)))
  return changed.reduce((sum, line) => sum + Math.ceil(line.length / LINE_CHARS), 0)
}
