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
  const patch = structuredPatch('', '', old, now, '', '', { context, maxEditLength: MAX_EDITS })
  const [oldLines, newLines] = [old.split('\n'), now.split('\n')]
  if (patch === undefined) return [{ lines: [...signed(oldLines, '-'), ...signed(newLines, '+')], line: 1, path: '' }]
  return patch.hunks.map(({ lines, newStart, oldStart }) => {
    const first = Math.max(
      0,
      lines.findIndex((line) => !line.startsWith(' ')),
    )
    const isGone = lines[first]?.startsWith('-') === true
    const path = isGone ? pathOfLine(oldLines, oldStart - 1 + first) : pathOfLine(newLines, newStart - 1 + first)
    return { lines, line: newStart + first, path }
  })
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
