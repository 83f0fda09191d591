import { printable } from './printable.ts'

/**
 * A sentence whose foreign parts (names, messages) are kept apart from our own words, so that each printer escapes them
 * in its own way: the log makes them printable, Markdown puts them into code spans.
 */
export type Phrase = readonly (string | Foreign | Words | Marked)[]

export interface Foreign {
  readonly foreign: string
}

/** Words of ours from another room (`apply`, a hint), which may quote a name: running text, yet escaped. */
export interface Words {
  readonly prosePhrase: string
}

/** What somebody should look at before the change is made: printed behind a sign, and named in the box on top. */
export interface Marked {
  readonly marked: Phrase
  /** What the box says instead, where the mark alone does not tell whom it is about. */
  readonly onTop?: Phrase
}

const SIGN = '⚠️ '

/** The words are ours; every interpolated string is foreign. Numbers and phrases are spliced in as they are. */
export function phrase(words: TemplateStringsArray, ...values: readonly (string | number | Phrase)[]): Phrase {
  return words.flatMap((word, index) => {
    const value = values[index]
    if (value === undefined) return word === '' ? [] : [word]
    return [...(word === '' ? [] : [word]), ...interpolated(value)]
  })
}

/** One line of plain text, safe to print in a log. */
export function plainText(text: Phrase): string {
  return spelled(text)
    .map((part) => (typeof part === 'string' ? part : printable(textOfPart(part))))
    .join('')
}

export function words(text: string): Phrase {
  return [{ prosePhrase: text }]
}

export function marked(text: Phrase, onTop?: Phrase): Phrase {
  return [{ marked: text, ...(onTop !== undefined && { onTop }) }]
}

/** With each mark as its sign and what it is about: what a printer prints. */
export function spelled(text: Phrase): readonly (string | Foreign | Words)[] {
  return text.flatMap((part) =>
    typeof part !== 'string' && 'marked' in part ? [SIGN, ...spelled(part.marked)] : [part],
  )
}

/** What is marked in the phrase, without its sign. */
export function marksIn(text: Phrase): readonly Phrase[] {
  return text.flatMap((part) => (typeof part !== 'string' && 'marked' in part ? [part.onTop ?? part.marked] : []))
}

/** What of a part was not written here. */
export function textOfPart(part: Foreign | Words): string {
  return 'foreign' in part ? part.foreign : part.prosePhrase
}

export function joinPhrases(phrases: readonly Phrase[], separator: string): Phrase {
  return phrases.flatMap((one, index) => (index === 0 ? one : [separator, ...one]))
}

/** The first few names of a list, and how many more there are. */
export function nameList(names: readonly string[], limit = MAX_NAMED): Phrase {
  const shown = joinPhrases(
    names.slice(0, limit).map((name) => phrase`${name}`),
    ', ',
  )
  return names.length > limit ? [...shown, ` and ${names.length - limit} more`] : shown
}

const MAX_NAMED = 4

function interpolated(value: string | number | Phrase): Phrase {
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'string' ? [{ foreign: value }] : value
}
