import { bodyFor } from '../manifest/apply-body.ts'
import { sameObject } from '../manifest/compare.ts'
import { isClientSide } from '../manifest/hand-over.ts'
import { holdsAlready } from '../manifest/held-already.ts'
import { isRecreated } from '../manifest/recreation.ts'
import { isAppliedBy } from '../model/applied-by.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import type { DryRun, Observed } from '../model/observed.ts'
import { groupOf, refKey, versionOf } from '../model/ref.ts'
import type { Verb } from '../model/verb.ts'
import type { Discovery, Reader } from '../ports.ts'
import { askedOfNewest } from './asked-of-newest.ts'
import { dryRun } from './dry-run.ts'
import { dryRunExisting, type ExistingAnswer } from './dry-run-existing.ts'
import { readLive } from './live-objects.ts'
import { missingNamespaces } from './missing-namespaces.ts'
import { readQuotas } from './quotas.ts'
import { withExpectedObjects, withoutDryRuns } from './without-dry-runs.ts'

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
 * it), and one dry run for each object whose manifest or live state differs from the record; more only for objects that
 * Helm 3 applied, whose defaults are in the way, or that somebody writes meanwhile (docs/decisions/0006).
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
  const served = new Map(input.discovery.kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.kind}`, kind]))
  const options = { force: input.force, ...defined({ signal }) }

  const ask = async (
    resource: Resource,
    current: KubeObject | undefined,
    body: KubeObject,
  ): Promise<ExistingAnswer> => {
    const { ref, object } = resource.manifest
    const key = refKey(ref)
    const before = previous.get(key)
    const isMigrated = current !== undefined && !resource.directives.isHook && isClientSide(current)
    const written = before === undefined ? undefined : [before, body]
    const handOver = isMigrated ? defined({ written }) : undefined
    const unasked = (answer: DryRun): ExistingAnswer => ({ answer, ...defined({ handOver }) })
    if (unreadable.has(key)) return unasked({ kind: 'not-asked' })
    const kind = served.get(`${groupOf(ref.apiVersion)}/${versionOf(ref.apiVersion)}/${ref.kind}`)
    if (kind === undefined) return unasked({ kind: 'kind-not-served' })
    if (ref.namespace !== undefined && missing.has(ref.namespace)) return unasked({ kind: 'namespace-missing' })
    if (current === undefined) return unasked(await dryRun(reader, body, options))
    if (isRecreated(resource, { kept, verb: input.verb })) return unasked({ kind: 'not-asked' })
    const isAsRecorded = input.previousIsServerSide && before !== undefined && sameObject(before, object)
    if (!isMigrated && holdsAlready(current, body, { isAsRecorded, hasStatus: kind.hasStatus })) {
      return unasked({ kind: 'unchanged' })
    }
    return dryRunExisting(reader, { ref, body, live: current, ...defined({ previous: before, handOver }) }, options)
  }
  const look = async (resource: Resource) => {
    const { ref } = resource.manifest
    const listed = live.get(refKey(ref))
    const bodyNow = (current: KubeObject | undefined) => bodyFor(resource, { ...input, live: current })
    const seen = await askedOfNewest(reader, { ref, live: listed }, (now) => ask(resource, now, bodyNow(now)), signal)
    return { key: refKey(ref), body: bodyNow(seen.live), ...seen }
  }

  const isCreated = ({ manifest: { ref } }: Resource) => !live.has(refKey(ref)) && !missing.has(ref.namespace ?? '')
  const growing = new Set(applied.filter(isCreated).flatMap(({ manifest }) => manifest.ref.namespace ?? []))
  const [looks, quotas] = await Promise.all([Promise.all(applied.map(look)), readQuotas(reader, growing, signal)])
  const newest = new Map(live)
  for (const { key, live: found } of looks) {
    if (found === undefined) newest.delete(key)
    else newest.set(key, found)
  }
  const observed: Observed = {
    live: newest,
    kept: input.keptIn(newest),
    unreadable,
    bodies: new Map(looks.map(({ key, body }) => [key, body])),
    handOvers: new Map(looks.flatMap(({ key, handOver }) => (handOver === undefined ? [] : [[key, handOver]]))),
    missingNamespaces: missing,
    dryRuns: new Map(looks.map(({ key, answer }) => [key, answer])),
    quotas,
  }
  const isForbidden = looks.some(({ answer }) => answer.kind === 'forbidden')
  const complete = isForbidden && input.mayDryRunBeForbidden === true ? withoutDryRuns : withExpectedObjects
  return complete(observed, previous)
}
