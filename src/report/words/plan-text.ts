import type { ApplyOperation, AwaitOperation, Group, Operation, Plan, Stage } from '../../model/plan.ts'
import { formatRef, refKey } from '../../model/ref.ts'
import { stageOperations } from '../../model/stage-operations.ts'
import { unreachable } from '../../model/unreachable.ts'
import type { Verb } from '../../model/verb.ts'
import { isNewHook } from '../rows/counts.ts'
import { shownChangeOf } from '../rows/shown-change.ts'
import { bulletLines } from './bullet.ts'
import { causePhrase } from './cause-text.ts'
import { signOf, wordOf } from './change-words.ts'
import { planVerdict } from './counts-text.ts'
import { fetchedPhrases } from './fetched-text.ts'
import { fieldChangesPhrase, wholeFieldPhrase } from './field-changes.ts'
import { formatPath } from './field-path.ts'
import { goneObjectCause } from './gone-object-text.ts'
import { howCompared } from './headline.ts'
import { impactBullets, unspokenFields } from './impact-text.ts'
import { newHookCause, newObjectCause } from './new-object-text.ts'
import { openPhrase } from './open-text.ts'
import { joinPhrases, nameList, type Phrase, phrase, plainText } from './phrase.ts'
import { printable } from './printable.ts'
import { problemText } from './problem-text.ts'
import { newSchemaPhrase, untouchedText } from './reason-text.ts'
import { renamedPhrase } from './renamed-text.ts'
import { revisionBecauseText } from './revision-text.ts'

/**
 * The plan as text, one line per operation; the number is the rank: a rank starts when the one before is done.
 *
 *     stage main
 *       weight 10
 *         1 ~ update Deployment/shop/web: replicas 2 → 3
 *         2 > wait Deployment/shop/web until ready
 *
 * Ends with a line feed; the same plan gives the same text. Foreign text is made printable, one line each.
 */
export function planText(plan: Plan): string {
  const about = aboutOf(plan)
  const head = `${plan.verb} ${plan.release} in ${plan.namespace}, ${planRevisionText(plan)}: ${planVerdict(plan)}${howCompared(plan.comparedBy)}`
  const lines = [
    head,
    ...fetchedPhrases(plan).map((text) => `fetched ${plainText(text)}`),
    ...plan.stages.flatMap((stage) => stageLines(stage, about)),
    ...untouchedLines(plan),
    ...problemLines(plan),
  ]
  return `${lines.map(printable).join('\n')}\n`
}

/** One operation without its rank, on one line: `~ update Deployment/shop/web: replicas 2 → 3`. */
function operationText(operation: Operation, about: About): string {
  const change = shownChangeOf(operation)
  const hook = operation.hook === undefined ? '' : ` [${operation.hook}]`
  return `${signOf(change)} ${wordOf(change)} ${formatRef(operation.ref)}${hook}${tailText(operation, about)}`
}

/** What a line says of others in the plan. */
interface About {
  readonly verb: Verb
  /** Of objects that are deleted: the name under which they come back. */
  readonly newNames: ReadonlyMap<string, string>
  /** Objects that are waited for. */
  readonly awaited: ReadonlySet<string>
}

function aboutOf({ stages, verb }: Plan): About {
  const operations = stages.flatMap(stageOperations)
  return {
    verb,
    newNames: new Map(
      operations.flatMap((operation) =>
        operation.kind === 'apply' && operation.renamedFrom !== undefined && operation.hook === undefined
          ? [[refKey(operation.renamedFrom.ref), operation.ref.name] as const]
          : [],
      ),
    ),
    awaited: new Set(operations.flatMap(({ kind, ref }) => (kind === 'await' ? [refKey(ref)] : []))),
  }
}

function planRevisionText(plan: Plan): string {
  return plan.writesRevision ? `revision ${plan.revision}${revisionBecauseText(plan)}` : 'no new revision'
}

function stageLines(stage: Stage, about: About): readonly string[] {
  return ['', `stage ${stage.name}`, ...stage.groups.flatMap((group) => groupLines(group, about))]
}

function groupLines(group: Group, about: About): readonly string[] {
  const phase = group.deletionPhase === undefined ? '' : `deletion phase ${group.deletionPhase}, `
  const operations = group.ranks.flatMap((rank, index) =>
    rank.flatMap((operation) => [
      `    ${index + 1} ${operationText(operation, about)}`,
      ...meaningLines(operation),
      ...fieldLines(operation),
    ]),
  )
  return [`  ${phase}weight ${group.weight}`, ...operations]
}

function meaningLines(operation: Operation): readonly string[] {
  if (operation.kind === 'await' || operation.impact === undefined || operation.reason.code === 'uninstalled') return []
  return bulletLines(impactBullets(operation.impact)).map((line) => `        ${line}`)
}

/** Most fields of one operation that are listed. */
const MAX_FIELDS = 20

/** Each field with its values, where the line of the operation does not hold them all: it has one, or why it is not known. */
function fieldLines(operation: Operation): readonly string[] {
  if (operation.kind !== 'apply' || operation.impact === undefined) return []
  const { noise, respelled = [] } = operation.impact
  if (noise !== undefined && noise !== 'spelling') return []
  const fields = [...unspokenFields(operation.impact), ...respelled]
  const isTold = operation.reason.code !== 'unknown-until-applied' || operation.change !== 'update'
  if (fields.length < (isTold ? 2 : 1)) return []
  const shown = fields.slice(0, MAX_FIELDS).map((field) => `        ${plainText(wholeFieldPhrase(field))}`)
  const left = fields.length - shown.length
  return left === 0 ? shown : [...shown, `        ${left} more fields`]
}

function tailText(operation: Operation, about: About): string {
  switch (operation.kind) {
    case 'apply': {
      const propagation = operation.propagation === undefined ? '' : ` (${operation.propagation.toLowerCase()})`
      return `${propagation}${colonBefore(plainText(applyCause(operation, about)))}${marksText(operation)}`
    }
    case 'delete': {
      const newName = operation.onlyIf === undefined ? about.newNames.get(refKey(operation.ref)) : undefined
      const cause = newName === undefined ? goneObjectCause(operation) : phrase`renamed to ${newName}`
      const condition = operation.onlyIf === undefined ? '' : ` if ${operation.onlyIf}`
      return ` (${operation.propagation.toLowerCase()})${condition}${colonBefore(plainText(cause))}`
    }
    case 'await':
      return awaitText(operation)
    default:
      return unreachable(operation)
  }
}

/** As the table of the comment has it. */
function applyCause(operation: ApplyOperation, { awaited, verb }: About): Phrase {
  const { impact, reason, renamedFrom } = operation
  if (renamedFrom !== undefined && operation.hook !== undefined) {
    const cause = reason.code === 'unchanged' ? [] : causePhrase(reason, impact)
    return joinPhrases(
      [phrase`renamed from ${renamedFrom.ref.name}`, cause].filter((part) => part.length > 0),
      '; ',
    )
  }
  if (renamedFrom !== undefined) {
    const what = renamedPhrase({ ...operation, from: renamedFrom, isAwaited: awaited.has(refKey(operation.ref)) })
    const name = phrase`renamed from ${renamedFrom.ref.name}`
    return joinPhrases(
      [name, what].filter((part) => part.length > 0),
      '; ',
    )
  }
  if (isNewHook(operation, verb)) return newHookCause(operation)
  return operation.change === 'create' ? newObjectCause(operation) : causePhrase(operation.reason, operation.impact)
}

/** What a reader must know of how far the change can be relied upon. */
function marksText(operation: ApplyOperation): string {
  const varies = operation.varies ?? []
  return [
    varies.length === 0
      ? ''
      : `; non-deterministic: ${plainText(nameList(varies.map((pointer) => formatPath(pointer))))}`,
    operation.open === undefined ? '' : `; ${plainText(openPhrase(operation.open))}`,
    operation.isWithoutDryRun === true ? '; without dry run' : '',
    operation.newSchema === undefined ? '' : `; ${plainText(newSchemaPhrase(operation.newSchema))}`,
    operation.isNotAwaited === true ? '; not waited for' : '',
    operation.dependsOnEarlier === true ? '; may differ once an earlier release is deployed' : '',
  ].join('')
}

function awaitText(operation: AwaitOperation): string {
  const properties = (operation.properties ?? []).map((one) => `${one.path} = ${one.value}`).join(', ')
  const parts = [
    ` until ${operation.until === 'properties' ? properties : operation.until}`,
    operation.isExternal === true ? 'outside the release' : '',
    failureText(operation.failure),
    (operation.outputLogsOn ?? []).length === 0 ? '' : `logs if ${(operation.outputLogsOn ?? []).join(' or ')}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function failureText(failure: AwaitOperation['failure']): string {
  switch (failure) {
    case 'stop':
      return ''
    case 'ignore':
      return 'failure ignored'
    case 'last':
      return 'failure counts at the end of the stage'
    default:
      return unreachable(failure)
  }
}

function untouchedLines(plan: Plan): readonly string[] {
  if (plan.untouched.length === 0) return []
  const lines = plan.untouched.map((one) => {
    const detail = one.detail === undefined ? '' : ` (${one.detail})`
    return `  = ${formatRef(one.ref)}: ${untouchedText(one.reason)}${detail}${colonBefore(plainText(fieldChangesPhrase(one.impact?.fields ?? [])))}`
  })
  return ['', 'untouched', ...lines]
}

function problemLines(plan: Plan): readonly string[] {
  if (plan.problems.length === 0) return []
  return ['', 'problems', ...plan.problems.map((problem) => `  ${problem.severity}: ${problemText(problem)}`)]
}

function colonBefore(text: string): string {
  return text === '' ? '' : `: ${text}`
}
