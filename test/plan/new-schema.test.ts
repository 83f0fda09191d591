import { describe, expect, test } from 'vitest'
import type { ApplyOperation } from '../../src/model/plan.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { planText } from '../../src/report/words/plan-text.ts'
import { parseGiven, planInput } from './given.ts'

const crd = (fields: string, more = '') => `
  apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: { name: widgets.example.com${more} }
  spec:
    group: example.com
    names: { kind: Widget, plural: widgets }
    scope: Namespaced
    versions:
      - name: v1
        served: true
        storage: true
        schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer }${fields} } } } } }`

const widget = (spec: string, annotations = '{}') =>
  `{ apiVersion: example.com/v1, kind: Widget, metadata: { name: a, annotations: ${annotations} }, spec: ${spec} }`

const MODE = ', mode: { type: string, enum: [fast, safe], default: safe }'
const undeclared =
  '{ kind: refused, refusal: { kind: rejected, message: "failed to create typed patch object (web/a): .spec.mode: field not declared in schema" } }'
const denied = '{ kind: refused, refusal: { kind: webhook-denied, message: "no" } }'

/** The plan of an upgrade from the old CRD with one Widget to these documents. */
function planOf(documents: readonly string[], answer?: string, crds = '') {
  const text = `
verb: upgrade
previous:
  - ${widget('{ size: 1 }')}
live:
  - ${crd('', ', labels: { app.kubernetes.io/managed-by: Helm }, annotations: { meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: web }').trim().replaceAll('\n', '\n  ')}
${crds === '' ? '' : `crds:\n  - ${crds.trim().replaceAll('\n', '\n  ')}`}
chart:
${documents.map((document) => `  - ${document.trim().replaceAll('\n', '\n  ')}`).join('\n')}
${answer === undefined ? '' : `answers: { Widget/web/a: ${answer} }`}`
  return makePlan(planInput(parseGiven(text)))
}

const widgetIn = (planned: ReturnType<typeof planOf>) =>
  planned.plan.stages
    .flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat()))
    .find((one): one is ApplyOperation => one.kind === 'apply' && one.ref.kind === 'Widget')
const problemsOf = (planned: ReturnType<typeof planOf>) => planned.plan.problems.map(({ what }) => what)

describe('a custom resource whose CRD gets another schema before it', () => {
  test('is announced where the old schema refuses its new field, with what will be stored', () => {
    const planned = planOf([widget('{ size: 1, mode: fast }')], undeclared, crd(MODE))
    expect(problemsOf(planned)).toEqual([])
    expect(widgetIn(planned)).toMatchObject({
      change: 'update',
      reason: { code: 'unknown-until-applied', because: 'schema-changes' },
      newSchema: 'widgets.example.com',
      after: { spec: { size: 1, mode: 'fast' } },
    })
    expect(planText(planned.plan)).toContain(
      'its CRD gets another schema before; validated against the new schema of CRD widgets.example.com, without its CEL rules',
    )
  })

  test('is a problem before the first write where the new schema refuses it, with field and cause', () => {
    const planned = planOf([widget('{ size: 1, mode: slow }')], undeclared, crd(MODE))
    expect(problemsOf(planned)).toEqual([
      'by the schema that CRD widgets.example.com gets in this plan: spec.mode must be one of "fast", "safe"',
    ])
  })

  test('is a problem, too, where the old schema takes it and the new one does not', () => {
    const planned = planOf(
      [widget('{ size: 2 }')],
      undefined,
      crd('').replace('size: { type: integer }', 'size: { type: integer, maximum: 1 }'),
    )
    expect(problemsOf(planned)).toEqual([
      'by the schema that CRD widgets.example.com gets in this plan: spec.size must be at most 1',
    ])
  })

  test('is shown with the defaults of the new schema', () => {
    const planned = planOf([widget('{ size: 2 }')], undefined, crd(MODE))
    expect(widgetIn(planned)).toMatchObject({ change: 'update', after: { spec: { size: 2, mode: 'safe' } } })
  })

  test('is announced where the answer has dropped its new field', () => {
    const pruned = `{ kind: accepted, object: ${widget('{ size: 1 }')} }`
    const planned = planOf([widget('{ size: 1, mode: fast }')], pruned, crd(MODE))
    expect(widgetIn(planned)).toMatchObject({ change: 'update', after: { spec: { mode: 'fast' } } })
  })

  test('is approved as it is rendered, so that a run after the CRD was applied goes on', () => {
    const planned = planOf([widget('{ size: 2 }')], undefined, crd(MODE))
    expect(widgetIn(planned)?.newSchema).toBe('widgets.example.com')
  })

  test('stays refused where it is not the schema that refuses it', () => {
    expect(problemsOf(planOf([widget('{ size: 1 }')], denied, crd(MODE)))).toEqual(['no'])
  })
})

describe('a refusal stands', () => {
  const message = 'failed to create typed patch object (web/a): .spec.mode: field not declared in schema'

  test('where the CRD is in the plan and stays as it is', () => {
    expect(problemsOf(planOf([widget('{ mode: fast }')], undeclared, crd('')))).toEqual([message])
  })

  test('where the CRD changes in something else', () => {
    expect(problemsOf(planOf([widget('{ mode: fast }')], undeclared, crd('', ', labels: { a: b }')))).toEqual([message])
  })

  test('where the CRD comes later than the object', () => {
    const later = crd(MODE, ', annotations: { werf.io/weight: "10" }')
    expect(problemsOf(planOf([widget('{ mode: fast }'), later], undeclared))).toEqual([message])
  })

  test('but not where the CRD comes in the same group: it is applied first', () => {
    expect(problemsOf(planOf([widget('{ mode: fast }'), crd(MODE)], undeclared))).toEqual([])
  })
})

describe('a kind that the plan brings', () => {
  const NOT_SERVED = 'answers: { Widget/web/a: { kind: kind-not-served } }'
  const first = (spec: string, apiVersion = 'example.com/v1') =>
    makePlan(
      planInput(
        parseGiven(`
crds:
  - ${crd(MODE).trim().replaceAll('\n', '\n  ')}
chart:
  - ${widget(spec).replace('example.com/v1', apiVersion)}
${NOT_SERVED}`),
      ),
    )

  test('is judged by its schema in the plan', () => {
    expect(widgetIn(first('{ mode: fast }'))).toMatchObject({
      reason: { because: 'kind-not-served' },
      newSchema: 'widgets.example.com',
    })
    expect(problemsOf(first('{ mode: slow, size: x }'))).toEqual([
      'by the schema that CRD widgets.example.com gets in this plan: spec.mode must be one of "fast", "safe"; spec.size must be an integer',
    ])
  })

  test('is refused in a version that its CRD does not serve', () => {
    expect(problemsOf(first('{}', 'example.com/v2'))).toEqual(['the cluster does not serve Widget of example.com/v2'])
  })
})
