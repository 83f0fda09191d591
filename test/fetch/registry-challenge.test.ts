import { expect, test } from 'vitest'
import { readChallenges } from '../../src/fetch/registry-challenge.ts'

const read = (header: string) =>
  readChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)])

test.each([
  [
    'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:a/b:pull"',
    [
      [
        'bearer',
        { realm: 'https://auth.docker.io/token', service: 'registry.docker.io', scope: 'repository:a/b:pull' },
      ],
    ],
  ],
  ['Basic realm="Registry Realm"', [['basic', { realm: 'Registry Realm' }]]],
  ['BEARER Realm=https://a/token , service = "b"', [['bearer', { realm: 'https://a/token', service: 'b' }]]],
  [
    'Bearer realm="a", Basic realm="b"',
    [
      ['bearer', { realm: 'a' }],
      ['basic', { realm: 'b' }],
    ],
  ],
  [
    'Negotiate, Basic realm="a \\"b\\", c"',
    [
      ['negotiate', {}],
      ['basic', { realm: 'a "b", c' }],
    ],
  ],
  ['Bearer realm="open', [['bearer', { realm: 'open' }]]],
  ['realm="a"', []],
  ['', []],
])('%s', (header, challenges) => {
  expect(read(header)).toEqual(challenges)
})

test('a header of many kilobytes is not read', () => {
  expect(read(`Bearer realm="${'a'.repeat(10_000)}"`)).toEqual([])
})
