/** How long each try of a request waits for the beginning of its answer, as the tries before it went. */
export interface Patience {
  /** How long a healthy server takes for such a request at most, in ms. */
  readonly usualMs: number
  /** Tries without an answer while the server answered others: this request takes longer. */
  readonly slow: number
  /** Tries without an answer while it answered nothing: it is not there, or as slow for all. */
  readonly silent: number
}

/** For what the API server knows at once: one object, its version, the beginning of a watch. */
export const ONE_OBJECT_MS = 10_000
/** For what it has to gather: a page of a large collection, all kinds of all groups. */
export const COLLECTION_MS = 15_000
/** The API server itself gives a request up after 60 s. */
export const LONGEST_ANSWER_MS = 65_000
/** So many silent tries in a row are taken for an outage, not for a slow server. */
const SILENT_TRIES = 8

export function patienceMs({ usualMs, slow, silent }: Patience): number {
  return Math.min(LONGEST_ANSWER_MS, usualMs * 2 ** (slow + Math.floor(silent / SILENT_TRIES)))
}

export function afterUnanswered(patience: Patience, wasOtherAnswered: boolean): Patience {
  const { slow, silent } = patience
  return wasOtherAnswered ? { ...patience, slow: slow + 1 } : { ...patience, silent: silent + 1 }
}
