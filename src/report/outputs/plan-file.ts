import { defined } from '../../model/defined.ts'
import { stringifyJson } from '../../model/json.ts'
import type { PassResult } from '../../model/pass.ts'
import type { Problem } from '../../model/problem.ts'
import { countPlan } from '../rows/counts.ts'
import { firstOfEach } from '../rows/first-passes.ts'
import { hashOf, planHash } from '../rows/plan-hash.ts'
import { hintText } from '../words/hint-text.ts'
import { planText } from '../words/plan-text.ts'
import { printable } from '../words/printable.ts'
import { problemText } from '../words/problem-text.ts'

/** Version of the document's form: `docs/plan.schema.json` describes it, `docs/plan-json.md` says when it grows. */
const FORM = 2

/**
 * The plans of a run as one JSON document (output `plan-path`). Keys are sorted and the text ends with a line feed, so that
 * the same plan is the same file. Values are those of the plan: masked when it was made. A release that could not be
 * planned has its problems only.
 */
export function planJson(passes: readonly PassResult[]): string {
  const document = { version: FORM, hash: planHash(passes), releases: firstOfEach(passes).map(releaseDocument) }
  return `${stringifyJson(withSortedKeys(document), 2)}\n`
}

/** The plans of a run as text (output `plan-text-path`), one after the other. */
export function planTextFile(passes: readonly PassResult[]): string {
  return firstOfEach(passes).map(releaseText).join('\n')
}

function releaseDocument(pass: PassResult) {
  const { chart, namespace, plan, previousChart, previousRevision, problems, release } = pass
  if (plan === undefined) return { release, namespace, isPlanned: false, problems: problems.map(withHintText) }
  return {
    ...plan,
    isPlanned: true,
    ...defined({ chart, previousChart, previousRevision }),
    hash: hashOf(pass) ?? '',
    counts: countPlan(plan),
    problems: plan.problems.map(withHintText),
  }
}

function withHintText({ hint, ...problem }: Problem) {
  return hint === undefined ? problem : { ...problem, hint: { kind: hint.kind, text: hintText(hint) } }
}

function releaseText(pass: PassResult): string {
  if (pass.plan !== undefined) return planText(pass.plan)
  const lines = pass.problems.map((problem) => `  ${problem.severity}: ${problemText(problem)}`)
  return `${[`${pass.release} in ${pass.namespace}: not planned`, ...lines].map(printable).join('\n')}\n`
}

/** Sorted by code unit at every depth; lists keep their order. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  const result: { [key: string]: unknown } = Object.create(null)
  for (const [key, member] of entries) result[key] = withSortedKeys(member)
  return result
}
