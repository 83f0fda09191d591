import { dump } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { at, type Json } from '../../src/tools/local/cluster/cluster-api.ts'
import { test } from '../cluster/fixture.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { annotations, type Simulation } from '../cluster/simulation/examples.ts'
import { chartOf, writeChart } from './chart-of.ts'
import { type Chapter, emptyWorkspace, live, namesIn } from './life.ts'
import { deletions, writesOfAuthor } from './timeline.ts'

const { kubeconfig, local } = inject('cluster')
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Source: docs/sources.md#werf-resource-lifecycle. */
describe.skipIf(local === undefined)('a resource with deploy-on', () => {
  let namespace: Namespace
  let chapters: { readonly [verb: string]: Chapter }

  beforeAll(async () => {
    namespace = await createNamespace(kubeconfig, 'verbs')
    const verbs = ['install', 'upgrade', 'rollback', 'delete']
    const names = verbs.flatMap((verb) => [`pre-${verb}`, verb, `post-${verb}`])
    const workspace = await chartOf(
      documents([
        map('always', {}, '{{ .Release.Revision }}'),
        // By kind and by weight, all of them would come before `always`.
        ...names.map((name) => job(name, { 'werf.io/deploy-on': name, 'werf.io/delete-policy': 'before-creation' })),
      ]),
    )
    chapters = {
      install: await live(namespace, { command: 'deploy', chart: '.' }, { workspace }),
      upgrade: await live(namespace, { command: 'deploy', chart: '.' }, { workspace }),
      rollback: await live(namespace, { command: 'rollback' }, { workspace: await emptyWorkspace() }),
      delete: await live(namespace, { command: 'uninstall' }, { workspace: await emptyWorkspace() }),
    }
  })
  afterAll(() => namespace?.remove())

  test.for([
    ['install', ['pre-install', 'always', 'install', 'post-install']],
    ['upgrade', ['pre-upgrade', 'always', 'upgrade', 'post-upgrade']],
    ['rollback', ['pre-rollback', 'always', 'rollback', 'post-rollback']],
    ['delete', ['pre-delete', 'delete', 'post-delete']],
  ] as const)('is deployed on %s in its stage, and no other is', ([verb, order]) => {
    const chapter = chapters[verb]
    expect(chapter?.exitCode, chapter?.log).toBe(0)
    expect(chapter && appliedIn(namespace, chapter)).toEqual(order)
  })
})

/** Source: docs/sources.md#kots-orchestrating-resource-deployment. */
describe.skipIf(local === undefined)('charts', () => {
  test('go by weight, 0 where none is given, and a hook finds what the charts before have made', async ({
    namespace,
  }) => {
    const finds = (name: string) => `{{ (lookup "v1" "ConfigMap" .Release.Namespace "${name}").data.text }}`
    const workspace = await emptyWorkspace()
    const chart = async (name: string, ...objects: readonly Json[]) =>
      writeChart(`${workspace}/${name}`, {
        'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
        'templates/all.yaml': documents(objects),
      })
    // Neither the order of the list nor that of the names.
    await chart('a', map('of-a', { 'helm.sh/hook': 'pre-install' }, finds('of-b')))
    await chart('b', map('hook-of-b', { 'helm.sh/hook': 'pre-install' }, finds('of-c')), map('of-b', {}, 'from b'))
    await chart('c', map('of-c', {}, 'from c'))
    const charts = dump([{ chart: 'a', weight: 1 }, { chart: 'b' }, { chart: 'c', weight: -1 }])
    const result = await live(namespace, { command: 'deploy', charts, release: '' }, { workspace })
    expect(result.exitCode, result.log).toBe(0)
    expect(appliedIn(namespace, result)).toEqual(['of-c', 'hook-of-b', 'of-b', 'of-a'])
    expect(await textOf(namespace, 'hook-of-b')).toBe('from c')
    expect(await textOf(namespace, 'of-a')).toBe('from b')
  })

  test('delete by phases, whatever the order of creation was', async ({ namespace }) => {
    const phased = (name: string, creation: string, deletion: string) =>
      map(name, { 'kots.io/creation-phase': creation, 'kots.io/deletion-phase': deletion })
    const workspace = await emptyWorkspace()
    const manifests = [phased('first', '-5', '-5'), phased('second', '0', '3'), phased('third', '7', '-1')]
    await writeChart(`${workspace}/plain`, { 'all.yaml': documents(manifests) })
    const deploy = await live(namespace, { command: 'deploy', manifests: 'plain' }, { workspace })
    expect(appliedIn(namespace, deploy), deploy.log).toEqual(['first', 'second', 'third'])
    const uninstall = await live(namespace, { command: 'uninstall' }, { workspace: await emptyWorkspace() })
    expect(uninstall.exitCode, uninstall.log).toBe(0)
    const own = uninstall.events.filter(({ ref }) => ref.namespace === namespace.name)
    expect(deletions(own).filter((name) => name.startsWith('configmaps/'))).toEqual([
      'configmaps/first',
      'configmaps/third',
      'configmaps/second',
    ])
  })
})

/** Source: docs/sources.md#werf-resource-lifecycle. */
describe.skipIf(local === undefined)('what stays', () => {
  test('is what is kept, against each delete policy', async ({ namespace }) => {
    const keep = { 'helm.sh/resource-policy': 'keep' }
    const kept = (data: string) => [
      map('before', { ...keep, 'werf.io/delete-policy': 'before-creation' }, data),
      map('succeeded', { ...keep, 'werf.io/delete-policy': 'succeeded' }, data),
      map('hook-before', { ...keep, 'helm.sh/hook': 'pre-install,pre-upgrade' }, data),
      map('hook-succeeded', {
        ...keep,
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-delete-policy': 'hook-succeeded',
      }),
    ]
    const failing = job('failed', { ...keep, 'werf.io/delete-policy': 'failed' }, { scenario: 'fail' })
    const failingHook = failingPod('hook-failed', {
      ...keep,
      'helm.sh/hook': 'post-upgrade',
      'helm.sh/hook-delete-policy': 'hook-failed',
    })
    const names = ['before', 'hook-before', 'hook-succeeded', 'succeeded']
    await deploy(namespace, kept('one'))
    const first = await uidsOf(namespace, names)
    const second = await deploy(namespace, [...kept('two'), failingHook])
    expect(second.outputs).toMatchObject({ 'failure-reason': 'hook-failed' })
    const third = await deploy(namespace, [...kept('three'), failing])
    expect(third.outputs).toMatchObject({ 'failure-reason': 'not-ready' })
    expect(await uidsOf(namespace, names)).toEqual(first)
    expect(await textOf(namespace, 'before')).toBe('three')
    expect(await namesIn(namespace, 'v1', 'pods')).toEqual(expect.arrayContaining(['hook-failed']))
    expect(await namesIn(namespace, 'batch/v1', 'jobs')).toEqual(['failed'])
  })

  test('is what anyone owns, where it leaves the chart', async ({ namespace }) => {
    await deploy(namespace, [map('theirs', { 'werf.io/ownership': 'anyone' }), map('ours')])
    // Without the marks of the release it would stay as what others own. Somebody puts them on it, as `kubectl annotate` does.
    const maps = `${namespace.path}/configmaps`
    const marked = at(await namespace.api.get(`${maps}/ours`), 'metadata')
    const marks = { labels: at(marked, 'labels'), annotations: at(marked, 'annotations') }
    await namespace.api.patch(`${maps}/theirs`, { metadata: marks })
    const result = await deploy(namespace, [map('other')])
    expect(result.exitCode, result.log).toBe(0)
    expect(await namesIn(namespace, 'v1', 'configmaps')).toEqual(['other', 'theirs'])
  })
})

/** Source: docs/sources.md#helm-3-chart-hooks. */
describe.skipIf(local === undefined)('a hook', () => {
  test('that is a Deployment is done once applied, ready or not', async ({ namespace }) => {
    const labels = { app: 'never' }
    const never = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'never', annotations: { 'helm.sh/hook': 'pre-install' } },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels, annotations: annotations({ scenario: 'never-ready' }) }, spec: podSpec() },
      },
    }
    const result = await deploy(namespace, [never, map('main')])
    expect(result.exitCode, result.log).toBe(0)
    expect(await namesIn(namespace, 'v1', 'configmaps')).toEqual(['main'])
    const status = at(await namespace.api.get(`${namespace.in('apps/v1')}/deployments/never`), 'status')
    expect(at(status, 'readyReplicas') ?? 0).toBe(0)
  })

  test('that is a Pod fails the release when it fails, before anything else is written', async ({ namespace }) => {
    const result = await deploy(namespace, [failingPod('check', { 'helm.sh/hook': 'pre-install' }), map('main')])
    expect(result.outputs).toMatchObject({
      status: 'failed',
      'failure-reason': 'hook-failed',
      'failed-resource': `Pod/${namespace.name}/check`,
    })
    expect(await namesIn(namespace, 'v1', 'configmaps')).toEqual([])
  })
})

/** Source: docs/sources.md#werf-deployment-order. */
describe.skipIf(local === undefined)('CRDs of subcharts', () => {
  test('come first, but for those of a subchart that a condition switches off', async ({ namespace }) => {
    const group = `${namespace.name}.example.com`
    const subchart = (name: string) => ({
      [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
      [`charts/${name}/crds/all.yaml`]: documents([definition(group, name)]),
    })
    const dependency = (name: string) => ({ name, version: '1.0.0', condition: `${name}.enabled` })
    const workspace = await chartOf({
      'Chart.yaml': dump({
        apiVersion: 'v2',
        name: 'umbrella',
        version: '1.0.0',
        dependencies: [dependency('gear'), dependency('cog')],
      }),
      'values.yaml': dump({ gear: { enabled: true }, cog: { enabled: false } }),
      'templates/all.yaml': documents([
        {
          apiVersion: `${group}/v1`,
          kind: 'Gear',
          metadata: { name: 'main', annotations: { 'helm.sh/hook': 'pre-install' } },
        },
      ]),
      ...subchart('gear'),
      ...subchart('cog'),
    })
    const result = await live(namespace, { command: 'deploy', chart: '.' }, { workspace })
    const found = await Promise.all(
      ['gears', 'cogs'].map(async (name) => (await namespace.api.request('DELETE', `${CRDS}/${name}.${group}`)).status),
    )
    expect(result.exitCode, result.log).toBe(0)
    expect(found).toEqual([200, 404])
  })
})

async function deploy(namespace: Namespace, objects: readonly Json[]): Promise<Chapter> {
  return live(
    namespace,
    { command: 'deploy', chart: '.', timeout: '60s' },
    { workspace: await chartOf(documents(objects)) },
  )
}

/** Names of what was applied in the namespace, each once, in order. */
function appliedIn({ name }: Namespace, { events }: Chapter): readonly string[] {
  const applied = writesOfAuthor(events).filter(
    ({ ref, verb }) => ref.namespace === name && verb === 'patch' && ['configmaps', 'jobs'].includes(ref.resource),
  )
  return [...new Set(applied.map(({ ref }) => ref.name ?? ''))]
}

async function uidsOf({ api, path }: Namespace, names: readonly string[]): Promise<readonly unknown[]> {
  return Promise.all(names.map(async (name) => at(await api.get(`${path}/configmaps/${name}`), 'metadata', 'uid')))
}

async function textOf({ api, path }: Namespace, name: string): Promise<unknown> {
  return at(await api.get(`${path}/configmaps/${name}`), 'data', 'text')
}

type Annotations = { readonly [key: string]: string }

function map(name: string, given: Annotations = {}, text = ''): Json {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations: given }, data: { text } }
}

function job(name: string, given: Annotations, simulation: Simulation = {}): Json {
  const template = { metadata: { annotations: annotations(simulation) }, spec: podSpec('Never') }
  const spec = { backoffLimit: 0, template }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, annotations: given }, spec }
}

function failingPod(name: string, given: Annotations): Json {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations: { ...given, ...annotations({ scenario: 'fail' }) } },
    spec: podSpec('Never'),
  }
}

function podSpec(restartPolicy?: string): Json {
  return { ...(restartPolicy === undefined ? {} : { restartPolicy }), containers: [{ name: 'main', image: 'example' }] }
}

function definition(group: string, name: string): Json {
  const kind = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}s.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: `${name}s`, singular: name, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  }
}

function documents(objects: readonly Json[]): string {
  return objects.map((object) => dump(object)).join('---\n')
}
