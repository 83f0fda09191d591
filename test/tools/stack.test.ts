import { expect, test } from 'vitest'
import { withOrigins } from '../../src/tools/stack.ts'

test('places of the bundle become places of the sources, everything else of a stack stays', () => {
  const stack = [
    'Error: no',
    '    at f (file:///a/dist/action.js:7:94)',
    '    at async /a/dist/action.js:8:1',
    '    at node:internal/x:1:2',
  ]
  const originOf = (line: number, column: number) => (line === 7 ? `src/main.ts:${column}` : undefined)
  expect(withOrigins(stack.join('\n'), originOf).split('\n')).toEqual([
    'Error: no',
    '    at f (src/main.ts:94)',
    '    at async /a/dist/action.js:8:1',
    '    at node:internal/x:1:2',
  ])
})
