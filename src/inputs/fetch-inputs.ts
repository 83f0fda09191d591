import type { Problem } from '../model/problem.ts'
import type { FetchSettings, Files } from '../ports.ts'
import type { InputName, RawInputs } from './input-names.ts'
import { inputProblem, shorten } from './input-problem.ts'
import { readRegistries } from './registries.ts'

/** How charts are fetched. Where there are problems, the settings are what is left without them. */
export async function readFetchInputs(
  raw: RawInputs,
  files: Pick<Files, 'read' | 'exists' | 'locate'>,
): Promise<{ readonly fetching: FetchSettings; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = []
  const oneOf = <T extends string>(input: InputName, choices: readonly [T, ...T[]]): T => {
    const found = choices.find((choice) => choice === raw(input))
    if (found === undefined) {
      problems.push(inputProblem(input, `"${shorten(raw(input))}" is not valid`, { kind: 'write-one-of', choices }))
    }
    return found ?? choices[0]
  }

  const dependencies = oneOf('dependencies', ['missing', 'locked', 'never'])
  const verify = oneOf('verify', ['never', 'if-present', 'always'])
  const keyring = raw('keyring')
  if (keyring !== '' && (await files.exists(keyring)) !== 'file') {
    problems.push(inputProblem('keyring', `"${shorten(keyring)}" is no file`, { kind: 'write-keyring' }))
  }
  if (keyring === '' && verify !== 'never') {
    problems.push(inputProblem('keyring', `is missing, and verify is ${verify}`, { kind: 'write-keyring' }))
  }
  const { registries, problems: ofRegistries } = await readRegistries(raw('registries'), files)
  const fetching = {
    dependencies,
    verify,
    keyring: keyring === '' ? undefined : files.locate(keyring),
    registries,
    cache: raw('chart-cache') === '' ? undefined : files.locate(raw('chart-cache')),
  }
  return { fetching, problems: [...problems, ...ofRegistries] }
}
