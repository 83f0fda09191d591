import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { annotationsMarkdown } from '../../src/directives/annotations-page.ts'
import { dialects } from '../../src/directives/dialects.ts'

test('docs/annotations.md is what the tables say', () => {
  const page = readFileSync(new URL('../../docs/annotations.md', import.meta.url), 'utf8')
  expect(page, 'run `npm run docs`').toBe(annotationsMarkdown())
})

describe('tables', () => {
  const rows = dialects.flatMap((dialect) => dialect.rows.map((row) => ({ ...row, family: dialect.family })))

  test('every key is anchored, has its texts, and one line of the docs with all cells', () => {
    const lines = annotationsMarkdown().split('\n')
    const wrong = rows.flatMap(({ key, pattern, form, meaning }) => {
      const own = lines.filter((text) => text.startsWith(`| \`${key}\` |`))
      const cells = own.map((line) => line.replaceAll('\\|', '').split('|').length)
      return [
        ...(/^\^.*\$$/.test(pattern.source) ? [] : [`${key}: not anchored`]),
        ...([form, meaning].includes('') ? [`${key}: no form or no meaning`] : []),
        ...(cells.length === 1 && cells[0] === 8 ? [] : [`${key}: lines of ${cells.join(', ')} cells`]),
      ]
    })
    expect(wrong).toEqual([])
  })

  test('no key is read by two rows', () => {
    const keys = rows.map((row) => row.key.replaceAll(/<[a-z]+>/g, 'x'))
    for (const key of keys) {
      const readers = rows.filter((row) => row.parse !== undefined && row.pattern.test(key))
      expect(readers.length, key).toBeLessThanOrEqual(1)
    }
  })
})
