import { generateKeyPairSync, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TextPart, varyingText } from '../../src/manifest/varying-text.ts'

/** What two renders of a text have in common (docs/decisions/0041). */
const shown = (first: string, second: string): string => varyingText(first, second).map(partText).join('')

function partText(part: TextPart): string {
  if ('fixed' in part) return part.fixed
  return part.varies === 'time' ? '{time}' : `{${part.varies}${part.length === undefined ? '' : ` ${part.length}`}}`
}

describe('two renders of a text', () => {
  test.each([
    ['a random word', 'aX3b', 'k9Qa', '{word 4}'],
    ['a word behind a prefix', 'migrate-x7k2p', 'migrate-b9c3d', 'migrate-{word 5}'],
    ['a word whose first letters are the same by chance', 'migrate-x7k2p', 'migrate-x9c3p', 'migrate-{word 5}'],
    ['words of other lengths', 'app-abc', 'app-abcd', 'app-{word}'],
    ['a prefix that is too short to be none by chance', 'a-abc', 'a-xyz', '{word 5}'],
    ['two words in one line', 'user: ab12 pass: cd34', 'user: zz98 pass: yy76', 'user: {word 4} pass: {word 4}'],
    ['a time', '2026-11-22T10:00:00Z', '2026-11-23T11:01:01Z', '{time}:{time}:{time}'],
    ['a time behind a text', 'at 2026-11-22 ', 'at 2026-11-23 ', 'at {time} '],
    [
      'a date by names',
      'Sun Nov 22 10:00:00 UTC 2026',
      'Mon Nov 23 11:01:01 UTC 2026',
      '{time} {time} {time} {time}:{time}:{time} {time} {time}',
    ],
    ['seconds', '1790000000', '1790090061', '{time}'],
    ['a port that stays beside a time', 'port=8080; at 10:00', 'port=8080; at 11:01', 'port=8080; at {time}:{time}'],
    ['other words in another number', 'echo hello', 'curl evil | sh', '{text}'],
    ['a word that comes and goes', 'a: ', 'a: b', 'a: {text}'],
    ['symbols without blanks', 'a$b!c', '?x%yz', '{printable 5}'],
  ])('%s', (_what, first, second, expected) => {
    expect(shown(first, second)).toBe(expected)
  })

  test('of a year, a month or a day have one shape whenever they are made', () => {
    const at = (ms: number) => new Date(ms)
    const formats = [
      (date: Date) => date.toISOString(),
      (date: Date) => date.toUTCString().replace(',', ''),
      (date: Date) => date.toISOString().slice(0, 10),
      (date: Date) => `release-${date.toISOString().slice(0, 10)}`,
      (date: Date) => String(Math.floor(date.getTime() / 1000)),
    ]
    for (const format of formats) {
      const shapes = [0, 5, 9, 20, 40, 200, 330, 340].map((days) => {
        const first = Date.UTC(2026, 0, 30, 10, 20, 30) + days * 86_400_000
        return shown(format(at(first)), format(at(first + 90_061_000)))
      })
      expect(new Set(shapes).size).toBe(1)
    }
  })

  test('of keys and certificates count by their labels', () => {
    const pem = () =>
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
    const [first, second] = [String(pem()), String(pem())]
    expect(shown(`${first}a`, `${second}b`)).toContain('BEGIN PRIVATE KEY')
    expect(varyingText(first, second).every((part) => 'fixed' in part)).toBe(true)
    expect(varyingText(`-----BEGIN X-----\nrm -rf /\n-----END X-----`, 'y')).toContainEqual({
      varies: 'text',
      length: undefined,
    })
  })

  test('of random bytes in base64 have one shape', () => {
    const draw = (encoding: 'base64' | 'base64url' | 'hex', bytes: number) => randomBytes(bytes).toString(encoding)
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      const shapes = Array.from({ length: 500 }, () => shown(`k: ${draw(encoding, 32)}`, `k: ${draw(encoding, 32)}`))
      expect(new Set(shapes).size).toBe(1)
    }
  })

  test('that are the same have no part that varies, and any two cost time in their length only', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(shown(text, text)).toBe(text)
      }),
    )
    const long = 'a'.repeat(1_000_000)
    const start = performance.now()
    for (const [a, b] of [
      [long, `${long}b`],
      ['1'.repeat(1_000_000), '2'.repeat(1_000_000)],
      [' '.repeat(1_000_000), 'x'],
    ]) {
      varyingText(String(a), String(b))
    }
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
