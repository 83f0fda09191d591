import type { RawInputs } from '../inputs/input-names.ts'
import type { Secrets } from '../ports.ts'
import type { SafeRunner } from './safe-runner.ts'

/** The surroundings of a process of the step. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv
  readonly runner: SafeRunner
  readonly secrets: Secrets
  readonly input: RawInputs
  /** Absolute path. */
  readonly workspace: string
  /** What the event was about. Foreign JSON. */
  readonly payload: unknown
  /** Identity in the lock. */
  readonly holder: string
}
