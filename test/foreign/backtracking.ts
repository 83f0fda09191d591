/** How the worst search of a regular expression grows with the text, told by its shape: nothing is run and no time measured. */
export type Growth = 'linear' | 'polynomial' | 'exponential' | 'not analysed'

/**
 * What a backtracking matcher may do: `exponential` where one text can run a loop in two ways, `polynomial` where two
 * loops in a row (or the search itself and a loop) share a text. Loops that can only end in a match do not count, and
 * every other match is taken to fail. Source: Weideman et al., "Analyzing Matching Time Behavior of Backtracking Regular
 * Expression Matchers", 2016.
 */
export function growthOf({ source, flags }: { readonly source: string; readonly flags: string }): Growth {
  const root = parse(source)
  if (root === undefined) return 'not analysed'
  const pattern = flags.includes('y') ? root : searched(root, flags)
  const automaton = positionsOf(pattern, alphabetOf(source), flags)
  if (automaton.atoms.length > MAX_POSITIONS) return 'not analysed'
  if (hasTwoWaysAround(automaton)) return 'exponential'
  return hasTwoLoops(automaton) ? 'polynomial' : 'linear'
}

const MAX_POSITIONS = 400
/** Counted repetitions are unrolled this often: more of the same changes no growth. */
const UNROLLED = 2

type Node =
  | { readonly kind: 'atom'; readonly text: string }
  | { readonly kind: 'assertion'; readonly text: string }
  /** A lookaround: its matches end there. */
  | { readonly kind: 'look'; readonly inner: Node }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly inner: Node; readonly min: number; readonly max: number }

function sequence(...parts: readonly Node[]): Node {
  return { kind: 'sequence', parts }
}

/** Undefined for what is not known here, such as references to groups. */
function parse(source: string): Node | undefined {
  let index = 0
  const choice = (): Node | undefined => {
    const parts: Node[] = []
    do {
      const part = terms()
      if (part === undefined) return undefined
      parts.push(part)
    } while (source[index] === '|' && index++ >= 0)
    return parts.length === 1 ? parts[0] : { kind: 'choice', parts }
  }
  const terms = (): Node | undefined => {
    const parts: Node[] = []
    while (index < source.length && source[index] !== '|' && source[index] !== ')') {
      const one = term()
      if (one === undefined) return undefined
      parts.push(repeated(one))
    }
    return { kind: 'sequence', parts }
  }
  const take = (text: RegExp): string | undefined => {
    const found = new RegExp(text.source, 'y')
    found.lastIndex = index
    const matched = found.exec(source)?.[0]
    if (matched !== undefined) index += matched.length
    return matched
  }
  const term = (): Node | undefined => {
    if (take(/\\[bB]|[$^]/) !== undefined) return { kind: 'assertion', text: source[index - 1] ?? '' }
    if (source[index] === '(') {
      const opening = take(/\((?:\?(?:<?[=!]|:|<\w+>))?/) ?? '('
      const inner = choice()
      if (inner === undefined || source[index++] !== ')') return undefined
      return /^\(\?<?[=!]/.test(opening) ? { kind: 'look', inner } : inner
    }
    if (take(/\\(?:[1-9]|k<)/) !== undefined) return undefined
    const text = take(
      /\[(?:\\.|[^\]\\])*\]|\\u\{[^}]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[pP]\{[^}]+\}|\\c[A-Z]|\\.|[^\\]/,
    )
    return text === undefined ? undefined : { kind: 'atom', text }
  }
  const repeated = (inner: Node): Node => {
    const text = take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/)
    if (text === undefined) return inner
    const [, from = '', upTo] = /^\{(\d+)(?:,(\d*))?\}/.exec(text) ?? []
    if (from !== '') {
      const max = upTo === undefined ? Number(from) : upTo === '' ? Number.POSITIVE_INFINITY : Number(upTo)
      return { kind: 'repeat', inner, min: Number(from), max }
    }
    return {
      kind: 'repeat',
      inner,
      min: text[0] === '+' ? 1 : 0,
      max: text[0] === '?' ? 1 : Number.POSITIVE_INFINITY,
    }
  }
  const root = choice()
  return index === source.length ? root : undefined
}

/** A search tries every place: before what may begin anywhere comes anything, before `^` with `m` the lines above. */
function searched(root: Node, flags: string): Node {
  const parts = alternatives(root).map((part) => {
    if (!startsAtStart(part)) return sequence(ANYTHING, part)
    return flags.includes('m') ? sequence(LINES, part) : part
  })
  return { kind: 'choice', parts }
}

/** `(^|/)x` as `^x` and `/x`. */
function alternatives(node: Node): readonly Node[] {
  if (node.kind === 'choice') return node.parts.flatMap(alternatives)
  const [first, ...rest] = node.kind === 'sequence' ? node.parts : []
  return first === undefined ? [node] : alternatives(first).map((part) => sequence(part, ...rest))
}

function startsAtStart(node: Node): boolean {
  if (node.kind === 'assertion') return node.text === '^'
  if (node.kind === 'choice') return node.parts.every(startsAtStart)
  return node.kind === 'sequence' && node.parts[0] !== undefined && startsAtStart(node.parts[0])
}

const ANYTHING: Node = {
  kind: 'repeat',
  inner: { kind: 'atom', text: '[^]' },
  min: 0,
  max: Number.POSITIVE_INFINITY,
}
const LINES: Node = { kind: 'repeat', inner: sequence(ANYTHING, { kind: 'atom', text: '\\n' }), min: 0, max: 1 }

/** Characters that tell the classes of the expression apart. */
function alphabetOf(source: string): readonly string[] {
  const written = [...source].map((char) => char.codePointAt(0) ?? 0)
  const escaped = [...source.matchAll(/\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/g)].map(
    ([, braces, four, two]) => Number.parseInt(braces ?? four ?? two ?? '0', 16),
  )
  const around = [...written, ...escaped].flatMap((code) => [code - 1, code, code + 1])
  const ascii = Array.from({ length: 128 }, (_, code) => code)
  const samples = [0x85, 0xa0, 0xad, 0xb5, 0xe9, 0x2028, 0x200b, 0x202e, 0xfeff, 0x3042, 0xd800, 0xdc00, 0x1f600]
  const codes = new Set([...ascii, ...samples, ...around.filter((code) => code >= 0 && code <= 0x10ffff)])
  return [...codes].map((code) => String.fromCodePoint(code))
}

/** Glushkov's automaton: a state per atom. `follow`: the atoms after each, with the number of ways between the two. */
interface Automaton {
  readonly atoms: readonly bigint[]
  readonly follow: readonly ReadonlyMap<number, number>[]
}

interface Part {
  readonly isEmpty: boolean
  /** Empty only where an assertion holds. */
  readonly isAsserted: boolean
  readonly first: readonly number[]
  readonly last: readonly number[]
}

function positionsOf(root: Node, alphabet: readonly string[], flags: string): Automaton {
  const atoms: bigint[] = []
  const follow: Map<number, number>[] = []
  const asserted = new Set<number>()
  const connect = (from: readonly number[], to: readonly number[]) => {
    for (const source of from)
      for (const target of to) {
        follow[source]?.set(target, (follow[source]?.get(target) ?? 0) + 1)
      }
  }
  const build = (node: Node): Part => {
    switch (node.kind) {
      case 'atom': {
        const test = new RegExp(`^(?:${node.text})$`, flags.replaceAll(/[gyd]/g, ''))
        atoms.push(alphabet.reduce((set, char, bit) => (test.test(char) ? set | (1n << BigInt(bit)) : set), 0n))
        follow.push(new Map())
        return { isEmpty: false, isAsserted: false, first: [atoms.length - 1], last: [atoms.length - 1] }
      }
      case 'assertion':
        return { isEmpty: true, isAsserted: true, first: [], last: [] }
      case 'look': {
        const { first, last } = build(node.inner)
        // Its end is no match of the whole.
        for (const end of last) asserted.add(end)
        return { isEmpty: true, isAsserted: true, first, last: [] }
      }
      case 'choice': {
        const parts = node.parts.map(build)
        return {
          isEmpty: parts.some(({ isEmpty }) => isEmpty),
          isAsserted: parts.every(({ isEmpty, isAsserted }) => !isEmpty || isAsserted),
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
        }
      }
      case 'sequence':
        return node.parts.reduce<Part>((before, next) => joined(before, build(next)), NOTHING)
      case 'repeat': {
        const isEndless = node.max === Number.POSITIVE_INFINITY
        const needed = Math.min(node.min, UNROLLED)
        const more = isEndless ? (needed === 0 ? 1 : 0) : Math.min(node.max, UNROLLED) - needed
        let whole: Part = NOTHING
        for (let count = 0; count < needed + more; count += 1) {
          const part = build(node.inner)
          const isLast = count === needed + more - 1
          if (isEndless && isLast) connect(part.last, part.first)
          whole = joined(whole, count < needed ? part : { ...part, isEmpty: true, isAsserted: false })
        }
        return whole
      }
    }
  }
  const joined = (before: Part, next: Part): Part => {
    connect(before.last, next.first)
    if (next.isEmpty && next.isAsserted) for (const end of before.last) asserted.add(end)
    return {
      isEmpty: before.isEmpty && next.isEmpty,
      isAsserted: before.isAsserted || next.isAsserted,
      first: before.isEmpty ? [...before.first, ...next.first] : before.first,
      last: next.isEmpty ? [...before.last, ...next.last] : next.last,
    }
  }
  const { last } = build(root)
  const final = new Set(last.filter((end) => !asserted.has(end)))
  // From there on a match is certain, and nothing is tried again.
  return { atoms, follow: follow.map((targets, state) => (final.has(state) ? new Map() : targets)) }
}

const NOTHING: Part = { isEmpty: true, isAsserted: false, first: [], last: [] }

/** A state that one text leads back to itself in two ways. */
function hasTwoWaysAround({ atoms, follow }: Automaton): boolean {
  const around = loopsOf(follow)
  const twice = follow.some((targets, from) =>
    [...targets].some(([target, ways]) => ways > 1 && around.get(from)?.has(target) === true),
  )
  if (twice) return true
  const size = atoms.length
  const pairs = (pair: number): readonly number[] => {
    const [a, b] = [Math.floor(pair / size), pair % size]
    const found: number[] = []
    for (const left of follow[a]?.keys() ?? []) {
      if (!around.get(a)?.has(left)) continue
      for (const right of follow[b]?.keys() ?? []) {
        if (around.get(b)?.has(right) && overlap(atoms[left], atoms[right])) found.push(left * size + right)
      }
    }
    return found
  }
  return atoms.some((_, state) => {
    if (!around.has(state)) return false
    const ahead = reach([state * size + state], pairs)
    const apart = [...ahead].filter((pair) => Math.floor(pair / size) !== pair % size)
    return apart.some((pair) => reach([pair], pairs).has(state * size + state))
  })
}

/** States p and q, and a text that leads from p to p, from p to q and from q to q. */
function hasTwoLoops({ atoms, follow }: Automaton): boolean {
  const around = loopsOf(follow)
  const size = atoms.length
  const loops = [...around.keys()]
  return loops.some((p) =>
    loops.some((q) => {
      if (p === q) return false
      const steps = (triple: number): readonly number[] => {
        const [a, b, c] = [Math.floor(triple / size / size), Math.floor(triple / size) % size, triple % size]
        const found: number[] = []
        for (const first of follow[a]?.keys() ?? []) {
          if (!around.get(p)?.has(first)) continue
          for (const third of follow[c]?.keys() ?? []) {
            const shared = (atoms[first] ?? 0n) & (atoms[third] ?? 0n)
            if (shared === 0n || !around.get(q)?.has(third)) continue
            for (const second of follow[b]?.keys() ?? []) {
              if (overlap(shared, atoms[second])) found.push((first * size + second) * size + third)
            }
          }
        }
        return found
      }
      return reach([(p * size + p) * size + q], steps).has((p * size + q) * size + q)
    }),
  )
}

function overlap(a: bigint | undefined, b: bigint | undefined): boolean {
  return ((a ?? 0n) & (b ?? 0n)) !== 0n
}

/** For each state on a loop, the states it shares loops with. */
function loopsOf(follow: Automaton['follow']): ReadonlyMap<number, ReadonlySet<number>> {
  const ahead = follow.map((_, state) => reach([state], (from) => [...(follow[from]?.keys() ?? [])]))
  return new Map(
    ahead.flatMap((found, state) =>
      found.has(state) ? [[state, new Set([...found].filter((other) => ahead[other]?.has(state)))] as const] : [],
    ),
  )
}

/** What is reached in one step or more. */
function reach(from: readonly number[], steps: (from: number) => readonly number[]): ReadonlySet<number> {
  const found = new Set<number>()
  const open = [...from]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of steps(next)) {
      if (found.has(target)) continue
      found.add(target)
      open.push(target)
    }
  }
  return found
}
