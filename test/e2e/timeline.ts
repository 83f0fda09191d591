import { at, type Json } from '../../src/tools/local/cluster/cluster-api.ts'
import { type AuditEvent, isWrite } from '../cluster/audit.ts'

/**
 * Objects as `<resource>/<name>` in the order in which they must be written: everything of a step before the first write
 * to the next step is ready.
 */
export type Steps = readonly (readonly string[])[]

/**
 * What the API server's audit log holds against that order, as sentences. Written: by the author of the release. Ready:
 * as the controllers reported by a write of the status; objects without a status are ready once written.
 */
export function violations(events: readonly AuditEvent[], steps: Steps): readonly string[] {
  const histories = steps.map((step) => step.map((name) => historyOf(name, events)))
  const missing = histories.flat().flatMap(({ name, writtenAt, readyAt }) => {
    if (writtenAt === undefined) return [`${name} was never written`]
    return readyAt === undefined ? [`${name} was never ready`] : []
  })
  const early = histories.flatMap((step, index) =>
    step.flatMap((later) =>
      histories
        .slice(0, index)
        .flat()
        .flatMap((earlier) => {
          if (later.writtenAt === undefined || earlier.readyAt === undefined) return []
          const earlyMs = earlier.readyAt - later.writtenAt
          return earlyMs <= 0
            ? []
            : [`${later.name} was written ${Math.ceil(earlyMs)} ms before ${earlier.name} was ready`]
        }),
    ),
  )
  return [...missing, ...early]
}

export interface ObjectHistory {
  readonly name: string
  /** First write of the author, a deletion included; in ms since the epoch. */
  readonly writtenAt: number | undefined
  /** First report of readiness after the author's last write that is no deletion. */
  readonly readyAt: number | undefined
  readonly deletedAt: number | undefined
}

export function historyOf(name: string, events: readonly AuditEvent[]): ObjectHistory {
  const [resource, objectName] = name.split('/')
  const own = events.filter(({ ref }) => ref.resource === resource && ref.name === objectName)
  const writes = writesOfAuthor(own)
  const last = writes.findLast(({ verb }) => verb !== 'delete')
  const deleted = writes.findLast(({ verb }) => verb === 'delete')
  return {
    name,
    writtenAt: writes[0]?.startedAt,
    readyAt: last === undefined ? deleted?.startedAt : readyAt(resource ?? '', last, own),
    deletedAt: deleted?.startedAt,
  }
}

/** Writes to objects by the one who deploys, not by a controller. */
export function writesOfAuthor(events: readonly AuditEvent[]): readonly AuditEvent[] {
  return events.filter((event) => isWrite(event) && event.user === 'admin')
}

/** What the author deleted, as `<resource>/<name>` in order. */
export function deletions(events: readonly AuditEvent[]): readonly string[] {
  return writesOfAuthor(events)
    .filter(({ verb }) => verb === 'delete')
    .map(({ ref }) => `${ref.resource}/${ref.name}`)
}

/** When somebody wrote to the object for the last time: a deleted one is gone then. NaN where nobody did. */
export function goneAt(name: string, events: readonly AuditEvent[]): number {
  const own = events.filter((event) => isWrite(event) && `${event.ref.resource}/${event.ref.name}` === name)
  return own.at(-1)?.startedAt ?? Number.NaN
}

/** The start of a status write counts: who watches may see the change before the write is answered. */
function readyAt(resource: string, last: AuditEvent, own: readonly AuditEvent[]): number | undefined {
  const isReady = readiness[resource]
  if (isReady === undefined) return last.startedAt
  return own.find(
    ({ ref, startedAt, body }) =>
      ref.subresource === 'status' && startedAt > last.startedAt && isReady(body as Json | undefined),
  )?.startedAt
}

const readiness: { readonly [resource: string]: (body: Json | undefined) => boolean } = {
  customresourcedefinitions: (body) => hasCondition(body, 'Established'),
  deployments: (body) => isRolledOut(body, ['updatedReplicas', 'availableReplicas', 'replicas']),
  statefulsets: (body) => isRolledOut(body, ['updatedReplicas', 'readyReplicas', 'replicas']),
  jobs: (body) => hasCondition(body, 'Complete'),
  widgets: (body) => hasCondition(body, 'Ready'),
}

function hasCondition(body: Json | undefined, type: string): boolean {
  const conditions = at(body, 'status', 'conditions')
  return (
    Array.isArray(conditions) &&
    conditions.some((entry) => at(entry, 'type') === type && at(entry, 'status') === 'True')
  )
}

function isRolledOut(body: Json | undefined, counts: readonly string[]): boolean {
  const wanted = at(body, 'spec', 'replicas')
  return (
    at(body, 'status', 'observedGeneration') === at(body, 'metadata', 'generation') &&
    counts.every((count) => at(body, 'status', count) === wanted)
  )
}
