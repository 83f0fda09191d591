import type { Problem } from '../model/problem.ts'
import type { FetchSettings } from '../ports.ts'
import type { RawInputs } from './input-names.ts'

export function readFetchInputs(_raw: RawInputs): {
  readonly fetching: FetchSettings
  readonly problems: readonly Problem[]
} {
  return {
    fetching: { dependencies: 'missing', verify: 'never', keyring: undefined, registries: [], cache: undefined },
    problems: [],
  }
}
