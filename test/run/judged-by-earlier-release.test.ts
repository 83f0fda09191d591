import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/model/errors.ts'
import type { PassResult } from '../../src/model/pass.ts'
import { servedKind } from '../doubles/served-kind.ts'
import { type RunScene, runScene } from './scene.ts'

/** What the API server refuses now by the rules that an earlier release of the run changes first. */
const limits = (max: string) =>
  `apiVersion: v1\nkind: LimitRange\nmetadata: { name: bounds }\nspec: { limits: [{ type: Container, max: { cpu: ${max} } }] }`
const quota = (pods: number) =>
  `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: few }\nspec: { hard: { pods: "${pods}" } }`
const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: "1" }'
const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: {}'
const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }

let scene: RunScene
/** Chart of release `first`; `second` has the Pod. */
let first: string

beforeEach(() => {
  scene = runScene()
  const names = ['ConfigMap', 'Secret', 'Namespace', 'Pod', 'LimitRange', 'ResourceQuota']
  const kinds = names.map((name) => servedKind('', 'v1', name))
  scene.cluster.setDiscovery({ kinds: [...kinds, servedKind('coordination.k8s.io', 'v1', 'Lease')], failed: [] })
  scene.cluster.statusWhenApplied({ kind: 'Pod' }, 500, READY)
  const render = scene.renderer.render.bind(scene.renderer)
  scene.renderer.render = async (request) => {
    scene.renderer.chart(request.release === 'first' ? first : POD)
    return render(request)
  }
})

function refusal(message: string): ApiError {
  const ref = { apiVersion: 'v1', kind: 'Pod', namespace: 'web', name: 'p' }
  return new ApiError({ doing: 'create Pod/web/p', status: 403, reason: 'Forbidden', message, ref, causes: [] })
}

const BY_LIMITS = refusal('pods "p" is forbidden: maximum cpu usage per Container is 100m, but limit is 200m')
const BY_QUOTA = refusal('pods "p" is forbidden: exceeded quota: few, requested: pods=1, used: pods=0, limited: pods=0')

const deployed = (chart: string) => {
  first = chart
  return scene.run({ releases: [scene.chart('first')] })
}
const both = () => ['first', 'second'].map(scene.chart)
const ends = (results: readonly PassResult[]) =>
  results.map(({ command, outcome, release }) => `${command} ${release}: ${outcome.failure?.message ?? outcome.status}`)

describe.each([
  ['a LimitRange', limits('100m'), limits('500m'), BY_LIMITS],
  ['a quota', quota(0), quota(5), BY_QUOTA],
])('what %s refuses', (_what, old, changed, error) => {
  test.each([
    ['changes it', changed],
    ['deletes it', config],
  ])('is unknown until applied where an earlier release of the run %s', async (_how, chart) => {
    await deployed(old)
    scene.cluster.failWhen({ verb: 'dry-run', kind: 'Pod' }, error)
    first = chart
    const [, second] = await scene.run({ command: 'plan', releases: both() })
    const [operation] = second?.plan?.stages.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat())) ?? []
    expect(second?.outcome.failure).toBeUndefined()
    expect(operation?.kind === 'apply' && operation.reason).toEqual({
      code: 'unknown-until-applied',
      because: 'judged-by-earlier',
    })
  })

  test('is tried until the API server knows the change, also right after the earlier release', async () => {
    await deployed(old)
    scene.cluster.failWhen({ verb: 'dry-run', kind: 'Pod' }, error)
    scene.cluster.failWhen({ verb: 'apply', kind: 'Pod' }, error, 3)
    first = changed
    expect(ends(await scene.run({ releases: both() }))).toEqual(['deploy first: deployed', 'deploy second: deployed'])
  })

  test('is refused where the earlier release leaves it as it is', async () => {
    await deployed(old)
    scene.cluster.failWhen({ verb: 'dry-run', kind: 'Pod' }, error)
    const [, second] = await scene.run({ command: 'plan', releases: both() })
    expect(second?.plan?.problems.map(({ what }) => what).join()).toContain('is forbidden')
  })
})

describe('the number of objects that a quota allows', () => {
  /** The controller of quotas has not seen the change yet. */
  async function counted(chart: string): Promise<readonly string[]> {
    await deployed(quota(0))
    scene.cluster.setStatus(
      { apiVersion: 'v1', kind: 'ResourceQuota', namespace: 'web', name: 'few' },
      { hard: { pods: '0' }, used: { pods: '0' } },
    )
    first = chart
    const [, second] = await scene.run({ command: 'plan', releases: both() })
    return (second?.plan?.problems ?? []).map(({ what }) => what)
  }

  test.each([
    ['raised', quota(5)],
    ['deleted', config],
  ])('is not compared where an earlier release of the run has %s it', async (_how, chart) => {
    expect(await counted(chart)).toEqual([])
  })

  test('is compared where it stays too low', async () => {
    expect(await counted(quota(0))).toEqual(['allows 0 pods, 0 are used, and this plan adds 1'])
  })
})
