import { createHash } from 'node:crypto'
import { at, isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import type { OpenSource } from '../model/open-field.ts'
import { refKey, refOfObject } from '../model/ref.ts'
import { builtInKind, isBuiltIn } from './built-in-kinds.ts'
import { pointerOf, stepsOf } from './json-pointer.ts'
import { stepInto } from './known-path.ts'
import { decodedText } from './secret-data.ts'

/** A value that only the cluster knows, and another in its place, which finds the texts that hold it. */
export interface ClusterValue {
  readonly of: OpenSource
  /** The cluster's, or a stand-in. */
  readonly now: string
  readonly other: string
  readonly isKnown: boolean
  readonly isRandom: boolean
}

/** What only the cluster knows of an object: which of it stands for what is not there yet, and what is random. */
export interface Foreseen {
  /** JSON pointers of stand-ins. */
  readonly standIns: ReadonlySet<string>
  /** JSON pointers of random words. */
  readonly random: ReadonlySet<string>
}

export const nothingForeseen: Foreseen = { standIns: new Set(), random: new Set() }

/**
 * No such value has anything in it that a script, a path or a line could be made of, whoever chose it. Random words are
 * those of `varyingText`.
 */
const forms = {
  address: /^[0-9a-f]{0,4}[.:][0-9a-f.:]{1,44}$/,
  port: /^[1-9][0-9]{0,4}$/,
  time: /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/,
  uid: /^[0-9a-f-]{36}$/,
  version: /^[0-9]{1,20}$/,
  word: /^[A-Za-z0-9+/=_.-]{8,253}$/,
} as const

type Form = keyof typeof forms

interface Place {
  readonly steps: readonly string[]
  /** Another place that has the same value. */
  readonly sameAs?: readonly string[]
  readonly form: Form
}

/**
 * Every value of the object that is the cluster's to choose and has the form of such a value, and the object with other values in
 * their place. It does not matter whether the chart chose one of them itself, so that the object gives the same places
 * before it is there and after.
 */
export function clusterValues(
  object: KubeObject,
  { random, standIns }: Foreseen,
): { readonly values: readonly ClusterValue[]; readonly other: KubeObject } {
  const values: ClusterValue[] = []
  let other = object
  const ref = refOfObject(object)
  const isData = isBuiltIn(object, 'Secret')
  const words = [...random].map((pointer): Place => ({ steps: stepsOf(pointer), form: 'word' }))
  for (const place of [...chosenPlaces(object), ...words]) {
    const { form, sameAs, steps } = place
    const found = valueIn(object, steps)
    const isEncoded = isData && form === 'word'
    const now = isEncoded ? decodedText(found) : textOf(found)
    if (now === undefined || !forms[form].test(now)) continue
    const chosen = standIn(object, place, { like: now, turn: 2, unlike: now })
    const of = { ref, path: pointerOf(sameAs ?? steps) }
    const about = { isKnown: !standIns.has(pointerOf(steps)), isRandom: form === 'word' }
    values.push({ of, now, other: chosen, ...about })
    const stored = isEncoded ? encoded(chosen) : chosen
    if (isEncoded) values.push({ of: { ...of, isEncoded: true }, now: encoded(now), other: stored, ...about })
    other = withValueAt(other, steps, typeof found === 'number' ? Number(stored) : stored) as KubeObject
  }
  return { values: values.filter(({ of }, index) => values.findIndex((one) => isSame(one.of, of)) === index), other }
}

/**
 * The object with stand-ins for what the API server, or chance, will choose: its version after any change, random words, and of
 * a new object its identity and the addresses that `answered` shows, or that any Service gets.
 */
export function withStandIns(
  known: KubeObject,
  { answered, random }: { readonly answered?: KubeObject; readonly random: ReadonlySet<string> },
): { readonly object: KubeObject; readonly foreseen: Foreseen } {
  const standIns = new Set<string>()
  const source = answered && withAddresses(answered)
  let object = source === undefined ? known : withListOfAddresses(known, source)
  const put = (place: Place, like: string) => {
    const { form, steps } = place
    const chosen = standIn(known, place, { like, turn: 1 })
    const isEncoded = isBuiltIn(known, 'Secret') && form === 'word'
    const value = form === 'port' ? Number(chosen) : isEncoded ? encoded(chosen) : chosen
    object = withValueAt(object, steps, value) as KubeObject
    standIns.add(pointerOf(steps))
  }
  for (const place of source === undefined ? [VERSION] : identity) put(place, '')
  for (const place of source === undefined ? [] : addressPlaces(source)) {
    const like = textOf(valueIn(source, place.steps)) ?? ''
    if (isUnchosen(valueIn(known, place.steps)) && forms[place.form].test(like)) put(place, like)
  }
  for (const pointer of random) {
    const steps = stepsOf(pointer)
    const found = valueIn(known, steps)
    put({ steps, form: 'word' }, (isBuiltIn(known, 'Secret') ? decodedText(found) : textOf(found)) ?? '')
  }
  return { object, foreseen: { standIns, random } }
}

const VERSION: Place = { steps: ['metadata', 'resourceVersion'], form: 'version' }

const identity: readonly Place[] = [
  { steps: ['metadata', 'uid'], form: 'uid' },
  VERSION,
  { steps: ['metadata', 'creationTimestamp'], form: 'time' },
]

function chosenPlaces(object: KubeObject): readonly Place[] {
  return [...identity, ...addressPlaces(object)]
}

function addressPlaces(object: KubeObject): readonly Place[] {
  if (builtInKind(object)?.serverChosen !== 'addresses') return []
  const first = ['spec', 'clusterIP']
  const items = (...path: readonly string[]) => {
    const list = at(object, ...path)
    return isJsonArray(list) ? [...list.keys()].map(String) : []
  }
  return [
    { steps: first, form: 'address' },
    ...items('spec', 'clusterIPs').map((index): Place => {
      const steps = ['spec', 'clusterIPs', index]
      return { steps, form: 'address', ...(index === '0' ? { sameAs: first } : {}) }
    }),
    ...items('spec', 'ports').map((index): Place => ({ steps: ['spec', 'ports', index, 'nodePort'], form: 'port' })),
    { steps: ['spec', 'healthCheckNodePort'], form: 'port' },
  ]
}

/** Where nothing was dry-run, a Service has no address yet that it will surely get. */
function withAddresses(service: KubeObject): KubeObject {
  if (builtInKind(service)?.serverChosen !== 'addresses' || !isUnchosen(at(service, 'spec', 'clusterIP')))
    return service
  if (at(service, 'spec', 'type') === 'ExternalName' || !isJsonObject(service.spec)) return service
  return { ...service, spec: { ...service.spec, clusterIP: ANY_ADDRESS, clusterIPs: [ANY_ADDRESS] } }
}

const ANY_ADDRESS = '240.0.0.1'

function withListOfAddresses(known: KubeObject, answered: KubeObject): KubeObject {
  const list = at(answered, 'spec', 'clusterIPs')
  const isThere = builtInKind(known)?.serverChosen !== 'addresses' || at(known, 'spec', 'clusterIPs') !== undefined
  if (isThere || !isJsonArray(list) || !isJsonObject(known.spec)) return known
  return { ...known, spec: { ...known.spec, clusterIPs: list.map(() => '') } }
}

function isUnchosen(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || value === 0
}

interface Choice {
  readonly like: string
  readonly turn: number
  readonly unlike?: string
}

/** The same for the same object and place: a plan has the same hash each time. No cluster gives such addresses. */
function standIn(object: KubeObject, place: Place, { like, turn, unlike }: Choice): string {
  const { form, sameAs, steps } = place
  const seed = `${turn} ${pointerOf(sameAs ?? steps)} ${refKey(refOfObject(object))}`
  const bytes = createHash('sha256').update(seed).digest()
  const chosen = inForm(form, like, bytes)
  return chosen === unlike ? standIn(object, place, { like, turn: turn + 1, unlike }) : chosen
}

/** All of one form have one length, so that none is the beginning of another. */
function inForm(form: Form, like: string, bytes: Buffer): string {
  const hex = bytes.toString('hex')
  const number = (index: number, from: number, amount: number) => String(from + (bytes.readUInt16BE(index) % amount))
  switch (form) {
    case 'address':
      if (like.includes(':'))
        return `2001:db8:${[0, 1, 2, 3, 4, 5].map((i) => `d${hex.slice(3 * i, 3 * i + 3)}`).join(':')}`
      return [number(0, 240, 14), number(2, 100, 150), number(4, 100, 150), number(6, 100, 150)].join('.')
    case 'port':
      return number(0, 30_000, 2_768)
    case 'time':
      return `${number(0, 2100, 800)}-0${number(2, 1, 9)}-1${number(4, 0, 10)}T1${number(6, 0, 10)}:${number(8, 10, 50)}:${number(10, 10, 50)}Z`
    case 'uid':
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    case 'version':
      return `9${BigInt(`0x${hex.slice(0, 12)}`)
        .toString()
        .padStart(15, '0')}`
    case 'word':
      return hex.repeat(4).slice(0, Math.max(like.length, 8))
  }
}

function valueIn(object: JsonValue | undefined, steps: readonly string[]): JsonValue | undefined {
  return steps.reduce<JsonValue | undefined>(stepInto, object)
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function encoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}

function isSame(a: OpenSource, b: OpenSource): boolean {
  return a.path === b.path && a.isEncoded === b.isEncoded
}

/** A copy with this value at these steps; maps on the way are made, items of lists are not. */
function withValueAt(value: JsonValue | undefined, [step, ...rest]: readonly string[], put: JsonValue): JsonValue {
  if (step === undefined) return put
  if (isJsonArray(value)) {
    return value.map((item, index) => (String(index) === step ? withValueAt(item, rest, put) : item))
  }
  const object: JsonObject = isJsonObject(value) ? value : {}
  return { ...object, [step]: withValueAt(object[step], rest, put) }
}
