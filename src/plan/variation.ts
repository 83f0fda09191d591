import { builtInKind, isBuiltIn } from '../manifest/built-in-kinds.ts'
import { pointerOf, stepsOf } from '../manifest/json-pointer.ts'
import { stepInto } from '../manifest/known-path.ts'
import { keptAt } from '../manifest/secret-data.ts'
import { type TextPart, varyingText } from '../manifest/varying-text.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { Manifest } from '../model/manifest.ts'
import { isJsonArray, isJsonObject, type JsonValue } from '../model/object.ts'
import type { IgnoredField } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { Ref } from '../model/ref.ts'

/** A value that comes out otherwise at each render. */
export interface Variation {
  readonly steps: readonly string[]
  /** Its pointer; `*` takes the place of a key or an item that only one of the renders has. */
  readonly field: string
  /** What both renders have in common, as plain data. */
  readonly shape: JsonValue
  /** Of texts; absent where one render has no value, or one of another kind. */
  readonly parts?: readonly TextPart[]
  readonly kind: 'text' | 'number' | 'structure'
}

export function variationsOf({ again, object, ref, varies = [] }: Manifest): readonly Variation[] {
  return varies.map((pointer): Variation => {
    const steps = stepsOf(pointer)
    const [first, second] = [object, again].map((value) => steps.reduce<JsonValue | undefined>(stepInto, value))
    if (typeof first === 'string' && typeof second === 'string') {
      const isEncoded = isBuiltIn(ref, 'Secret') && steps[0] === 'data'
      const texts = isEncoded ? decodedBoth(first, second) : ([first, second] as const)
      const parts = varyingText(...texts)
      return { steps, field: pointer, shape: parts.map((part) => ({ ...part })), parts, kind: 'text' }
    }
    if (isNumber(first) && isNumber(second)) return { steps, field: pointer, shape: 'number', kind: 'number' }
    const isMember = first === undefined || second === undefined
    const field = isMember ? `${pointerOf(steps.slice(0, -1))}/*` : pointer
    return { steps, field, shape: [structureOf(first), structureOf(second)], kind: 'structure' }
  })
}

/** Base64 as what it stands for, unless that is no text. */
function decodedBoth(first: string, second: string): readonly [string, string] {
  const decoded = [first, second].map((text) => Buffer.from(text, 'base64').toString('utf8'))
  const [a = '', b = ''] = decoded
  return decoded.every((text) => /^[\t\n\r -~]*$/.test(text)) ? [a, b] : [first, second]
}

function isNumber(value: JsonValue | undefined): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Which keys, how many items, and the kind of each value. */
function structureOf(value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return null
  if (isJsonArray(value)) return value.map(structureOf)
  if (!isJsonObject(value)) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, structureOf(member)]))
}

/** Input `approval-ignore` names it, or something that holds it. */
export function isIgnoredVariation(
  { steps }: Pick<Variation, 'steps'>,
  ref: Ref,
  ignored: readonly IgnoredField[],
): boolean {
  const places = keptAt(pointerOf(steps), ref).map(stepsOf)
  return ignored
    .filter((field) => isIgnoredIn(field, ref))
    .some(({ steps: named }) =>
      places.some((place) => named.length <= place.length && named.every((one, i) => one === '*' || one === place[i])),
    )
}

export function isIgnoredIn({ kind, name }: IgnoredField, ref: Ref): boolean {
  return (kind === undefined || kind === ref.kind) && (name === undefined || name === ref.name)
}

/** Fields of one object that are named before the rest is counted. */
const MAX_FIELDS = 5

/**
 * What comes out otherwise at each render where nobody can approve that (docs/decisions/0041): a plan that is to be approved has
 * these problems, and so has the deploy that is compared with it.
 */
export function variationProblems(desired: readonly Resource[], ignored: readonly IgnoredField[]): readonly Problem[] {
  const counted = desired.filter(({ directives }) => !directives.excluded)
  const isReferred = referredNames(counted)
  return counted.flatMap(({ manifest }): readonly Problem[] => {
    const { origin, ref } = manifest
    const refused = variationsOf(manifest).filter(
      (variation) => !isIgnoredVariation(variation, ref, ignored) && !mayVary(variation, ref, isReferred),
    )
    if (refused.length === 0) return []
    const isName = ({ field, kind }: Variation) => field === '/metadata/*' && kind === 'structure'
    const fields = [...new Set(refused.filter((one) => !isName(one)).map(({ field }) => field))]
    const more = fields.length - MAX_FIELDS
    const named = `${fields.slice(0, MAX_FIELDS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    return [
      {
        severity: 'error',
        reason: 'invalid-input',
        place: { file: origin.file, ref, ...defined({ line: origin.line }) },
        what: refused.some(isName)
          ? 'not every render has this object, so nobody can approve it'
          : `comes out otherwise at each render, so nobody can approve it: ${named}`,
        hint: { kind: 'fix-what-varies' },
      },
    ]
  })
}

/** Whether what varies stays within what a reviewer has seen: data that steers nothing, and only within its words. */
function mayVary(variation: Variation, ref: Ref, isReferred: (name: string) => boolean): boolean {
  const { kind, parts = [], steps } = variation
  if (kind === 'structure') return false
  const [top, field, key] = steps
  const isWords = parts.every((part) => 'fixed' in part || part.varies === 'word' || part.varies === 'time')
  if (isBuiltIn(ref, 'Secret') && (top === 'data' || top === 'stringData')) {
    return parts.every((part) => 'fixed' in part || part.varies !== 'text')
  }
  if (!isWords) return false
  if (top === 'metadata' && field === 'name') return !isReferred(ref.name)
  if (top === 'metadata' && field === 'annotations') return mayVaryInAnnotation(key, parts)
  if (top === 'metadata' && field === 'labels') return !isSelected(ref)
  if (isDataOnly(ref)) return top === 'data' || top === 'binaryData'
  return isPodAnnotation(steps, ref) && mayVaryInAnnotation(steps.at(-1), parts)
}

/** Of the pods that a workload makes. */
export function isPodAnnotation(steps: readonly string[], ref: Ref): boolean {
  return POD_ANNOTATIONS.has(pointerOf(steps.slice(0, -1))) && builtInKind(ref) !== undefined
}

const POD_ANNOTATIONS: ReadonlySet<string> = new Set([
  '/spec/template/metadata/annotations',
  '/spec/jobTemplate/metadata/annotations',
  '/spec/jobTemplate/spec/template/metadata/annotations',
])

/** Annotations with a domain are read by controllers: only a time may be in them. Those of our dialects decide what is done. */
export function mayVaryInAnnotation(key = '', parts: readonly TextPart[]): boolean {
  if (isDirective(key)) return false
  const [domain = '', ...path] = key.split('/')
  const hasDomain = path.length > 0 && domain.includes('.')
  return !hasDomain || parts.every((part) => 'fixed' in part || part.varies === 'time')
}

export function isDirective(key: string): boolean {
  return /(^|\.)(helm\.sh|werf\.io|kots\.io)\//.test(key)
}

/** Selectors, policies and admission choose these by their labels. */
function isSelected(ref: Ref): boolean {
  return isBuiltIn(ref, 'Pod') || isBuiltIn(ref, 'Namespace') || builtInKind(ref) === undefined
}

function isDataOnly(ref: Ref): boolean {
  return ref.apiVersion === 'v1' && ref.kind === 'ConfigMap'
}

/** Whether another object of the release has the name in any of its texts. Built only where a name varies. */
function referredNames(resources: readonly Resource[]): (name: string) => boolean {
  let words: ReadonlyMap<string, number> | undefined
  return (name) => {
    words ??= countedWords(resources)
    // Once is its own `metadata.name`.
    return (words.get(name) ?? 0) > 1
  }
}

function countedWords(resources: readonly Resource[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const count = (value: JsonValue | undefined): void => {
    if (typeof value === 'string') {
      const words = value.split(/[^a-z0-9.-]+/)
      for (const word of new Set([...words, ...words.flatMap((one) => one.split('.'))])) {
        counts.set(word, (counts.get(word) ?? 0) + 1)
      }
      return
    }
    const members = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
    for (const member of members) count(member)
  }
  for (const { manifest } of resources) count(manifest.object)
  return counts
}
