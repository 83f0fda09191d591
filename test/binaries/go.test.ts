import { expect, it } from 'vitest'
import { goProblem } from './go.ts'

it.each([
  ['1.26.8', undefined],
  ['1.27rc1', undefined],
  ['2.0', undefined],
  ['1.9.3', 'Go 1.26 or newer is needed to build the test binaries, and the "go" in PATH is 1.9.3.'],
  [undefined, 'Go 1.26 or newer is needed to build the test binaries, and no "go" was found in PATH.'],
])('judges the Go that is found: %s', (found, problem) => {
  expect(goProblem(found, '1.26')).toBe(problem)
})
