import { defined } from '../../model/defined.ts'
import type { Failure } from '../../model/outcome.ts'
import type { PassResult } from '../../model/pass.ts'
import type { Plan } from '../../model/plan.ts'
import type { Problem } from '../../model/problem.ts'
import { formatRef, type Ref, refKey } from '../../model/ref.ts'
import { stageOperations } from '../../model/stage-operations.ts'
import { evidenceOf } from '../rows/evidence-of-pass.ts'
import { failureHint, failureSentence } from '../words/failure-sentence.ts'
import { type Phrase, phrase, plainText } from '../words/phrase.ts'
import { printable } from '../words/printable.ts'
import { problemsOfPass, problemText } from '../words/problem-text.ts'
import { readinessPhrase } from '../words/readiness-text.ts'
import { type AnnotationSource, fileInRepository } from './annotation-place.ts'

export interface Annotation {
  readonly level: 'error' | 'warning'
  readonly message: string
  readonly place: { readonly title?: string; readonly file?: string; readonly startLine?: number }
}

export interface AnnotationOptions {
  /** Undefined where the release's files are not in the repository: a packaged chart, a record. */
  readonly sourceOf: (release: string, namespace: string) => AnnotationSource | undefined
  /** Of a run that ended before any pass; files in them are the workspace's. */
  readonly problems?: readonly Problem[]
  readonly failure?: Failure
}

/** The runner keeps ten annotations of a level per step. Source: docs/sources.md#github-workflow-commands. */
const MAX_PER_LEVEL = 10
/** The runner cuts a message there, in characters. Source: docs/sources.md#github-workflow-commands. */
const MAX_MESSAGE_CHARS = 4_096

/**
 * Annotations of a run: of each level at most ten, the tenth saying how many more there are. The failure comes first:
 * its message is the one sentence. A line is given for template errors only.
 */
export function annotations(passes: readonly PassResult[], options: AnnotationOptions): readonly Annotation[] {
  const subjects: readonly Subject[] = [
    {
      failure: options.failure,
      problems: options.problems ?? [],
      title: 'Deploy failed',
      source: { kind: 'manifests' },
    },
    ...passes.map((pass) => subjectOf(pass, options)),
  ]
  const of = (level: Annotation['level']) => subjects.flatMap((subject) => problemAnnotations(subject, level))
  return [...atMostTen([...subjects.flatMap(failureAnnotations), ...of('error')]), ...atMostTen(of('warning'))]
}

/** A pass, or a run that ended before any. */
interface Subject {
  readonly pass?: PassResult
  readonly failure: Failure | undefined
  readonly problems: readonly Problem[]
  readonly title: string
  readonly source: AnnotationSource | undefined
}

function subjectOf(pass: PassResult, { sourceOf }: AnnotationOptions): Subject {
  return {
    pass,
    failure: pass.outcome.failure,
    problems: problemsOfPass(pass),
    title: printable(`${pass.release} in ${pass.namespace} ${pass.outcome.status}`),
    source: sourceOf(pass.release, pass.namespace),
  }
}

/** Where problems are the cause, each of them is an annotation instead. */
function failureAnnotations({ failure, pass, problems, source, title }: Subject): readonly Annotation[] {
  if (failure === undefined || problems.some(({ severity }) => severity === 'error')) return []
  const fileOf = (ref: Ref) => (pass?.plan === undefined ? undefined : fileInPlan(pass.plan, ref))
  const annotation = (message: Phrase, file: string | undefined, line?: number): Annotation => ({
    level: 'error',
    message: cutMessage(plainText(message)),
    place: { title, ...placeIn(file, source, line) },
  })
  const sentence = phrase`${failureSentence(failure, pass === undefined ? undefined : evidenceOf(pass))}. Next: ${failureHint(failure)}`
  const file = failure.place?.file ?? (failure.ref === undefined ? undefined : fileOf(failure.ref))
  const others = (failure.others ?? []).map((other) =>
    annotation(phrase`${formatRef(other.ref)}: ${readinessPhrase(other.readiness)}`, fileOf(other.ref)),
  )
  return [annotation(sentence, file, failure.place?.line), ...others]
}

function fileInPlan(plan: Plan, ref: Ref): string | undefined {
  const key = refKey(ref)
  const operations = plan.stages.flatMap(stageOperations)
  return operations.find((operation) => refKey(operation.ref) === key)?.file
}

function problemAnnotations({ problems, source, title }: Subject, level: Annotation['level']): readonly Annotation[] {
  return problems
    .filter((problem) => problem.severity === level)
    .map((problem) => {
      const { file, line } = problem.place
      const startLine = problem.reason === 'render-failed' ? line : undefined
      return {
        level,
        message: cutMessage(printable(problemText(problem))),
        place: { title, ...placeIn(file, source, startLine) },
      }
    })
}

function placeIn(
  file: string | undefined,
  source: AnnotationSource | undefined,
  startLine: number | undefined,
): Annotation['place'] {
  const path = file === undefined ? undefined : fileInRepository(file, source)
  return path === undefined ? {} : { file: path, ...defined({ startLine }) }
}

function atMostTen(all: readonly Annotation[]): readonly Annotation[] {
  if (all.length <= MAX_PER_LEVEL) return all
  const kept = all.slice(0, MAX_PER_LEVEL - 1)
  const [first] = all
  if (first === undefined) return all
  return [...kept, { level: first.level, message: `${all.length - kept.length} more, see the log`, place: {} }]
}

function cutMessage(message: string): string {
  return message.length <= MAX_MESSAGE_CHARS ? message : `${message.slice(0, MAX_MESSAGE_CHARS - 4)} ...`
}
