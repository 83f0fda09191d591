import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { pointerOf } from '../manifest/json-pointer.ts'
import { secretFields } from '../manifest/secret-data.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import { isJsonArray, isJsonObject, type JsonValue } from '../model/object.ts'
import type { IgnoredField } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { refKey } from '../model/ref.ts'
import { withHidden } from './mask.ts'
import { openText, withOpenTexts } from './open-fields.ts'
import { isIgnoredVariation } from './variation.ts'

export interface HiddenInput {
  readonly ignored: readonly IgnoredField[]
  /** The text without values of Secrets. */
  readonly redact: (text: string) => string
  /** As in the plan's input. */
  readonly hideNames: (text: string) => string
}

/** Fields of one object that are named before the rest is counted. */
const MAX_FIELDS = 5

/**
 * What is hidden outside of a Secret where no hash can cover it: on a first install without `approval-key` there is no key under which a hidden
 * value could count, and any other would fit what was approved (docs/decisions/0041).
 */
export function hiddenOnInstallProblems(
  desired: readonly Resource[],
  { hideNames, ignored, redact }: HiddenInput,
): readonly Problem[] {
  return desired.flatMap((resource): readonly Problem[] => {
    const { directives, manifest } = resource
    const { origin, ref } = manifest
    const key = refKey(ref)
    // The name of a value hides nothing.
    const object = withOpenTexts(manifest.object, manifest, openText)
    if (directives.excluded) return []
    const shown = withHidden(resource, object, () => HIDDEN)
    const fields = Object.entries(object)
      .filter(([field]) => !(isBuiltIn(ref, 'Secret') && secretFields.has(field)))
      .flatMap(([field, value]) =>
        value === undefined ? [] : hiddenIn(value, shown[field], { steps: [field], redact }),
      )
      .filter((steps) => !isIgnoredVariation({ steps }, ref, ignored))
      .map(pointerOf)
      .filter((pointer) => !NAMING.has(pointer) || hideNames(key) !== key)
    if (fields.length === 0) return []
    const more = fields.length - MAX_FIELDS
    const named = `${fields.slice(0, MAX_FIELDS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    return [
      {
        severity: 'error',
        reason: 'invalid-input',
        place: { file: origin.file, ref, ...defined({ line: origin.line }) },
        what: `is hidden and cannot be compared on a first install, so nobody can approve it: ${named}`,
        hint: { kind: 'sign-what-is-hidden' },
      },
    ]
  })
}

const HIDDEN = '(hidden)'

/** The id of the operation, which is in the hash, has them as they are, but for what `lookup` has read. Labels and annotations can give rights, too. */
const NAMING: ReadonlySet<string> = new Set(['/apiVersion', '/kind', '/metadata/name', '/metadata/namespace'])

interface Walk {
  readonly steps: readonly string[]
  readonly redact: HiddenInput['redact']
}

/** The places of what is replaced as a whole, or holds the value of a Secret. */
function hiddenIn(
  value: JsonValue,
  shown: JsonValue | undefined,
  { steps, redact }: Walk,
): readonly (readonly string[])[] {
  if (isJsonArray(value)) {
    const others = isJsonArray(shown) ? shown : []
    return value.flatMap((item, index) => hiddenIn(item, others[index], { steps: [...steps, String(index)], redact }))
  }
  if (isJsonObject(value)) {
    const others = isJsonObject(shown) ? shown : {}
    return Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : hiddenIn(item, others[key], { steps: [...steps, key], redact }),
    )
  }
  if (value !== null && shown === HIDDEN && value !== HIDDEN) return [steps]
  // The hash has images as they are.
  if (typeof value !== 'string' || (steps.at(-1) === 'image' && /containers$/i.test(steps.at(-3) ?? ''))) return []
  return redact(value) === value ? [] : [steps]
}
