import { dump } from 'js-yaml'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { at, type Json, openApi } from '../../src/tools/local/cluster/cluster-api.ts'
import { createNamespace, type Namespace, waitForObject } from '../cluster/namespace.ts'
import { createUser } from '../cluster/user.ts'
import { chartOf } from './chart-of.ts'
import { live } from './life.ts'

const { kubeconfig } = inject('cluster')
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Source: docs/sources.md#werf-deployment-order. */
describe('an external dependency', () => {
  let namespace: Namespace
  let group: string
  beforeEach(async () => {
    namespace = await createNamespace(kubeconfig, 'needs')
    group = `${namespace.name}.example.com`
  })
  afterEach(async () => {
    await namespace.api.request('DELETE', `${CRDS}/widgets.${group}`)
    await namespace.remove()
  })

  const deploy = async (files: { readonly [path: string]: Json }) => {
    const texts = Object.entries(files).map(([path, document]) => [path, dump(document)] as const)
    return live(namespace, { command: 'deploy', chart: '.' }, { workspace: await chartOf(Object.fromEntries(texts)) })
  }

  test('is waited for, of a kind that crds/ of the same chart bring', async () => {
    const result = deploy({
      'crds/widgets.yaml': definition(group),
      'templates/a.yaml': map('needs-widget', `widgets.${group}/late`),
    })
    const isEstablished = (crd: Json) => JSON.stringify(at(crd, 'status', 'conditions') ?? []).includes('"Established"')
    await waitForObject(namespace.api, `${CRDS}/widgets.${group}`, 'established', isEstablished)
    const operator = openApi(await createUser(namespace, [{ apiGroups: [group], resources: ['*'], verbs: ['create'] }]))
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'late' } }
    await waitForObject(namespace.api, `${namespace.in(`${group}/v1`)}/widgets`, 'served', () => true)
    await operator.create(`${namespace.in(`${group}/v1`)}/widgets`, widget)

    const { exitCode, log } = await result
    expect(exitCode, log).toBe(0)
    expect(log).toMatch(/Widget\/\S+\/late/)
  })

  test('on what the release deploys later is refused before anything is written', async () => {
    const result = await deploy({
      'templates/a.yaml': map('needs-b', 'configmap/b'),
      'templates/b.yaml': map('b'),
    })
    expect(result.outputs).toMatchObject({ status: 'failed', 'failure-reason': 'invalid-input' })
    for (const text of [result.log, result.summary]) expect(text).toContain('deploys later')
    expect((await namespace.api.request('GET', `${namespace.path}/configmaps/needs-b`)).status).toBe(404)
  })
})

function map(name: string, needs?: string): Json {
  const annotations = needs === undefined ? {} : { 'x.external-dependency.werf.io/resource': needs }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations } }
}

function definition(group: string): Json {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}
