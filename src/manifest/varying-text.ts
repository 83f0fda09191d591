/**
 * `word`: letters, digits and `+/=_.-`, of this length where both renders have the same. `time`: digits and names of days
 * and months. Where more than single words differ, the text may become anything: `printable` without blanks, else `text`.
 */
export type TextPart =
  | { readonly fixed: string }
  | { readonly varies: 'word' | 'printable' | 'text'; readonly length?: number }
  | { readonly varies: 'time' }

/**
 * The fixed and the varying parts of a text that comes out otherwise at each render, the same for any two renders of a chart: what is random must
 * not leave a trace in it. So the fixed parts end at a character that no random word has, PEM blocks count by their label, and
 * what belongs to a time counts as time, also where two renders a day apart have it in common (the year).
 * Complexity: linear in both texts.
 */
export function varyingText(first: string, second: string): readonly TextPart[] {
  const [a, b] = [withoutPemBodies(first), withoutPemBodies(second)]
  const [left, right] = [a.split(SEPARATORS), b.split(SEPARATORS)]
  const isAligned =
    left.length === right.length && left.every((part, index) => index % 2 === 0 || part === right[index])
  if (!isAligned) return unaligned(a, b)
  const differs = left.map((word, index) => word !== right[index])
  const isTime = timeWords(left, right, differs)
  return left.flatMap((word, index): readonly TextPart[] => {
    if (isTime[index] === true) return [{ varies: 'time' }]
    if (differs[index] !== true) return word === '' ? [] : [{ fixed: word }]
    return wordParts(word, right[index] ?? '')
  })
}

/** Two texts of the same words would have these in the same places. */
const SEPARATORS = /([^A-Za-z0-9+/=_.-]+)/

/** Blocks of certificates and keys differ in length; in their place stands what they are. */
function withoutPemBodies(text: string): string {
  if (!text.includes('-----BEGIN ')) return text
  const lines: string[] = []
  let label: string | undefined
  for (const line of text.split('\n')) {
    const begins = /^-----BEGIN ([A-Z0-9 ]{1,64})-----$/.exec(line.trim())
    if (label === undefined || begins !== null) lines.push(line)
    if (begins !== null) label = begins[1]
    else if (label !== undefined && /^-----END [A-Z0-9 ]{1,64}-----$/.test(line.trim())) label = undefined
    else if (label !== undefined && !/^[A-Za-z0-9+/=]{0,76}$/.test(line.trim())) return text
  }
  return label === undefined ? lines.join('\n') : text
}

/** Which words are parts of a time that differs: those that differ so, and their neighbours that look like a part of it. */
function timeWords(left: readonly string[], right: readonly string[], differs: readonly boolean[]): readonly boolean[] {
  const isTime = left.map(
    (word, index) => differs[index] === true && isTimeWord(word) && isTimeWord(right[index] ?? ''),
  )
  const spread = (index: number, from: number) => {
    const between = left[(index + from) / 2] ?? ''
    if (isTime[from] === true && TIME_SEPARATOR.test(between) && isTimeWord(left[index] ?? '')) isTime[index] = true
  }
  for (let index = 2; index < left.length; index += 2) spread(index, index - 2)
  for (let index = left.length - 3; index >= 0; index -= 2) spread(index, index + 2)
  return isTime
}

const TIME_SEPARATOR = /^[ :,]{1,2}$/
const TIME_WORD = /^[+-]?\d[\dTZ.+-]{0,40}$/
const TIME_NAME =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|January|February|March|April|June|July|August|September|October|November|December|AM|PM|UTC|GMT|CEST|CET)$/

function isTimeWord(word: string): boolean {
  return TIME_WORD.test(word) || TIME_NAME.test(word)
}

/** A word with a prefix or suffix that stays: `migrate-x7k2p`. */
function wordParts(first: string, second: string): readonly TextPart[] {
  const { prefix, suffix } = fixedEnds(first, second, (char) => !'/._-'.includes(char))
  const [a, b] = [middle(first, prefix, suffix), middle(second, prefix, suffix)]
  if (isTimeWord(a) && isTimeWord(b)) {
    const isPart = (char: string) => TIME_CHAR.test(char)
    return withEnds(cutEnd(prefix, isPart), { varies: 'time' }, cutStart(suffix, isPart))
  }
  // A word that is there in one render only is no chance.
  if (a === '' || b === '') return [{ varies: 'text' }]
  return withEnds(prefix, { varies: 'word', ...sameLength(a, b) }, suffix)
}

const TIME_CHAR = /[\dTZ.+-]/

function unaligned(first: string, second: string): readonly TextPart[] {
  const { prefix, suffix } = fixedEnds(first, second, (char) => WORD_CHAR.test(char))
  const [a, b] = [middle(first, prefix, suffix), middle(second, prefix, suffix)]
  const varies = [a, b].every((text) => /^[!-~]+$/.test(text)) ? 'printable' : 'text'
  return withEnds(prefix, { varies, ...sameLength(a, b) }, suffix)
}

const WORD_CHAR = /[A-Za-z0-9+/=_.-]/

/** What both begin and end with, without what random parts may have in common by chance. */
function fixedEnds(
  first: string,
  second: string,
  mayBeChance: (char: string) => boolean,
): { readonly prefix: string; readonly suffix: string } {
  const shorter = Math.min(first.length, second.length)
  let start = 0
  while (start < shorter && first[start] === second[start]) start += 1
  const prefix = unlessChance(cutEnd(first.slice(0, start), mayBeChance))
  let end = 0
  while (end < shorter - prefix.length && first.at(-1 - end) === second.at(-1 - end)) end += 1
  return { prefix, suffix: unlessChance(cutStart(first.slice(first.length - end), mayBeChance)) }
}

/** Two random words in base64url begin alike, with a dash, once in two thousand times; with three such characters never. */
function unlessChance(text: string): string {
  return text.length < 3 ? '' : text
}

function middle(text: string, prefix: string, suffix: string): string {
  return text.slice(prefix.length, text.length - suffix.length)
}

function cutEnd(text: string, isCut: (char: string) => boolean): string {
  let end = text.length
  while (end > 0 && isCut(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

function cutStart(text: string, isCut: (char: string) => boolean): string {
  let start = 0
  while (start < text.length && isCut(text.charAt(start))) start += 1
  return text.slice(start)
}

function withEnds(prefix: string, part: TextPart, suffix: string): readonly TextPart[] {
  return [...(prefix === '' ? [] : [{ fixed: prefix }]), part, ...(suffix === '' ? [] : [{ fixed: suffix }])]
}

/** Of a longer text the length itself may be chance, as that of a certificate. */
const MAX_COUNTED_CHARS = 256

function sameLength(a: string, b: string): { readonly length?: number } {
  return a.length === b.length && a.length <= MAX_COUNTED_CHARS ? { length: a.length } : {}
}
