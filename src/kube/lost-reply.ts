import { isJsonArray, isJsonObject, type JsonValue, type KubeObject } from '../model/object.ts'

/** Metadata that the server writes. */
const BOOKKEEPING = new Set(['resourceVersion', 'uid', 'generation', 'creationTimestamp', 'managedFields'])

/**
 * Whether the live object is what we sent: the answer to a create or replace was lost, the request was repeated, and the
 * server says `AlreadyExists` or `Conflict`. Then the refusal may come from our own success. Defaults that the server added
 * do not count.
 */
export function isWhatWasSent(live: KubeObject, sent: KubeObject): boolean {
  const { metadata: sentMetadata, ...sentRest } = sent
  const wanted = Object.entries(sentMetadata).filter(([key]) => !BOOKKEEPING.has(key))
  return (
    wanted.every(([key, value]) => holdsAll(live.metadata[key], value)) &&
    Object.entries(sentRest).every(([key, value]) => key === 'status' || holdsAll(live[key], value))
  )
}

function holdsAll(live: JsonValue | undefined, sent: JsonValue | undefined): boolean {
  if (sent === undefined || sent === null) return true
  if (isJsonArray(sent)) {
    return (
      isJsonArray(live) && live.length === sent.length && sent.every((entry, index) => holdsAll(live[index], entry))
    )
  }
  if (isJsonObject(sent)) {
    return (
      isJsonObject(live) &&
      Object.entries(sent).every(([key, value]) => Object.hasOwn(live, key) && holdsAll(live[key], value))
    )
  }
  return live === sent
}
