import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutants } from './mutants.ts'

test('what each mutant replaces stands once in the source', () => {
  const wrong = mutants.flatMap(({ file, rule, from }) => {
    const count = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split(from).length - 1
    return count === 1 ? [] : [`${file}: ${rule}: ${count} times`]
  })
  expect(wrong).toEqual([])
})
