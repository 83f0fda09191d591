import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { visibleText } from '../../src/github/comment-body.ts'
import { parseMarker } from '../../src/github/comment-marker.ts'
import type { PassResult } from '../../src/model/pass.ts'
import type { CommentMarker, FoundPullRequest } from '../../src/ports.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { passAsIs } from '../../src/secrecy/printed-as-is.ts'
import { madeFrom, redacted, redactedText } from '../../src/secrecy/redacted.ts'
import { markerSignature } from '../../src/trust/marker-signature.ts'
import { createPlanReview, type PlanReviewOptions } from '../../src/trust/plan-review.ts'
import { addressOf, type FakePullRequest, fakePullRequest, openPullRequest } from '../doubles/fake-pull-request.ts'
import { apply, group, plan, ref, stage } from '../report/plans.ts'

const RELEASES = [{ release: 'web', namespace: 'shop' }]
const update = apply(ref('apps/v1', 'Deployment', 'web'), 'update', { code: 'chart-changed', paths: ['/spec'] })
const changing = plan({ stages: [stage('main', [group(0, [[update]])])] })

function passOf(change: Partial<PassResult> = {}): PassResult {
  return {
    command: 'plan',
    ...RELEASES[0],
    release: 'web',
    namespace: 'shop',
    plan: changing,
    fingerprint: { hash: 'ab'.repeat(32), comparedBy: 'dry-run', digests: { 'main/apply/web': 'AAAAAAAA' } },
    problems: [],
    events: [],
    outcome: { status: 'planned' },
    startedAtMs: 1_000,
    finishedAtMs: 2_000,
    readAtMs: 1_500,
    requests: 3,
    ...change,
  }
}
const deployed = passOf({ command: 'deploy', outcome: { status: 'deployed' } })
const failure = { reason: 'not-ready', doing: 'wait for readiness', message: 'it crashes' } as const

let pullRequest: FakePullRequest
beforeEach(() => {
  pullRequest = fakePullRequest()
})

function review(change: Partial<PlanReviewOptions> = {}) {
  const { approvedPlans, post, endedEarly } = createPlanReview({
    pullRequest,
    info: { cluster: 'prod.example', actionVersion: '0', commitSha: openPullRequest.headSha },
    releases: RELEASES,
    event: { isPullRequest: true, isMergeGroup: false },
    comment: 'changes',
    commentMode: 'update',
    diffContext: 3,
    repository: 'acme/shop',
    ...change,
  })
  return {
    approvedPlans,
    endedEarly: (sentence: string) => endedEarly(redactedText(sentence, createSecrets())),
    post: (passes: readonly PassResult[]) => {
      const run = redacted({ passes }, { passes: passAsIs }, createSecrets())
      return post(madeFrom(run, (one) => one.passes))
    },
  }
}
const onPush: Partial<PlanReviewOptions> = { event: { isPullRequest: false, isMergeGroup: false } }
const markerOf = (index: number): CommentMarker | undefined => parseMarker(pullRequest.bodies()[index] ?? '')

describe('a plan on the pull request', () => {
  test('is posted with its fingerprint', async () => {
    expect(await review().post([passOf()])).toEqual({ url: addressOf(1) })
    expect(markerOf(0)).toMatchObject({
      headSha: 'def5678',
      readAtMs: 1_500,
      plans: [{ release: 'web', namespace: 'shop', hash: 'ab'.repeat(32) }],
    })
  })

  test('is kept in one comment', async () => {
    await review().post([passOf()])
    await review().post([passOf({ readAtMs: 3_000 })])
    expect(pullRequest.bodies()).toHaveLength(1)
    expect(markerOf(0)?.readAtMs).toBe(3_000)
  })

  test('of the same commit that was read earlier does not go over a later one', async () => {
    await review().post([passOf({ readAtMs: 3_000 })])
    expect(await review().post([passOf({ readAtMs: 2_000 })])).toEqual({})
    expect(markerOf(0)?.readAtMs).toBe(3_000)
  })

  test('of a commit that is not the head any more is left to the summary', async () => {
    pullRequest.world.headNow = 'fff9999'
    expect(await review().post([passOf()])).toEqual({
      note: 'pull request 57 has a newer commit: its comment is left to that run',
    })
    expect(pullRequest.bodies()).toEqual([])
  })

  test('with comment-mode: always-new is a comment of its own each time', async () => {
    await review({ commentMode: 'always-new' }).post([passOf()])
    await review({ commentMode: 'always-new' }).post([passOf()])
    expect(pullRequest.bodies()).toHaveLength(2)
  })

  test.each([
    ['changes', plan({}), 0],
    ['changes', changing, 1],
    ['always', plan({}), 1],
    ['never', changing, 0],
  ] as const)('with comment: %s', async (comment, shown, amount) => {
    await review({ comment }).post([passOf({ plan: shown })])
    expect(pullRequest.bodies()).toHaveLength(amount)
  })

  test.each([
    [true, 1],
    [false, 0],
  ])('whose hooks merely run is posted where a deploy needs it to be approved: %s', async (isNeeded, amount) => {
    const job = apply(ref('batch/v1', 'Job', 'migrate'), 'none', { code: 'unchanged' }, { hook: 'pre-upgrade' })
    const hooks = plan({ stages: [stage('pre', [group(0, [[job]])])] })
    const info = { cluster: 'prod.example', actionVersion: '0', ...(isNeeded ? { needsApproval: true as const } : {}) }
    await review({ info }).post([passOf({ plan: hooks })])
    expect(pullRequest.bodies()).toHaveLength(amount)
  })

  test('that is blocked is posted, and approves nothing', async () => {
    await review().post([passOf({ outcome: { status: 'failed', failure } })])
    expect(markerOf(0)?.plans).toBeUndefined()
  })

  test('of another label or cluster is another comment; the label stands for the cluster', async () => {
    const info = { actionVersion: '0', cluster: 'prod.example' }
    await review({ info }).post([passOf()])
    await review({ info: { ...info, cluster: 'test.example' } }).post([passOf()])
    await review({ info: { ...info, label: 'eu' } }).post([passOf()])
    await review({ info: { ...info, label: 'eu', cluster: 'test.example' } }).post([passOf()])
    expect(pullRequest.bodies()).toHaveLength(3)
  })
})

describe('a deploy', () => {
  test('on the event of the pull request keeps the comment open', async () => {
    await review().post([passOf()])
    await review().post([deployed])
    expect(pullRequest.bodies()).toHaveLength(1)
    expect(markerOf(0)?.isClosed).toBeUndefined()
  })

  test('on another event closes the comment, and the next plan is a new one', async () => {
    await review().post([passOf()])
    await review(onPush).post([deployed])
    expect(markerOf(0)?.isClosed).toBe(true)
    await review().post([passOf()])
    expect(pullRequest.bodies()).toHaveLength(2)
  })

  test('closes the comment, a test of the release does not', async () => {
    await review().post([passOf()])
    await review(onPush).post([passOf({ command: 'test', outcome: { status: 'tested' } })])
    expect(markerOf(0)?.isClosed).toBeUndefined()
  })

  test('that stops at the first of several releases tells it where all of them were planned', async () => {
    const releases = [...RELEASES, { release: 'other', namespace: 'shop' }]
    await review({ releases }).post([passOf(), passOf({ release: 'other' })])
    await review({ releases }).post([passOf({ ...deployed, outcome: { status: 'failed', failure } })])
    expect(pullRequest.bodies()).toHaveLength(1)
    expect(pullRequest.bodies()[0]).toContain('failed')
  })

  test('on another event makes no comment', async () => {
    expect(await review(onPush).post([deployed])).toEqual({})
    expect(pullRequest.bodies()).toEqual([])
  })

  test('that fails leaves the comment open, with the plan that was approved', async () => {
    await review().post([passOf()])
    const other = { hash: 'cd'.repeat(32), comparedBy: 'dry-run', digests: {} } as const
    await review(onPush).post([passOf({ ...deployed, fingerprint: other, outcome: { status: 'failed', failure } })])
    expect(markerOf(0)?.isClosed).toBeUndefined()
    expect(markerOf(0)?.plans?.[0]?.hash).toBe('ab'.repeat(32))
  })
})

describe('a comment that somebody else has edited', () => {
  test('approves nothing after a deploy has written over it', async () => {
    await review().post([passOf()])
    pullRequest.world.isEdited = true
    await review(onPush).post([passOf({ ...deployed, outcome: { status: 'failed', failure } })])
    expect(markerOf(0)?.plans).toBeUndefined()
  })

  test('is left alone by a merge queue', async () => {
    await review().post([passOf()])
    const before = pullRequest.bodies()
    pullRequest.world.isEdited = true
    await review({ event: { isPullRequest: false, isMergeGroup: true } }).post([passOf()])
    expect(pullRequest.bodies()).toEqual(before)
  })
})

describe('a merge queue', () => {
  const queue: Partial<PlanReviewOptions> = { event: { isPullRequest: false, isMergeGroup: true } }

  test('changes only the status', async () => {
    await review().post([passOf()])
    const before = pullRequest.bodies()[0] ?? ''
    await review(queue).post([passOf({ readAtMs: 9_000 })])
    const after = pullRequest.bodies()[0] ?? ''
    expect(after).not.toBe(before)
    const untilStatus = (body: string) => body.slice(0, body.indexOf('<!-- status -->'))
    expect(untilStatus(after)).toBe(untilStatus(before))
  })

  test('makes no comment', async () => {
    await review(queue).post([passOf()])
    expect(pullRequest.bodies()).toEqual([])
  })
})

describe('what was approved', () => {
  test('is what the newest open comment shows', async () => {
    await review().post([passOf()])
    expect(await review(onPush).approvedPlans(RELEASES)).toEqual({
      plans: [
        {
          release: 'web',
          namespace: 'shop',
          hash: 'ab'.repeat(32),
          comparedBy: 'dry-run',
          digests: { 'main/apply/web': 'AAAAAAAA' },
        },
      ],
    })
  })

  test.each([
    ['no pull request', (world: FakePullRequest['world']) => (world.found = undefined), 'no pull request'],
    ['an edited comment', (world: FakePullRequest['world']) => (world.isEdited = true), 'edited by another user'],
  ])('is nothing with %s', async (_name, happen, why) => {
    await review().post([passOf()])
    happen(pullRequest.world)
    expect(await review(onPush).approvedPlans(RELEASES)).toEqual({ why: expect.stringContaining(why) })
  })

  test('is nothing without a comment, with a closed one, or with one of other releases', async () => {
    const why = { why: 'pull request 57 has no open comment with this plan' }
    expect(await review(onPush).approvedPlans(RELEASES)).toEqual(why)
    await review().post([passOf()])
    expect(await review(onPush).approvedPlans([...RELEASES, { release: 'other', namespace: 'shop' }])).toEqual(why)
    await review(onPush).post([deployed])
    expect(await review(onPush).approvedPlans(RELEASES)).toEqual(why)
  })

  test('counts only where who asks in a comment may write to the repository', async () => {
    await review().post([passOf()])
    const asked = (commenter: string) =>
      review({ event: { isPullRequest: false, isMergeGroup: false, commenter } }).approvedPlans(RELEASES)
    expect(await asked('ann')).toHaveProperty('plans')
    expect(await asked('eve')).toEqual({ why: 'eve has no write permission for this repository' })
  })
})

describe('a run that was killed', () => {
  const sentence = 'the deploy of web in shop ended early: revision 3 is marked failed, and its lock is released.'

  test('leaves a comment that says so, and keeps what was approved there', async () => {
    await review().post([passOf()])
    const [before = ''] = pullRequest.bodies()
    await review().endedEarly(sentence)
    const [after = ''] = pullRequest.bodies()
    expect(after).toContain('**Status:** killed: the deploy of web in shop ended early: revision 3')
    expect(parseMarker(after)?.plans).toEqual(parseMarker(before)?.plans)
  })

  test('makes no comment, and leaves one alone that somebody else has edited', async () => {
    await review().endedEarly(sentence)
    expect(pullRequest.bodies()).toEqual([])
    await review().post([passOf()])
    pullRequest.world.isEdited = true
    await review().endedEarly(sentence)
    expect(pullRequest.bodies()[0]).not.toContain('ended early')
  })
})

describe('with approval-key', () => {
  const key = 'k'.repeat(32)
  const signing = { approvalKey: key }
  const checking = { ...onPush, approvalKey: key }
  const refused = { why: expect.stringMatching(/^the comment is not signed with approval-key/) }

  test('a plan that a run with the key has posted is approved, also after a deploy that failed', async () => {
    await review(signing).post([passOf()])
    expect(await review(checking).approvedPlans(RELEASES)).toMatchObject({ plans: [{ hash: 'ab'.repeat(32) }] })
    await review(checking).post([passOf({ command: 'deploy', outcome: { status: 'failed', failure } })])
    expect(await review(checking).approvedPlans(RELEASES)).toMatchObject({ plans: [{ hash: 'ab'.repeat(32) }] })
    await review(checking).endedEarly('the deploy ended early')
    expect(await review(checking).approvedPlans(RELEASES)).toMatchObject({ plans: [{ hash: 'ab'.repeat(32) }] })
  })

  test.each<[string, Partial<PlanReviewOptions>]>([
    ['another key', { ...onPush, approvalKey: 'x'.repeat(32) }],
    ['no key', onPush],
  ])('a deploy with %s that fails takes no approval away: it writes its status only', async (_what, by) => {
    await review(signing).post([passOf()])
    await review(by).post([passOf({ command: 'deploy', outcome: { status: 'failed', failure } })])
    expect(pullRequest.bodies()[0]).toMatch(/\*\*Status:\*\* .*failed/)
    expect(await review(checking).approvedPlans(RELEASES)).toMatchObject({ plans: [{ hash: 'ab'.repeat(32) }] })
  })

  test('so is a plan whose digests did not fit: what the marker holds is signed', async () => {
    const digests = Object.fromEntries(
      Array.from({ length: 600 }, (_none, index) => [
        `main/apply//ConfigMap/shop/${index * 7_919}`,
        createHash('sha256').update(`${index}`).digest('base64url').slice(0, 22),
      ]),
    )
    await review(signing).post([passOf({ fingerprint: { hash: 'ab'.repeat(32), comparedBy: 'dry-run', digests } })])
    expect(markerOf(0)?.plans?.[0]?.digests).toBeUndefined()
    expect(await review(checking).approvedPlans(RELEASES)).toMatchObject({ plans: [{ hash: 'ab'.repeat(32) }] })
  })

  test.each<[string, Partial<PlanReviewOptions>]>([
    ['by nobody', {}],
    ['with another key', { approvalKey: 'x'.repeat(32) }],
    ['in another repository', { ...signing, repository: 'eve/shop' }],
  ])('a plan that is signed %s is not', async (_what, by) => {
    const posted = review({ ...by, repository: 'acme/shop' })
    await posted.post([passOf()])
    if (by.repository !== undefined) {
      const signature = markerSignature(
        key,
        { repository: by.repository, number: 57, headSha: openPullRequest.headSha },
        { marker: markerOf(0) ?? { key: '' }, text: visibleText(pullRequest.bodies()[0] ?? '') },
      )
      pullRequest.rewrite(0, { signature })
    }
    expect(await review(checking).approvedPlans(RELEASES)).toEqual(refused)
  })

  test.each<[string, (marker: CommentMarker) => Partial<CommentMarker>]>([
    ['another hash', ({ plans = [] }) => ({ plans: plans.map((one) => ({ ...one, hash: 'cd'.repeat(32) })) })],
    [
      'another digest',
      ({ plans = [] }) => ({ plans: plans.map((one) => ({ ...one, digests: { 'main/apply/web': 'B' } })) }),
    ],
    [
      'a digest more',
      ({ plans = [] }) => ({ plans: plans.map((one) => ({ ...one, digests: { ...one.digests, evil: 'B' } })) }),
    ],
    [
      'digests of stages in their place',
      ({ plans = [] }) => ({
        plans: plans.map(({ digests: _none, ...one }) => ({ ...one, stageDigests: { main: 'B' } })),
      }),
    ],
    ['another release', ({ plans = [] }) => ({ plans: plans.map((one) => ({ ...one, release: 'other' })) })],
    ['another namespace', ({ plans = [] }) => ({ plans: plans.map((one) => ({ ...one, namespace: 'other' })) })],
    [
      'another way to compare',
      ({ plans = [] }) => ({ plans: plans.map((one) => ({ ...one, comparedBy: 'rendered-fields' })) }),
    ],
    ['a plan more', ({ plans = [] }) => ({ plans: [...plans, ...plans] })],
    ['a signature cut short', ({ signature = '' }) => ({ signature: signature.slice(0, -1) })],
    ['an empty signature', () => ({ signature: '' })],
  ])('nor is one with %s', async (_what, change) => {
    await review(signing).post([passOf()])
    const marker = markerOf(0)
    if (marker === undefined) throw new Error('there is no marker')
    pullRequest.rewrite(0, change(marker))
    expect(await review(checking).approvedPlans(RELEASES)).toEqual(refused)
  })

  test('nor is a signed one of another pull request or of an older commit', async () => {
    await review(signing).post([passOf()])
    const elsewhere = [{ number: 58 }, { headSha: 'fff9999' }]
    const { key: ours } = markerOf(0) ?? { key: '' }
    for (const change of elsewhere) {
      pullRequest.world.found = { ...openPullRequest, ...change }
      // The replay: the old plans and their signature under the key that is looked for.
      pullRequest.rewrite(0, { key: await markerKeyOf(review, change) })
      expect(await review(checking).approvedPlans(RELEASES)).toEqual(refused)
      pullRequest.rewrite(0, { key: ours })
    }
    pullRequest.world.found = openPullRequest
    expect(await review(checking).approvedPlans(RELEASES)).toMatchObject({ plans: [{}] })
  })

  test.each<[string, (body: string) => string]>([
    [
      'another text',
      (body) => `${body.split('\n', 1)[0]}\n\nNothing changes.\n\n<!-- status -->\n**Status:** planned.\n`,
    ],
    ['another number in its text', (body) => body.replace('1 to update', '0 to update')],
    ['a text above', (body) => body.replace('\n\n', '\n\n<!--\n\n')],
    ['a text below the status', (body) => `${body}\nAll of this was undone.\n`],
    ['a second status', (body) => `${body}\n<!-- status -->\n**Status:** planned.\n`],
    ['no status', (body) => body.slice(0, body.indexOf('<!-- status -->'))],
  ])('nor is a signed one with %s: what was seen is signed, too', async (_what, change) => {
    await review(signing).post([passOf()])
    const body = pullRequest.bodies()[0] ?? ''
    expect(change(body)).not.toBe(body)
    pullRequest.overwrite(0, change(body))
    expect(await review(checking).approvedPlans(RELEASES)).toEqual(refused)
  })

  test('a text with other line ends is the same', async () => {
    await review(signing).post([passOf()])
    pullRequest.overwrite(0, (pullRequest.bodies()[0] ?? '').trimEnd().replaceAll('\n', '\r\n'))
    expect(await review(checking).approvedPlans(RELEASES)).toMatchObject({ plans: [{ hash: 'ab'.repeat(32) }] })
  })

  test('a deploy does not sign a text that was changed', async () => {
    await review(signing).post([passOf()])
    pullRequest.overwrite(0, (pullRequest.bodies()[0] ?? '').replace('1 to update', '0 to update'))
    await review(checking).post([passOf({ command: 'deploy', outcome: { status: 'failed', failure } })])
    expect(await review(checking).approvedPlans(RELEASES)).toEqual(refused)
  })

  test('a deploy signs nothing that was not signed', async () => {
    await review().post([passOf()])
    await review(checking).post([passOf({ command: 'deploy', outcome: { status: 'failed', failure } })])
    expect(markerOf(0)?.signature).toBeUndefined()
    expect(await review(checking).approvedPlans(RELEASES)).toEqual(refused)
  })

  test('a run without the key takes the comment as before', async () => {
    await review(signing).post([passOf()])
    expect(await review(onPush).approvedPlans(RELEASES)).toMatchObject({ plans: [{ hash: 'ab'.repeat(32) }] })
  })

  test('the key is in no comment', async () => {
    await review(signing).post([passOf()])
    expect(pullRequest.bodies().join()).not.toContain(key)
    expect(JSON.stringify(markerOf(0))).not.toContain(key)
  })
})

/** The key of the comment that is looked for on this pull request. */
async function markerKeyOf(of: typeof review, change: Partial<FoundPullRequest>): Promise<string> {
  const other = fakePullRequest()
  other.world.found = { ...openPullRequest, ...change }
  other.world.headNow = other.world.found.headSha
  await of({ pullRequest: other }).post([passOf()])
  return parseMarker(other.bodies()[0] ?? '')?.key ?? ''
}
