import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { helmFlags } from '../../src/inputs/helm-flags.ts'
import { withHelmFlags } from '../../src/inputs/helm-flags-page.ts'

const page = readFileSync(new URL('../../docs/from-helm.md', import.meta.url), 'utf8')

test('docs/from-helm.md has the tables of helm-flags.ts', () => {
  expect(page, 'run `npm run docs`').toBe(withHelmFlags(page))
})

test('each flag stands in one row of three cells', () => {
  const [, tables = ''] = page.split('<!-- flags')
  const rows = tables.split('\n').filter((line) => /^\| `-/.test(line))
  const wrong = helmFlags.filter(({ name }) => {
    const own = rows.filter((row) => new RegExp(`\`--?${name}\``).test(row.split(' | ')[0] ?? ''))
    return own.length !== 1 || own[0]?.split('|').length !== 5
  })
  expect(wrong.map(({ name }) => name)).toEqual([])
})
