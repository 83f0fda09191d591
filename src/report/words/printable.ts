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

/**
 * One line of foreign text that hides nothing from who approves it: as `printable`, but colours are shown, too, and commands of the
 * runner stay as they are.
 */
export function visibleLine(text: string): string {
  return withVisibleControls(cutLine(text))
}

/** A foreign text of several lines, each made harmless, with `prefix` before each; the last empty line is dropped. */
export function printableLines(text: string, prefix = ''): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => `${prefix}${printable(line)}`)
}

/** What `printable` does, at any length. A line that is harmless already does not change. */
export function harmless(line: string): string {
  return withVisibleControls(withoutColours(line))
    .replace(/##(?=\[)/g, '##\\')
    .replace(/^(\s*)(?=::)/u, '$1\\')
}

/**
 * Without what programs colour their lines with. All other sequences stay, to be made visible: a title or an address of a terminal may have a
 * command in it that a shell runs and a terminal does not show.
 */
export function withoutColours(line: string): string {
  const [first = '', ...rest] = line.split(ESCAPE)
  return first + rest.map((part) => (COLOUR.test(part) ? part.replace(COLOUR, '') : `${ESCAPE}${part}`)).join('')
}

const ESCAPE = '\u001b'
/** Behind the escape. */
const COLOUR = /^\[[\d;]{0,30}m/

function withVisibleControls(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, showCodePoint)
}

/**
 * C0 with tab, DEL, C1; format characters (bidi controls, zero-width, BOM, tags); line and paragraph separators; letters and marks
 * that have no shape; the variation selectors that no script uses and that can hide data.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u2800\u3164\uffa0]|\u034f|[\u17b4-\u17b5]|[\u180b-\u180f]|[\u{e0000}-\u{e0fff}]/gu

function showCodePoint(character: string): string {
  return character === '\t' ? '\t' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

function cutLine(text: string): string {
  if (text.length <= MAX_LINE_CHARS) return text
  return `${text.slice(0, MAX_LINE_CHARS)} ... (${text.length - MAX_LINE_CHARS} more characters)`
}
