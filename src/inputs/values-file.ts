import type { Hint } from '../model/hint.ts'
import type { FailureReason } from '../model/outcome.ts'

export interface ValuesFile {
  /** Names it in errors. */
  readonly label: string
  readonly text: string
}

export interface ValuesFileFault {
  /** Names the entry. */
  readonly fault: string
  readonly hint: Hint
  readonly reason: FailureReason
}
