import { describe, expect, test } from 'vitest'
import type { Plan } from '../../src/model/plan.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { parseGiven, planInput } from './given.ts'

function planOf(given: string): Plan {
  return makePlan(planInput(parseGiven(given))).plan
}

function problemsOf(given: string): readonly string[] {
  return planOf(given).problems.map(({ what }) => what)
}

/** `stage/action/...` of all operations. */
function idsOf({ stages }: Plan): readonly string[] {
  return stages.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat())).map(({ id }) => id)
}

describe('a kind of another group with the name of one of Kubernetes', () => {
  test('a Job that runs before the release installs no CRDs', () => {
    const hook = 'metadata: { name: a, annotations: { helm.sh/hook: pre-install } }'
    const given = (apiVersion: string) => `
      answers: { Widget/web/w: { kind: kind-not-served } }
      chart:
        - { apiVersion: ${apiVersion}, kind: Job, ${hook} }
        - { apiVersion: example.com/v1, kind: Widget, metadata: { name: w } }`
    expect(problemsOf(given('batch/v1'))).toEqual([])
    expect(problemsOf(given('batch.example.com/v1'))).toEqual(['the cluster does not serve Widget of example.com/v1'])
  })

  test('a CustomResourceDefinition makes no kind served', () => {
    const given = `
      answers: { Widget/web/w: { kind: kind-not-served } }
      chart:
        - apiVersion: example.com/v1
          kind: CustomResourceDefinition
          metadata: { name: widgets.example.com, annotations: { werf.io/weight: "-1" } }
          spec: { group: example.com, names: { kind: Widget } }
        - { apiVersion: example.com/v1, kind: Widget, metadata: { name: w } }`
    expect(problemsOf(given)).toEqual(['the cluster does not serve Widget of example.com/v1'])
  })

  test('a Namespace is no place for objects', () => {
    const given = `
      missing: [other]
      answers: { ConfigMap/other/a: { kind: namespace-missing } }
      chart:
        - { apiVersion: example.com/v1, kind: Namespace, metadata: { name: other } }
        - { apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: other } }`
    expect(problemsOf(given)).toEqual(['namespace other does not exist'])
  })

  test('a Namespace with the name of the release namespace is deleted like any other object', () => {
    const plan = planOf(`
      verb: uninstall
      previous: [{ apiVersion: example.com/v1, kind: Namespace, metadata: { name: web } }]`)
    expect(idsOf(plan)).toEqual(['delete/delete/example.com/Namespace/web/web'])
  })

  test('a CustomResourceDefinition is recreated and deleted where a policy asks for it', () => {
    const policies = '"before-creation,succeeded"'
    const metadata = `{ name: a, annotations: { werf.io/delete-policy: ${policies} } }`
    const object = `{ apiVersion: example.com/v1, kind: CustomResourceDefinition, metadata: ${metadata} }`
    const plan = planOf(`{ verb: upgrade, chart: [${object}], previous: [${object}] }`)
    expect(plan.stages[0]?.groups[0]?.ranks.flat()).toMatchObject([
      { kind: 'apply', change: 'recreate' },
      { kind: 'await', until: 'ready' },
      { kind: 'delete', onlyIf: 'succeeded' },
    ])
  })

  test('a Secret keeps its stringData: what somebody else changed there is drift', () => {
    const object = (text: string) =>
      `{ apiVersion: example.com/v1, kind: Secret, metadata: { name: a }, stringData: { key: "${text}" } }`
    const managed = (text: string) => `
      - apiVersion: example.com/v1
        kind: Secret
        metadata:
          name: a
          labels: { app.kubernetes.io/managed-by: Helm }
          annotations: { meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: web }
          managedFields:
            - { manager: helm, operation: Apply, fieldsV1: { "f:stringData": { "f:key": {} } } }
        stringData: { key: "${text}" }`
    const plan = planOf(`
      verb: upgrade
      chart: [${object('ours')}]
      previous: [${object('ours')}]
      live: ${managed('theirs')}`)
    expect(plan.stages[0]?.groups[0]?.ranks.flat()).toMatchObject([
      { kind: 'apply', change: 'update', reason: { code: 'drift' } },
      { kind: 'await' },
    ])
  })

  test('a CustomResourceDefinition with an immutable field may be recreated', () => {
    const object = '{ apiVersion: example.com/v1, kind: CustomResourceDefinition, metadata: { name: a } }'
    const plan = planOf(`
      verb: upgrade
      answers: { CustomResourceDefinition/web/a: { kind: immutable, fields: [spec.a], message: no } }
      chart: [${object}]
      previous: [${object}]`)
    expect(plan.problems[0]?.hint).toMatchObject({ kind: 'refused-dry-run' })
  })
})
