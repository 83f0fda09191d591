import type { Failure } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { Plan } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { formatRef, type Ref, refKey } from '../model/ref.ts'
import { evidenceOf } from './failed.ts'
import { type Phrase, phrase, plain } from './phrase.ts'
import { printable } from './printable.ts'
import { problemText } from './problem.ts'
import { readinessPhrase } from './readiness.ts'
import { failureSentence, hintOf } from './sentence.ts'

export interface Annotation {
  readonly level: 'error' | 'warning'
  readonly message: string
  readonly place: { readonly title?: string; readonly file?: string; readonly startLine?: number }
}

export interface AnnotationOptions {
  /** Directory of the chart in the repository; absent for a packaged chart, whose files have no place there. */
  readonly chartDirectory?: string
}

/** The runner keeps ten annotations of a level per step. Source: action-ux 4.1. */
const MAX_PER_LEVEL = 10
/** The runner cuts a message there, in characters. Source: action-ux 4.1. */
const MAX_MESSAGE_CHARS = 4_096

/**
 * Annotations of a run: of each level at most ten, the tenth saying how many more there are. The failure comes first:
 * its message is the one sentence. A line is given for template errors only (issue 5, Annotations).
 */
export function annotations(
  passes: readonly PassResult[],
  options: AnnotationOptions & { readonly problems?: readonly Problem[]; readonly failure?: Failure },
): readonly Annotation[] {
  const problems = [...(options.problems ?? []), ...passes.flatMap((pass) => pass.problems)]
  const failures = [
    ...(options.failure === undefined ? [] : failureAnnotations(options.failure, undefined, options)),
    ...passes.flatMap((pass) =>
      pass.outcome.failure === undefined ? [] : failureAnnotations(pass.outcome.failure, pass, options),
    ),
  ]
  const errors = [...failures, ...problemAnnotations(problems, 'error', options)]
  return [...bounded(errors), ...bounded(problemAnnotations(problems, 'warning', options))]
}

function failureAnnotations(
  failure: Failure,
  pass: PassResult | undefined,
  options: AnnotationOptions,
): readonly Annotation[] {
  const evidence = pass === undefined ? undefined : evidenceOf(pass)
  const sentence = phrase`${failureSentence(failure, evidence)}. Next: ${hintOf(failure)}`
  const title =
    pass === undefined ? 'Deploy failed' : printable(`${pass.release} in ${pass.namespace} ${pass.outcome.status}`)
  const others = (failure.others ?? []).map((other) =>
    annotation(phrase`${formatRef(other.ref)}: ${readinessPhrase(other.readiness)}`, title, fileOf(other.ref)),
  )
  return [annotation(sentence, title, failure.ref === undefined ? undefined : fileOf(failure.ref)), ...others]

  function annotation(message: Phrase, heading: string, file: string | undefined): Annotation {
    return { level: 'error', message: cut(plain(message)), place: { title: heading, ...placeIn(file, options) } }
  }

  function fileOf(ref: Ref): string | undefined {
    return pass?.plan === undefined ? undefined : fileInPlan(pass.plan, ref)
  }
}

function fileInPlan(plan: Plan, ref: Ref): string | undefined {
  const key = refKey(ref)
  const operations = plan.stages.flatMap((stage) => stage.groups.flatMap((group) => group.ranks.flat()))
  return operations.find((operation) => refKey(operation.ref) === key)?.file
}

function problemAnnotations(
  problems: readonly Problem[],
  level: Annotation['level'],
  options: AnnotationOptions,
): readonly Annotation[] {
  return problems
    .filter((problem) => problem.severity === level)
    .map((problem) => {
      const { file, line } = problem.place
      const startLine = problem.reason === 'render-failed' ? line : undefined
      return { level, message: cut(printable(problemText(problem))), place: placeIn(file, options, startLine) }
    })
}

/** A template path as Helm gives it begins with the chart's name; in the repository that is the chart's directory. */
function placeIn(file: string | undefined, options: AnnotationOptions, startLine?: number): Annotation['place'] {
  if (file === undefined || options.chartDirectory === undefined) return {}
  const inChart = file.split('/').slice(1).join('/')
  if (inChart === '' || printable(file) !== file) return {}
  const directory = options.chartDirectory.replace(/^\.\//, '').replace(/\/+$/, '')
  const path = directory === '' || directory === '.' ? inChart : `${directory}/${inChart}`
  return { file: path, ...(startLine === undefined ? {} : { startLine }) }
}

function bounded(all: readonly Annotation[]): readonly Annotation[] {
  if (all.length <= MAX_PER_LEVEL) return all
  const shown = all.slice(0, MAX_PER_LEVEL - 1)
  const [first] = all
  if (first === undefined) return all
  return [...shown, { level: first.level, message: `${all.length - shown.length} more, see the log`, place: {} }]
}

function cut(message: string): string {
  return message.length <= MAX_MESSAGE_CHARS ? message : `${message.slice(0, MAX_MESSAGE_CHARS - 4)} ...`
}
