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
  return text.flatMap((part) => (isMark(part) ? [SIGN, ...spelled(part.marked)] : [part]))
}

/** What is marked in the phrase, without its sign. */
export function marksIn(text: Phrase): readonly Marked[] {
  return text.filter((part) => isMark(part))
}

/** The whole behind one sign; one that it begins with is enough. */
export function underSign(text: Phrase): Phrase {
  const [first] = spelled(text)
  return first === SIGN ? text : [SIGN, ...text]
}

/**
 * The phrase without the marks that are said elsewhere, each given as plain text, and without what only led to them: brackets
 * around them, or a clause of nothing else. A mark that the rest of its clause needs stays.
 */
export function withoutMarks(text: Phrase, said: ReadonlySet<string>): Phrase {
  if (!marksIn(text).some(({ marked }) => said.has(plainText(marked)))) return text
  return joinPhrases(
    clausesOf(text)
      .map((clause) => withoutSaid(clause, said))
      .filter((clause) => clause.length > 0),
    CLAUSE_END,
  )
}

const CLAUSE_END = '; '

function clausesOf(text: Phrase): readonly Phrase[] {
  const clauses: Phrase[number][][] = [[]]
  for (const part of text) {
    const [first, ...more] = typeof part === 'string' ? part.split(CLAUSE_END) : [part]
    if (first !== undefined) clauses.at(-1)?.push(first)
    for (const next of more) clauses.push([next])
  }
  return clauses.map(withWholeStrings)
}

/** Neighbouring strings as one; none that is empty. */
function withWholeStrings(text: Phrase): Phrase {
  const parts: Phrase[number][] = []
  for (const part of text) {
    const last = parts.at(-1)
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
    else if (part !== '') parts.push(part)
  }
  return parts
}

function withoutSaid(clause: Phrase, said: ReadonlySet<string>): Phrase {
  const index = clause.findIndex((part) => isMark(part) && said.has(plainText(part.marked)))
  const mark = clause[index]
  if (mark === undefined) return clause
  const [before, after] = [clause.slice(0, index), clause.slice(index + 1)]
  const rest = closedGap(before, after)
  // What follows is looked at again without it.
  return rest === undefined ? [...before, mark, ...withoutSaid(after, said)] : withoutSaid(withWholeStrings(rest), said)
}

/** What is left of both sides of a mark that goes; undefined where it would no longer read. */
function closedGap(before: Phrase, after: Phrase): Phrase | undefined {
  const [left, right] = [before.at(-1) ?? '', after[0] ?? '']
  if (typeof left !== 'string' || typeof right !== 'string') return undefined
  const [head, tail] = [before.slice(0, -1), after.slice(1)]
  if (left.endsWith(' (') && right.startsWith(')')) return [...head, left.slice(0, -2), right.slice(1), ...tail]
  const isLead = left === '' || left.endsWith(': ')
  if (isLead && right.startsWith(', ')) return [...before, right.slice(2), ...tail]
  if (isLead && right === '') return []
  return left.endsWith(', ') ? [...head, left.slice(0, -2), ...after] : undefined
}

function isMark(part: Phrase[number]): part is Marked {
  return typeof part !== 'string' && 'marked' in part
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
