import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { parseGiven, planInput } from './given.ts'

function quota(hard: JsonObject, used: JsonObject, spec: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'limits', namespace: 'web' },
    spec,
    status: { hard, used },
  }
}

/** What the plan of a chart with these objects says about one quota. */
function said(chart: string, one: KubeObject): readonly string[] {
  const input = planInput(parseGiven(`chart:\n${chart}`))
  const { problems } = makePlan({ ...input, observed: { ...input.observed, quotas: [one] } }).plan
  return problems.map(({ reason, what }) => `${reason}: ${what}`)
}

const configs = (...names: readonly string[]) =>
  names.map((name) => `  - { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} } }`).join('\n')

describe('quotas on the number of objects: a dry run judges each object alone', () => {
  test.each<[string, string, KubeObject, readonly string[]]>([
    [
      'creations are summed up',
      configs('a', 'b', 'c'),
      quota({ 'count/configmaps': '5' }, { 'count/configmaps': '3' }),
      ['rejected: allows 5 count/configmaps, 3 are used, and this plan adds 3'],
    ],
    ['what fits is no problem', configs('a', 'b'), quota({ 'count/configmaps': '5' }, { 'count/configmaps': '3' }), []],
    [
      'the old names of the core group count as well',
      configs('a'),
      quota({ configmaps: '1' }, { configmaps: '1' }),
      ['rejected: allows 1 configmaps, 1 are used, and this plan adds 1'],
    ],
    [
      'other groups stand in the name',
      '  - { apiVersion: apps/v1, kind: Deployment, metadata: { name: a } }',
      quota({ 'count/deployments.apps': '0' }, {}),
      ['rejected: allows 0 count/deployments.apps, 0 are used, and this plan adds 1'],
    ],
    [
      'a thousand is written 1k',
      configs('a', 'b'),
      quota({ 'count/configmaps': '1k' }, { 'count/configmaps': '999' }),
      ['rejected: allows 1000 count/configmaps, 999 are used, and this plan adds 2'],
    ],
    [
      'a load balancer counts with each of its ports',
      '  - { apiVersion: v1, kind: Service, metadata: { name: a }, spec: { type: LoadBalancer, ports: [{ port: 1 }, { port: 2 }] } }',
      quota({ 'services.loadbalancers': '0', 'services.nodeports': '1' }, {}),
      [
        'rejected: allows 0 services.loadbalancers, 0 are used, and this plan adds 1',
        'rejected: allows 1 services.nodeports, 0 are used, and this plan adds 2',
      ],
    ],
    [
      'a hook that is deleted once it succeeded does not stay',
      '  - { apiVersion: v1, kind: ConfigMap, metadata: { name: a, annotations: { helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-succeeded } } }',
      quota({ 'count/configmaps': '0' }, {}),
      [],
    ],
    [
      'a quota with scopes is left to the API server',
      '  - { apiVersion: v1, kind: Pod, metadata: { name: a } }',
      quota({ pods: '0' }, {}, { scopes: ['BestEffort'] }),
      [],
    ],
    ['other amounts are no number of objects', configs('a'), quota({ 'count/configmaps': '500m' }, {}), []],
  ])('%s', (_rule, chart, one, expected) => {
    expect(said(chart, one)).toEqual(expected)
  })

  test('another namespace is another quota', () => {
    const elsewhere = quota({ 'count/configmaps': '0' }, {})
    expect(said(configs('a'), { ...elsewhere, metadata: { name: 'limits', namespace: 'other' } })).toEqual([])
  })

  test('the problem names the quota', () => {
    const input = planInput(parseGiven(`chart:\n${configs('a')}`))
    const observed = { ...input.observed, quotas: [quota(load('{ configmaps: "0" }') as JsonObject, {})] }
    expect(makePlan({ ...input, observed }).plan.problems[0]?.place).toMatchObject({
      ref: { kind: 'ResourceQuota', name: 'limits' },
    })
  })
})
