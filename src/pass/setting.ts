import type { History, ReleaseOptions, ReleaseSpec, ReusedValues } from '../model/release.ts'
import type { Clock, Discovery, Renderer, Secrets } from '../ports.ts'
import type { Answers } from './lookup-ahead.ts'
import type { Provided } from './provided.ts'

export interface PassPorts {
  readonly renderer: Renderer
  readonly clock: Clock
  readonly secrets: Secrets
}

/** Kinds and versions that the release is rendered for: Helm's `.Capabilities`. */
export interface Capabilities {
  /** Absent: the engine's own default. */
  readonly kubeVersion?: string
  readonly discovery: Discovery
  /** API versions (`group/version` and `group/version/Kind`) beside those of `discovery`. */
  readonly apiVersions: readonly string[]
}

/** What rendering takes of a setting. */
export interface RenderSetting {
  readonly spec: ReleaseSpec
  readonly namespace: string
  readonly capabilities: Capabilities
  /** By earlier releases of the run. */
  readonly providedEarlier: Provided
  /** Of the deployed revision. Absent: the values of `spec` alone. */
  readonly reuse?: ReusedValues
  /** Of `lookup`. Absent: it finds nothing. */
  readonly answers?: Answers
  readonly ports: PassPorts
  readonly signal: AbortSignal
}

/** What is known of a pass before its intent is. */
export interface Setting extends RenderSetting {
  readonly hasNamespace: boolean
  readonly history: History
  /** Identity in the lock: the run's URL. */
  readonly holder: string
  /** Of a release that is one of a list: the id of the list. */
  readonly bundle?: string
  readonly options: ReleaseOptions
  /** For review alone: an account without the rights of a deploy gets a plan all the same. */
  readonly mayLackRights: boolean
}
