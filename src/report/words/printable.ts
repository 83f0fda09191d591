import { stripVTControlCharacters } from 'node:util'

/** Longest foreign line that is printed, in UTF-16 units; the rest is counted, not shown. */
const MAX_LINE_CHARS = 4_000

/**
 * One line of foreign text (pod logs, chart names, server messages) made harmless for a log: always one line, no
 * terminal control, nothing the runner takes for a command. Controls stay visible as `\u{1b}`; colours are dropped.
 *
 * The runner takes `::` as a command at the start of a trimmed line and `##[` anywhere in it.
 * Source: docs/sources.md#github-workflow-commands.
 */
export function printable(text: string): string {
  return harmless(cutLine(text))
}

/** One line of foreign text without hidden characters: as `printable`, but commands of the runner stay as they are. */
export function visibleLine(text: string): string {
  return withoutControls(cutLine(text))
}

/** A foreign text of several lines, each made harmless, with `prefix` before each; the last empty line is dropped. */
export function printableLines(text: string, prefix = ''): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => `${prefix}${printable(line)}`)
}

/** What `printable` does, at any length. A line that is harmless already does not change. */
export function harmless(line: string): string {
  return withoutControls(line)
    .replace(/##(?=\[)/g, '##\\')
    .replace(/^(\s*)(?=::)/u, '$1\\')
}

function withoutControls(text: string): string {
  return stripVTControlCharacters(text.toWellFormed()).replace(UNPRINTABLE, showCodePoint)
}

/**
 * C0 with tab, DEL, C1; format characters (bidi controls, zero-width, BOM, tags); line and paragraph separators; the
 * variation selectors that no script uses and that can hide data.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]|[\u{e0100}-\u{e01ef}]/gu

function showCodePoint(character: string): string {
  return character === '\t' ? '\t' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

function cutLine(text: string): string {
  if (text.length <= MAX_LINE_CHARS) return text
  return `${text.slice(0, MAX_LINE_CHARS)} ... (${text.length - MAX_LINE_CHARS} more characters)`
}
