import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutants } from './mutants.ts'

test.each(mutants)('$file: $rule stands once in the source', ({ file, from }) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  expect(text.split(from).length - 1).toBe(1)
})
