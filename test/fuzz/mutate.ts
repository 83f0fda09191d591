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

export function mutated(seed: string, others: readonly string[], random: () => number): string {
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
