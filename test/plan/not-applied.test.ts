import { describe, expect, test } from 'vitest'
import { makePlan } from '../../src/plan/make-plan.ts'
import { parseGiven, planInput } from './given.ts'

function problemsOf(given: string): readonly string[] {
  return makePlan(planInput(parseGiven(given))).plan.problems.map(({ what }) => what)
}

const LEFT_OUT: readonly (readonly [string, string])[] = [
  ['excluded', '{ kots.io/exclude: "true" }'],
  ['of another verb', '{ werf.io/deploy-on: rollback }'],
]

describe('an object that the plan does not apply does not count on its behalf', () => {
  test('an excluded Job before the release installs no CRDs', () => {
    const given = (annotations: string) => `
      answers: { Widget/web/w: { kind: kind-not-served } }
      chart:
        - { apiVersion: batch/v1, kind: Job, metadata: { name: a, annotations: ${annotations} } }
        - { apiVersion: example.com/v1, kind: Widget, metadata: { name: w } }`
    expect(problemsOf(given('{ helm.sh/hook: pre-install }'))).toEqual([])
    expect(problemsOf(given('{ helm.sh/hook: pre-install, kots.io/exclude: "true" }'))).toEqual([
      'the cluster does not serve Widget of example.com/v1',
    ])
  })

  test.each(LEFT_OUT)('a CRD %s replaces no schema', (_how, annotations) => {
    const given = (crd: string) => `
      answers: { Widget/web/w: { kind: refused, refusal: { kind: invalid, message: no } } }
      chart:
        - apiVersion: apiextensions.k8s.io/v1
          kind: CustomResourceDefinition
          metadata: { name: widgets.example.com, annotations: ${crd} }
          spec: { group: example.com, names: { kind: Widget } }
        - { apiVersion: example.com/v1, kind: Widget, metadata: { name: w } }`
    expect(problemsOf(given('{}'))).toEqual([])
    expect(problemsOf(given(annotations))).toEqual(['no'])
  })

  test.each(LEFT_OUT)('a Namespace %s is no place for objects', (_how, annotations) => {
    const given = (namespace: string) => `
      missing: [other]
      answers: { ConfigMap/other/a: { kind: namespace-missing } }
      chart:
        - { apiVersion: v1, kind: Namespace, metadata: { name: other, annotations: ${namespace} } }
        - { apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: other } }`
    expect(problemsOf(given('{}'))).toEqual([])
    expect(problemsOf(given(annotations))).toEqual(['namespace other does not exist'])
  })
})
