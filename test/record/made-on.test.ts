import { describe, expect, test } from 'vitest'
import type { History, ReleaseStatus } from '../../src/model/release.ts'
import { historyOf } from '../../src/record/history.ts'
import { madeOn, madeOnOther } from '../../src/record/made-on.ts'
import { recordOf, secretOf } from './records.ts'

/** `1 superseded a`: number, status and manifest of each revision. */
function historyFrom(...revisions: readonly string[]): History {
  const secrets = revisions.map((text) => {
    const [version, status, manifest = ''] = text.split(' ')
    return secretOf(recordOf(Number(version), status as ReleaseStatus, { manifest }))
  })
  return historyOf(secrets, 'web')
}

const own = recordOf(1, 'deployed', { manifest: 'ours' })
const then = (before: History, now: History) => madeOnOther(now, madeOn(before), own)

describe('a plan made on revision 3', () => {
  const before = historyFrom('2 superseded a', '3 deployed b')

  test.each<[string, History]>([
    ['nothing happened', before],
    ['a run of it failed', historyFrom('3 deployed b', '4 failed ours')],
    ['a run of it was killed', historyFrom('3 deployed b', '4 pending-upgrade ours')],
    ['a run of it failed and was rolled back', historyFrom('3 superseded b', '4 failed ours', '5 deployed b')],
    ['it was deployed, and the run failed later', historyFrom('3 superseded b', '4 deployed ours')],
    ['older revisions left the history', historyFrom('3 deployed b')],
    ['its uninstall failed half-way', historyFrom('2 superseded a', '3 uninstalling b')],
  ])('is good where %s', (_what, now) => {
    expect(then(before, now)).toBeUndefined()
  })

  test.each<[string, History, string]>([
    ['another plan was deployed', historyFrom('3 superseded b', '4 deployed c'), 'revision 4 was deployed since then'],
    [
      'another plan was deployed after it',
      historyFrom('3 superseded b', '4 superseded ours', '5 deployed c'),
      'revision 5 was deployed since then',
    ],
    [
      'it was deployed and then taken back',
      historyFrom('3 superseded b', '4 superseded ours', '5 deployed b'),
      'revision 5 was deployed since then',
    ],
    [
      'the revision left the history',
      historyFrom('4 superseded c', '5 deployed d'),
      'the revision that it was made on is not the deployed one any more',
    ],
    [
      'a revision in between left the history',
      historyFrom('3 superseded b', '5 deployed b'),
      'revisions since then are not in the history any more',
    ],
    [
      'the release was uninstalled',
      historyFrom('2 superseded a', '3 uninstalled b'),
      'the revision that it was made on is not the deployed one any more',
    ],
    [
      'the history began anew',
      historyFrom('1 deployed x'),
      'the revision that it was made on is not the deployed one any more',
    ],
  ])('is too old where %s', (_what, now, why) => {
    expect(then(before, now)).toBe(why)
  })
})

describe('a plan made on no revision', () => {
  const none: History = { revisions: [], unreadable: [] }

  test('is good until something else was deployed', () => {
    expect(then(none, none)).toBeUndefined()
    expect(then(none, historyFrom('1 failed ours'))).toBeUndefined()
    expect(then(none, historyFrom('1 failed x', '2 deployed ours'))).toBeUndefined()
    expect(then(none, historyFrom('1 deployed x'))).toBe('revision 1 was deployed since then')
    expect(then(none, historyFrom('1 superseded ours', '2 deployed x'))).toBe('revision 2 was deployed since then')
    expect(then(none, historyFrom('1 uninstalled ours'))).toBe('revision 1 was deployed since then')
  })
})

test('the mark is not the digest of the record, which is a key', () => {
  expect(madeOn(historyFrom('1 deployed a'))).toMatch(/^[\w-]{22}$/)
})
