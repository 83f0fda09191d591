import { readFile } from 'node:fs/promises'
import { defined } from '../../src/model/defined.ts'

/** One finished request, as the API server saw it. */
export type AuditEvent = {
  readonly verb: string
  readonly user: string
  readonly userAgent: string
  readonly ref: {
    readonly group: string
    readonly version: string
    readonly resource: string
    readonly subresource?: string
    readonly namespace?: string
    readonly name?: string
  }
  readonly isDryRun: boolean
  readonly fieldManager?: string
  readonly code: number
  /** When the request arrived and when its answer was complete, in ms since the epoch, with microseconds as fraction. */
  readonly startedAt: number
  readonly endedAt: number
  readonly uri: string
  /** The body, for writes to `status` only: it tells when a controller reported something ready. */
  readonly body?: unknown
}

export type AuditFilter = {
  readonly namespace?: string
  readonly user?: string
  /** Only requests that arrived at or after this time, in ms since the epoch. */
  readonly since?: number
}

/** Finished requests in the order in which they arrived. The log is written before a client gets its answer. */
export async function readAudit(file: string, filter: AuditFilter = {}): Promise<readonly AuditEvent[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  // The last line may be half written.
  lines.pop()
  return lines
    .filter((line) => filter.namespace === undefined || line.includes(`"${filter.namespace}"`))
    .filter((line) => filter.since === undefined || arrivedAt(line) >= filter.since)
    .map((line) => parse(JSON.parse(line) as RawEvent))
    .filter((event) => matches(event, filter))
    .sort((a, b) => a.startedAt - b.startedAt)
}

/** Is this a request that changed the cluster? */
export function isWrite(event: AuditEvent): boolean {
  return (
    ['create', 'update', 'patch', 'delete', 'deletecollection'].includes(event.verb) &&
    !event.isDryRun &&
    event.code < 300
  )
}

type RawEvent = {
  readonly verb: string
  readonly user?: { readonly username?: string }
  readonly userAgent?: string
  readonly requestURI: string
  readonly objectRef?: {
    readonly apiGroup?: string
    readonly apiVersion?: string
    readonly resource?: string
    readonly subresource?: string
    readonly namespace?: string
    readonly name?: string
  }
  readonly responseStatus?: { readonly code?: number }
  readonly requestReceivedTimestamp: string
  readonly stageTimestamp: string
  readonly requestObject?: unknown
}

function parse(raw: RawEvent): AuditEvent {
  const query = new URLSearchParams(raw.requestURI.split('?')[1] ?? '')
  const fieldManager = query.get('fieldManager')
  const { apiGroup, apiVersion, resource, ...rest } = raw.objectRef ?? {}
  return {
    verb: raw.verb,
    user: raw.user?.username ?? '',
    userAgent: raw.userAgent ?? '',
    ref: { group: apiGroup ?? '', version: apiVersion ?? '', resource: resource ?? '', ...rest },
    isDryRun: query.getAll('dryRun').includes('All'),
    ...(fieldManager === null ? {} : { fieldManager }),
    code: raw.responseStatus?.code ?? 0,
    startedAt: parseTime(raw.requestReceivedTimestamp),
    endedAt: parseTime(raw.stageTimestamp),
    uri: raw.requestURI,
    ...defined({ body: raw.requestObject }),
  }
}

/** Without parsing the line: that of a whole run's log takes half a second, and tests ask for the last few requests. */
function arrivedAt(line: string): number {
  const from = line.lastIndexOf(ARRIVED) + ARRIVED.length
  return parseTime(line.slice(from, line.indexOf('"', from)))
}

const ARRIVED = '"requestReceivedTimestamp":"'

/** Date keeps milliseconds only; the log has microseconds, and requests of one client follow each other faster. */
function parseTime(text: string): number {
  const micros = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? '0'
  return Date.parse(text) + Number(micros.padEnd(3, '0')) / 1_000
}

function matches(event: AuditEvent, filter: AuditFilter): boolean {
  if (filter.user !== undefined && event.user !== filter.user) return false
  if (filter.namespace === undefined) return true
  return (
    event.ref.namespace === filter.namespace ||
    (event.ref.resource === 'namespaces' && event.ref.name === filter.namespace)
  )
}
