import { bodyFor } from '../manifest/apply-body.ts'
import { containsAll, sameObject } from '../manifest/compare.ts'
import { migrateToServerSideApply } from '../manifest/managed-fields.ts'
import { isRecreated } from '../manifest/recreation.ts'
import { isAppliedBy } from '../model/applied-by.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import type { DryRun, Observed } from '../model/observed.ts'
import { groupOf, refKey, versionOf } from '../model/ref.ts'
import type { Verb } from '../model/verb.ts'
import type { Discovery, Reader } from '../ports.ts'
import { dryRun } from './dry-run.ts'
import { dryRunMigrated } from './dry-run-migrated.ts'
import { readLive } from './live-objects.ts'
import { missingNamespaces } from './missing-namespaces.ts'
import { readQuotas } from './quotas.ts'
import { withoutDryRuns } from './without-dry-runs.ts'

export interface ObserveInput {
  readonly reader: Reader
  readonly discovery: Discovery
  readonly verb: Verb
  readonly release: string
  readonly namespace: string
  readonly desired: readonly Resource[]
  readonly previous: readonly Resource[]
  /** Whether the revision that `previous` comes from was applied server-side. */
  readonly previousIsServerSide: boolean
  readonly force: boolean
  /** Keys of the live objects whose annotations keep them, whatever the chart says. */
  readonly keptIn: (live: ReadonlyMap<string, KubeObject>) => ReadonlySet<string>
  /** For plans only: where a dry run is forbidden, all changes are computed from the rendered fields. */
  readonly mayDryRunBeForbidden?: boolean
  readonly signal?: AbortSignal
}

/**
 * Reads the live objects of a release and asks what applying it would give. Never writes.
 * Requests: one per kind and namespace (or per object where few), one per namespace (two where objects are created in
 * it), and one dry run for each object whose manifest or live state differs from the record.
 */
export async function observe(input: ObserveInput): Promise<Observed> {
  const { reader, signal } = input
  const applied = input.desired.filter((resource) => isAppliedBy(input.verb, resource))
  const refs = [...input.desired, ...input.previous].map((resource) => resource.manifest.ref)
  const namespaces = new Set(refs.flatMap((ref) => ref.namespace ?? []))
  const [{ live, unreadable }, missing] = await Promise.all([
    readLive(reader, refs, signal),
    missingNamespaces(reader, namespaces, signal),
  ])

  const kept = input.keptIn(live)
  const previous = new Map(input.previous.map((resource) => [refKey(resource.manifest.ref), resource.manifest.object]))
  const served = new Set(input.discovery.kinds.map((kind) => `${kind.group}/${kind.version}/${kind.kind}`))
  const bodies = new Map<string, KubeObject>()
  const migrates = new Set<string>()
  for (const resource of applied) {
    const key = refKey(resource.manifest.ref)
    const current = live.get(key)
    bodies.set(key, bodyFor(resource, { release: input.release, namespace: input.namespace, live: current }))
    if (current !== undefined && !resource.directives.isHook && migrateToServerSideApply(current) !== undefined) {
      migrates.add(key)
    }
  }

  const ask = async (resource: Resource): Promise<DryRun> => {
    const { ref, object } = resource.manifest
    const key = refKey(ref)
    const body = bodies.get(key)
    const current = live.get(key)
    if (body === undefined || unreadable.has(key)) return { kind: 'not-asked' }
    if (!served.has(`${groupOf(ref.apiVersion)}/${versionOf(ref.apiVersion)}/${ref.kind}`))
      return { kind: 'kind-not-served' }
    if (ref.namespace !== undefined && missing.has(ref.namespace)) return { kind: 'namespace-missing' }
    if (current !== undefined && isRecreated(resource, kept)) return { kind: 'not-asked' }
    const before = previous.get(key)
    const isAsRecorded = input.previousIsServerSide && before !== undefined && sameObject(before, object)
    if (isAsRecorded && current !== undefined && containsAll(current, body)) return { kind: 'unchanged' }
    const options = signal === undefined ? { force: input.force } : { force: input.force, signal }
    if (current === undefined || !migrates.has(key)) return dryRun(reader, body, options)
    return dryRunMigrated(reader, { ref, body, live: current, ...defined({ previous: before }) }, options)
  }

  const isCreated = ({ manifest: { ref } }: Resource) => !live.has(refKey(ref)) && !missing.has(ref.namespace ?? '')
  const growing = new Set(applied.filter(isCreated).flatMap(({ manifest }) => manifest.ref.namespace ?? []))
  const [answers, quotas] = await Promise.all([
    Promise.all(applied.map(async (resource) => [refKey(resource.manifest.ref), await ask(resource)] as const)),
    readQuotas(reader, growing, signal),
  ])
  const observed = {
    live,
    kept,
    unreadable,
    bodies,
    migrates,
    missingNamespaces: missing,
    dryRuns: new Map(answers),
    quotas,
  }
  const isForbidden = answers.some(([, { kind }]) => kind === 'forbidden')
  return isForbidden && input.mayDryRunBeForbidden === true ? withoutDryRuns(observed, previous) : observed
}
