import { beforeEach, describe, expect, test } from 'vitest'
import type { Settings } from '../../src/inputs/inputs.ts'
import { ApiError } from '../../src/model/errors.ts'
import type { PassResult } from '../../src/model/pass.ts'
import type { ApprovedPlan } from '../../src/model/plan.ts'
import { approvedPlanOf } from '../../src/plan/approved-plan.ts'
import { planHash } from '../../src/report/rows/plan-hash.ts'
import type { PlanReview } from '../../src/trust/plan-review.ts'
import { approvalUnderLock } from '../../src/trust/required-approval.ts'
import { type RunScene, runScene } from '../run/scene.ts'

const CONFIG = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { a: "${value}" }`

const quotaExceeded = new ApiError({
  doing: 'apply ConfigMap b',
  status: 403,
  reason: 'Invalid',
  message: 'exceeded quota',
  causes: [],
})

let scene: RunScene
beforeEach(() => {
  scene = runScene()
  scene.renderer.chart(CONFIG('a', '1'))
})

async function plan(change: Partial<Settings> = {}): Promise<readonly PassResult[]> {
  return scene.run({ ...change, command: 'plan' })
}

const approvedOf = (results: readonly PassResult[]): readonly ApprovedPlan[] =>
  results.flatMap(({ plan: made, fingerprint }) =>
    made === undefined || fingerprint === undefined ? [] : [approvedPlanOf(made, fingerprint)],
  )

function reviewOf(answer: Awaited<ReturnType<PlanReview['approvedPlans']>>): PlanReview {
  return { approvedPlans: async () => answer, post: async () => ({}), endedEarly: async () => {} }
}

async function deployApproved(plans: readonly ApprovedPlan[], change: Partial<Settings> = {}) {
  return scene.run({ approval: 'comment', ...change }, reviewOf({ plans }))
}

const endOf = (results: readonly PassResult[]) => {
  const failed = results.find(({ outcome }) => outcome.failure !== undefined)
  return failed?.outcome.failure?.reason ?? results[0]?.outcome.status
}

describe('approval: comment', () => {
  test('deploys what the plan announced', async () => {
    expect(endOf(await deployApproved(approvedOf(await plan())))).toBe('deployed')
  })

  test('stops before the first write where the plan is another one, and names the difference', async () => {
    const approved = approvedOf(await plan())
    scene.renderer.chart(`${CONFIG('a', '2')}\n---\n${CONFIG('b', '1')}`)
    const results = await deployApproved(approved)
    expect(endOf(results)).toBe('plan-changed')
    expect(results[0]?.differences?.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'otherwise main/apply//ConfigMap/web/a',
      'not-approved main/apply//ConfigMap/web/b',
    ])
    expect(scene.cluster.writes()).toEqual([])
  })

  test('is checked again under the lock, which is given back', async () => {
    const approved = approvedOf(await plan())
    const { render } = scene.renderer
    let isForecast = true
    scene.renderer.render = async (request) => {
      if (!isForecast) scene.renderer.chart(CONFIG('a', '2'))
      isForecast = false
      return render(request)
    }
    const results = await deployApproved(approved)
    expect(results.map(({ command }) => command)).toEqual(['deploy'])
    expect(endOf(results)).toBe('plan-changed')
    expect(scene.cluster.writes().every((write) => write.includes('Lease'))).toBe(true)
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      namespace: 'web',
      name: 'staged-helm-deploy.shop',
    }
    expect(scene.cluster.object(lease)?.spec).toMatchObject({ holderIdentity: '' })
  })

  test('stops without an approved plan, and writes not even the lock', async () => {
    const results = await scene.run({ approval: 'comment' }, reviewOf({ why: 'pull request 57 has no open comment' }))
    expect(endOf(results)).toBe('approval-missing')
    expect(results[0]?.outcome.failure?.message).toBe('pull request 57 has no open comment')
    expect(scene.cluster.writes()).toEqual([])
  })

  test('is not asked of a plan that changes nothing', async () => {
    await scene.run({})
    const results = await scene.run({ approval: 'comment' }, reviewOf({ why: 'there is none' }))
    expect(endOf(results)).toBe('no-changes')
  })

  test('of one release is none for another', async () => {
    const approved = approvedOf(await plan())
    const other = { ...approved[0], release: 'other' } as ApprovedPlan
    expect(endOf(await deployApproved([other]))).toBe('plan-changed')
  })

  test('lets a deploy go on that failed half way', async () => {
    scene.renderer.chart(`${CONFIG('a', '1')}\n---\n${CONFIG('b', '1')}`)
    const approved = approvedOf(await plan())
    scene.cluster.failWhen({ verb: 'apply', name: 'b' }, quotaExceeded, 1)
    expect(endOf(await deployApproved(approved))).toBe('rejected')
    expect(endOf(await deployApproved(approved))).toBe('deployed')
  })

  test('holds for each of several releases, before the first write', async () => {
    const releases = ['shop', 'other'].map(scene.chart)
    const approved = approvedOf(await plan({ releases }))
    expect(endOf(await deployApproved(approved.slice(0, 1), { releases }))).toBe('plan-changed')
    expect(scene.cluster.writes()).toEqual([])
  })

  test('holds for the order of the releases that the comment shows', async () => {
    const releases = ['shop', 'other'].map(scene.chart)
    const approved = approvedOf(await plan({ releases }))
    const results = await deployApproved(approved, { releases: releases.toReversed() })
    expect(results[0]?.outcome.failure?.message).toBe(
      'the comment shows the releases in another order: web/shop, web/other',
    )
    expect(scene.cluster.writes()).toEqual([])
  })

  test('holds for an uninstall', async () => {
    await scene.run({})
    const releases = [{ ...scene.chart('shop'), source: { kind: 'record' } as const }]
    const planned = await scene.run({ command: 'plan-uninstall', releases })
    expect(planned.map(({ command, plan: made }) => `${command}: ${made?.verb}`)).toEqual(['plan: uninstall'])
    expect(endOf(await deployApproved([], { command: 'uninstall', releases }))).toBe('plan-changed')
    expect(endOf(await deployApproved(approvedOf(planned), { command: 'uninstall', releases }))).toBe('uninstalled')
  })
})

describe('an uninstall whose objects are all kept', () => {
  const kept = CONFIG('a', '1').replace('name: a', 'name: a, annotations: { helm.sh/resource-policy: keep }')
  const releases = () => [{ ...scene.chart('shop'), source: { kind: 'record' } as const }]

  test('needs an approval, of the same keep-history', async () => {
    scene.renderer.chart(kept)
    await scene.run({})
    const uninstall = { command: 'uninstall', releases: releases() } as const
    expect(endOf(await scene.run({ approval: 'comment', ...uninstall }, reviewOf({ why: 'none' })))).toBe(
      'approval-missing',
    )
    const planned = await scene.run({ command: 'plan-uninstall', releases: releases(), keepHistory: true })
    expect(endOf(await deployApproved(approvedOf(planned), uninstall))).toBe('plan-changed')
    const expectPlanHash = planHash(planned)
    expect(endOf(await scene.run({ ...uninstall, expectPlanHash }))).toBe('plan-changed')
    expect(endOf(await deployApproved(approvedOf(planned), { ...uninstall, keepHistory: true }))).toBe('uninstalled')
  })
})

describe('what a chart looks up of an earlier release of the run', () => {
  const releases = () => ['first', 'second'].map(scene.chart)

  beforeEach(() => {
    scene.renderer.chart(CONFIG('first', '1'))
    const { render } = scene.renderer
    scene.renderer.render = async (request) => {
      const first = await request.lookup?.('v1', 'ConfigMap', 'web', 'first')
      scene.renderer.chart(
        request.release === 'first'
          ? CONFIG('first', '1')
          : CONFIG('second', first === undefined ? 'harmless' : 'evil'),
      )
      return render(request)
    }
  })

  test('changes nothing of what was approved', async () => {
    const { render } = scene.renderer
    scene.renderer.render = async ({ lookup: _unasked, ...request }) => render(request)
    const harmless = approvedOf(await plan({ releases: releases() }))
    scene.renderer.render = render
    const shown = await plan({ releases: releases() })
    expect(JSON.stringify(shown[1]?.plan)).toContain('evil')
    const results = await deployApproved(harmless, { releases: releases() })
    expect(endOf(results)).toBe('plan-changed')
    expect(scene.cluster.writes()).toEqual([])
  })
})

describe('what was approved and is left out', () => {
  test.each(['after nothing else changed', 'beside a change'])(
    'stops the deploy before the first write, %s',
    async (when) => {
      const other = when === 'beside a change' ? '1' : '0'
      scene.renderer.chart(CONFIG('a', '0'))
      await scene.run({})
      scene.renderer.chart(`${CONFIG('a', other)}\n---\n${CONFIG('protection', '1')}`)
      const approved = approvedOf(await plan())
      scene.renderer.chart(CONFIG('a', other))
      const before = scene.cluster.writes().length
      const results = await deployApproved(approved)
      expect(endOf(results)).toBe('plan-changed')
      expect(results[0]?.differences).toMatchObject([{ kind: 'gone', id: 'main/apply//ConfigMap/web/protection' }])
      expect(scene.cluster.writes()).toHaveLength(before)
    },
  )
})

describe('a command that comes out otherwise at each render', () => {
  const job = (argument: string) =>
    `apiVersion: batch/v1\nkind: Job\nmetadata: { name: a }\nspec: { template: { spec: { containers: [{ name: a, image: a, args: [${argument}] }] } } }`

  beforeEach(() => {
    scene.renderer.chart(job('x1ab'), { again: job('x2cd') })
  })

  test('is a mistake of a plan that is to be approved', async () => {
    const [result] = await plan({ approval: 'comment' })
    expect(result?.outcome.failure?.reason).toBe('invalid-input')
    expect(result?.plan?.problems).toMatchObject([
      {
        severity: 'error',
        place: { file: 'shop/templates/all.yaml', ref: { kind: 'Job', name: 'a' } },
        what: 'comes out otherwise at each render, so nobody can approve it: /spec/template/spec/containers/0/args/0',
      },
    ])
  })

  test('stops a deploy before the first write, though the plan was made without an approval', async () => {
    const planned = await plan()
    expect(endOf(planned)).toBe('planned')
    expect(endOf(await deployApproved(approvedOf(planned)))).toBe('invalid-input')
    expect(endOf(await scene.run({ expectPlanHash: planHash(planned) }))).toBe('invalid-input')
    expect(scene.cluster.writes()).toEqual([])
  })

  test('passes where approval-ignore names it, and where nothing is to be approved', async () => {
    const approvalIgnore = [{ kind: 'Job', steps: ['spec', 'template', 'spec', 'containers', '*', 'args'] }]
    const planned = await plan({ approvalIgnore })
    expect(endOf(await scene.run({ expectPlanHash: planHash(planned), approvalIgnore }))).toBe('deployed')
    expect((await plan())[0]?.plan?.problems).toEqual([])
  })
})

test('without a forecast nothing passes under the lock', () => {
  const nothing = { release: '', namespace: '', hash: '', comparedBy: 'dry-run', digests: {} }
  expect(approvalUnderLock(scene.chart('shop'), { kind: 'none' }, undefined)).toEqual(nothing)
})

describe('hooks of other events, which stand in no stage', () => {
  const test_ = (image: string) =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: check, annotations: { helm.sh/hook: test } }\nspec: { containers: [{ name: c, image: ${image} }] }`
  const withTest = (image: string) => scene.renderer.chart(`${CONFIG('a', '1')}\n---\n${test_(image)}`)
  const tested = { test: true } as const

  test('run after the deploy as they were approved', async () => {
    withTest('good')
    scene.cluster.statusWhenApplied({ kind: 'Pod' }, 500, { phase: 'Succeeded' })
    const results = await deployApproved(approvedOf(await plan()), tested)
    expect(results.map(({ outcome }) => outcome.status)).toEqual(['deployed', 'tested'])
  })

  test('are not recorded otherwise than approved', async () => {
    withTest('good')
    const approved = approvedOf(await plan())
    withTest('evil')
    const results = await deployApproved(approved, tested)
    expect(endOf(results)).toBe('plan-changed')
    expect(results[0]?.differences?.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'otherwise hook/record//Pod/web/check',
    ])
    expect(scene.cluster.writes()).toEqual([])
  })

  test('need an approval where nothing else changes', async () => {
    await scene.run({})
    withTest('new')
    expect(endOf(await scene.run({ approval: 'comment' }, reviewOf({ why: 'there is none' })))).toBe('approval-missing')
    expect(endOf(await deployApproved(approvedOf(await plan())))).toBe('deployed')
  })

  test('need none once they are recorded', async () => {
    withTest('good')
    await scene.run({})
    const again = await scene.run({ approval: 'comment' }, reviewOf({ why: 'there is none' }))
    expect(endOf(again)).toBe('no-changes')
  })
})

describe('expect-plan-hash', () => {
  test('deploys the plan of this hash', async () => {
    const expectPlanHash = planHash(await plan())
    expect(expectPlanHash).toMatch(/^[0-9a-f]{64}$/)
    expect(endOf(await scene.run({ expectPlanHash }))).toBe('deployed')
  })

  test('stops any other before the first write', async () => {
    const expectPlanHash = planHash(await plan())
    scene.renderer.chart(CONFIG('a', '2'))
    expect(endOf(await scene.run({ expectPlanHash }))).toBe('plan-changed')
    expect(scene.cluster.writes()).toEqual([])
  })

  const HOOK = `apiVersion: batch/v1
kind: Job
metadata: { name: migrate, annotations: { helm.sh/hook: "pre-install,pre-upgrade" } }
spec: {}`
  const job = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'web', name: 'migrate' }

  test.each(['gone', 'left behind'])('deploys where the old Job of a hook is %s meanwhile', async (state) => {
    scene.renderer.chart(`${CONFIG('a', '1')}\n---\n${HOOK}`)
    await scene.run({})
    const old = scene.cluster.object(job)
    if (old === undefined) throw new Error('the hook leaves its Job behind')
    if (state === 'left behind') scene.cluster.remove(job)
    const planned = await plan()
    const approved = approvedOf(planned)
    if (state === 'left behind') scene.cluster.put(old)
    else scene.cluster.remove(job)
    expect(endOf(await scene.run({ expectPlanHash: planHash(planned) }))).toBe('deployed')
    if (state === 'gone') scene.cluster.remove(job)
    expect(endOf(await deployApproved(approved))).toBe('deployed')
  })
})
