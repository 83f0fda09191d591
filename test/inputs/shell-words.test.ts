import { describe, expect, test } from 'vitest'
import { shellWords } from '../../src/inputs/shell-words.ts'
import { hintText } from '../../src/report/words/hint-text.ts'

const words = (text: string) => {
  const { words, faults } = shellWords(text)
  expect(faults).toEqual([])
  return words.map((word) => word.text)
}
const faults = (text: string) => shellWords(text).faults.map(({ what, hint }) => `${what}: ${hintText(hint)}`)

describe('words of a text as a shell splits it', () => {
  test.each<[string, readonly string[]]>([
    ['', []],
    ['  \n\t ', []],
    ['--wait --timeout 5m', ['--wait', '--timeout', '5m']],
    ['--wait\n--timeout 5m\n', ['--wait', '--timeout', '5m']],
    ['--wait \\\n  --timeout 5m \\\n', ['--wait', '--timeout', '5m']],
    ['--wait \\\r\n  --timeout 5m', ['--wait', '--timeout', '5m']],
    ['--wait \\', ['--wait']],
    ["--set 'a b=c d'", ['--set', 'a b=c d']],
    ['--set="a b"=c" "d', ['--set=a b=c d']],
    [`'a'"b"c`, ['abc']],
    [`"" ''`, ['', '']],
    [String.raw`a\ b \"c\" \\`, ['a b', '"c"', '\\']],
    [String.raw`"a\"b\\c\$d\e"`, [String.raw`a"b\c$d\e`]],
    [String.raw`'a\b'`, [String.raw`a\b`]],
    ['"a\\\nb"', ['ab']],
    ["'a\nb'", ['a\nb']],
    ['--set a[0].b={x,y}', ['--set', 'a[0].b={x,y}']],
    ['# all\n--wait # until ready\n--set a=#b', ['--wait', '--set', 'a=#b']],
    ['a=^b$ "c$" $/ 5$', ['a=^b$', 'c$', '$/', '5$']],
    ["'$HOME' '`x`' '*' '~' ';'", ['$HOME', '`x`', '*', '~', ';']],
    ['"*" "~" "|" "#"', ['*', '~', '|', '#']],
    ['a~ b=c~d --file=~x ~1.2 a=~2', ['a~', 'b=c~d', '--file=~x', '~1.2', 'a=~2']],
    ['a!b {{x}} é🙂', ['a!b', '{{x}}', 'é🙂']],
  ])('%j', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  test('know their lines', () => {
    expect(shellWords("a 'b\nc' \\\n d\n\ne").words).toEqual([
      { text: 'a', line: 1 },
      { text: 'b\nc', line: 1 },
      { text: 'd', line: 3 },
      { text: 'e', line: 5 },
    ])
  })
})

describe('what a shell would do beside splitting', () => {
  const expanded =
    'is expanded by a shell, and nothing is expanded here: put it into single quotes, or write the value itself, or an expression of GitHub Actions for it'
  test.each<[string, string]>([
    ['--set a=$SECRET', `line 1: "$" ${expanded}`],
    ['--set "a=$SECRET"', `line 1: "$" ${expanded}`],
    ['--set a=${B', `line 1: "$" ${expanded}`],
    ['a=$(id)', `line 1: "$" ${expanded}`],
    ["$'a'", `line 1: "$" ${expanded}`],
    ['\n"a=`id`"', `line 2: "\`" ${expanded}`],
  ])('%j expands', (text, fault) => {
    expect(faults(text)[0]).toBe(fault)
  })

  test.each(['|', '&', ';', '<', '>', '(', ')'])('%s is an operator', (mark) => {
    expect(faults(`--wait ${mark} x`)).toEqual([
      `line 1: "${mark}" outside of quotes ends or redirects the command in a shell: put it into quotes, or leave it out`,
    ])
  })

  test.each(['-f values/*.yaml', '-f values-?.yaml'])('%s stands for files', (text) => {
    expect(faults(text)).toEqual([
      `line 1: "${text.includes('*') ? '*' : '?'}" outside of quotes stands for file names in a shell, and nothing is expanded here: put it into quotes, or name each file; input values-files takes patterns`,
    ])
  })

  test.each(['-f ~/values.yaml', '~', 'a=~/b', '~root/x'])('%s stands for a home folder', (text) => {
    expect(faults(text)[0]).toContain('line 1: "~" outside of quotes stands for a home folder')
  })

  test.each([`--set 'a=hunter2`, `--set "a=hunter2`, `\n--set a=hunter2\\'b'cd`])('%j has an open quote', (text) => {
    const [fault, ...more] = faults(text)
    expect(fault).toMatch(/^line [12]: the quote ['"] is not closed: /)
    expect(fault).not.toContain('hunter2')
    expect(more).toEqual([])
  })

  test('is told once for each mark and line, and ten times at most', () => {
    expect(faults('$a $b\n$c')).toHaveLength(2)
    expect(faults('$a\n'.repeat(50))).toHaveLength(10)
  })

  test('a text longer than any command line is not read', () => {
    expect(shellWords('a '.repeat(40_000)).words).toEqual([])
    expect(faults('a '.repeat(40_000))[0]).toContain('is longer than 65536 characters')
  })
})
