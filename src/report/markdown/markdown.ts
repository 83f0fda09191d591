import { type Foreign, type Phrase, spelled, textOfPart, type Words } from '../words/phrase.ts'
import { visibleLine } from '../words/printable.ts'

/** Longest foreign text inside a code span, in UTF-16 units. */
const MAX_CODE_CHARS = 300

/** Foreign text as a code span: nothing in it pings, links, or ends the span. See docs/decisions/0029. */
export function code(text: string): string {
  const line = visibleLine(text).replaceAll('\t', ' ')
  const bounded = line.length > MAX_CODE_CHARS ? `${line.slice(0, MAX_CODE_CHARS).toWellFormed()} ...` : line
  if (bounded.trim() === '') return '`(empty)`'
  const ticks = '`'.repeat(longestRun(bounded, '`') + 1)
  const pad = /^[` ]|[` ]$/.test(bounded) ? ' ' : ''
  return `${ticks}${pad}${bounded}${pad}${ticks}`
}

/** A phrase as Markdown: our words as they are, foreign parts as code spans. */
export function markdown(text: Phrase): string {
  return spelled(text)
    .map((part) => (typeof part === 'string' ? part : escaped(part)))
    .join('')
}

/**
 * Sentences of ours that may quote foreign names (hints, problems) as running text: every mark that means something
 * inside a line is escaped, and what GitHub would link (mentions, issues, commits, addresses) is broken by a zero-width
 * joiner.
 */
export function prose(text: string): string {
  return visibleLine(text)
    .replaceAll('\t', ' ')
    .replace(/[@#](?=\w)/g, `$&${JOINER}`)
    .replace(/:(?=\/\/)/g, `$&${JOINER}`)
    .replace(/www(?=\.)/gi, `$&${JOINER}`)
    .replace(/[a-z](?=-\d)/gi, `$&${JOINER}`)
    .replace(/\b[0-9a-f]{7,40}\b/gi, (hash) => hash.split('').join(JOINER))
    .replace(/[\\`*_[\]<>|~$&#@]/g, '\\$&')
}

/** Foreign text of several lines as a fence longer than any run of backticks inside. */
export function fence(lines: readonly string[], language = ''): string {
  const shown = lines.map(visibleLine)
  const longest = shown.reduce((most, line) => Math.max(most, longestRun(line, '`')), 2)
  const ticks = '`'.repeat(longest + 1)
  return [`${ticks}${language}`, ...shown, ticks].join('\n')
}

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
}

/** A GFM table; cells are Markdown made by this file. Ends without a line feed. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((column) => column.title)
  const rule = columns.map((column) => (column.align === 'right' ? '---:' : '---'))
  return [head, rule, ...rows.map((row) => row.map(escapePipes))].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A folded part. The summary is HTML (see `html`); the body is Markdown. */
export function details(summary: string, body: string, options: { readonly isOpen?: boolean } = {}): string {
  return `<details${options.isOpen === true ? ' open' : ''}><summary>${summary}</summary>\n\n${body}\n\n</details>`
}

/** A phrase as HTML, for the summary line of `details`, where Markdown is not read. */
export function html(text: Phrase): string {
  return spelled(text)
    .map((part) => {
      if (typeof part === 'string') return escapeHtml(part)
      const shown = escapeHtml(visibleLine(textOfPart(part)))
      return `<code>${shown}</code>`
    })
    .join('')
}

/** GitHub's coloured box. `lines` are Markdown, one line each. */
export function box(kind: 'NOTE' | 'WARNING' | 'CAUTION', lines: readonly string[]): string {
  return [`[!${kind}]`, ...lines].map((line) => `> ${line}`.trimEnd()).join('\n')
}

/** A link to an address of ours; anything but a plain http address becomes text. */
export function link(label: string, url: string | undefined): string {
  const isPlain = url !== undefined && url.length < 500 && /^https?:\/\/[\w.:/?=&%~+-]+$/.test(url)
  return isPlain ? `[${label}](${url})` : label
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

function escaped(part: Foreign | Words): string {
  return 'foreign' in part ? code(part.foreign) : prose(part.prosePhrase)
}

const JOINER = '\u200d'

/**
 * A pipe would end the cell, also inside a code span; parsers differ about a backslash before an escaped pipe, so a
 * blank goes between.
 */
function escapePipes(text: string): string {
  return text.replace(/\\+\|?|\|/g, (found) => {
    if (!found.endsWith('|')) return found
    return found.length <= 2 ? '\\|' : `${found.slice(0, -1)} \\|`
  })
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function longestRun(text: string, character: string): number {
  let longest = 0
  let run = 0
  for (const one of text) {
    run = one === character ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}
