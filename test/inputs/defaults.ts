import { readFileSync } from 'node:fs'
import type { InputName } from '../../src/inputs/input-names.ts'
import { readAction } from '../../src/tools/docs.ts'

export type Inputs = Partial<Record<InputName, string>>

const { inputs } = readAction(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'))

/** What the runner fills in from `action.yml`; no token. */
export const defaults: Inputs = Object.fromEntries(
  Object.entries(inputs).map(([name, input]) => [name, name === 'github-token' ? '' : String(input.default ?? '')]),
)
