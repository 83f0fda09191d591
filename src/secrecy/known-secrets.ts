import type { Secrets } from '../ports.ts'

/** Shortest value that is kept out of texts, in characters (docs/decisions/0010). */
const MIN_SECRET_CHARS = 6

/**
 * Hides each value plain, in base64, URL- and JSON-escaped, each of its lines, the leaves of values that are JSON, and
 * passwords inside URLs. The time for a text depends on its length, not on the number of values: they are kept as a tree of
 * chunks.
 */
export function createSecrets(): Secrets {
  const all = createMatcher()
  const lookedUp = createMatcher()
  /** Which of the looked-up values, by the order in which names showed them. */
  const numbers = new Map<string, number>()
  const numberedMask = (hidden: string): string => {
    const number = numbers.get(hidden) ?? numbers.size + 1
    numbers.set(hidden, number)
    return number === 1 ? MASK : `${MASK}${number}`
  }
  return {
    add: all.add,
    addLookedUp: (value) => {
      all.add(value)
      lookedUp.add(value)
    },
    redact: (text) => all.hide(text, () => MASK),
    redactNames: (text) => lookedUp.hide(text, numberedMask),
  }
}

interface Matcher {
  readonly add: (value: string) => void
  /** The text with each range of values replaced. */
  readonly hide: (text: string, maskOf: (hidden: string) => string) => string
}

function createMatcher(): Matcher {
  const known = new Set<string>()
  const inBase64 = new Set<string>()
  const root = emptyNode()
  const filter = new Uint8Array(FILTER_SIZE)

  const addForm = (form: string): void => {
    if (form.length < MIN_SECRET_CHARS || known.has(form) || COMMON_TEXT.has(form.toLowerCase())) return
    known.add(form)
    for (const piece of piecesOf(form)) {
      filter[filterIndex(piece, 0)] = 1
      insert(root, piece)
    }
  }

  return {
    add: (value) => {
      for (const part of secretParts(value)) {
        const bare = part.trim()
        if (!isHideable(bare)) continue
        for (const form of formsOf(bare)) addForm(form)
        // Blanks in front change all of the base64 text, those behind only its end.
        for (const form of [...new Set([bare, part.trimEnd()])].flatMap(base64FormsOf)) {
          addForm(form)
          inBase64.add(piecesOf(form).at(-1) ?? form)
        }
      }
    },
    hide: (text, maskOf) => {
      if (known.size === 0) return text
      const lengthAt = (index: number) => {
        const length = filter[filterIndex(text, index)] === 0 ? 0 : longestAt(root, text, index)
        const isEncoded = length > 0 && inBase64.has(text.slice(index, index + length))
        return isEncoded ? length + base64EndAt(text, index + length) : length
      }
      return hideRanges(text, lengthAt, maskOf)
    },
  }
}

const MASK = '***'
const FILTER_SIZE = 65_536
const MAX_LEAVES = 2_000
/** Longer values are hidden piece by piece, in characters: one that repeats itself would be compared in full at every place. */
const PIECE_CHARS = 1_024

/** Ordinary words of logs, plans and charts: hiding them would make every text unreadable and protect nothing. */
const COMMON_TEXT: ReadonlySet<string> = new Set(
  `apiversion applied changed charts client cluster config configmap container created credentials custom database default
  delete deleted deploy deployed deployment development disabled docker enabled example failed generic google hidden hostname
  helm.sh install kubernetes latest localhost mariadb master metadata mongodb namespace opaque password postgres postgresql
  prefer private production public rabbitmq readonly recreate release replicas require required revision rollback secret
  secrets server service service_account staging status string support system templates testing uninstall unchanged update
  updated upgrade username version 127.0.0.1 0.0.0.0`.split(/\s+/),
)

/** The value itself, its lines, the leaves of its JSON, and the passwords of URLs in it, each with the blanks around it. */
function secretParts(value: string): readonly string[] {
  const lines = value.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  const isMultiLine = lines.length > 1
  return [
    value,
    ...(isMultiLine ? lines.filter((line) => !/^-----(BEGIN|END) [A-Z0-9 ]+-----$/.test(line.trim())) : []),
    ...leavesOf(value.trim()),
    ...urlPasswords(value),
  ]
}

function formsOf(part: string): readonly string[] {
  return [
    part,
    encodeURIComponent(part.toWellFormed()),
    JSON.stringify(part).slice(1, -1),
    // Go's encoder writes these three as escapes.
    JSON.stringify(part)
      .slice(1, -1)
      .replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
  ]
}

/** None is shorter than a value may be. */
function piecesOf(form: string): readonly string[] {
  const pieces: string[] = []
  let from = 0
  for (; form.length - from >= PIECE_CHARS + MIN_SECRET_CHARS; from += PIECE_CHARS) {
    pieces.push(form.slice(from, from + PIECE_CHARS))
  }
  return [...pieces, form.slice(from)]
}

function isHideable(part: string): boolean {
  return part.length >= MIN_SECRET_CHARS && !COMMON_TEXT.has(part.toLowerCase())
}

function base64FormsOf(part: string): readonly string[] {
  const base64 = stableBase64(part)
  return [base64, base64.replaceAll('+', '-').replaceAll('/', '_')]
}

/** The characters of the base64 text that do not depend on what follows the value (a line feed, padding). */
function stableBase64(part: string): string {
  const bytes = Buffer.from(part, 'utf8')
  return bytes.toString('base64').slice(0, Math.floor((bytes.length * 4) / 3))
}

/**
 * How many characters end a base64 text there: the last bits of the value, up to two line feeds and the padding. 0 where
 * the text goes on with more than that.
 */
function base64EndAt(text: string, index: number): number {
  BASE64_END.lastIndex = index
  return BASE64_END.exec(text)?.[0].length ?? 0
}

const BASE64_END = /[A-Za-z0-9+/_-]{0,6}={0,2}(?![A-Za-z0-9+/_=-])/y

/** String leaves of a value that is a JSON object, such as `.dockerconfigjson`; `auth` is `base64(user:password)`. */
function leavesOf(text: string): readonly string[] {
  if (!text.startsWith('{') || !text.endsWith('}')) return []
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch {
    return [] // Not JSON after all: the value itself and its lines are known.
  }
  const leaves: string[] = []
  const open: { readonly key: string; readonly value: unknown }[] = [{ key: '', value: root }]
  for (let next = open.pop(); next !== undefined && leaves.length < MAX_LEAVES; next = open.pop()) {
    const { key, value } = next
    if (typeof value === 'string') {
      leaves.push(value)
      if (key === 'auth') leaves.push(...passwordOfAuth(value))
    } else if (typeof value === 'object' && value !== null) {
      for (const [childKey, child] of Object.entries(value)) open.push({ key: childKey, value: child })
    }
  }
  return leaves.flatMap((leaf) => [leaf, ...leaf.split(/[\r\n]+/)])
}

function passwordOfAuth(auth: string): readonly string[] {
  const text = Buffer.from(auth, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? [] : [text.slice(colon + 1)]
}

function urlPasswords(text: string): readonly string[] {
  return [...text.matchAll(/\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,256}:([^\s/@]{1,512})@/gi)].flatMap((match) => {
    const password = match[1] ?? ''
    try {
      return [password, decodeURIComponent(password)]
    } catch {
      return [password] // A lone percent sign: the password was not escaped.
    }
  })
}

/** `next`: by the next `MIN_SECRET_CHARS` characters; `tails`: what remains of values that end before that. */
interface Node {
  readonly next: Map<string, Node>
  readonly tails: Set<string>
}

function emptyNode(): Node {
  return { next: new Map(), tails: new Set() }
}

function insert(root: Node, form: string): void {
  let node = root
  let from = 0
  for (; form.length - from >= MIN_SECRET_CHARS; from += MIN_SECRET_CHARS) {
    const chunk = form.slice(from, from + MIN_SECRET_CHARS)
    const next = node.next.get(chunk) ?? emptyNode()
    node.next.set(chunk, next)
    node = next
  }
  node.tails.add(form.slice(from))
}

/** Length of the longest value that stands at `index`, or 0. */
function longestAt(root: Node, text: string, index: number): number {
  let longest = 0
  let from = index
  for (let node: Node | undefined = root; node !== undefined; from += MIN_SECRET_CHARS) {
    for (let length = MIN_SECRET_CHARS - 1; length >= 0 && node.tails.size > 0; length--) {
      if (from + length > text.length || !node.tails.has(text.slice(from, from + length))) continue
      longest = from + length - index
      break
    }
    node = node.next.get(text.slice(from, from + MIN_SECRET_CHARS))
  }
  return longest
}

/** Replaces every hidden range once; ranges that overlap or touch become one mask. */
function hideRanges(text: string, lengthAt: (index: number) => number, maskOf: (hidden: string) => string): string {
  const ranges: { from: number; until: number }[] = []
  for (let index = 0; index <= text.length - MIN_SECRET_CHARS; index++) {
    const length = lengthAt(index)
    if (length === 0) continue
    const last = ranges.at(-1)
    if (last === undefined || index > last.until) ranges.push({ from: index, until: index + length })
    else last.until = Math.max(last.until, index + length)
  }
  const parts = ranges.flatMap(({ from, until }, index) => [
    text.slice(ranges[index - 1]?.until ?? 0, from),
    maskOf(text.slice(from, until)),
  ])
  return parts.join('') + text.slice(ranges.at(-1)?.until ?? 0)
}

/** Cheap hash of three characters: at most positions of a text it shows that no value begins there. */
function filterIndex(text: string, index: number): number {
  const [a, b, c] = [text.charCodeAt(index), text.charCodeAt(index + 1), text.charCodeAt(index + 2)]
  return (a * 961 + b * 217 + c) & (FILTER_SIZE - 1)
}
