import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { shellWords } from '../../src/inputs/shell-words.ts'
import { seededRandom } from '../seeded-random.ts'

/** Pieces of a command line, each whole; none of them begins a comment inside of a word. */
const PIECES = [' ', '  ', '\t', '\\\n', 'a', '=', '[0]', '{b,c}', '-', '!', 'é', '^', '%', ',', '$', '$/', '~', '#']
const QUOTED = [
  "'a b'",
  "''",
  `'"'`,
  "'$x'",
  "'\n'",
  '"a b"',
  '""',
  `"'"`,
  '"\\""',
  '"\\\\"',
  '"\\a"',
  '"\\\nb"',
  '"$"',
]
const ESCAPED = ['\\ ', '\\a', '\\\\', "\\'", '\\"', '\\$', '\\~', '\\*', '\\;', '\\#']
const CASES = 400

test.each(['sh', 'bash --norc --posix +B'])('%s splits a text that has no fault in the same way', async (shell) => {
  const texts = [...commandLines()].filter((text) => shellWords(text).faults.length === 0 && !endsInComment(text))
  expect(texts.length).toBeGreaterThan(CASES / 4)
  // The end mark tells the words of one text from those of the next.
  const script = texts.map((text) => `printf '%s\\0' ${text} \nprintf 'END\\0'`).join('\n')
  const [program = '', ...options] = shell.split(' ')
  const { stdout } = await promisify(execFile)(program, [...options, '-fc', script], { env: { LC_ALL: 'C.UTF-8' } })
  const ours = texts.map((text) => {
    const words = shellWords(text).words.map((word) => word.text)
    // printf prints its format once where it gets no words.
    return [...(words.length === 0 ? [''] : words), 'END'].map((word) => `${word}\0`).join('')
  })
  expect(stdout).toBe(ours.join(''))
})

/** A line break behind a comment ends the command in a shell; in an input it separates words. */
function endsInComment(text: string): boolean {
  return text.includes('#') && text.includes('\n')
}

function* commandLines(): Generator<string> {
  const random = seededRandom(13)
  const all = [...PIECES, ...PIECES, ...QUOTED, ...ESCAPED]
  for (let index = 0; index < CASES; index++) {
    const length = 1 + Math.floor(random() * 12)
    yield Array.from({ length }, () => all[Math.floor(random() * all.length)] ?? '').join('')
  }
}
