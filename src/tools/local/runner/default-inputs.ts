import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { load } from 'js-yaml'

/** What a runner puts in the place of `${{ github.token }}`. */
export const GITHUB_TOKEN = 'ghs_0123456789abcdefghijklmnopqrstuvwxyzAB'

let read: Promise<{ readonly [name: string]: string }> | undefined

/** The inputs that a runner fills in from the defaults of `action.yml`. */
export function defaultInputs(): Promise<{ readonly [name: string]: string }> {
  read ??= readDefaults()
  return read
}

async function readDefaults(): Promise<{ readonly [name: string]: string }> {
  const text = await readFile(join(import.meta.dirname, '..', '..', '..', '..', 'action.yml'), 'utf8')
  const { inputs } = load(text) as { readonly inputs: { readonly [name: string]: { readonly default?: string } } }
  const defaults = Object.entries(inputs).map(([name, input]) => [name, input.default ?? ''] as const)
  return Object.fromEntries(
    defaults.map(([name, text]) => [name, text.replace(/\$\{\{ github\.token \}\}/, GITHUB_TOKEN)]),
  )
}
