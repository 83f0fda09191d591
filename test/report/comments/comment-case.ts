import { load } from 'js-yaml'
import { ProblemsError } from '../../../src/model/errors.ts'
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '../../../src/model/object.ts'
import type { PassResult } from '../../../src/model/pass.ts'
import { compareRenders } from '../../../src/pass/compared-renders.ts'
import { outcomeOfError } from '../../../src/pass/failed-outcome.ts'
import { learnSecrets } from '../../../src/pass/learn-secrets.ts'
import { makePlan } from '../../../src/plan/make-plan.ts'
import type { PlanInput } from '../../../src/plan/plan-input.ts'
import { createSecrets } from '../../../src/secrecy/known-secrets.ts'
import { passAsIs } from '../../../src/secrecy/printed-as-is.ts'
import { redacted } from '../../../src/secrecy/redacted.ts'
import { type Given, givenOf, planInput } from '../../plan/given.ts'
import { pass } from '../runs.ts'
import { fingerprint } from '../shapes.ts'

/**
 * A golden comment: objects before and after, and what the comment on the pull request says of the change. A case is a
 * YAML file; beside the keys below it takes those of `test/plan/given.ts` but `chart` and `previous`.
 */
export interface CommentCase {
  /** What the case shows, in one sentence. */
  readonly title: string
  /**
   * `before`: as the last revision recorded them, live unless `live` or `lost` say otherwise; hooks among them are known
   * from the record only. `after`: as rendered, hooks as well.
   */
  readonly given: Given
  /** Values that no report may print, beside those of the Secrets. */
  readonly secrets: readonly string[]
  /** `before` is the render of the base, and nobody has asked a cluster. */
  readonly isWithoutCluster?: boolean
  /** Also print the job summary and the plan as text. */
  readonly hasOtherReports: boolean
}

export function parseCase(text: string): CommentCase {
  const parsed = load(text) as JsonObject
  return {
    title: String(parsed.title),
    given: givenBy(objects(parsed.before), objects(parsed.after), parsed),
    secrets: isJsonArray(parsed.secrets) ? parsed.secrets.map(String) : [],
    isWithoutCluster: parsed.isWithoutCluster === true,
    hasOtherReports: parsed.hasOtherReports === true,
  }
}

/** `more`: other keys of a case. */
export function givenBy(before: readonly KubeObject[], after: readonly KubeObject[], more: JsonObject = {}): Given {
  return givenOf({
    verb: 'upgrade',
    ...more,
    chart: after,
    previous: before.filter((object) => !isHook(object)),
    previousHooks: before.filter(isHook),
  })
}

/** The pass that planned the case, redacted as for every report. */
export function plannedPass({
  given,
  isWithoutCluster,
  secrets: values,
}: Pick<CommentCase, 'given' | 'isWithoutCluster' | 'secrets'>): PassResult {
  const secrets = createSecrets()
  learnSecrets([...given.chart, ...given.previous, ...given.live], secrets)
  for (const value of values) secrets.add(value)
  // What is accepted is held as it is sent: fields that the chart no longer has go.
  const input = planInput(given, (_live, body) => body)
  const { plan } = makePlan(isWithoutCluster === true ? withoutCluster(input) : input)
  const isBlocked = plan.problems.some(({ severity }) => severity === 'error')
  const planned = pass({
    command: 'plan',
    release: plan.release,
    namespace: plan.namespace,
    plan: isWithoutCluster === true ? { ...plan, writesRevision: false } : { ...plan, revision: 13 },
    problems: plan.problems,
    fingerprint,
    outcome: isBlocked
      ? outcomeOfError(new ProblemsError(plan.problems), 'plan', { signal: new AbortController().signal })
      : { status: 'planned' },
  })
  return redacted(planned, passAsIs, secrets).value
}

/** As a pass without a cluster compares two renders. */
function withoutCluster(input: PlanInput): PlanInput {
  const { desired, namespace, options, previous, previousHooks = [], release } = input
  return {
    ...input,
    ...compareRenders([...previous, ...previousHooks], desired, { release, namespace }),
    comparedBy: 'base-render',
    options: { ...options, takeOwnership: true },
  }
}

function isHook({ metadata: { annotations } }: KubeObject): boolean {
  return isJsonObject(annotations) && Object.hasOwn(annotations, 'helm.sh/hook')
}

function objects(value: JsonValue | undefined): readonly KubeObject[] {
  return isJsonArray(value) ? value.filter((one): one is KubeObject => isJsonObject(one)) : []
}
