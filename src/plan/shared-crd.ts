import { isRiskySchema, schemaImpactOf } from '../impact/schema-change.ts'
import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import type { Resource } from '../model/directives.ts'
import type { JsonObject } from '../model/object.ts'

/**
 * A CRD of `crds/`, or Helm 2's `crd-install`, which several charts may bring: marks of ownership are not checked
 * (docs/decisions/0030).
 */
export function isSharedCrd({ directives, manifest }: Resource): boolean {
  const isOfCharts = manifest.source === 'crds' || directives.isHook
  return isOfCharts && directives.ownership === 'anyone' && isBuiltIn(manifest.ref, 'CustomResourceDefinition')
}

/** Whether the CRD serves everything that it served before, and more of it: versions, fields, values. */
export function servesMore(before: JsonObject, after: JsonObject): boolean {
  const impact = schemaImpactOf(before, after, { isMasked: false })
  if (impact === undefined || isRiskySchema(impact)) return false
  const isNewlyServed = impact.versions.some(
    (version) => version.after?.isServed === true && version.before?.isServed !== true,
  )
  return isNewlyServed || impact.counts.added + impact.counts.loosened > 0
}
