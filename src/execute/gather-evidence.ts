import { startDeadline } from '../concurrency/deadline.ts'
import { unlessAborted } from '../concurrency/unless-aborted.ts'
import { type ApiObject, asKind } from '../model/api-object.ts'
import { defined } from '../model/defined.ts'
import { messageOf } from '../model/errors.ts'
import type { EventEvidence, Evidence, PodEvidence } from '../model/evidence.ts'
import type { KubeObject } from '../model/object.ts'
import { compareText, type Ref } from '../model/ref.ts'
import type { Clock, Reader } from '../ports.ts'
import { podEvidence } from './pod-evidence.ts'
import { podsOf } from './pods.ts'

/** Gathering ends after this time with what it has, in ms: evidence must never hold up the end of a run. */
const LIMIT_MS = 10_000
const PODS = 3
const EVENTS = 10
/** Namespace in which events about cluster-scoped objects are stored. */
const EVENTS_OF_CLUSTER = 'default'

/** What is filled while requests come back; what is there when time is over counts. */
interface Findings {
  pods: (PodEvidence | undefined)[]
  readonly events: EventEvidence[]
  readonly missing: string[]
}

/**
 * Logs, container states and events of one object and its pods. Never throws and never takes longer than 10 s: what could
 * not be read stands in `missing`.
 */
export async function gatherEvidence(source: Source, ref: Ref, signal?: AbortSignal): Promise<Evidence> {
  const { pods, events, missing } = await gatherWithin(source, ref, { signal, withEvents: true })
  return { ref, pods, events: events.toSorted(compareEvents).slice(0, EVENTS), missing }
}

/** The part of evidence that is container states and logs. */
export async function gatherLogs(
  source: Source,
  ref: Ref,
  signal: AbortSignal,
): Promise<Pick<Evidence, 'pods' | 'missing'>> {
  const { pods, missing } = await gatherWithin(source, ref, { signal, withEvents: false })
  return { pods, missing }
}

interface Source {
  readonly cluster: Reader
  readonly clock: Clock
}

async function gatherWithin(
  { cluster, clock }: Source,
  ref: Ref,
  { signal, withEvents }: { readonly signal: AbortSignal | undefined; readonly withEvents: boolean },
): Promise<Omit<Evidence, 'ref'>> {
  const findings: Findings = { pods: [], events: [], missing: [] }
  const deadline = startDeadline(clock, LIMIT_MS, new Error(`not read within ${LIMIT_MS / 1000} s`))
  const limit = AbortSignal.any(signal === undefined ? [deadline.signal] : [deadline.signal, signal])
  const gathering = gather(cluster, ref, { findings, withEvents, signal: limit })
  try {
    await unlessAborted(gathering, limit)
  } catch (error) {
    findings.missing.push(messageOf(error))
  } finally {
    await Promise.allSettled([gathering, deadline.close()])
  }
  const pods = findings.pods.filter((pod) => pod !== undefined)
  return { pods, events: [...findings.events], missing: [...findings.missing] }
}

async function gather(
  cluster: Reader,
  ref: Ref,
  context: { readonly findings: Findings; readonly withEvents: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { findings, withEvents, signal } = context
  const note = (what: string) => (error: unknown) => {
    if (!signal.aborted) findings.missing.push(`${what}: ${messageOf(error)}`)
    return undefined
  }
  const object = await cluster.get(ref, signal).catch(note('the object'))
  if (object === undefined) return
  const related = await podsOf(cluster, object, signal).catch(note('its pods'))
  const pods = (related?.pods ?? []).slice(0, PODS)
  findings.pods = pods.map(() => undefined)
  const readPods = pods.map(async (pod, index) => {
    findings.pods[index] = await podEvidence(cluster, pod, { signal, missing: findings.missing })
  })
  const others = pods.filter((pod) => pod.metadata.uid !== object.metadata.uid)
  const subjects = withEvents ? [object, ...(related?.owners ?? []), ...others] : []
  const readEvents = subjects.map(async (subject) => {
    const found = await eventsOf(cluster, subject, signal).catch(note(`events of ${subject.kind}`))
    findings.events.push(...(found ?? []))
  })
  await Promise.all([...readPods, ...readEvents])
}

async function eventsOf(cluster: Reader, object: KubeObject, signal: AbortSignal): Promise<readonly EventEvidence[]> {
  const events = await cluster.list(
    {
      apiVersion: 'v1',
      kind: 'Event',
      namespace: object.metadata.namespace ?? EVENTS_OF_CLUSTER,
      fieldSelector: `involvedObject.uid=${object.metadata.uid ?? ''}`,
    },
    signal,
  )
  return events.map((found): EventEvidence => {
    const event = asKind('Event', found)
    const { type, reason, message, series, count } = event
    const lastSeen = lastSeenOf(event)
    return {
      type: type ?? '',
      reason: reason ?? '',
      message: message ?? '',
      about: `${object.kind}/${object.metadata.name ?? ''}`,
      count: series?.count ?? count ?? 1,
      ...defined({ lastSeen }),
    }
  })
}

function lastSeenOf({ series, lastTimestamp, eventTime, metadata }: ApiObject<'Event'>): string | undefined {
  return series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? undefined
}

/** Newest first; RFC 3339 times in UTC compare as text, up to the fraction of a second. */
function compareEvents(a: EventEvidence, b: EventEvidence): number {
  return (
    compareText(b.lastSeen ?? '', a.lastSeen ?? '') || compareText(a.about, b.about) || compareText(a.reason, b.reason)
  )
}
