import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'

/** Metadata that the server writes. */
const BOOKKEEPING = new Set(['resourceVersion', 'uid', 'generation', 'creationTimestamp', 'managedFields'])

/**
 * Whether the live object holds what we sent: the answer to a create or replace was lost, the request was repeated, and the
 * server says `AlreadyExists` or `Conflict`. Then the refusal may come from our own success. What the server and admission
 * added does not count: defaults, and entries of lists such as containers and tolerations.
 */
export function isWhatWasSent(live: KubeObject, sent: KubeObject): boolean {
  const { metadata: sentMetadata, stringData, ...sentRest } = sent
  const wanted = Object.entries(sentMetadata).filter(([key]) => !BOOKKEEPING.has(key))
  const data = storedData(sent.data, stringData)
  return (
    wanted.every(([key, value]) => holdsAll(live.metadata[key], value)) &&
    Object.entries({ ...sentRest, data }).every(([key, value]) => key === 'status' || holdsAll(live[key], value))
  )
}

/** `stringData` of a Secret is never stored: the server writes it into `data`, over what stands there. */
function storedData(data: JsonValue | undefined, stringData: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(stringData)) return data
  const encoded = Object.entries(stringData).map(([key, value]): [string, JsonValue] => [
    key,
    typeof value === 'string' ? Buffer.from(value).toString('base64') : (value ?? null),
  ])
  return { ...(isJsonObject(data) ? data : {}), ...Object.fromEntries(encoded) }
}

function holdsAll(live: JsonValue | undefined, sent: JsonValue | undefined): boolean {
  // The server leaves out what is empty.
  if (live === undefined || live === null) return isEmpty(sent)
  if (sent === undefined || sent === null) return true
  if (isJsonArray(sent)) return isJsonArray(live) && holdsInOrder(live, sent)
  if (isJsonObject(sent)) {
    return isJsonObject(live) && Object.entries(sent).every(([key, value]) => holdsAll(ownValue(live, key), value))
  }
  return live === sent
}

/** Whether each sent entry is held by an entry of its own, in the order in which they were sent. */
function holdsInOrder(live: readonly JsonValue[], sent: readonly JsonValue[]): boolean {
  let from = 0
  return sent.every((entry) => {
    while (from < live.length && !holdsAll(live[from], entry)) from += 1
    from += 1
    return from <= live.length
  })
}

function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.length === 0
  if (isJsonObject(value)) return Object.values(value).every(isEmpty)
  return value === undefined || value === null || value === false || value === 0 || value === ''
}
