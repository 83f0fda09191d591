import { isJsonArray, isJsonObject, type JsonValue, type KubeObject } from '../model/object.ts'

/** What the server writes itself, or what a second writer changes without changing the object's meaning. */
const BOOKKEEPING = new Set(['resourceVersion', 'uid', 'generation', 'creationTimestamp', 'managedFields'])

/**
 * Whether the live object is what we sent: the answer to a create or replace was lost, the request was repeated, and the
 * server says `AlreadyExists` or `Conflict`. Then that may be our own success. Defaults that the server added do not count.
 */
export function isWhatWasSent(live: KubeObject, sent: KubeObject): boolean {
  const { metadata: sentMetadata, ...sentRest } = sent
  const wanted = Object.entries(sentMetadata).filter(([key]) => !BOOKKEEPING.has(key))
  return (
    wanted.every(([key, value]) => contains(live.metadata[key], value)) &&
    Object.entries(sentRest).every(([key, value]) => key === 'status' || contains(live[key], value))
  )
}

function contains(live: JsonValue | undefined, sent: JsonValue | undefined): boolean {
  if (sent === undefined || sent === null) return true
  if (isJsonArray(sent)) {
    return (
      isJsonArray(live) && live.length === sent.length && sent.every((entry, index) => contains(live[index], entry))
    )
  }
  if (isJsonObject(sent)) {
    return (
      isJsonObject(live) &&
      Object.entries(sent).every(([key, value]) => Object.hasOwn(live, key) && contains(live[key], value))
    )
  }
  return live === sent
}
