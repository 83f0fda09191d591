import { withApplied } from '../manifest/applied-fields.ts'
import { conformed, type SchemaProblem } from '../manifest/structural-schema.ts'
import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import type { DryRun } from '../model/observed.ts'
import { refKey } from '../model/ref.ts'
import { newSchemaOf, type PlanContext } from './context.ts'

/** What the schema says that the object's CRD gets in this plan. `crd`: its name. */
export type Judged =
  | { readonly kind: 'refused'; readonly crd: string; readonly problems: readonly SchemaProblem[] }
  | {
      readonly kind: 'valid'
      /** Absent where the CRD has no schema: there is nothing to judge by. */
      readonly crd?: string
      /** The object as it would be stored. */
      readonly object: KubeObject
    }

/**
 * Judges a custom resource by the schema that will hold when it is applied. The dry run was answered by the one before,
 * which refuses fields that it does not have. Undefined: the plan does not change the schema, or the answer has nothing
 * to do with it.
 */
export function judgedByNewSchema(
  { manifest }: Resource,
  live: KubeObject | undefined,
  answer: DryRun,
  context: PlanContext,
): Judged | undefined {
  const found = mayDependOnSchema(answer) ? newSchemaOf(manifest.ref, context) : undefined
  if (found === undefined) return undefined
  const { input, previous } = context
  const key = refKey(manifest.ref)
  const body = input.observed.bodies.get(key) ?? manifest.object
  const before = answer.kind === 'accepted' ? answer.object : live
  const object = before === undefined ? body : withApplied(before, body, previous.get(key)?.manifest.object)
  const stored = conformed(object, body, found.schema)
  const { crd, schema } = found
  if (stored.problems.length > 0) return { kind: 'refused', crd, problems: stored.problems }
  return { kind: 'valid', object: stored.object, ...(Object.keys(schema).length === 0 ? {} : { crd }) }
}

/** Refused by the schema itself: by a rule of it, or before, because the object does not have its form. */
export function isRefusedBySchema(answer: DryRun): boolean {
  if (answer.kind !== 'refused') return false
  const { refusal } = answer
  return refusal.kind === 'invalid' || ('message' in refusal && TYPED_PATCH.test(refusal.message))
}

const TYPED_PATCH = /^failed to create typed patch object /

function mayDependOnSchema(answer: DryRun): boolean {
  switch (answer.kind) {
    case 'refused':
      return isRefusedBySchema(answer)
    case 'conflict':
    case 'forbidden':
    case 'immutable':
    case 'not-found':
    case 'unchanged':
      return false
    default:
      return true
  }
}
