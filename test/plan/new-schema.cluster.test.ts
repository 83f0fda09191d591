import { afterAll, beforeAll, describe, expect, inject, onTestFinished } from 'vitest'
import type { OpenCluster } from '../../src/kube/cluster-adapter.ts'
import { conformed } from '../../src/manifest/structural-schema.ts'
import { isApiError } from '../../src/model/errors.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { test } from '../cluster/fixture.ts'
import { schemaCases, widgetSchema } from '../manifest/schema-cases.ts'
import { openCluster } from '../record/helm.ts'
import { applyAll, look, told } from './on-cluster.ts'

let cluster: OpenCluster
beforeAll(async () => {
  cluster = await openCluster(inject('cluster').kubeconfig)
})
afterAll(() => cluster.close())

/** A CRD of a group of its own, deleted after the test. */
function crdOf(namespace: string, schema: JsonObject): KubeObject & { readonly group: string } {
  const group = `s${namespace.slice(-6)}.example.com`
  const ref = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: `widgets.${group}` }
  onTestFinished(() => cluster.delete(ref, { propagation: 'Background' }))
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }]
  const spec = { group, names: { kind: 'Widget', plural: 'widgets' }, scope: 'Namespaced', versions }
  const { name, ...type } = ref
  return { ...type, metadata: { name }, spec, group } as KubeObject & { readonly group: string }
}

/** Until the API server judges by the schema: it takes new ones a moment after it has served the kind. */
async function applyCrd({ group, ...crd }: ReturnType<typeof crdOf>, known: KubeObject): Promise<void> {
  await cluster.apply(crd as KubeObject, { force: false })
  await waitFor({ what: 'the CRD is served with its schema' }, async () => {
    const { kinds } = await cluster.discovery({ refresh: true })
    if (!kinds.some((kind) => kind.group === group)) return false
    return (await answerOf(known)).isTaken
  })
}

async function answerOf(object: KubeObject): Promise<{ readonly isTaken: boolean; readonly said: unknown }> {
  try {
    return { isTaken: true, said: (await cluster.dryRunApply(object, { force: false })).spec }
  } catch (error) {
    if (!isApiError(error, 'Invalid', 'BadRequest')) throw error
    return { isTaken: false, said: error.details.message }
  }
}

describe('our reading of structural schemas', () => {
  test('takes and stores what the API server takes and stores, and refuses what it refuses', async ({ namespace }) => {
    const crd = crdOf(namespace.name, widgetSchema)
    const widget = (spec: JsonObject): KubeObject => ({
      apiVersion: `${crd.group}/v1`,
      kind: 'Widget',
      metadata: { name: 'a', namespace: namespace.name },
      spec,
    })
    await applyCrd(crd, widget({ mode: 'fast' }))
    for (const { what, spec } of schemaCases) {
      const ours = conformed(widget(spec), widget(spec), widgetSchema)
      const theirs = await answerOf(widget(spec))
      expect([what, ours.problems.length === 0, theirs.said]).toEqual([what, theirs.isTaken, theirs.said])
      if (theirs.isTaken) expect([what, ours.object.spec]).toEqual([what, theirs.said])
    }
  })
})

describe('a CRD and its custom resource in one plan', () => {
  const yamlOf = (...objects: readonly unknown[]) => objects.map((object) => JSON.stringify(object)).join('\n---\n')
  const schema = (properties: JsonObject): JsonObject => ({
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' }, ...properties } } },
  })

  test('the new field is announced, and stored; a value that the new schema refuses blocks the plan', async ({
    namespace,
  }) => {
    const old = crdOf(namespace.name, schema({}))
    const { group, ...crd } = old
    const widget = (spec: JsonObject) => ({ apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec })
    const first = yamlOf(crd)
    await applyAll(cluster, await look(cluster, namespace.name, first))
    await waitFor({ what: 'the kind is served' }, async () =>
      (await cluster.discovery({ refresh: true })).kinds.some((kind) => kind.group === group),
    )
    const before = yamlOf(crd, widget({ size: 1 }))
    await applyAll(cluster, await look(cluster, namespace.name, before, { previous: first }))

    const next = { ...crd, spec: { ...(crd.spec as JsonObject) } }
    const mode = { type: 'string', enum: ['fast', 'safe'] }
    const [version] = (crd.spec as { versions: readonly JsonObject[] }).versions
    next.spec.versions = [{ ...version, schema: { openAPIV3Schema: schema({ mode }) } }]

    const wrong = await look(cluster, namespace.name, yamlOf(next, widget({ size: 1, mode: 'slow' })), {
      previous: before,
    })
    expect(wrong.plan.problems.map(({ what }) => what)).toEqual([
      `by the schema that CRD widgets.${group} gets in this plan: spec.mode must be one of "fast", "safe"`,
    ])

    const after = yamlOf(next, widget({ size: 1, mode: 'fast' }))
    const right = await look(cluster, namespace.name, after, { previous: before })
    expect(right.plan.problems).toEqual([])
    expect(told(right)).toContain('update a: unknown-until-applied')
    await cluster.apply(
      [...right.planned.payloads.values()].find(({ body }) => body.kind !== 'Widget')?.body as KubeObject,
      { force: false },
    )
    const sent = [...right.planned.payloads.values()].find(({ body }) => body.kind === 'Widget')
    const stored = await waitFor({ what: 'the new schema is served' }, async () => {
      try {
        return await cluster.apply(sent?.body as KubeObject, { force: false })
      } catch (error) {
        if (isApiError(error)) return undefined
        throw error
      }
    })
    expect(stored.spec).toEqual(sent?.result.spec)
    const again = await look(cluster, namespace.name, after, { previous: after })
    expect(told(again).filter((line) => !line.startsWith('none'))).toEqual([])
  })
})
