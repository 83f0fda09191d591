import { expect, test } from 'vitest'
import { makePlan } from '../../src/plan/make-plan.ts'
import { parseGiven, planInput } from './given.ts'

test('a hook with another name at each render is no new one', () => {
  const given = parseGiven(`
    verb: upgrade
    previousHooks: [{ apiVersion: batch/v1, kind: Job, metadata: { name: a-b9c3d, annotations: { helm.sh/hook: pre-upgrade } } }]
    chart: [{ apiVersion: batch/v1, kind: Job, metadata: { name: a-x7k2p, annotations: { helm.sh/hook: pre-upgrade } } }]
    varies: { Job/web/a-x7k2p: [/metadata/name] }`)
  const [operation] = makePlan(planInput(given)).plan.stages[0]?.groups[0]?.ranks[0] ?? []
  expect(operation).toMatchObject({ change: 'create', reason: { code: 'unchanged' } })
})

test('a hook of a kind that comes later stays unknown-until-applied, so that its approval holds', () => {
  const given = parseGiven(`
    verb: upgrade
    previousHooks: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, annotations: { helm.sh/hook: pre-upgrade } } }]
    chart:
      - apiVersion: v1
        kind: ConfigMap
        metadata: { name: a, annotations: { helm.sh/hook: pre-upgrade } }
        data: { key: new }
    answers: { ConfigMap/web/a: { kind: not-possible } }`)
  const [operation] = makePlan(planInput(given)).plan.stages[0]?.groups[0]?.ranks[0] ?? []
  expect(operation).toMatchObject({ reason: { code: 'unknown-until-applied' } })
})
