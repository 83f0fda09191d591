import { defined } from '../../model/defined.ts'
import type { Event, OperationResult } from '../../model/event.ts'
import type { Impact } from '../../model/impact.ts'
import type { JsonObject } from '../../model/object.ts'
import type {
  ApplyOperation,
  AwaitOperation,
  Group,
  OpenInPlan,
  Operation,
  Plan,
  Reason,
  RenamedFrom,
  Stage,
  UntouchedReason,
} from '../../model/plan.ts'
import { type Ref, refKey } from '../../model/ref.ts'
import type { StageName, Verb } from '../../model/verb.ts'
import { isHookRun, isNewHook } from './counts.ts'
import { withHiddenChanges } from './hidden-changes.ts'
import { type OperationState, operationStates } from './operation-states.ts'
import { type Pairing, withRenamedPairs } from './renamed-pairs.ts'
import type { ShownChange } from './shown-change.ts'

/** One resource in one stage: its apply, its wait and its delete by policy merged. What every table and chart shows. */
export interface Row extends Pairing {
  readonly stage: StageName
  readonly weight: number
  readonly deletionPhase?: number
  /** Hook event the resource runs on: `pre-upgrade`. */
  readonly hook?: string
  readonly ref: Ref
  readonly file?: string
  readonly change: ShownChange
  readonly reason: Reason
  /** What is waited for, in order; a row of an external dependency has nothing else. */
  readonly waits: readonly AwaitOperation[]
  /** Results after which a delete policy removes the resource. */
  readonly deletedIf: readonly ('succeeded' | 'failed')[]
  readonly before?: JsonObject
  readonly after?: JsonObject
  /** Absent where nothing changes, and for what is not applied or deleted. */
  readonly impact?: Impact
  /** JSON pointers whose values come out otherwise with each render. */
  readonly varies: readonly string[]
  readonly open: readonly OpenInPlan[]
  readonly isWithoutDryRun: boolean
  /** Of an object that is created: the one whose place it takes. */
  readonly renamedFrom?: RenamedFrom
  /** The CRD by whose new schema the object was judged. */
  readonly newSchema?: string
  readonly dependsOnEarlier: boolean
  /** A hook that the chart brings, and not one that merely runs. */
  readonly isNewHook: boolean
  /** No operation: why no stage has it. */
  readonly leftAlone?: UntouchedReason
  readonly result: RowResult
  /** The operation that failed, else the last that did something. Absent before the run. */
  readonly state?: OperationState
  readonly startedAtMs?: number
  readonly finishedAtMs?: number
}

/** `planned`: no event yet. `ignored`: it failed and its fail mode lets the run go on. */
export type RowResult = 'planned' | 'running' | 'succeeded' | 'failed' | 'ignored' | 'skipped' | 'cancelled'

/** Rows in the order of the plan: stages, groups, ranks. */
export function rowsOf(plan: Plan, events: readonly Event[]): readonly Row[] {
  // A plan that is only shown is finished, too, and yet nothing of it was left out.
  const isOver = hasStarted(events) && events.some((event) => event.type === 'finished')
  const run = { states: operationStates(events), isOver, verb: plan.verb }
  return withRenamedPairs(plan.stages.flatMap((stage) => stageRows(stage, run)))
}

/** Whether anything of the plan was begun. */
export function hasStarted(events: readonly Event[]): boolean {
  return events.some(({ type }) => type === 'stage-started' || type === 'operation-started')
}

export function durationMs(row: Row): number | undefined {
  if (row.startedAtMs === undefined || row.finishedAtMs === undefined) return undefined
  return row.finishedAtMs - row.startedAtMs
}

interface RunState {
  readonly states: ReadonlyMap<string, OperationState>
  readonly isOver: boolean
  readonly verb: Verb
}

interface Member {
  readonly operation: Operation
  readonly group: Group
}

function stageRows(stage: Stage, run: RunState): readonly Row[] {
  const members = new Map<string, Member[]>()
  for (const group of stage.groups) {
    for (const operation of group.ranks.flat()) {
      const isExternal = operation.kind === 'await' && operation.isExternal === true
      const key = `${isExternal ? 'external' : ''} ${refKey(operation.ref)}`
      const known = members.get(key)
      if (known === undefined) members.set(key, [{ operation, group }])
      else known.push({ operation, group })
    }
  }
  return [...members.values()].map((merged) => mergedRow(stage.name, merged, run))
}

function mergedRow(stage: StageName, members: readonly Member[], run: RunState): Row {
  const [first] = members
  if (first === undefined) throw new Error('a row needs an operation')
  const operations = members.map((member) => member.operation)
  const apply = operations.find((operation) => operation.kind === 'apply')
  const waits = operations.filter((operation) => operation.kind === 'await')
  const byPolicy = operations.filter((operation) => operation.kind === 'delete' && operation.onlyIf !== undefined)
  const { hook, file, ref } = first.operation
  const { weight, deletionPhase } = first.group
  const change = changeOfRow(stage, first.operation, apply)
  const { before, impact } = apply ?? operations.find((operation) => operation.kind === 'delete') ?? {}
  const renamedFrom = apply?.renamedFrom
  const after = apply === undefined ? undefined : withHiddenChanges(before ?? renamedFrom?.object, apply.after, impact)
  const reason = reasonOfRow(operations)
  return {
    stage,
    weight,
    ref,
    change,
    reason,
    waits,
    deletedIf: byPolicy.flatMap((operation) => ('onlyIf' in operation ? [operation.onlyIf ?? 'succeeded'] : [])),
    ...defined({ deletionPhase, hook, file, before, after, impact, newSchema: apply?.newSchema, renamedFrom }),
    varies: apply?.varies ?? [],
    open: apply?.open ?? [],
    isWithoutDryRun: apply?.isWithoutDryRun === true,
    dependsOnEarlier: operations.some((operation) => operation.dependsOnEarlier === true),
    isNewHook: operations.some((operation) => isNewHook(operation, run.verb)),
    ...progressOf(operations, run),
  }
}

function changeOfRow(stage: StageName, first: Operation, apply: ApplyOperation | undefined): ShownChange {
  if (isHookRun(first, stage) && apply !== undefined) return 'hook'
  if (apply !== undefined) return apply.change
  return first.kind === 'await' ? 'await' : 'delete'
}

function reasonOfRow(operations: readonly Operation[]): Reason {
  for (const operation of operations) if (operation.kind !== 'await') return operation.reason
  return { code: 'unchanged' }
}

type Progress = Pick<Row, 'result' | 'state' | 'startedAtMs' | 'finishedAtMs'>

/** Deletions by policy come at the end of the stage and count only where they fail. */
function progressOf(operations: readonly Operation[], run: RunState): Progress {
  const known = operations.map((operation) => ({ operation, state: run.states.get(operation.id) }))
  const main = known.filter(({ operation }) => operation.kind !== 'delete' || operation.onlyIf === undefined)
  const failed = known.find(({ state }) => state?.result === 'failed')
  const state = failed?.state ?? main.findLast((one) => one.state !== undefined)?.state
  const started = main.flatMap((one) => (one.state === undefined || isSkipped(one.state) ? [] : [one.state]))
  const finished = started.flatMap((one) => one.finishedAtMs ?? [])
  const result =
    failed === undefined
      ? combinedResult(
          main.map((one) => one.state?.result ?? (one.state === undefined ? 'unknown' : 'running')),
          run.isOver,
        )
      : resultOfFailed(failed.operation)
  return {
    result,
    ...defined({ state }),
    ...(started.length === 0 ? {} : { startedAtMs: Math.min(...started.map((one) => one.startedAtMs)) }),
    ...(started.length === 0 || finished.length < started.length ? {} : { finishedAtMs: Math.max(...finished) }),
  }
}

function resultOfFailed(failed: Operation): RowResult {
  return failed.kind === 'await' && failed.failure === 'ignore' ? 'ignored' : 'failed'
}

/** Of operations of which none failed. A resource that was applied and no longer waited for counts as cancelled. */
function combinedResult(results: readonly (OperationResult | 'running' | 'unknown')[], isOver: boolean): RowResult {
  if (results.includes('cancelled')) return 'cancelled'
  if (results.every((result) => result === 'succeeded')) return 'succeeded'
  if (results.every((result) => result === 'unknown')) return isOver ? 'skipped' : 'planned'
  if (results.every((result) => result === 'skipped' || result === 'unknown')) return 'skipped'
  return isOver ? 'cancelled' : 'running'
}

function isSkipped(state: OperationState): boolean {
  return state.result === 'skipped'
}
