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

  test.each(rows)('$key: anchored, of its family, and every line of the docs has its cells', (row) => {
    expect(row.pattern.source).toMatch(/^\^.*\$$/)
    expect([row.form, row.meaning].includes('')).toBe(false)
    const line = annotationsMarkdown()
      .split('\n')
      .filter((text) => text.startsWith(`| \`${row.key}\` |`))
    expect(line).toHaveLength(1)
    expect(line[0]?.replaceAll('\\|', '').split('|')).toHaveLength(8)
  })

  test('no key is read by two rows', () => {
    const keys = rows.map((row) => row.key.replaceAll(/<[a-z]+>/g, 'x'))
    for (const key of keys) {
      const readers = rows.filter((row) => row.parse !== undefined && row.pattern.test(key))
      expect(readers.length, key).toBeLessThanOrEqual(1)
    }
  })
})
