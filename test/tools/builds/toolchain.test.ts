import { expect, it } from 'vitest'
import { goProblem } from '../../../src/tools/builds/toolchain.ts'

const NEEDED = 'Go 1.21 or newer is needed to build the render engine and the test tools, and'

it.each([
  ['1.26.8', undefined],
  ['1.27rc1', undefined],
  ['1.21.0', undefined],
  ['2.0', undefined],
  ['1.9.3', `${NEEDED} the "go" in PATH is 1.9.3.`],
  [undefined, `${NEEDED} no "go" was found in PATH.`],
])('judges the Go that is found: %s', (found, problem) => {
  expect(goProblem(found)).toBe(problem)
})
