import { withoutBookkeeping } from '../manifest/bookkeeping.ts'
import { canonicalJson } from '../manifest/canonical-json.ts'
import { stepsOf } from '../manifest/json-pointer.ts'
import { pathsOfOthers } from '../manifest/managed-fields.ts'
import { anyStep, type StepPattern, withoutMatching } from '../manifest/remove-paths.ts'
import { keptAt } from '../manifest/secret-data.ts'
import { serverChosen } from '../manifest/server-chosen.ts'
import type { Resource } from '../model/directives.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import type { IgnoredField } from '../model/plan.ts'
import { compareText, refKey } from '../model/ref.ts'
import { hiddenPlaces, withHidden } from './mask.ts'
import { openText, withOpenTexts } from './open-fields.ts'
import { isIgnoredIn, isIgnoredVariation, variationsOf } from './variation.ts'

/** One object after its apply, and the body that was sent for it. */
export interface Applied {
  readonly resource: Resource
  readonly body: KubeObject
  readonly result: KubeObject
}

export interface EndStateInput {
  readonly ignored: readonly IgnoredField[]
  /** The text without secret values. */
  readonly redact: (text: string) => string
  /** Replaces a secret value. */
  readonly seal: (text: string) => string
  /** Replaces a text that contains a secret value. */
  readonly sealIn: (text: string) => string
}

/**
 * The object after its apply, as an approval covers it: without bookkeeping, without what others set (other managers,
 * the API server), without what the user ignores, and with every secret text sealed. Of what comes out otherwise at each render
 * only what both renders have in common counts (docs/decisions/0027).
 */
export function endStateOf({ resource, body, result }: Applied, how: EndStateInput): JsonObject {
  const { manifest } = resource
  const patterns: readonly StepPattern[] = [
    ...pathsOfOthers(result, body).map(stepsOf),
    ...serverChosen(result, body),
    ...(manifest.varies ?? []).flatMap((pointer) => keptAt(pointer, manifest.ref)).map(stepsOf),
    ...how.ignored.filter((field) => isIgnoredIn(field, manifest.ref)).map(ignoredPattern),
  ]
  const rest = withOpenTexts(withoutMatching(withoutBookkeeping(result), patterns), manifest, openText)
  const sealed = withHidden(resource, rest, (value) => how.seal(valueText(value)))
  const state = withChangedTexts(sealed, (text) => (how.redact(text) === text ? text : how.sealIn(text))) as JsonObject
  const varying = varyingShapes(resource, how)
  const open = openParts(resource, how)
  if (varying.length + open.length === 0) return state
  return { state, ...(varying.length === 0 ? {} : { varying }), ...(open.length === 0 ? {} : { open }) }
}

/** Of each open text what stands where; none of what is ignored (docs/decisions/0045). */
function openParts(resource: Resource, { ignored, redact, seal, sealIn }: EndStateInput): readonly JsonValue[] {
  const { manifest } = resource
  const isHidden = hiddenPlaces(resource)
  return (manifest.open ?? [])
    .filter(({ path }) => !isIgnoredVariation({ steps: stepsOf(path) }, manifest.ref, ignored))
    .map(({ isEncoded = false, parts, path }): readonly JsonValue[] => {
      const fixedText = (text: string) => {
        if (isHidden(stepsOf(path))) return seal(text)
        return redact(text) === text ? text : sealIn(text)
      }
      const counted = parts.map((part): JsonValue => {
        if ('fixed' in part) return { fixed: fixedText(part.fixed) }
        return 'word' in part ? { ...part } : { of: [refKey(part.of.ref), part.of.path, part.of.isEncoded === true] }
      })
      return [path, isEncoded, counted]
    })
    .toSorted((a, b) => compareText(String(a[0]), String(b[0])))
}

/** Of each value that varies its shape and its fixed parts, by the pointer; none of what is ignored. */
function varyingShapes(resource: Resource, { ignored, redact, seal, sealIn }: EndStateInput): readonly JsonValue[] {
  const isHidden = hiddenPlaces(resource)
  return variationsOf(resource.manifest)
    .filter((variation) => !isIgnoredVariation(variation, resource.manifest.ref, ignored))
    .map(({ field, shape, steps }): readonly [string, string] => {
      const text = canonicalJson(shape)
      if (isHidden(steps)) return [field, seal(text)]
      return [field, redact(text) === text ? text : sealIn(text)]
    })
    .toSorted((a, b) => compareText(a.join(' '), b.join(' ')))
}

function ignoredPattern({ steps }: IgnoredField): StepPattern {
  return steps.map((step) => (step === '*' ? anyStep : step))
}

function valueText(value: JsonValue): string {
  return typeof value === 'string' ? value : `${typeof value} ${String(value)}`
}

/** Images of containers stay as they are: a Secret with the text of an image must not hide that the image changes. */
function withChangedTexts(
  value: JsonValue | undefined,
  change: (text: string) => string,
  isContainer = false,
): JsonValue | undefined {
  if (typeof value === 'string') return change(value)
  if (isJsonArray(value)) return value.map((item) => withChangedTexts(item, change, isContainer) ?? null)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([key, member]) => {
    const isImage = isContainer && key === 'image' && typeof member === 'string'
    return [key, isImage ? member : withChangedTexts(member, change, CONTAINER_LIST.test(key))] as const
  })
  return Object.fromEntries(members)
}

const CONTAINER_LIST = /^(init|ephemeral)?containers$/i
