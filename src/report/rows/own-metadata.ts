import { stepsOf } from '../../manifest/json-pointer.ts'
import type { FieldChange, Impact } from '../../model/impact.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/object.ts'

/** Whether the field is a label or an annotation of the object itself, not of what it makes. */
export function isOwnMetadata({ pointer }: Pick<FieldChange, 'pointer'>): boolean {
  return /^\/metadata\/(labels|annotations)\/[^/]+$/.test(pointer)
}

/** Whether nothing else changes. */
export function changesOwnMetadataOnly(impact: Pick<Impact, 'fields'> | undefined): boolean {
  return impact !== undefined && impact.fields.length > 0 && impact.fields.every(isOwnMetadata)
}

/** The object without these labels and annotations, and without a map of which nothing is left. */
export function withoutOwnMetadata(
  object: JsonObject | undefined,
  isLeftOut: (map: 'labels' | 'annotations', key: string) => boolean,
): JsonObject | undefined {
  if (object === undefined || !isJsonObject(object.metadata)) return object
  const { annotations, labels, ...rest } = object.metadata
  const kept = (map: 'labels' | 'annotations', value: JsonValue | undefined) => {
    if (!isJsonObject(value)) return value
    const entries = Object.entries(value).filter(([key]) => !isLeftOut(map, key))
    return entries.length === 0 ? undefined : Object.fromEntries(entries)
  }
  const maps = { annotations: kept('annotations', annotations), labels: kept('labels', labels) }
  return { ...object, metadata: { ...rest, ...maps } }
}

/** `labels helm.sh/chart` of the pointer to it. */
export function ownMetadataKey({ pointer }: Pick<FieldChange, 'pointer'>): string {
  return stepsOf(pointer).slice(1).join(' ')
}
