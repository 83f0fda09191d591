import type { Problem } from '../model/problem.ts'
import { helmFlags } from './helm-flags.ts'
import { inputLines } from './input-lines.ts'
import { INPUT_DEFAULTS, INPUT_NAMES, type InputName, type RawInputs } from './input-names.ts'
import { inputProblem } from './input-problem.ts'

/** Flags, secrets, YAML, which is refused where it is no map, and names, which never begin with "-". */
const FREE: ReadonlySet<InputName> = new Set([
  'helm-args',
  'github-token',
  'approval-key',
  'values',
  'release',
  'namespace',
])
/** One entry per line; of the others, only the start counts. */
const LISTS: ReadonlySet<InputName> = new Set([
  'manifests',
  'values-files',
  'set',
  'set-string',
  'set-json',
  'set-file',
  'set-literal',
  'test-filter',
  'credential-plugins',
  'credential-plugin-env',
  'approval-ignore',
  'api-versions',
])
const FLAG = /^--?[A-Za-z][A-Za-z0-9-]*/
const COMMAND = /^helm\s+[a-z]+(?=\s|$)/
const KNOWN: ReadonlySet<string> = new Set(
  helmFlags.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]),
)

/**
 * Pieces of a command line in inputs that take what stands behind a flag: `--set a=b` would set a key of that name. What
 * has a default is one of a few words or a number, and refused as such.
 */
export function strayFlagProblems(raw: RawInputs): readonly Problem[] {
  return INPUT_NAMES.flatMap((input) => {
    if (FREE.has(input) || INPUT_DEFAULTS[input] !== undefined) return []
    const entries = inputLines(raw(input))
    const isList = LISTS.has(input)
    return (isList ? entries : entries.slice(0, 1)).flatMap(({ text, at, line }) => {
      const stray = strayStart(text)
      if (stray === undefined) return []
      const what = `${isList ? `${at} ` : ''}begins with ${stray}`
      return [inputProblem(input, what, { kind: 'write-without-flag', flag: stray }, isList ? line : undefined)]
    })
  })
}

/** Never a piece of a value: `-phunter2` may be a password. */
function strayStart(text: string): string | undefined {
  const command = COMMAND.exec(text)?.[0]
  if (command !== undefined) return command.replace(/\s+/, ' ')
  const [flag] = FLAG.exec(text) ?? []
  if (flag === undefined) return undefined
  return KNOWN.has(flag) ? flag : 'a flag'
}
