import type { Hint } from '../model/hint.ts'

/** One word, without the quotes around its parts. `line` counts from 1. */
export interface ShellWord {
  readonly text: string
  readonly line: number
}

/** What a shell would do with a piece of the text beside splitting it. Names a mark and never the text around it. */
export interface ShellFault {
  readonly line: number
  readonly what: string
  readonly hint: Hint
}

const MAX_CHARS = 65_536
/** Faults that are told; the others are of the same text. */
const MAX_FAULTS = 10
/** Longest name of a variable before `=~` that is looked at. */
const MAX_NAME_CHARS = 100

const BLANK = /[ \t\n]/
const OPERATOR = /[|&;<>()]/
const PATTERN = /[*?]/
/** Names, numbers, special parameters, `${`, `$(`, `$[` of bash; any other `$` is a plain sign to every shell. */
const EXPANSION = /[\w@*#?$!{([-]/
/** What a backslash takes its meaning from inside of double quotes. */
const ESCAPED_IN_QUOTES = /[$`"\\]/
/** What follows a `~` that stands for a folder: nothing, a path, or a user. `~1.2` is a range of versions and stays. */
const HOME = /^$|[\s/A-Za-z_+-]/
const ASSIGNMENT = /^[A-Za-z_]\w*=$/

/**
 * The words of a text as a POSIX shell splits it: blanks, both quotes, the backslash, comments. Nothing is expanded:
 * what a shell would expand or take for an operator is a fault. Two things are read more widely, because the text of an
 * input often has them: a line break separates words, and a backslash at the very end is dropped.
 */
export function shellWords(given: string): {
  readonly words: readonly ShellWord[]
  readonly faults: readonly ShellFault[]
} {
  if (given.length > MAX_CHARS) return { words: [], faults: [tooLong] }
  const text = given.replaceAll('\r\n', '\n')
  const words: ShellWord[] = []
  const faults = new Map<string, ShellFault>()
  let line = 1
  let word: { text: string; readonly line: number } | undefined

  const add = (piece: string) => {
    word ??= { text: '', line }
    word.text += piece
  }
  const fault = (mark: string, why: string, hint: Hint) => {
    const what = `line ${line}: ${mark} ${why}`
    if (faults.size < MAX_FAULTS) faults.set(what, { line, what, hint })
  }
  /** The index behind the closing quote. */
  const quoted = (quote: string, from: number): number => {
    const opened = line
    add('')
    for (let at = from; at < text.length; at++) {
      const char = text[at] ?? ''
      const next = text[at + 1] ?? ''
      if (char === quote) return at + 1
      if (char === '\n') line++
      if (quote === "'") add(char)
      else if (char === '\\' && next === '\n') {
        line++
        at++
      } else if (char === '\\' && ESCAPED_IN_QUOTES.test(next)) {
        add(next)
        at++
      } else {
        if (isExpansion(char, next)) fault(`"${char}"`, EXPANDED, { kind: 'write-expanded-text' })
        add(char)
      }
    }
    line = opened
    fault(`the quote ${quote}`, 'is not closed', { kind: 'close-quote' })
    return text.length
  }

  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? ''
    const next = text[at + 1] ?? ''
    if (char === "'" || char === '"') {
      at = quoted(char, at + 1)
      continue
    }
    if (char === '\\') {
      if (next === '\n') line++
      else if (next !== '') add(next)
      at += 2
      continue
    }
    if (char === '#' && word === undefined) {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end
      continue
    }
    if (BLANK.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
      if (char === '\n') line++
      at++
      continue
    }
    if (isExpansion(char, next) || (char === '$' && /['"]/.test(next))) {
      fault(`"${char}"`, EXPANDED, { kind: 'write-expanded-text' })
    } else if (OPERATOR.test(char)) {
      fault(`"${char}"`, 'outside of quotes ends or redirects the command in a shell', { kind: 'quote-or-leave-out' })
    } else if (PATTERN.test(char)) {
      fault(`"${char}"`, 'outside of quotes stands for file names in a shell, and nothing is expanded here', {
        kind: 'quote-or-name-files',
      })
    } else if (char === '~' && HOME.test(next) && beginsPath(word?.text)) {
      fault('"~"', 'outside of quotes stands for a home folder in a shell, and nothing is expanded here', {
        kind: 'write-expanded-text',
      })
    }
    add(char)
    at++
  }
  if (word !== undefined) words.push(word)
  return { words, faults: [...faults.values()] }
}

const EXPANDED = 'is expanded by a shell, and nothing is expanded here'

const tooLong: ShellFault = {
  line: 1,
  what: `is longer than ${MAX_CHARS} characters`,
  hint: { kind: 'write-values-file' },
}

function isExpansion(char: string, next: string): boolean {
  return char === '`' || (char === '$' && EXPANSION.test(next))
}

/** Whether a `~` after this part of a word stands for a folder: at its start, or as the value of an assignment. */
function beginsPath(before: string | undefined): boolean {
  return before === undefined || (before.length <= MAX_NAME_CHARS && ASSIGNMENT.test(before))
}
