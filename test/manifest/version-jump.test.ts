import { expect, test } from 'vitest'
import { versionJump } from '../../src/manifest/version-jump.ts'

test.each<[string, string, string, ReturnType<typeof versionJump>]>([
  ['a major version', '1.8.0', '2.0.0', 'major'],
  ['a version of two parts', '16.4', '17.0', 'major'],
  ['behind a v', 'v1.9.1', 'v2.0.0', 'major'],
  ['with a variant', '17.6-alpine', '18.1-alpine', 'major'],
  ['a lone number', '16', '17', 'major'],
  ['a lone number with a variant', '20-alpine', '22-bookworm', 'major'],
  ['a release candidate', '1.9.0', '2.0.0-rc.1', 'major'],
  ['build metadata', '1.9.0+1', '2.0.0+build.7', 'major'],
  ['more than three parts', '7.17.0.1', '8.0.0.1', 'major'],
  ['back', '2.1.0', '1.9.0', 'major-downgrade'],
  ['a minor version', '1.8.0', '1.9.2', undefined],
  ['a minor version before the first major one', '0.4.0', '0.5.0', undefined],
  ['the first major version', '0.9.0', '1.0.0', 'major'],
  ['the same', '1.8.0', '1.8.0', undefined],
  ['a year', '2024.1.1', '2025.1.1', undefined],
  ['a date', '20240101', '20250101', undefined],
  ['a year of two digits, with its month', '22.04', '24.04', undefined],
  ['where only one month has a zero', '23.10', '24.04', undefined],
  ['a year in another place', 'RELEASE.2024-01-01', 'RELEASE.2025-01-01', undefined],
  ['a build number', '1234', '1235', undefined],
  ['a hash', '4a5b6c7', '5b6c7d8', undefined],
  ['a hash of digits', '1234567', '7654321', undefined],
  ['a word', 'latest', 'stable', undefined],
  ['a word that becomes a version', 'latest', '2.0.0', undefined],
  ['a long text', `1.${'0'.repeat(100_000)}`, `2.${'0'.repeat(100_000)}`, undefined],
])('%s: %s, then %s', (_what, before, after, expected) => {
  expect(versionJump(before, after)).toBe(expected)
})
