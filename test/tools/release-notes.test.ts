import { expect, test } from 'vitest'
import { releaseNotes } from '../../src/tools/release-notes.ts'

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- later\n\n## 1.2.3 (2026-11-30)\n\n- one\n- two\n\n## 1.2.2\n\n- old\n\n## 1.2.1\n'

test('the notes of a release are the section of its version', () => {
  expect(releaseNotes(CHANGELOG, { tag: 'v1.2.3', version: '1.2.3' })).toBe('- one\n- two\n')
  expect(releaseNotes(CHANGELOG, { tag: 'v1.2.2', version: '1.2.2' })).toBe('- old\n')
})

test.each([
  ['another tag than package.json has', 'v1.2.4', '1.2.3', 'the tag is v1.2.4, and package.json has the version 1.2.3'],
  ['no tag', '', '1.2.3', 'the tag is missing, and package.json has the version 1.2.3'],
  [
    'a version without a section, as the beginning of another',
    'v1.2',
    '1.2',
    'CHANGELOG.md has no text under "## 1.2": rename "## Unreleased" first',
  ],
  [
    'a section without text',
    'v1.2.1',
    '1.2.1',
    'CHANGELOG.md has no text under "## 1.2.1": rename "## Unreleased" first',
  ],
])('no release is made of %s', (_, tag, version, message) => {
  expect(() => releaseNotes(CHANGELOG, { tag, version })).toThrow(message)
})
