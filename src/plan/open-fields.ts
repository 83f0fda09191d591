import { builtInKind, isBuiltIn } from '../manifest/built-in-kinds.ts'
import type { ClusterValue } from '../manifest/cluster-values.ts'
import { changedPaths } from '../manifest/compare.ts'
import { stepsOf } from '../manifest/json-pointer.ts'
import { stepInto } from '../manifest/known-path.ts'
import { stepsInPod } from '../manifest/pod-places.ts'
import { decodedText, keptAt } from '../manifest/secret-data.ts'
import { varyingText } from '../manifest/varying-text.ts'
import type { Manifest } from '../model/manifest.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { OpenField, OpenPart } from '../model/open-field.ts'
import { formatRef, type Ref } from '../model/ref.ts'
import { isDirective, isPodAnnotation, mayVaryInAnnotation } from './variation.ts'

/**
 * What differs between two renders whose only difference is what `lookup` said of the cluster. Open is a text that holds such values as
 * they are, in a place where they steer nothing; all else that differs is `closed`: it counts as it is rendered.
 */
export function openFieldsOf(
  manifest: Manifest,
  other: JsonObject,
  values: readonly ClusterValue[],
): { readonly open: readonly OpenField[]; readonly closed: readonly string[] } {
  const { object, ref, varies = [] } = manifest
  const open: OpenField[] = []
  const closed: string[] = []
  const isRandom = (path: string) => varies.some((one) => isWithin(path, one) || isWithin(one, path))
  for (const path of changedPaths(object, other).filter((path) => !isRandom(path))) {
    const steps = stepsOf(path)
    const [now, then] = [object, other].map((value) => steps.reduce<JsonValue | undefined>(stepInto, value))
    const field =
      typeof now === 'string' && typeof then === 'string' ? openField({ path, ref }, [now, then], values) : undefined
    if (field === undefined) closed.push(path)
    else open.push(field)
  }
  return { open, closed }
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`)
}

function openField(
  { path, ref }: { readonly path: string; readonly ref: Ref },
  texts: readonly [now: string, other: string],
  values: readonly ClusterValue[],
): OpenField | undefined {
  const steps = stepsOf(path)
  const place = placeOf(steps, ref)
  if (place === undefined) return undefined
  const may = values.filter(({ isRandom }) => place.mayBeRandom || !isRandom)
  const isStored = isBuiltIn(ref, 'Secret') && steps[0] === 'data'
  const decoded = isStored ? texts.map(decodedText) : []
  const [now, other] = decoded
  const inside = now === undefined || other === undefined ? undefined : partsOf([now, other], may)
  const parts = inside ?? partsOf(texts, may) ?? (place.mayBeWord ? wordsOf(texts, values) : undefined)
  if (parts === undefined) return undefined
  return {
    path,
    text: texts[0],
    parts: parts.map(({ part }) => part),
    ...(inside === undefined ? {} : { isEncoded: true }),
    ...(parts.every(({ isKnown }) => isKnown) ? { isKnown: true } : {}),
  }
}

interface Found {
  readonly part: OpenPart
  readonly isKnown: boolean
}

/**
 * Both texts as fixed text and values, where they differ in nothing else. Complexity: linear in the text, times the values that
 * begin alike.
 */
function partsOf(
  [now, other]: readonly [string, string] | readonly string[],
  values: readonly ClusterValue[],
): readonly Found[] | undefined {
  if (now === undefined || other === undefined) return undefined
  const byStart = Map.groupBy(values, (value) => value.other.slice(0, START))
  const parts: Found[] = []
  let [i, j, fixed] = [0, 0, 0]
  const endFixed = () => {
    if (i > fixed) parts.push({ part: { fixed: now.slice(fixed, i) }, isKnown: true })
  }
  while (i < now.length || j < other.length) {
    const found = byStart
      .get(other.slice(j, j + START))
      ?.find((value) => other.startsWith(value.other, j) && now.startsWith(value.now, i))
    if (found !== undefined) {
      endFixed()
      const { isKnown, isRandom, of } = found
      parts.push({ part: { of, ...(isKnown && !isRandom ? { value: found.now } : {}) }, isKnown })
      i += found.now.length
      j += found.other.length
      fixed = i
    } else {
      if (now[i] !== other[j]) return undefined
      i += 1
      j += 1
    }
  }
  endFixed()
  return parts
}

/** No value is shorter. */
const START = 3

/** A checksum over such values. */
function wordsOf(
  [now, other]: readonly [string, string],
  values: readonly ClusterValue[],
): readonly Found[] | undefined {
  const isKnown = values.every((value) => value.isKnown)
  const parts = varyingText(now, other).map((part): Found | undefined => {
    if ('fixed' in part) return { part, isKnown: true }
    const isWord = part.varies === 'word' && part.length !== undefined
    return isWord ? { part: { word: part.length }, isKnown } : undefined
  })
  return parts.every((part) => part !== undefined) ? parts : undefined
}

interface OpenPlace {
  readonly mayBeRandom: boolean
  readonly mayBeWord: boolean
}

/** Where nothing but data is: no command, image, right, name or directive. What is not listed is never open. */
function placeOf(steps: readonly string[], ref: Ref): OpenPlace | undefined {
  const [top, field, key] = steps
  const isMember = steps.length === 2
  if (isBuiltIn(ref, 'Secret') && (top === 'data' || top === 'stringData')) return isMember ? DATA : undefined
  if (isBuiltIn(ref, 'ConfigMap') && top === 'data') return isMember ? DATA : undefined
  const isOwnAnnotation = top === 'metadata' && field === 'annotations' && steps.length === 3
  if (isOwnAnnotation || isPodAnnotation(steps, ref)) {
    const name = steps.at(-1) ?? ''
    return isDirective(name) ? undefined : { mayBeRandom: false, mayBeWord: mayVaryInAnnotation(name, [ANY_WORD]) }
  }
  if (top === 'metadata' && field === 'ownerReferences')
    return key !== undefined && steps[3] === 'uid' ? SETTING : undefined
  const inPod = builtInKind(ref) === undefined ? undefined : stepsInPod(steps)
  if (inPod === undefined) return undefined
  const [list = '', , second, , last] = inPod
  if (CONTAINERS.has(list)) return second === 'env' && last === 'value' && inPod.length === 5 ? DATA : undefined
  if (list === 'hostAliases') return second === 'ip' && inPod.length === 3 ? SETTING : undefined
  return list === 'dnsConfig' && inPod[1] === 'nameservers' && inPod.length === 3 ? SETTING : undefined
}

const DATA: OpenPlace = { mayBeRandom: true, mayBeWord: false }
const SETTING: OpenPlace = { mayBeRandom: false, mayBeWord: false }
const ANY_WORD = { varies: 'word' } as const
const CONTAINERS: ReadonlySet<string> = new Set(['containers', 'initContainers'])

/** The text with the names of the values that stand in it. */
export function openText({ parts }: Pick<OpenField, 'parts'>): string {
  return parts.map((part) => ('fixed' in part ? part.fixed : `‹${partName(part)}›`)).join('')
}

function partName(part: Exclude<OpenPart, { readonly fixed: string }>): string {
  if ('word' in part) return `word of ${part.word}`
  const { isEncoded, path, ref } = part.of
  return `${stepsOf(path).join('.')} of ${formatRef(ref)}${isEncoded === true ? ' in base64' : ''}`
}

/**
 * A copy with another text in the place of each open one. A Secret's `stringData` is found in `data` as well, and items of lists wherever
 * in their list admission has moved them.
 */
export function withOpenTexts<T extends JsonObject>(
  object: T,
  { open = [], ref }: Pick<Manifest, 'open' | 'ref'>,
  textOf: (field: OpenField) => string,
): T {
  if (open.length === 0) return object
  const fields = new Map(
    open.flatMap((field) =>
      keptAt(field.path, ref).map((path) => {
        const isMoved = path !== field.path
        const text = isMoved ? Buffer.from(field.text).toString('base64') : field.text
        return [spotOf(stepsOf(path), text), field] as const
      }),
    ),
  )
  const replaced = (value: JsonValue, steps: readonly string[]): JsonValue => {
    if (typeof value === 'string') {
      const field = fields.get(spotOf(steps, value))
      return field === undefined ? value : textOf(field)
    }
    if (isJsonArray(value)) return value.map((item) => replaced(item, [...steps, ANY_ITEM]))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, item === undefined ? item : replaced(item, [...steps, key])]),
    )
  }
  return replaced(object, []) as T
}

const ANY_ITEM = '0'

function spotOf(steps: readonly string[], text: string): string {
  return JSON.stringify([steps.map((step) => (/^[0-9]+$/.test(step) ? ANY_ITEM : step)), text])
}

/** A text as a reader sees it, where nothing but such values may differ in it. */
export function shownText(texts: readonly [now: string, other: string], values: readonly ClusterValue[]): string {
  const parts = partsOf(texts, values)
  if (parts === undefined || parts.every(({ isKnown }) => isKnown)) return texts[0]
  return openText({ parts: parts.map(({ part }) => part) })
}

/** As a reader of the plan sees it: by the names of the values, until they are known. */
export function withShownOpen<T extends JsonObject>(object: T, manifest: Pick<Manifest, 'open' | 'ref'>): T {
  return withOpenTexts(object, manifest, (field) => (field.isKnown === true ? field.text : openText(field)))
}
