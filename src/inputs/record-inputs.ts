import { defined } from '../model/defined.ts'
import type { Problem } from '../model/problem.ts'
import { type ReleaseOptions, systemLabels } from '../model/release.ts'
import { inputLines } from './input-lines.ts'
import type { RawInputs } from './input-names.ts'
import { inputProblem, shorten } from './input-problem.ts'

const MAX_DESCRIPTION_CHARS = 512
const MAX_PREFIX_CHARS = 253
const LABEL_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/
const LABEL_PREFIX = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/

/** What a deploy writes into the record of its revision beside what it does. */
export function readRecordInputs(raw: RawInputs): {
  readonly recorded: Pick<ReleaseOptions, 'description' | 'labels'>
  readonly problems: readonly Problem[]
} {
  const description = raw('description')
  const labels = inputLines(raw('release-labels')).map(({ text, line }) => ({ text, line, label: labelOf(text) }))
  const isLong = description.length > MAX_DESCRIPTION_CHARS || /[\r\n]/.test(description)
  return {
    recorded: defined({
      description: description === '' ? undefined : description,
      labels: labels.length === 0 ? undefined : Object.fromEntries(labels.flatMap(({ label }) => label ?? [])),
    }),
    problems: [
      ...(isLong
        ? [inputProblem('description', 'is not valid', { kind: 'write-one-line', maxChars: MAX_DESCRIPTION_CHARS })]
        : []),
      ...labels
        .filter(({ label }) => label === undefined)
        .map(({ text, line }) =>
          inputProblem(
            'release-labels',
            `line ${line}: "${shorten(text)}" is not valid`,
            { kind: 'write-release-label', taken: [...systemLabels] },
            line,
          ),
        ),
    ],
  }
}

/** `[[key, value]]` of `key=value`, as a label of Kubernetes takes both; undefined where it does not. */
function labelOf(text: string): readonly (readonly [string, string])[] | undefined {
  const equals = text.indexOf('=')
  const key = text.slice(0, Math.max(0, equals))
  const value = text.slice(equals + 1)
  const slash = key.indexOf('/')
  const prefix = key.slice(0, Math.max(0, slash))
  const isKey =
    LABEL_NAME.test(key.slice(slash + 1)) &&
    (slash === -1 || (prefix.length <= MAX_PREFIX_CHARS && LABEL_PREFIX.test(prefix)))
  if (!isKey || systemLabels.has(key) || (value !== '' && !LABEL_NAME.test(value))) return undefined
  return [[key, value]]
}
