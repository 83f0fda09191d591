import { load, YAMLException } from 'js-yaml'
import type { Problem } from '../model/problem.ts'
import type { ValuesInput } from '../model/release.ts'
import type { Files } from '../ports.ts'
import type { InputName, RawInputs } from './names.ts'

/** Reads the six forms of values. Of `set*` and `values` a problem names line and key only, never a value. */
export async function readValues(
  raw: RawInputs,
  files: Files,
): Promise<{ readonly values: ValuesInput; readonly problems: readonly Problem[] }> {
  const paths = lines(raw('values-files')).map(({ text }) => text)
  const read = await Promise.all(paths.map((path) => readValuesFile(path, files)))
  const inline = raw('values')
  const inlineProblems = inline === '' ? [] : inlineValuesProblems(inline)
  const sets = (['set', 'set-string', 'set-json', 'set-file', 'set-literal'] as const).map((input) =>
    readSet(input, raw(input)),
  )
  const [set = noSet, setString = noSet, setJson = noSet, setFile = noSet, setLiteral = noSet] = sets
  const fromFiles = read.flatMap((file) => ('text' in file ? [file] : []))
  return {
    problems: [
      ...read.flatMap((file) => ('text' in file ? [] : [file])),
      ...inlineProblems,
      ...sets.flatMap((one) => one.problems),
    ],
    values: {
      files: [...fromFiles, ...(inline === '' ? [] : [{ label: 'input values', text: inline }])],
      set: set.entries,
      setString: setString.entries,
      setJson: setJson.entries,
      setFile: setFile.entries,
      setLiteral: setLiteral.entries,
    },
  }
}

interface SetInput {
  readonly entries: readonly string[]
  readonly problems: readonly Problem[]
}
const noSet: SetInput = { entries: [], problems: [] }

async function readValuesFile(path: string, files: Files): Promise<{ label: string; text: string } | Problem> {
  if ((await files.exists(path)) !== 'file') {
    return problem('values-files', `"${path}" does not exist or is no file`, 'write one existing file per line')
  }
  return { label: path, text: await files.read(path) }
}

/** The engine parses the values again as Helm does; this finds mistakes before it could print a piece of them. */
function inlineValuesProblems(text: string): readonly Problem[] {
  try {
    const parsed = load(text)
    if (parsed === null || parsed === undefined || (typeof parsed === 'object' && !Array.isArray(parsed))) return []
    return [problem('values', 'is not a map of values', 'write `key: value` lines')]
  } catch (error) {
    const line = error instanceof YAMLException ? error.mark?.line : undefined
    const where = line === undefined ? '' : ` at line ${line + 1}`
    return [
      problem(
        'values',
        `is not valid YAML${where}`,
        'check the indentation and quotes',
        line === undefined ? undefined : line + 1,
      ),
    ]
  }
}

function readSet(input: InputName, text: string): SetInput {
  const entries: string[] = []
  const problems: Problem[] = []
  for (const { text: entry, line } of lines(text)) {
    const key = entry.slice(0, Math.max(0, entry.indexOf('=')))
    if (key === '')
      problems.push(problem(input, `line ${line} has no key=value form`, 'write one key=value per line', line))
    else if (input === 'set-json' && !isJson(entry.slice(key.length + 1))) {
      problems.push(
        problem(
          input,
          `line ${line}: the value of ${key} is not valid JSON`,
          'write key=json, with strings in double quotes',
          line,
        ),
      )
    } else entries.push(entry)
  }
  return { entries, problems }
}

/** `--set-json` takes several assignments on one line as well; only a single one can be judged here. */
function isJson(text: string): boolean {
  if (text.includes('=')) return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function lines(text: string): readonly { readonly text: string; readonly line: number }[] {
  return text
    .split('\n')
    .map((content, index) => ({ text: content.trim(), line: index + 1 }))
    .filter((entry) => entry.text !== '')
}

function problem(input: InputName, what: string, hint: string, line?: number): Problem {
  const place = line === undefined ? { input } : { input, line }
  return { severity: 'error', reason: 'invalid-input', place, what: `input ${input}: ${what}`, hint }
}
