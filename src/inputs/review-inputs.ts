import { defined } from '../model/defined.ts'
import type { IgnoredField } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { inputLines } from './input-lines.ts'
import type { RawInputs } from './input-names.ts'
import { inputProblem, shorten } from './input-problem.ts'

/** How the plan is reviewed, and what must have been approved. */
export interface ReviewInputs {
  readonly approval: 'none' | 'comment'
  /** What may differ between the approved plan and the deploy. */
  readonly approvalIgnore: readonly IgnoredField[]
  /** Lower case; undefined: any plan. */
  readonly expectPlanHash: string | undefined
  /** Secret: signs the plan of a comment, and checks it (docs/decisions/0025). */
  readonly approvalKey: string | undefined
  /** Names the cluster in the identity of the comment. */
  readonly label: string | undefined
}

/** Longest line of `approval-ignore`, in characters. */
const MAX_LINE_CHARS = 500
const MAX_LABEL_CHARS = 100
/** As `openssl rand -hex 16` makes it. */
const MIN_KEY_CHARS = 32

export function readReviewInputs(
  raw: RawInputs,
  approval: ReviewInputs['approval'],
): { readonly review: ReviewInputs; readonly problems: readonly Problem[] } {
  const ignored = inputLines(raw('approval-ignore')).map((line) => ({ line, field: ignoredField(line.text) }))
  const hash = raw('expect-plan-hash').toLowerCase()
  const label = raw('label')
  const key = raw('approval-key')
  const problems = [
    ...ignored.flatMap(({ line, field }) =>
      field !== undefined
        ? []
        : [
            inputProblem(
              'approval-ignore',
              `line ${line.line}: "${shorten(line.text)}" is not valid`,
              { kind: 'write-ignored-field' },
              line.line,
            ),
          ],
    ),
    ...(hash !== '' && !/^[0-9a-f]{64}$/.test(hash)
      ? [inputProblem('expect-plan-hash', `"${shorten(hash)}" is not valid`, { kind: 'write-plan-hash' })]
      : []),
    // Never the key itself.
    ...(key !== '' && key.length < MIN_KEY_CHARS
      ? [
          inputProblem('approval-key', 'is too short to keep anybody out', {
            kind: 'write-approval-key',
            minChars: MIN_KEY_CHARS,
          }),
        ]
      : []),
    ...(label.length > MAX_LABEL_CHARS || /[\r\n]/.test(label)
      ? [inputProblem('label', 'is not valid', { kind: 'write-one-line', maxChars: MAX_LABEL_CHARS })]
      : []),
    ...(approval === 'comment' && raw('github-token') === ''
      ? [inputProblem('approval', 'needs a token to read the comment', { kind: 'set-token' })]
      : []),
  ]
  return {
    problems,
    review: {
      approval,
      approvalIgnore: ignored.flatMap(({ field }) => field ?? []),
      expectPlanHash: hash === '' ? undefined : hash,
      approvalKey: key === '' ? undefined : key,
      label: label === '' ? undefined : label,
    },
  }
}

/** Parses `[Kind[/name] ]/json/pointer`; undefined where the line has another form. */
function ignoredField(line: string): IgnoredField | undefined {
  const match = /^(?:([A-Za-z][A-Za-z0-9]*)(?:\/([^\s/]+))?\s+)?(\/\S+)$/.exec(line.slice(0, MAX_LINE_CHARS))
  const pointer = match?.[3]
  if (match === null || pointer === undefined || line.length > MAX_LINE_CHARS) return undefined
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const [, kind, name] = match
  return { steps, ...defined({ kind, name }) }
}
