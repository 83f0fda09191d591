import { schemaImpactOf } from '../../src/impact/schema-change.ts'
import type { SchemaChange, SchemaImpact } from '../../src/model/impact.ts'
import type { JsonObject } from '../../src/model/object.ts'

/** A version that is served and stored, with more or other members. */
export function version(name: string, schema: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }
}

export function crd(versions: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      ...more,
      versions,
    },
  }
}

/** An object with these fields. */
export function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more }
}

/** What changes in version `v1` from one schema to the other. */
export function ofSchemas(before: JsonObject, after: JsonObject): SchemaImpact | undefined {
  return ofCrds(crd([version('v1', before)]), crd([version('v1', after)]))
}

export function ofCrds(before: JsonObject | undefined, after: JsonObject): SchemaImpact | undefined {
  return schemaImpactOf(before, after, { isMasked: false })
}

/** `tightens maximum spec.size: 5 -> 3`: one line for each change of the definition and of its versions. */
export function lines(impact: SchemaImpact | undefined): readonly string[] {
  const all = [...(impact?.changes ?? []), ...(impact?.versions ?? []).flatMap(({ changes }) => changes)]
  return all.map(line)
}

function line({ after, before, effect, fields, keyword, morePaths, paths, what }: SchemaChange): string {
  const name = what === 'keyword' ? [keyword] : keyword === undefined ? [what] : [what, keyword]
  const more = morePaths === undefined ? [] : [`and ${morePaths} more`]
  const amount = fields === undefined || fields === 1 ? [] : [`(${fields} fields)`]
  const text = before === undefined && after === undefined ? '' : `: ${before ?? 'none'} -> ${after ?? 'none'}`
  return `${[effect, ...name, ...paths.filter((path) => path !== ''), ...more, ...amount].join(' ')}${text}`
}
