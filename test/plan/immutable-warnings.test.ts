import { expect, test } from 'vitest'
import type { ComparedBy } from '../../src/model/plan.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { impactPhrase } from '../../src/report/words/impact-text.ts'
import { plainText } from '../../src/report/words/phrase.ts'
import { parseGiven, planInput } from './given.ts'

function warningsOf(comparedBy: ComparedBy, annotations = '{}'): readonly string[] {
  const web = (app: string) =>
    `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web, annotations: ${annotations} }, spec: { replicas: 1, selector: { matchLabels: { app: ${app} } } } }`
  const given = `
    verb: upgrade
    previous:
      - ${web('a')}
    live:
      - ${web('a')}
    chart:
      - ${web('b')}`
  const { problems } = makePlan({ ...planInput(parseGiven(given)), comparedBy }).plan
  return problems.map(({ severity, reason, what }) => `${severity} ${reason}: ${what}`)
}

test('an update that a cluster is known to refuse is a warning where no dry run says so', () => {
  const refused =
    'warning immutable: spec.selector.matchLabels.app is immutable: where the object exists, the API server refuses this update'
  expect(warningsOf('base-render')).toEqual([refused])
  expect(warningsOf('rendered-fields')).toEqual([refused])
  expect(warningsOf('dry-run')).toEqual([])
})

test('and none where the object is recreated for it', () => {
  expect(warningsOf('base-render', '{ werf.io/delete-policy: before-creation-if-immutable }')).toEqual([])
})

test('the row says so as well, and announces no restart', () => {
  const workload = (label: string) =>
    `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: 3, selector: { matchLabels: { "acme.dev/app": ${label} } }, template: { metadata: { labels: { "acme.dev/app": ${label} } }, spec: { containers: [{ name: web, image: "web:${label}" }] } } } }`
  const given = parseGiven(
    `{ verb: upgrade, previous: [${workload('a')}], live: [${workload('a')}], chart: [${workload('b')}] }`,
  )
  const { plan } = makePlan({ ...planInput(given), comparedBy: 'base-render' })
  const [operation] = plan.stages[0]?.groups[0]?.ranks.flat() ?? []
  const impact = operation?.kind === 'apply' ? operation.impact : undefined
  expect(impact).toMatchObject({ risk: 'recreated', immutable: ['spec.selector.matchLabels["acme.dev/app"]'] })
  expect(impact?.restart).toBeUndefined()
  expect(impact && plainText(impactPhrase(impact))).toBe(
    '⚠️ the API server refuses this update (immutable: selector…acme.dev/app a → b)',
  )
  expect(plan.problems.map(({ what }) => what)).toEqual([
    'spec.selector.matchLabels[acme.dev/app] is immutable: where the object exists, the API server refuses this update',
  ])
})
