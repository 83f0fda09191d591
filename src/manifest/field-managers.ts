import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import { type FieldSet, parseFieldSet } from './field-set.ts'

/** Field manager of Helm 3.7 and later, of nelm, and ours (docs/decisions/0006). */
export const FIELD_MANAGER = 'helm'

/** The manager of Helm 3 before 3.7, and of any Go program that sets no name (helm/helm#9859). */
const NAMELESS_MANAGER = 'Go-http-client'
const HELM_EVIDENCE = ['f:metadata', 'f:annotations', 'f:meta.helm.sh/release-name']

/** The managed fields of a live object, one entry for each manager, operation, version and subresource. */
export function managerEntries(object: KubeObject): readonly JsonObject[] {
  const entries: JsonValue | undefined = object.metadata.managedFields
  return isJsonArray(entries) ? entries.filter(isJsonObject) : []
}

export function managerOf(entry: JsonObject): string {
  return typeof entry.manager === 'string' ? entry.manager : ''
}

export function isOurApply(entry: JsonObject): boolean {
  return managerOf(entry) === FIELD_MANAGER && entry.operation === 'Apply' && isOfMainResource(entry)
}

/** The nameless manager counts as Helm only where its entry owns the annotation that only Helm writes. */
export function isHelmsClientSide(entry: JsonObject): boolean {
  if (entry.operation !== 'Update' || !isOfMainResource(entry)) return false
  if (managerOf(entry) === FIELD_MANAGER) return true
  if (managerOf(entry) !== NAMELESS_MANAGER) return false
  const evidence = HELM_EVIDENCE.reduce<FieldSet | undefined>(
    (set, key) => set?.children.get(key),
    parseFieldSet(entry.fieldsV1),
  )
  return evidence !== undefined
}

export function isOfMainResource(entry: JsonObject): boolean {
  return entry.subresource === undefined || entry.subresource === ''
}
