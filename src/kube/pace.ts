/**
 * How many requests may be in flight at a time, as the server's answers say: one more for each round that goes well and
 * fills all places, half as many where the server throttles or becomes slow (additive increase, multiplicative decrease).
 */
export interface Pace {
  /** Whole and part: a round of `limit` good answers adds one. */
  readonly limit: number
  readonly bounds: PaceBounds
  /** Answers to requests that were sent before say nothing about the new limit. Ms since the epoch. */
  readonly changedAtMs: number
  /** By method: how long the fastest answers take, in ms, and the fastest of the window that is being filled. */
  readonly latency: ReadonlyMap<string, Latency>
}

export interface PaceBounds {
  readonly first: number
  readonly most: number
}

interface Latency {
  readonly usualMs: number | undefined
  readonly fastestMs: number
  readonly count: number
}

/** One answered request. */
export interface PaceSample {
  readonly method: string
  readonly sentAtMs: number
  readonly answeredAtMs: number
  /** Answered with 429. */
  readonly isThrottled: boolean
  /** Whether others were waiting for a place, or all places were taken. */
  readonly wasFull: boolean
}

const LEAST = 1
/** A slow server, unlike one that throttles, is not asked by fewer than this at a time. */
const LEAST_WHEN_SLOW = 4
/** Of so many answers the fastest counts: one slow webhook does not make a slow server. */
const WINDOW = 8
/** The server is slow where even the fastest answer takes so many times as long as usual, and so much longer in ms. */
const SLOW_FACTOR = 4
const SLOW_BY_MS = 200
/** How quickly the usual time follows a server that stays slower. */
const FOLLOW = 1.25

export function startPace(bounds: PaceBounds): Pace {
  return { limit: bounds.first, bounds, changedAtMs: Number.NEGATIVE_INFINITY, latency: new Map() }
}

export function paceAfter(pace: Pace, sample: PaceSample): Pace {
  if (sample.isThrottled) return slowedDown(pace, sample, LEAST)
  const { latency, isSlow } = withLatency(pace.latency.get(sample.method), sample.answeredAtMs - sample.sentAtMs)
  const next = { ...pace, latency: new Map([...pace.latency, [sample.method, latency]]) }
  if (isSlow) return slowedDown(next, sample, Math.min(LEAST_WHEN_SLOW, pace.limit))
  if (!sample.wasFull || sample.sentAtMs < pace.changedAtMs) return next
  return { ...next, limit: Math.min(pace.bounds.most, pace.limit + 1 / pace.limit) }
}

/** Once for all requests that were in flight together. */
function slowedDown(pace: Pace, { sentAtMs, answeredAtMs }: PaceSample, least: number): Pace {
  if (sentAtMs < pace.changedAtMs) return pace
  return { ...pace, limit: Math.max(least, pace.limit / 2), changedAtMs: answeredAtMs }
}

function withLatency(known: Latency | undefined, ms: number): { readonly latency: Latency; readonly isSlow: boolean } {
  const fastestMs = Math.min(known?.fastestMs ?? Number.POSITIVE_INFINITY, ms)
  const count = (known?.count ?? 0) + 1
  const usualMs = known?.usualMs
  if (count < WINDOW) return { latency: { usualMs, fastestMs, count }, isSlow: false }
  const isSlow = usualMs !== undefined && fastestMs > usualMs * SLOW_FACTOR && fastestMs > usualMs + SLOW_BY_MS
  const followedMs = usualMs === undefined ? fastestMs : Math.min(fastestMs, usualMs * FOLLOW)
  return { latency: { usualMs: followedMs, fastestMs: Number.POSITIVE_INFINITY, count: 0 }, isSlow }
}
