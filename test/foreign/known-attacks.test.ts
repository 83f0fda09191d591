import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const ATTACKS = Array.from({ length: 31 }, (_, index) => `S-${String(index + 1).padStart(2, '0')}`)

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const rows = read('SECURITY.md')
  .split('\n')
  .filter((line) => line.startsWith('| S-'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('SECURITY.md lists each known attack once', () => {
  expect(rows.map(([, attack]) => attack)).toEqual(ATTACKS)
})

test.each(rows.map(([, attack = '', , where = '']) => [attack, where] as const))(
  '%s is tested under its name where SECURITY.md says, or does not apply',
  (attack, where) => {
    const files = Array.from(where.matchAll(/`(test\/[^`]+)`/g), ([, file = '']) => file)
    if (files.length === 0) expect(where).toMatch(/^Does not apply: ./)
    for (const file of files) expect(read(file), file).toMatch(new RegExp(`(?:test|describe).*\\n?.*\\b${attack}\\b`))
  },
)
