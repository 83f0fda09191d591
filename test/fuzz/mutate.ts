/** Numbers below 1 that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** What breaks parsers: ends of texts and structures, names of JavaScript, numbers at limits, commands, control characters. */
const PIECES = [
  '',
  '\0',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '\u2028',
  '\ufeff',
  '\u202e',
  '\ud800',
  '"',
  "'",
  '`',
  '\\',
  '\\\\"',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  ',',
  ':',
  ';',
  '=',
  '==',
  '.',
  '..',
  '...',
  '*',
  '@',
  '$',
  '?',
  '!',
  '%',
  '%00',
  '%zz',
  '&',
  '<!--',
  '-->',
  '|',
  '>-',
  '<<',
  '- ',
  '---\n',
  '&a ',
  '*a',
  '!!js/function ',
  '#',
  '::error::',
  '##[group]',
  '::stop-commands::x',
  '../',
  '/etc/passwd',
  '~',
  'null',
  'true',
  'NaN',
  '0',
  '-1',
  '1e999',
  '-0',
  '9007199254740993',
  '99999999999999999999',
  '0x10',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '\x1b[31m',
  '-----BEGIN CERTIFICATE-----',
  '(a+)+$',
  '[^]',
  '(?=',
  '{{',
  '}}',
  'repl{{',
  '.status',
] as const

const MAX_CHARS = 20_000
const MAX_REPEATS = 3_000

const MAX_EDITS = 4
/** How often a text that is JSON stays JSON, with other values in other places. */
const SHARE_OF_VALUES = 0.7

/** What becomes of a text: other characters, or, where it is JSON, often other values. */
export function mutated(seed: string, others: readonly string[], random: () => number): string {
  const value = random() < SHARE_OF_VALUES ? jsonOf(seed) : undefined
  return value === undefined ? withOtherText(seed, others, random) : withOtherValues(value, others, random)
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

function jsonOf(text: string): Json[] | { [key: string]: Json } | undefined {
  if (!/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json[] | { [key: string]: Json }
  } catch {
    return undefined
  }
}

function withOtherValues(
  root: Json[] | { [key: string]: Json },
  others: readonly string[],
  random: () => number,
): string {
  const below = (end: number) => Math.floor(random() * end)
  const pick = <T>(from: readonly T[]): T | undefined => from[below(from.length)]
  for (let times = 1 + below(MAX_EDITS); times > 0; times -= 1) {
    // A walk down from the root: the deeper, the rarer.
    let holder: Json[] | { [key: string]: Json } = root
    for (;;) {
      const inner: Json | undefined = pick(Object.values(holder))
      if (typeof inner !== 'object' || inner === null || random() < 0.2) break
      holder = inner
    }
    const keys = Object.keys(holder)
    const key = random() < 0.9 ? (pick(keys) ?? 'name') : (pick(PIECES) ?? '')
    // Not what is inherited: a later walk would come to what all objects have.
    const old = Object.hasOwn(holder, key) ? (holder as { [key: string]: Json })[key] : undefined
    const value = otherValue(old ?? null, others, random)
    if (random() < 0.1) delete (holder as { [key: string]: Json })[key]
    else if (Array.isArray(holder) && random() < 0.3) holder.push(...Array.from({ length: below(50) }, () => value))
    else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return JSON.stringify(root)
}

function otherValue(old: Json, others: readonly string[], random: () => number): Json {
  const below = (end: number) => Math.floor(random() * end)
  const strange: readonly Json[] = [null, true, -1, 0, 1e21, 1.5, 2 ** 53, '', [], {}, [[]], [null], { '': '' }]
  switch (below(4)) {
    case 0:
      return strange[below(strange.length)] ?? null
    case 1:
      return [old]
    case 2:
      return typeof old === 'string'
        ? withOtherText(old, others, random).slice(0, 500)
        : String(JSON.stringify(old)).slice(0, 500)
    default:
      return PIECES[below(PIECES.length)] ?? ''
  }
}

function withOtherText(seed: string, others: readonly string[], random: () => number): string {
  const below = (end: number) => Math.floor(random() * end)
  const pick = <T>(from: readonly T[]): T | undefined => from[below(from.length)]
  let text = seed
  for (let times = 1 + below(5); times > 0; times -= 1) {
    const [from, until] = [below(text.length + 1), below(text.length + 1)].toSorted((a, b) => a - b) as [number, number]
    const [head, middle, tail] = [text.slice(0, from), text.slice(from, until), text.slice(until)]
    const piece = pick(PIECES) ?? ''
    switch (below(8)) {
      case 0:
        text = head + tail
        break
      case 1:
        text = head + piece + middle + tail
        break
      case 2:
        text = head + (piece || ' ').repeat(1 + below(MAX_REPEATS)) + middle + tail
        break
      case 3:
        text = head + middle.slice(0, 40).repeat(1 + below(200)) + tail
        break
      case 4:
        text = head + String.fromCharCode(below(0x180)) + text.slice(from + 1)
        break
      case 5:
        text = head + (pick(others) ?? '') + tail
        break
      case 6:
        text = head + piece + tail
        break
      default:
        text = text.replace(/\d+/, () => String(10 ** below(20)))
    }
    text = text.slice(0, MAX_CHARS)
  }
  return text
}
