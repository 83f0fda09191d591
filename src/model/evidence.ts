import type { Ref } from './ref.ts'

/** Logs and events gathered about a failure, before anything is deleted. All text is foreign. */
export interface Evidence {
  readonly ref: Ref
  readonly pods: readonly PodEvidence[]
  /** Newest first. */
  readonly events: readonly EventEvidence[]
  /** What could not be read, and why. */
  readonly missing: readonly string[]
}

export interface PodEvidence {
  readonly name: string
  readonly phase: string
  readonly containers: readonly ContainerEvidence[]
}

export interface ContainerEvidence {
  readonly name: string
  readonly state: string
  readonly reason?: string
  readonly message?: string
  readonly exitCode?: number
  readonly restarts: number
  /** Last lines of the log; of the previous run where the container restarted. */
  readonly logTail: readonly string[]
  readonly isPreviousLog: boolean
}

export interface EventEvidence {
  readonly type: string
  readonly reason: string
  readonly message: string
  readonly about: string
  readonly count: number
  readonly lastSeen?: string
}
