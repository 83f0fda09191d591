import type { Settings } from '../inputs/inputs.ts'
import type { Stop } from '../pass/last-writes.ts'
import type { SavedLock } from '../pass/release-lock.ts'
import type { PassPorts } from '../pass/setting.ts'
import type { World } from '../pass/world.ts'
import type { PlanReview } from '../trust/plan-review.ts'
import type { Reporter } from './reporter.ts'

export interface RunRequest {
  readonly settings: Settings
  /** Identity in the lock. */
  readonly holder: string
  /** Id of the list of releases that this workflow step deploys. */
  readonly bundle: string
  readonly stop: Stop
  /** Keeps what the post step needs, should this process die. */
  readonly onHeld: (held: SavedLock) => void
  /** Nothing of it is left to the post step. */
  readonly onFreed: (held: SavedLock) => void
}

export interface RunPorts extends PassPorts {
  /** What all releases are planned against, and where they are deployed. */
  readonly world: World
  /** Absent without a token. */
  readonly review?: PlanReview
}

export interface Run {
  readonly request: RunRequest
  readonly ports: RunPorts
  readonly reporter: Reporter
}
