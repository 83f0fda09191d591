import { beforeEach, describe, expect, test } from 'vitest'
import { parseMarker } from '../../src/github/comment-marker.ts'
import type { Settings } from '../../src/inputs/inputs.ts'
import { ApiError } from '../../src/model/errors.ts'
import type { PassResult } from '../../src/model/pass.ts'
import type { CommentMarker } from '../../src/ports.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { passAsIs } from '../../src/secrecy/printed-as-is.ts'
import { madeFrom, redacted } from '../../src/secrecy/redacted.ts'
import { createPlanReview, type PlanReview } from '../../src/trust/plan-review.ts'
import { type FakePullRequest, fakePullRequest } from '../doubles/fake-pull-request.ts'
import { type RunScene, runScene } from '../run/scene.ts'

/**
 * Whoever may write comments under the login of the token, but has no approval-key, keeps signed markers of this commit and puts
 * them back.
 */
const config = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: "${value}" }`
const key = 'k'.repeat(32)

/** Body of each signed comment, by its signature. */
const texts = new Map<string, string>()
let scene: RunScene
let github: FakePullRequest
beforeEach(() => {
  scene = runScene()
  github = fakePullRequest()
})

function review(change: { readonly label?: string; readonly commentMode?: 'always-new' } = {}): PlanReview {
  return createPlanReview({
    pullRequest: github,
    info: { cluster: 'prod.example', actionVersion: '0', ...change },
    releases: [{ release: 'shop', namespace: 'web' }],
    event: { isPullRequest: false, isMergeGroup: false },
    comment: 'always',
    commentMode: 'update',
    diffContext: 3,
    repository: 'acme/shop',
    approvalKey: key,
    ...change,
  })
}

async function post(passes: readonly PassResult[], by = review()) {
  await by.post(madeFrom(redacted({ passes }, { passes: passAsIs }, createSecrets()), (one) => one.passes))
}

/** The plan of a chart with this value, as a comment; gives its marker. */
async function plan(value: string, by = review()): Promise<CommentMarker> {
  scene.renderer.chart(config(value))
  await post(await scene.run({ command: 'plan' }), by)
  const marker = parseMarker(github.bodies().at(-1) ?? '')
  if (marker?.signature === undefined) throw new Error('the plan was not signed')
  texts.set(marker.signature, github.bodies().at(-1) ?? '')
  return marker
}

/** A deploy of the chart with this value, which tells its comment how it ended. */
async function deploy(value: string, change: Partial<Settings> = {}): Promise<string | undefined> {
  scene.renderer.chart(config(value))
  const passes = await scene.run({ approval: 'comment', approvalKey: key, ...change }, review())
  await post(passes)
  const { failure, status } =
    passes.find(({ outcome }) => outcome.failure !== undefined)?.outcome ?? passes[0]?.outcome ?? {}
  return failure === undefined ? status : `${failure.reason}: ${failure.message}`
}

/** The open comment with this marker, whatever it had. */
function putBack({ signature = '', ...marker }: CommentMarker): void {
  github.overwrite(github.bodies().length - 1, texts.get(signature) ?? '')
  github.rewrite(github.bodies().length - 1, { isClosed: false, plannedAtMs: 0, ...marker, signature })
}

describe('a signed plan of the same commit', () => {
  test('is good once: put back after a later deploy, it does not take that back', async () => {
    const first = await plan('1')
    expect(await deploy('1')).toBe('deployed')
    await plan('2')
    expect(await deploy('2')).toBe('deployed')
    putBack(first)
    expect(await deploy('1')).toBe('plan-changed: the approved plan is too old: revision 2 was deployed since then')
  })

  test('put back after its deploy was rolled back, does not deploy again', async () => {
    await scene.run({})
    const second = await plan('2')
    expect(await deploy('2')).toBe('deployed')
    await scene.run({ command: 'rollback' })
    putBack(second)
    expect(await deploy('2')).toMatch(/too old: revision 3 was deployed since then$/)
  })

  test('put back after an uninstall that kept the history, does not install again', async () => {
    const first = await plan('1')
    expect(await deploy('1')).toBe('deployed')
    const releases = [{ ...scene.chart('shop'), source: { kind: 'record' } as const }]
    await scene.run({ command: 'uninstall', keepHistory: true, releases })
    await plan('3')
    putBack(first)
    expect(await deploy('1')).toMatch(/too old: revision 1 was deployed since then$/)
  })

  test('does not count below a comment with a later one', async () => {
    const first = await plan('1')
    await scene.clock.advance(60_000)
    await plan('2')
    await post(
      await scene.run({ command: 'plan', releases: [scene.chart('shop')] }),
      review({ commentMode: 'always-new' }),
    )
    putBack(first)
    expect(await deploy('1')).toMatch(
      /^approval-missing: the plan of the newest comment is older than that of another one/,
    )
  })

  test.each<[string, Partial<CommentMarker>]>([
    ['a later time', { plannedAtMs: 99_999_999_999_999 }],
    ['no time', { plannedAtMs: 0 }],
    ['the state of another revision', { plans: [] }],
  ])('with %s is not signed', async (_what, change) => {
    const marker = await plan('1')
    const plans = (marker.plans ?? []).map((one) => ({ ...one, madeOn: 'x'.repeat(22) }))
    putBack({ ...marker, ...change, ...(change.plans === undefined ? {} : { plans }) })
    expect(await deploy('1')).toMatch(/^approval-missing: the comment is not signed/)
  })

  test('of another label is not looked for, and is not signed for this one', async () => {
    const other = await plan('1', review({ label: 'test' }))
    expect(await deploy('1')).toMatch(/has no open comment with this plan$/)
    const { key: ours } = await plan('1')
    putBack({ ...other, key: ours })
    expect(await deploy('1')).toMatch(/^approval-missing: the comment is not signed/)
  })
})

describe('a signed plan is still good', () => {
  test('after a deploy of it that failed half-way', async () => {
    await plan('1')
    const quota = { doing: 'apply', status: 403, reason: 'Invalid', message: 'exceeded quota', causes: [] } as const
    scene.cluster.failWhen({ verb: 'apply', name: 'a' }, new ApiError(quota), 1)
    expect(await deploy('1')).toMatch(/^rejected/)
    expect(await deploy('1')).toBe('deployed')
  })

  test('after one that failed and was rolled back', async () => {
    await scene.run({})
    await plan('2')
    const quota = { doing: 'apply', status: 403, reason: 'Invalid', message: 'exceeded quota', causes: [] } as const
    scene.cluster.failWhen({ verb: 'apply', name: 'a' }, new ApiError(quota), 1)
    expect(await deploy('2', { onFailure: 'rollback' })).toMatch(/^rejected/)
    expect(await deploy('2')).toBe('deployed')
  })
})

test('without approval-key a plan is compared by what it does alone, as it cannot be trusted further', async () => {
  scene.renderer.chart(config('1'))
  const unsigned = review()
  const passes = await scene.run({ command: 'plan' })
  await post(passes, unsigned)
  const plans = parseMarker(github.bodies()[0] ?? '')?.plans?.map(({ madeOn: _none, ...one }) => one) ?? []
  await scene.run({})
  scene.renderer.chart(config('2'))
  await scene.run({})
  scene.renderer.chart(config('1'))
  const answer: PlanReview = { ...unsigned, approvedPlans: async () => ({ plans }) }
  expect((await scene.run({ approval: 'comment' }, answer))[0]?.outcome.status).toBe('deployed')
})
