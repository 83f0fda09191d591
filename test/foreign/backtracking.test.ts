import { describe, expect, test } from 'vitest'
import { growthOf } from './backtracking.ts'
import { literal, sourcePatterns } from './source-patterns.ts'

const LITERAL = String.raw`(true|false|-?\d+(?:\.\d+)?|"(?:[^"\\\n]|\\.)*"|${'`[^`]*`'})`
const KOTS_LITERALS = String.raw`/repl\{\{-?\s*${LITERAL}\s*-?\}\}|\{\{repl-?\s+${LITERAL}\s*-?\}\}/g`

describe('the judge of regular expressions', () => {
  test.each([
    ['two loops that share blanks around an optional value', String.raw`/\s*=\s*([^,"']*)\s*(?:,|$)/y`, 'polynomial'],
    ['a loop in a loop', '/^(a+)+$/', 'exponential'],
    ['a loop over a choice that overlaps', '/^(a|aa)+$/', 'exponential'],
    ['a loop over a choice of disjoint things', String.raw`/^"(?:[^"\\]|\\.)*"$/`, 'linear'],
    ['blanks at the end, searched for from every place', String.raw`/\s+$/`, 'polynomial'],
    ['blanks anywhere: a match needs only one', String.raw`/\s+/g`, 'linear'],
    ['a lookahead to the end of the text after every comma', `/,(?=[^']*$)/`, 'polynomial'],
    ['an anchored class', '/^[a-z0-9-]+$/', 'linear'],
    ['two classes with a separator between', '/^[^/]+/[^/]+$/', 'linear'],
    ['lines that begin with a word', `/^parent ([0-9a-f]+)$/gm`, 'linear'],
    ['a counted piece', String.raw`/\ba[a-z]{0,20}:/`, 'linear'],
    ['a reference to a group', String.raw`/(a)\1/`, 'not analysed'],
  ])('%s', (_name, pattern, growth) => {
    expect(growthOf(literal(pattern))).toBe(growth)
  })
})

const patterns = sourcePatterns()

/** Those that would backtrack over a long text, and why theirs is short. */
const SHORT_TEXTS = new Map([
  ['src/record/time.ts', 'what Date.toISOString gives'],
  ['src/report/markdown/long-lines.ts', 'a slice of AROUND_CHARS characters'],
])

/** One text of each that is put together, as long as no part of it is foreign. */
const PUT_TOGETHER: ReadonlyMap<string, string> = new Map([
  ['src/directives/werf-tracking.ts', String.raw`/^werf\.io\/log-regex-for-(?<container>.+)$/`],
  ['src/report/rows/marked-fields.ts', String.raw`/\.securityContext(\.(privileged|runAsUser)\b|$)/`],
  ['src/record/transitions.ts', String.raw`/^(?:Install|Upgrade) underway by (\S+)/`],
  ['src/inputs/kots-template.ts', KOTS_LITERALS],
])

test('no regular expression of the action backtracks over a text', () => {
  const worse = patterns
    .filter(({ isLiteral }) => isLiteral)
    .map(({ file, text }) => ({ file, text, growth: growthOf(literal(text)) }))
    .filter(({ file, growth }) => growth !== 'linear' && !SHORT_TEXTS.has(file))
  expect(worse.map(({ file, text, growth }) => `${growth}: ${file} ${text}`)).toEqual([])
  expect(patterns.length).toBeGreaterThan(100)
})

test('an expression that is put together is known here, and does not backtrack either', () => {
  const files = patterns.filter(({ isLiteral }) => !isLiteral).map(({ file }) => file)
  expect(files.toSorted()).toEqual([...PUT_TOGETHER.keys()].toSorted())
  expect([...PUT_TOGETHER.values()].map((text) => growthOf(literal(text)))).toEqual(files.map(() => 'linear'))
})
