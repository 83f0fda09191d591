import { describe, expect, test } from 'vitest'
import type { PassResult } from '../../../src/model/pass.ts'
import { commentKey } from '../../../src/report/comment/comment.ts'
import { failure, info, pass, upgradeDone, upgradeFailed } from '../runs.ts'
import {
  blockedPlan,
  changedPlan,
  emptyPlan,
  fingerprint,
  installPlan,
  noisyPlan,
  offlinePlan,
  rollbackPlan,
  several,
  unapproved,
  uninstallPlan,
  upgradePlan,
  weakPlan,
} from '../shapes.ts'
import { posted } from './posted.ts'

const subject = { cluster: 'prod-eu.example.com', releases: [{ release: 'web', namespace: 'shop' }] }
const salt = 'acme/shop https://github.com/acme/shop/pull/57'

const shapes: readonly (readonly [string, string, readonly PassResult[]])[] = [
  ['plan', 'counts first, warning, table by stage, short diffs open', [upgradePlan]],
  ['noise', 'noise is folded and counted, renamings are one change, CRDs are told in words', [noisyPlan]],
  ['blocked', 'all causes at once', [blockedPlan]],
  ['no-changes', 'one line and no table', [emptyPlan]],
  ['install', 'a first install says so and has no diffs', [installPlan]],
  ['uninstall', 'what goes for good stands in the box', [uninstallPlan]],
  ['rollback', 'a plan to roll back', [rollbackPlan]],
  ['several', 'an index and a section per release', several()],
  ['offline', 'compared with the base branch only, and titled so', [offlinePlan]],
  ['without-dry-run', 'rows of a weak account are marked', [weakPlan]],
  ['plan-changed', 'what differs from the approved plan, resource by resource', [changedPlan]],
  ['approval-missing', 'how to approve', [unapproved]],
  [
    'deployed',
    'the same comment with result and status',
    [pass({ events: upgradeDone, outcome: { status: 'deployed' }, fingerprint })],
  ],
  [
    'failed',
    'the same comment with the sentence and the evidence',
    [pass({ events: upgradeFailed, outcome: { status: 'failed', failure }, fingerprint })],
  ],
  [
    'taken-down',
    'what failed, and that nothing of it is left',
    [
      { ...installPlan, command: 'deploy', outcome: { status: 'failed', failure } },
      { ...uninstallPlan, command: 'uninstall', outcome: { status: 'taken-down' } },
    ],
  ],
  [
    'cancelled',
    'how far it went',
    [
      pass({
        events: upgradeFailed.slice(0, -5),
        outcome: { status: 'cancelled', failure: { ...failure, reason: 'cancelled' } },
        fingerprint,
      }),
    ],
  ],
]

describe('one text for each shape', () => {
  test.each(shapes)('%s: %s', async (name, _what, passes) => {
    const text = posted({ marker: { key: commentKey(subject, salt) }, passes, info })

    await expect(text).toMatchFileSnapshot(`golden/comment-${name}.md.txt`)
  })

  test('releases that were deployed are told in the past tense', () => {
    const done = several().map((one) => ({
      ...one,
      command: 'deploy' as const,
      outcome: { status: 'deployed' as const },
    }))
    const text = posted({ passes: done, info })

    expect(text).toContain('\n### Deployed: 2 releases: 2 updated, 1 deleted, 3 unchanged, 1 hook run\n')
    expect(text).toContain('| `search` | `find` | deployed: nothing changed, 2 unchanged |')
  })

  test('a release and its tests are one release: no index', () => {
    const done = { ...upgradePlan, command: 'deploy' as const, outcome: { status: 'deployed' as const } }
    const tested = { ...done, command: 'test' as const, outcome: { status: 'tested' as const } }
    const text = posted({ passes: [done, tested], info })

    expect(text.match(/^### .*$/gm)).toEqual([
      '### Deployed `web` in `shop`: revision 13 in 0.9 s',
      '### Tested `web` in `shop` in 0.9 s',
    ])
    expect(text).toContain('**Status:** 1 deployed, 1 tested in')
  })

  test('approval needed: a deploy runs only if the plan is still this one', async () => {
    const text = posted({
      passes: [upgradePlan],
      info: { ...info, label: 'eu', needsApproval: true },
    })

    await expect(text).toMatchFileSnapshot('golden/comment-approval.md.txt')
  })
})

describe('identity of a comment', () => {
  test('is the same for any order of releases', () => {
    const two = [...subject.releases, { release: 'db', namespace: 'shop' }]

    expect(commentKey({ ...subject, releases: two }, salt)).toBe(
      commentKey({ ...subject, releases: two.toReversed() }, salt),
    )
  })

  test.each([
    ['another cluster', { ...subject, cluster: 'dev.example.com' }, salt],
    ['a label', { ...subject, label: 'eu' }, salt],
    ['a label that reads like the cluster', { ...subject, label: subject.cluster }, salt],
    ['another namespace', { ...subject, releases: [{ release: 'web', namespace: 'dev' }] }, salt],
    ['another pull request', subject, `${salt}8`],
  ])('is another for %s', (_what, other, otherSalt) => {
    expect(commentKey(other, otherSalt)).not.toBe(commentKey(subject, salt))
  })

  test('with a label does not depend on the cluster', () => {
    const labelled = { ...subject, label: 'eu' }

    expect(commentKey({ ...labelled, cluster: 'dev.example.com' }, salt)).toBe(commentKey(labelled, salt))
  })
})
