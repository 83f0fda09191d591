/** Longest accepted path, in characters: far beyond any real one, and parsing takes time. */
const MAX_CHARS = 1024
/** Keys or indices in one pair of brackets. */
const MAX_SELECTORS = 16

export type Translation = { readonly query: string } | { readonly error: string }

/**
 * client-go's JSONPath as an RFC 9535 query. They differ in spelling only: braces around the path, no root, dots in
 * keys escaped with a backslash, filters in parentheses. Not supported, with an error that says so: `range`, text
 * around the braces, and a second `..` (its cost grows with the square of the object). Source: k8s.io/client-go
 * util/jsonpath/parser.go, read for its grammar.
 */
export function toRfc9535(path: string): Translation {
  const text = unwrapped(path)
  if (text.length > MAX_CHARS) return { error: `longer than ${MAX_CHARS} characters` }
  if (text === '') return { error: 'empty path' }
  const segments: string[] = []
  let rest = text.replace(/^[$@]/, '')
  let hasDescent = false
  while (rest !== '') {
    const segment = nextSegment(rest)
    if ('error' in segment) return segment
    if (segment.query.startsWith('..')) {
      if (hasDescent) return { error: 'more than one ".."' }
      hasDescent = true
    }
    segments.push(segment.query)
    rest = rest.slice(segment.length)
  }
  return { query: `$${segments.join('')}` }
}

type Segment = { readonly query: string; readonly length: number }

/** `.key`, with any character escaped by a backslash; ends where client-go ends it. */
const FIELD = /^(?:\\.|[^\s.,[\]${}@\\])+/s

function nextSegment(text: string): Segment | { readonly error: string } {
  if (text.startsWith('..')) {
    const after = nextSegment(text.startsWith('..[') ? text.slice(2) : text.slice(1))
    if ('error' in after) return after
    const dots = text.startsWith('..[') ? 2 : 1
    return { query: `..${after.query}`, length: after.length + dots }
  }
  if (text.startsWith('.[')) {
    const after = bracket(text.slice(1))
    return 'error' in after ? after : { ...after, length: after.length + 1 }
  }
  if (text.startsWith('.')) {
    const name = FIELD.exec(text.slice(1))?.[0]
    // A single dot is the object itself.
    if (name === undefined) return text === '.' ? { query: '', length: 1 } : unexpected(text.slice(1))
    const query = name === '*' ? '[*]' : `[${quoted(unescaped(name))}]`
    return { query, length: name.length + 1 }
  }
  if (text.startsWith('[')) return bracket(text)
  return unexpected(text)
}

function bracket(text: string): Segment | { readonly error: string } {
  if (text.startsWith('[?(')) return filter(text)
  const inner = /^\[((?:'[^']*'|[^\]'])*)\]/.exec(text)?.[1]
  if (inner === undefined) return { error: 'unclosed [' }
  const selectors = [...`${inner},`.matchAll(/((?:'[^']*'|[^,'])*),/gy)].map(([, part = '']) => selector(part.trim()))
  if (selectors.includes(undefined)) return { error: `invalid array index [${inner}]` }
  if (selectors.length > MAX_SELECTORS) return { error: `more than ${MAX_SELECTORS} keys or indices in []` }
  return { query: `[${selectors.join(',')}]`, length: inner.length + 2 }
}

function selector(text: string): string | undefined {
  if (text === '*') return '*'
  const key = /^'([^']*)'$/.exec(text)?.[1]
  // client-go parses a quoted key as a path, so that a dot in it must be escaped; here it is one key.
  if (key !== undefined) return key === '' ? undefined : quoted(unescaped(key))
  if (/^-?\d{1,9}$/.test(text)) return String(Number(text))
  return /^(-?\d{1,9})?:(-?\d{1,9})?(:\d{1,9})?$/.test(text) ? text : undefined
}

/** `[?(@.type=="Ready")]`: one comparison, or one path that must exist. */
const FILTER =
  /^\[\?\(\s*(@(?:[^=!<>()"']|'[^']*')*)(?:(==|!=|<=|>=|<|>)\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\d.]*|true|false|null)\s*|(@[^=!<>()"']*)))?\)\]/s

function filter(text: string): Segment | { readonly error: string } {
  const found = FILTER.exec(text)
  const [all, left, operator, constant, path] = found ?? []
  const right = constant ?? path?.trim()
  if (all === undefined || left === undefined) return { error: 'invalid filter, expected [?(@.key=="value")]' }
  const leftQuery = relative(left.trim())
  if ('error' in leftQuery) return leftQuery
  if (operator === undefined || right === undefined) return { query: `[?${leftQuery.query}]`, length: all.length }
  const rightQuery = right.startsWith('@') ? relative(right) : { query: literal(right) }
  if ('error' in rightQuery) return rightQuery
  return { query: `[?${leftQuery.query} ${operator} ${rightQuery.query}]`, length: all.length }
}

function relative(path: string): Translation {
  const rest = path.slice(1)
  if (rest.includes('..') || rest.includes('?')) return { error: 'a filter may hold plain keys and indices only' }
  const translated = rest === '' ? { query: '$' } : toRfc9535(rest)
  return 'error' in translated ? translated : { query: `@${translated.query.slice(1)}` }
}

function literal(text: string): string {
  if (!/^["']/.test(text)) return text
  return quoted(unescaped(text.slice(1, -1)))
}

function unwrapped(path: string): string {
  const trimmed = path.trim()
  return trimmed.startsWith('{') && trimmed.endsWith('}') ? trimmed.slice(1, -1).trim() : trimmed
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1')
}

/** RFC 9535 takes JSON's string syntax. */
function quoted(text: string): string {
  return JSON.stringify(text)
}

function unexpected(text: string): { readonly error: string } {
  return { error: `unexpected ${JSON.stringify(text.slice(0, 20))}` }
}
