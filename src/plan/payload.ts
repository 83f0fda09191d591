import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import type { ApplyPayload } from '../model/plan.ts'

/** What the planner knows of an apply operation beyond what the plan says of it. Holds secret values: never printed. */
export interface Payload extends ApplyPayload {
  readonly resource: Resource
  /** The object after the apply: the dry run's answer, or the body where there is none. */
  readonly result: KubeObject
}
