import { type AuditEvent, isWrite } from '../cluster/audit.ts'
import type { Exchange } from '../doubles/proxy-fault.ts'
import { type Steps, violations } from '../e2e/timeline.ts'

/** What the audit log holds against the order of a run that came to its end. */
export function orderFindings(events: readonly AuditEvent[], steps: Steps): readonly string[] {
  return violations(withoutRepeats(events), steps)
}

/** A write that was sent again because its answer was lost changes nothing, so that no controller reports after it. */
function withoutRepeats(events: readonly AuditEvent[]): readonly AuditEvent[] {
  const seen = new Set<string>()
  const writes = new Set(writesOf(events))
  return events.filter((event) => {
    if (!writes.has(event)) return true
    const key = `${event.verb} ${event.ref.resource}/${event.ref.name}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Jobs that must be created at most once in one run: `jobs/<name>`. */
export function onceFindings(events: readonly AuditEvent[], names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const created = writesOf(events).filter(({ ref, code }) => `${ref.resource}/${ref.name}` === name && code === 201)
    return created.length <= 1 ? [] : [`${name} was created ${created.length} times in one run`]
  })
}

/** The same of one of several runs at a time, as its proxy recorded it. */
export function onceInJournal({ name: run, requests }: Journal, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const created = requests.filter(
      (request) =>
        isCarriedOut(request) && request.answer?.status === 201 && request.path.split('?')[0]?.endsWith(`/${name}`),
    )
    return created.length <= 1 ? [] : [`${run}: ${name} was created ${created.length} times in one run`]
  })
}

/** What a run wrote beside hooks (their resources are named), records and the lock. */
export function unneededWrites(events: readonly AuditEvent[], hooks: readonly string[]): readonly string[] {
  return writesOf(events)
    .map(({ verb, ref }) => ({ verb, name: `${ref.resource}/${ref.name ?? ''}` }))
    .filter(({ name }) => !hooks.includes(name) && !/^(leases|secrets\/(sh\.helm\.release|$)|selfsubject)/.test(name))
    .map(({ verb, name }) => `${verb} ${name}, though nothing had changed`)
}

function writesOf(events: readonly AuditEvent[]): readonly AuditEvent[] {
  return events.filter((event) => isWrite(event) && event.user === 'admin' && event.userAgent !== 'test-setup')
}

/** The requests of one run, as a proxy recorded them. */
export interface Journal {
  readonly name: string
  readonly requests: readonly Exchange[]
}

/**
 * Writes that the API server carried out while the Lease was not that of the run. The Lease is known from the writes to
 * it in all journals, so that a takeover by another run counts.
 */
export function lockFindings(journals: readonly Journal[]): readonly string[] {
  const findings: string[] = []
  let holder: string | undefined
  for (const write of writesInOrder(journals)) {
    const { run, method, path } = write
    if (LEASE.test(path)) holder = holderAfter(write)
    else if (holder !== run) {
      findings.push(
        `${run}: ${method} ${path.split('?')[0]} while the lock was ${holder === undefined ? 'free' : `that of ${holder}`}`,
      )
    }
  }
  return findings
}

/** The run that had the lock last, held still or free again. */
export function lastHolder(journals: readonly Journal[]): string | undefined {
  return writesInOrder(journals)
    .filter(({ path }) => LEASE.test(path))
    .map(holderAfter)
    .findLast((holder) => holder !== undefined)
}

interface Write extends Exchange {
  readonly run: string
}

/** All that the API server carried out, in the order of its answers. */
function writesInOrder(journals: readonly Journal[]): readonly Write[] {
  return journals
    .flatMap(({ name, requests }) => requests.filter(isCarriedOut).map((request) => ({ run: name, ...request })))
    .sort((a, b) => (a.answer?.atMs ?? 0) - (b.answer?.atMs ?? 0))
}

function holderAfter({ run, body }: Write): string | undefined {
  return body.includes('"holderIdentity":""') ? undefined : run
}

const LEASE = /\/leases(\/|\?|$)/
/** Questions that are asked by POST. */
const QUESTION = /\/(selfsubject\w+reviews|subjectaccessreviews)(\?|$)/

/** Whether the request changed the cluster. */
export function isCarriedOut(request: Exchange): boolean {
  const status = request.answer?.status ?? 0
  return isChange(request) && status >= 200 && status < 300
}

/** Whether the request asks for a change. */
export function isChange({ method, path }: Pick<Exchange, 'method' | 'path'>): boolean {
  return method !== 'GET' && !path.includes('dryRun=All') && !QUESTION.test(path)
}
