import { messageOf } from '../model/errors.ts'
import type { Problem } from '../model/problem.ts'
import { inputProblem, shorten } from './input-problem.ts'
import type { ChartPorts } from './take-chart.ts'

/** Far above what a list of releases needs, and read in a moment. */
const MAX_CHARS = 1024 * 1024
const NAMES_FILE = /^[^\n]{1,1000}\.(?:ya?ml|json)$/

/** The list of charts, and the file that it stands in where the input names one. */
export interface ChartsText {
  readonly text: string
  readonly file?: string
}

/** A single line with the name of a YAML file means the list in that file, as a step before has written it. */
export async function readChartsText(
  input: string,
  { files, started }: Pick<ChartPorts, 'files' | 'started'>,
): Promise<ChartsText | Problem> {
  const line = input.trim()
  if (!NAMES_FILE.test(line)) return { text: input }
  const file = started(line)
  const found = await files.exists(file)
  // A chart may be called so.
  if (found === 'directory') return { text: input }
  const wrong = (what: string) => inputProblem('charts', `"${shorten(file)}" ${what}`, { kind: 'write-charts-file' })
  if (found === 'none') return wrong('does not exist')
  try {
    const text = await files.read(file)
    return text.length > MAX_CHARS ? wrong('is larger than 1 MiB') : { text: withoutStart(text), file }
  } catch (error) {
    return wrong(`cannot be read: ${messageOf(error)}`)
  }
}

/** The list is read below a key: a byte order mark and `---` stand at the start of a document only. Lines keep their numbers. */
function withoutStart(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/^((?:[^\S\n]*(?:#[^\n]*)?\n)*)---[^\S\n]*(?=\n)/, '$1')
}
