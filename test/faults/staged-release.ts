import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dump } from 'js-yaml'
import { writeChart } from '../e2e/chart-of.ts'
import type { Steps } from '../e2e/timeline.ts'

/** The third differs from the second in what it says only. */
export type ChartVersion = 1 | 2 | 3

/**
 * A chart in three versions; an upgrade from the first to another writes in every stage of a deploy, and so does the way
 * back.
 */
export interface StagedRelease {
  /** Folder of the version. */
  readonly chart: (version: ChartVersion) => string
  readonly crd: string
  /** Plural of the custom resource, and where its objects are. */
  readonly things: { readonly groupVersion: string; readonly resource: 'things' }
  /** What an upgrade to the second version writes, in its order, after the CRD: that one is established before it. */
  readonly upgrade: Steps
}

/** `id`: part of the CRD's name, because CRDs of several releases live side by side. `secret`: a value of a Secret. */
export async function writeStagedRelease(id: string, secret: string): Promise<StagedRelease> {
  const group = `${id}.faults.example.com`
  const folder = () => mkdtemp(join(tmpdir(), PREFIX))
  const folders = { 1: await folder(), 2: await folder(), 3: await folder() }
  for (const version of [1, 2, 3] as const) {
    const objects = templates(group, version, secret)
    await writeChart(folders[version], {
      'Chart.yaml': `apiVersion: v2\nname: faulted\nversion: ${version}.0.0\n`,
      'crds/thing.yaml': dump(crd(group, version)),
      'templates/all.yaml': objects.map((object) => dump(object)).join('---\n'),
    })
  }
  return {
    chart: (version) => folders[version],
    crd: `things.${group}`,
    things: { groupVersion: `${group}/v1`, resource: 'things' },
    upgrade: [
      ['jobs/before'],
      ['configmaps/first', 'configmaps/new', 'configmaps/newer', 'deployments/first'],
      ['configmaps/second', 'deployments/second', 'things/second'],
      ['configmaps/old', 'configmaps/older'],
      ['jobs/afterwards'],
    ],
  }
}

const PREFIX = 'staged-helm-deploy-faulted-'

function templates(group: string, version: ChartVersion, secret: string): readonly object[] {
  const always = [
    hook('before', 'pre-install,pre-upgrade,pre-rollback,pre-delete'),
    configMap('first', { version: `${version}` }),
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'first' }, stringData: { password: secret } },
    deployment('first', version, 0),
    configMap('second', { version: `${version}` }, { 'werf.io/weight': '10' }),
    deployment('second', version, 10),
    {
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      metadata: { name: 'second', annotations: { 'werf.io/weight': '10' } },
      spec: { version },
    },
    hook('afterwards', 'post-install,post-upgrade,post-rollback,post-delete'),
  ]
  if (version !== 1) return [...always, configMap('new', {}), configMap('newer', {})]
  const kept = configMap('precious', {}, { 'helm.sh/resource-policy': 'keep' })
  return [...always, configMap('old', {}), configMap('older', {}), kept]
}

function configMap(name: string, data: object, annotations: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations }, data }
}

function deployment(name: string, version: number, weight: number): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, annotations: { 'werf.io/weight': `${weight}` } },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: `${name}:${version}` }] },
      },
    },
  }
}

function hook(name: string, events: string): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, annotations: { 'helm.sh/hook': events } },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { annotations: { 'simulate.staged-helm-deploy.dev/complete-after': '100ms' } },
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example' }] },
      },
    },
  }
}

function crd(group: string, version: ChartVersion): object {
  const properties = { version: { type: 'integer' }, ...(version === 1 ? {} : { note: { type: 'string' } }) }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
          },
        },
      ],
    },
  }
}
