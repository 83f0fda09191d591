import { expect, test } from 'vitest'
import { makePlan } from '../../src/plan/make-plan.ts'
import { parseGiven, planInput } from './given.ts'

const pod = (event: string, image: string) =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: a, annotations: { helm.sh/hook: "${event}" } }, spec: { image: ${image} } }`

test.each<[string, string, string, string, string | undefined]>([
  ['that stays as it is', 'test', 'a', 'other-hook', 'helm test'],
  ['that the chart changed', 'test', 'b', 'changed-hook', 'helm test'],
  ['of two events', 'pre-install,post-delete', 'a', 'other-hook', 'pre-install, post-delete'],
])('a hook of another event %s is left alone, with what it runs on', (_title, event, image, reason, detail) => {
  const given = parseGiven(`
    verb: upgrade
    previousHooks: [${pod(event, 'a')}]
    chart: [${pod(event, image)}]`)

  expect(makePlan(planInput(given)).plan.untouched).toMatchObject([{ reason, detail }])
})
