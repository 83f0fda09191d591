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

test.each<[string, string, string, string]>([
  ['has none under its name', 'b', '{}', 'new-hook'],
  ['has another name at each render', 'b', '{ Pod/web/b: [/metadata/name] }', 'other-hook-random-name'],
])('a hook of another event whose predecessor %s is told as that', (_title, name, varies, reason) => {
  const named = (own: string) =>
    `{ apiVersion: v1, kind: Pod, metadata: { name: ${own}, annotations: { helm.sh/hook: test } }, spec: { image: a } }`
  const given = parseGiven(`
    verb: upgrade
    varies: ${varies}
    previousHooks: [${named('a')}]
    chart: [${named(name)}]`)

  const told = makePlan(planInput(given)).plan.untouched
  expect(told.filter((one) => one.reason !== 'gone-hook')).toMatchObject([{ reason }])
  expect(told.filter((one) => one.reason === 'gone-hook')).toHaveLength(reason === 'new-hook' ? 1 : 0)
})
