import { loadAll, YAMLException } from 'js-yaml'
import type { Hint } from '../model/hint.ts'
import type { Problem } from '../model/problem.ts'
import type { ValuesInput } from '../model/release.ts'
import type { Files } from '../ports.ts'
import type { InputEntry } from './input-lines.ts'
import { filesOfEntry, withFilePaths } from './set-file.ts'
import { readValuesFiles, type ValuesPorts, valuesFileFrom } from './values-files.ts'
import type { StartedPath } from './working-directory.ts'

export const SET_FIELDS = ['set', 'set-string', 'set-json', 'set-file', 'set-literal'] as const
export type SetField = (typeof SET_FIELDS)[number]
export type ValuesField = SetField | 'values' | 'values-files'

/** The six forms of values as they are written. */
export type ValuesText = { readonly [field in SetField | 'values-files']: readonly InputEntry[] } & {
  /** Inline values: YAML, and its name in errors of the engine. */
  readonly values?: { readonly label: string; readonly text: string }
}

/** The forms that are lists of entries, each read in the same way. */
export function entriesByField(
  read: (field: SetField | 'values-files') => readonly InputEntry[],
  started: StartedPath,
): Omit<ValuesText, 'values'> {
  return {
    'values-files': read('values-files').map((entry) => ({ ...entry, text: valuesFileFrom(entry.text, started) })),
    set: read('set'),
    'set-string': read('set-string'),
    'set-json': read('set-json'),
    'set-file': read('set-file').map((entry) => ({ ...entry, text: withFilePaths(entry.text, started) })),
    'set-literal': read('set-literal'),
  }
}

/** Makes a problem that names where the values were written. `what` holds line and key only. */
export type ReportValues = (field: ValuesField, what: string, hint: Hint, line?: number) => Problem

/** Reads the six forms of values. Of `set*` and `values` a problem names line and key only, never a value. */
export async function readValues(
  given: ValuesText,
  ports: ValuesPorts,
  report: ReportValues,
): Promise<{ readonly values: ValuesInput; readonly problems: readonly Problem[] }> {
  const entries = await Promise.all(given['values-files'].map(({ text }) => readValuesFiles(text, ports)))
  const read = entries.flat()
  const inlineProblem = given.values === undefined ? undefined : inlineValuesProblem(given.values.text, report)
  const fileProblems = await Promise.all(given['set-file'].map((entry) => setFileProblems(entry, ports.files, report)))
  const setProblems = SET_FIELDS.flatMap((field) => given[field].flatMap((entry) => setProblem(field, entry, report)))
  const texts = (field: SetField) => given[field].map(({ text }) => text)
  return {
    problems: [
      ...read.flatMap((file) =>
        'text' in file ? [] : [{ ...report('values-files', file.fault, file.hint), reason: file.reason }],
      ),
      ...(inlineProblem === undefined ? [] : [inlineProblem]),
      ...setProblems,
      ...fileProblems.flat(),
    ],
    values: {
      files: [...read.flatMap((file) => ('text' in file ? [file] : [])), ...(given.values ? [given.values] : [])],
      set: texts('set'),
      setString: texts('set-string'),
      setJson: texts('set-json'),
      setFile: texts('set-file'),
      setLiteral: texts('set-literal'),
    },
  }
}

/** The engine parses the values again as Helm does; this finds mistakes before it could print a piece of them. */
function inlineValuesProblem(text: string, report: ReportValues): Problem | undefined {
  try {
    const documents = loadAll(text)
    const isMap = documents.every((value) => value === null || (typeof value === 'object' && !Array.isArray(value)))
    if (isMap && documents.length < 2) return undefined
    return report('values', 'is not a map of values', { kind: 'write-map-of-values' })
  } catch (error) {
    const line = yamlErrorLine(error)
    const where = line === undefined ? '' : ` at line ${line}`
    return report('values', `is not valid YAML${where}`, { kind: 'correct-yaml' }, line)
  }
}

/** Line of a YAML error, from 1. Its message may repeat the text around it and is not used. */
export function yamlErrorLine(error: unknown): number | undefined {
  const line = error instanceof YAMLException ? error.mark?.line : undefined
  return line === undefined ? undefined : line + 1
}

function setProblem(field: SetField, { text, at, line }: InputEntry, report: ReportValues): readonly Problem[] {
  const key = text.slice(0, Math.max(0, text.indexOf('=')))
  if (key === '' || /^--?[A-Za-z]/.test(key))
    return [report(field, `${at} has no key=value form`, { kind: 'write-set' }, line)]
  if (field !== 'set-json' || isJson(text.slice(key.length + 1))) return []
  return [report(field, `${at}: the value of ${key} is not valid JSON`, { kind: 'write-set-json' }, line)]
}

/**
 * The engine reads the files: a symbolic link of a fork that points outside the workspace must not get there
 * (docs/decisions/0033).
 */
async function setFileProblems(
  { text, at, line }: InputEntry,
  files: Files,
  report: ReportValues,
): Promise<readonly Problem[]> {
  const found = await Promise.all(
    filesOfEntry(text).map(async ({ key, path }) => ({ key, isFile: (await files.exists(path)) === 'file' })),
  )
  const hint: Hint = { kind: 'write-set-file' }
  return found
    .filter(({ isFile }) => !isFile)
    .map(({ key }) => report('set-file', `${at}: the file of ${key} does not exist or is not a file`, hint, line))
}

/** `--set-json` also takes several assignments on one line; only a single one can be checked here. */
function isJson(text: string): boolean {
  if (text.includes('=')) return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
