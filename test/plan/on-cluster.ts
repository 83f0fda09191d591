import { load, loadAll } from 'js-yaml'
import { keptIn } from '../../src/directives/kept-live.ts'
import { directivesOf } from '../../src/directives/read-directives.ts'
import { handOverPatch } from '../../src/manifest/hand-over.ts'
import { toManifests } from '../../src/manifest/scope.ts'
import type { Resource } from '../../src/model/directives.ts'
import { isApiError } from '../../src/model/errors.ts'
import type { HandOver } from '../../src/model/handed-over.ts'
import type { KubeObject } from '../../src/model/object.ts'
import type { Observed } from '../../src/model/observed.ts'
import type { ApplyOperation, Fingerprint, Plan } from '../../src/model/plan.ts'
import { type Ref, refKey } from '../../src/model/ref.ts'
import { observe } from '../../src/observe/observe.ts'
import { fingerprintOf } from '../../src/plan/fingerprint.ts'
import { makePlan, type Planned } from '../../src/plan/make-plan.ts'
import type { Cluster, Reader } from '../../src/ports.ts'

export interface Look {
  readonly planned: Planned
  readonly plan: Plan
  readonly observed: Observed
  /** Manifests of the revision before. */
  readonly previous: ReadonlyMap<string, KubeObject>
  readonly fingerprint: Fingerprint
}

export interface LookOptions {
  /** Manifests of the revision before, as YAML; its apply was client-side unless `isServerSide`. */
  readonly previous?: string
  readonly isServerSide?: boolean
  readonly mayDryRunBeForbidden?: boolean
}

/** The plan of a release `shop` that holds these documents, made against a real control plane. */
export async function look(reader: Reader, namespace: string, yaml: string, options: LookOptions = {}): Promise<Look> {
  const discovery = await reader.discovery()
  const place = { release: 'shop', namespace }
  const desired = resourcesOf(yaml, namespace, discovery.kinds)
  const previous = resourcesOf(options.previous ?? '', namespace, discovery.kinds)
  const verb = options.previous === undefined ? 'install' : 'upgrade'
  const observed = await observe({
    ...place,
    reader,
    discovery,
    verb,
    desired,
    previous,
    previousIsServerSide: options.isServerSide ?? true,
    force: false,
    keptIn,
    mayDryRunBeForbidden: options.mayDryRunBeForbidden === true,
  })
  return lookAt(observed, { desired, previous, verb, served: discovery.kinds, ...place })
}

function lookAt(
  observed: Observed,
  of: {
    readonly desired: readonly Resource[]
    readonly previous: readonly Resource[]
    readonly verb: 'install' | 'upgrade'
    readonly served: Awaited<ReturnType<Reader['discovery']>>['kinds']
    readonly release: string
    readonly namespace: string
  },
): Look {
  const planned = makePlan({
    ...of,
    observed,
    revision: 1,
    comingKinds: [],
    leftOut: [],
    options: { wait: false, prune: true, takeOwnership: false, createNamespace: false },
    revisionCauses: [],
    problems: [],
  })
  const fingerprint = fingerprintOf(planned, { ignored: [], secretKey: 'key', redact: (text) => text })
  const previous = new Map(of.previous.map(({ manifest }) => [refKey(manifest.ref), manifest.object]))
  return { planned, plan: planned.plan, observed, previous, fingerprint }
}

export function applies({ plan }: Look): readonly ApplyOperation[] {
  return plan.stages
    .flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat()))
    .filter((operation) => operation.kind === 'apply')
}

/** `change name: reason`, with paths and managers. */
export function told(one: Look): readonly string[] {
  return applies(one).map(({ change, ref, reason }) => {
    const paths = 'paths' in reason ? reason.paths : []
    const drift = 'drift' in reason ? reason.drift.map(({ manager, path }) => `${path} (${manager})`) : []
    return [`${change} ${ref.name}: ${reason.code}`, ...paths, ...drift].join(' ')
  })
}

/** Writes what the plan announces, as a deploy does, and gives the objects as they are then. */
export async function applyAll(cluster: Cluster, { planned }: Look): Promise<ReadonlyMap<string, KubeObject>> {
  const written = new Map<string, KubeObject>()
  for (const [id, { body, handOver }] of planned.payloads) {
    const { apiVersion, kind, metadata } = body
    const ref = { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
    if (handOver !== undefined) await takeOver(cluster, ref, handOver)
    written.set(id, await cluster.apply(body, { force: false }))
  }
  return written
}

/** Controllers write the object meanwhile: the patch names the version that it was made for. */
async function takeOver(cluster: Cluster, ref: Ref, handOver: HandOver): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const live = await cluster.get(ref)
    const patch = live === undefined ? undefined : handOverPatch(live, handOver)
    if (patch === undefined) return
    try {
      await cluster.patch(ref, patch)
      return
    } catch (error) {
      if (attempt === 10 || !isApiError(error, 'Conflict')) throw error
    }
  }
}

function resourcesOf(
  yaml: string,
  namespace: string,
  served: Awaited<ReturnType<Reader['discovery']>>['kinds'],
): readonly Resource[] {
  const documents = loadAll(yaml).filter((object) => object !== null && object !== undefined)
  const sources = documents.map((object) => ({
    object: object as KubeObject,
    file: 'shop/templates/all.yaml',
    line: 1,
    source: 'template' as const,
  }))
  const { manifests } = toManifests(sources, { namespace, served })
  return directivesOf(manifests, { isPlainManifests: false }).resources
}

export function parsed(yaml: string): KubeObject {
  return load(yaml) as KubeObject
}
