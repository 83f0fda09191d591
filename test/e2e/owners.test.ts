import { dump } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { at, type Json } from '../../src/tools/local/cluster/cluster-api.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { chartOf } from './chart-of.ts'
import { type Chapter, emptyWorkspace, live, namesIn } from './life.ts'

const { kubeconfig } = inject('cluster')
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Sources: docs/sources.md#werf-resource-lifecycle, docs/sources.md#helm-ownership. */
describe('a release whose hooks and resources change places', () => {
  let namespace: Namespace
  let first: Chapter
  let second: Chapter
  let between: readonly string[]
  let uninstall: Chapter

  beforeAll(async () => {
    namespace = await createNamespace(kubeconfig, 'owners')
    first = await deploy(
      hook('seed', 'pre-install'),
      map('settings'),
      hook('mine', 'pre-install', 'release'),
      hook('theirs', 'pre-install'),
    )
    second = await deploy(map('seed'), hook('settings', 'post-upgrade'), hook('last', 'post-upgrade', 'release'))
    between = await namesIn(namespace, 'v1', 'configmaps')
    uninstall = await live(namespace, { command: 'uninstall' }, { workspace: await emptyWorkspace() })
  })
  afterAll(() => namespace?.remove())

  const deploy = async (...documents: readonly Json[]) =>
    live(namespace, { command: 'deploy', chart: '.' }, { workspace: await chartOf(documents.map(yaml).join('---\n')) })

  test('is deployed each time', () => {
    for (const { exitCode, log } of [first, second, uninstall]) expect(exitCode, log).toBe(0)
  })

  test('loses the hook that it owned when that leaves the chart, and no other', () => {
    expect(between).toEqual(['last', 'seed', 'settings', 'theirs'])
  })

  test('takes what it owns with it, also where a hook made it', async () => {
    expect(await namesIn(namespace, 'v1', 'configmaps')).toEqual(['settings', 'theirs'])
  })
})

describe('a release without hooks', () => {
  let namespace: Namespace
  afterAll(() => namespace?.remove())

  test('runs no hook with hooks: false', async () => {
    namespace = await createNamespace(kubeconfig, 'hookless')
    const documents = [map('a'), hook('before', 'pre-install'), hook('goodbye', 'post-delete')]
    const workspace = await chartOf(documents.map(yaml).join('---\n'))
    const deploy = await live(namespace, { command: 'deploy', chart: '.', hooks: 'false' }, { workspace })
    expect(deploy.exitCode, deploy.log).toBe(0)
    expect(deploy.log).toMatch(/before: not run, hooks are off/)
    expect(await namesIn(namespace, 'v1', 'configmaps')).toEqual(['a'])
    const uninstall = await live(namespace, { command: 'uninstall', hooks: 'false' }, { workspace })
    expect(uninstall.exitCode, uninstall.log).toBe(0)
    expect(await namesIn(namespace, 'v1', 'configmaps')).toEqual([])
  })
})

describe('a CRD that two releases bring', () => {
  let namespace: Namespace
  let crd: string
  afterAll(async () => {
    await namespace?.api.request('DELETE', `${CRDS}/${crd}`)
    await namespace?.remove()
  })

  test('is updated by the one that does not own it where it then serves more, else left with a note', async () => {
    namespace = await createNamespace(kubeconfig, 'crds')
    const group = `${namespace.name}.example.com`
    crd = `widgets.${group}`
    const owner = await live(
      namespace,
      { command: 'deploy', chart: '.', release: 'owner' },
      { workspace: await chartOf(yaml(definition(group, ['a', 'b']))) },
    )
    expect(owner.exitCode, owner.log).toBe(0)
    const bring = async (...fields: readonly string[]) => {
      const files = { 'crds/widgets.yaml': yaml(definition(group, fields)), 'templates/a.yaml': yaml(map('a')) }
      return live(namespace, { command: 'deploy', chart: '.' }, { workspace: await chartOf(files) })
    }

    const less = await bring('a')
    expect(less.exitCode, less.log).toBe(0)
    expect(less.log).toMatch(/widgets\S+: not owned by this release/)
    expect(await fieldsOf()).toEqual(['a', 'b'])

    const more = await bring('a', 'b', 'c')
    expect(more.exitCode, more.log).toBe(0)
    expect(await fieldsOf()).toEqual(['a', 'b', 'c'])
    const marks = at(await namespace.api.get(`${CRDS}/${crd}`), 'metadata', 'annotations', 'meta.helm.sh/release-name')
    expect(marks).toBe('owner')
  })

  async function fieldsOf(): Promise<readonly string[]> {
    const found = await namespace.api.get(`${CRDS}/${crd}`)
    const properties = at(found, 'spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties')
    return Object.keys((properties ?? {}) as object).sort()
  }
})

function map(name: string, annotations: { readonly [key: string]: string } = {}): Json {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations } }
}

function hook(name: string, event: string, ownership?: string): Json {
  return map(name, { 'helm.sh/hook': event, ...(ownership === undefined ? {} : { 'werf.io/ownership': ownership }) })
}

function definition(group: string, fields: readonly string[]): Json {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]))
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
      ],
    },
  }
}

function yaml(document: Json): string {
  return dump(document)
}
