import { withoutBookkeeping } from '../manifest/bookkeeping.ts'
import { stepsOf } from '../manifest/json-pointer.ts'
import { pathsOfOthers } from '../manifest/managed-fields.ts'
import { anyStep, type StepPattern, withoutMatching } from '../manifest/remove-paths.ts'
import { keptAt } from '../manifest/secret-data.ts'
import { serverChosen } from '../manifest/server-chosen.ts'
import type { Resource } from '../model/directives.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import type { IgnoredField } from '../model/plan.ts'
import type { Ref } from '../model/ref.ts'
import { withHidden } from './mask.ts'

/** One object after its apply, and the body that was sent for it. */
export interface Applied {
  readonly resource: Resource
  readonly body: KubeObject
  readonly result: KubeObject
}

export interface EndStateInput {
  readonly ignored: readonly IgnoredField[]
  /** Gives another text for one that holds a secret. */
  readonly redact: (text: string) => string
  /** What stands for a secret value. */
  readonly seal: (text: string) => string
  /** What stands for a text that holds a secret value among other words. */
  readonly sealIn: (text: string) => string
}

/**
 * What an apply is approved to give: the object without bookkeeping, without what others decide (other managers, the API
 * server, chance), without what the user ignores, and with every secret text sealed.
 */
export function endStateOf({ resource, body, result }: Applied, how: EndStateInput): JsonObject {
  const patterns: readonly StepPattern[] = [
    ...pathsOfOthers(result, body).map(stepsOf),
    ...serverChosen(result, body),
    ...(resource.manifest.varies ?? []).flatMap(keptAt).map(stepsOf),
    ...how.ignored.filter((field) => isOf(field, resource.manifest.ref)).map(patternOf),
  ]
  const rest = withoutMatching(withoutBookkeeping(result), patterns)
  const sealed = withHidden(resource, rest, (value) => how.seal(textOf(value)))
  return withTexts(sealed, (text) => (how.redact(text) === text ? text : how.sealIn(text))) as JsonObject
}

function isOf({ kind, name }: IgnoredField, ref: Ref): boolean {
  return (kind === undefined || kind === ref.kind) && (name === undefined || name === ref.name)
}

function patternOf({ steps }: IgnoredField): StepPattern {
  return steps.map((step) => (step === '*' ? anyStep : step))
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : `${typeof value} ${String(value)}`
}

/** The images of containers stay: they are shown as they are, and no Secret may make one stand for another. */
function withTexts(
  value: JsonValue | undefined,
  change: (text: string) => string,
  isContainer = false,
): JsonValue | undefined {
  if (typeof value === 'string') return change(value)
  if (isJsonArray(value)) return value.map((item) => withTexts(item, change, isContainer) ?? null)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([key, member]) => {
    const isImage = isContainer && key === 'image' && typeof member === 'string'
    return [key, isImage ? member : withTexts(member, change, CONTAINER_LIST.test(key))] as const
  })
  return Object.fromEntries(members)
}

const CONTAINER_LIST = /^(init|ephemeral)?containers$/i
