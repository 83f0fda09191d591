import { describe, expect, test } from 'vitest'
import { apiError } from '../doubles/fake-cluster.ts'
import { apply, awaits, planOf, refTo, stage } from '../doubles/plans.ts'
import { deploymentReady, type Scene, scene } from './run-plan.ts'

const labels = { app: 'hook' }
const deployment = { spec: { replicas: 1, template: { metadata: { labels } } } }
const contents = {
  'Service/hook': { spec: { selector: labels } },
  'Deployment/hook': deployment,
  'Deployment/spare': deployment,
}
const givenUp = {
  observedGeneration: 1,
  conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'too late' }],
}
const CALLS = {
  admission: 'Internal error occurred: failed calling webhook "x.example.com": failed to call webhook: Post',
  conversion: 'conversion webhook for example.com/v1, Kind=Thing failed: Post',
}

describe('a write that a webhook of the same release holds up', () => {
  test.each(['admission', 'conversion'] as const)('ends with the failure of its pods: %s', async (call) => {
    const given = heldUp({ call })
    given.cluster.statusWhenApplied({ name: 'hook', kind: 'Deployment' }, 5_000, givenUp)
    const { failure } = await given.run(inOneGroup, { contents })
    expect(failure).toMatchObject({
      reason: 'not-ready',
      ref: refTo('Deployment/hook'),
      readiness: { code: 'condition', reason: 'ProgressDeadlineExceeded' },
    })
    expect(given.clock.now() - START_MS).toBeLessThan(10_000)
    expect(given.events.find(({ type }) => type === 'warning')).toMatchObject({
      message:
        'apply ConfigMap/shop/judged cannot succeed: the webhook of Service/shop/hook needs Deployment/shop/hook, which fails',
    })
    expect(given.events.filter(({ type }) => type === 'evidence')).toMatchObject([
      { evidence: { ref: refTo('Deployment/hook') } },
    ])
  })

  test('also where they were ready before', async () => {
    const given = heldUp()
    given.cluster.statusWhenApplied({ kind: 'Deployment' }, 1_000, deploymentReady)
    given.cluster.statusWhenApplied({ kind: 'Deployment' }, 20_000, givenUp)
    const inTwoGroups = stage(
      'main',
      [[apply('Service/hook'), apply('Deployment/hook')], [awaits('Deployment/hook')]],
      [[apply('ConfigMap/judged')]],
    )
    const { failure } = await given.run(planOf(inTwoGroups), { contents })
    expect(failure).toMatchObject({ reason: 'not-ready', ref: refTo('Deployment/hook') })
  })

  test('is given up where something beside it has failed', async () => {
    const given = heldUp({ service: 'foreign' })
    given.cluster.failWhen({ verb: 'apply', name: 'wrong' }, apiError('Invalid', { message: 'spec: wrong' }))
    const { failure } = await given.run(planOf(stage('main', [[...written, apply('ConfigMap/wrong')]])), { contents })
    expect(failure).toMatchObject({ message: 'spec: wrong' })
    expect(given.clock.now() - START_MS).toBeLessThan(10_000)
  })

  test('waits on while other pods may still answer', async () => {
    const given = heldUp()
    given.cluster.statusWhenApplied({ name: 'hook', kind: 'Deployment' }, 1_000, givenUp)
    given.stopAfter(60_000, 'timeout')
    const { failure } = await given.run(withSpare, { contents })
    expect(failure?.reason).not.toBe('not-ready')
    expect(given.clock.now() - START_MS).toBeGreaterThanOrEqual(60_000)
  })

  test.each([
    ['of another release', { service: 'foreign' }],
    ['at an address outside of the cluster', { url: 'https://hooks.example.com/validate' }],
  ])('waits on for one %s', async (_whose, where) => {
    const given = heldUp(where)
    given.cluster.statusWhenApplied({ kind: 'Deployment' }, 1_000, givenUp)
    given.stopAfter(60_000, 'timeout')
    const { failure } = await given.run(inOneGroup, { contents })
    expect(failure?.reason).not.toBe('not-ready')
  })
})

const START_MS = Date.UTC(2026, 0, 1)
const written = [apply('Service/hook'), apply('Deployment/hook'), apply('ConfigMap/judged')]
const inOneGroup = planOf(stage('main', [written, [awaits('Deployment/hook')]]))
const withSpare = planOf(
  stage('main', [
    [...written, apply('Deployment/spare')],
    [awaits('Deployment/hook'), awaits('Deployment/spare')],
  ]),
)

function heldUp({
  call = 'admission',
  service = 'hook',
  url = `https://${service}.shop.svc:443/validate?timeout=5s`,
}: {
  readonly call?: keyof typeof CALLS
  readonly service?: string
  readonly url?: string
} = {}): Scene {
  const given = scene()
  const message = `${CALLS[call]} "${url}": no endpoints available for service "${service}"`
  given.cluster.holdUp({ name: 'judged' }, apiError('InternalError', { message }))
  return given
}
