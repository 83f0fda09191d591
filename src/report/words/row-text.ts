import { builtInKind } from '../../manifest/built-in-kinds.ts'
import type { AwaitGoal, AwaitOperation } from '../../model/plan.ts'
import type { ReadinessReason } from '../../model/readiness.ts'
import type { Ref } from '../../model/ref.ts'
import { unreachable } from '../../model/unreachable.ts'
import type { Row } from '../rows/rows.ts'
import { causePhrase, noiseText } from './cause-text.ts'
import { fieldPartsPhrase } from './field-changes.ts'
import { shortPath } from './field-path.ts'
import { goneObjectCause, neededByPhrase } from './gone-object-text.ts'
import { newHookCause, newObjectCause } from './new-object-text.ts'
import { openPhrase } from './open-text.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'
import { readinessPhrase } from './readiness-text.ts'
import { newSchemaPhrase } from './reason-text.ts'
import { podsPhrase, renamedPhrase } from './renamed-text.ts'

/** Why this row is in the plan; a hook that merely runs needs no reason. */
export function whyPhrase(row: Row): Phrase {
  const marks = [
    row.varies.length === 0
      ? []
      : phrase`${nameList(row.varies.map(shortPath))} ${[row.varies.length === 1 ? 'changes' : 'change']} on every run`,
    openPhrase(row.open),
    row.isWithoutDryRun ? phrase`without dry run` : [],
    row.newSchema === undefined ? [] : newSchemaPhrase(row.newSchema),
    stillNeededPhrase(row),
    row.dependsOnEarlier ? phrase`may differ once an earlier release is deployed` : [],
  ]
  return joinPhrases(
    [changeCause(row), ...marks].filter((part) => part.length > 0),
    '; ',
  )
}

/** Which parts of the object change, where rows of one line change otherwise in each: `data`. */
export function partsPhrase({ impact }: Row): Phrase {
  if (impact?.noise === 'spelling') return [noiseText(impact.noise)]
  return fieldPartsPhrase(impact?.fields ?? [])
}

function changeCause(row: Row): Phrase {
  if (row.change === 'await') return phrase`outside the release`
  if (row.change === 'hook') return hookCause(row)
  if (row.renamedFrom !== undefined) {
    return renamedPhrase({ ...row, from: row.renamedFrom, isAwaited: row.waits.length > 0 })
  }
  if (row.counterpart !== undefined) return phrase`renamed to ${row.counterpart.name}`
  if (row.otherKind !== undefined) return otherKindPhrase(row, row.otherKind)
  if (row.change === 'create') return newObjectCause(row)
  if (row.change === 'delete') return goneObjectCause(row)
  return causePhrase(row.reason, row.impact)
}

/** What is told of a renaming stands beside what comes; of what merely goes it is told there. */
function stillNeededPhrase({ counterpart, oldUsedBy = [] }: Row): Phrase {
  if (counterpart === undefined || oldUsedBy.length === 0) return []
  return marked(phrase`${counterpart.name} is ${neededByPhrase(counterpart, oldUsedBy)}`)
}

/** Its row names the other one; not where that one has a row of its own, because it may hold data. */
function otherKindPhrase(row: Row, other: Ref): Phrase {
  const name = phrase`${`${other.kind}/${other.name}`}`
  if (row.change === 'delete') return phrase`replaced by ${name}`
  const isApart = builtInKind(other)?.isPrecious === true
  const parts = [
    isApart ? phrase`replaces ${name}` : [],
    newObjectCause(row),
    isApart ? [] : podsPhrase(row.waits.length > 0),
  ]
  return joinPhrases(
    parts.filter((part) => part.length > 0),
    '; ',
  )
}

/** A hook that merely runs needs no reason, nor does one of which only labels change. */
function hookCause(row: Row): Phrase {
  const { impact, isNewHook, reason } = row
  if (isNewHook) return newHookCause(row)
  const name = row.counterpart === undefined ? [] : phrase`was ${row.counterpart.name}`
  const isQuiet = impact?.noise !== undefined || reason.code === 'delete-policy' || reason.code === 'unchanged'
  return joinPhrases(
    [name, isQuiet ? asBeforePhrase(row) : causePhrase(reason, impact)].filter((part) => part.length > 0),
    '; ',
  )
}

/** Where it was compared with that of the revision before. Its event stands beside its name. */
function asBeforePhrase({ before, hook = '', impact, waits }: Row): Phrase {
  if ((before === undefined && impact === undefined) || !/-(upgrade|rollback)\b/.test(hook)) return []
  return [waits.length > 0 ? 'runs as before' : 'applied as before']
}

/** What the next group waits for; empty where it is that the change itself is made. */
export function waitsPhrase(row: Row): Phrase {
  return row.waits.flatMap((wait, index) => [...(index === 0 ? [] : [', ']), ...goalPhrase(wait)])
}

/** How the row ended, or how far it is. */
export function resultPhrase(row: Row): Phrase {
  switch (row.result) {
    case 'planned':
      return []
    case 'running':
      return row.state?.reason === undefined ? phrase`in progress` : phrase`waits: ${readinessPhrase(row.state.reason)}`
    case 'succeeded':
      return rowDonePhrase(row)
    case 'failed':
      return row.state?.reason === undefined ? phrase`failed` : phrase`failed: ${briefly(row.state.reason)}`
    case 'ignored':
      return phrase`failed, ignored`
    case 'skipped':
      return phrase`not started`
    case 'cancelled':
      return row.state?.reason === undefined ? phrase`stopped` : phrase`stopped: ${readinessPhrase(row.state.reason)}`
    default:
      return unreachable(row.result)
  }
}

/** Past tense of what was done to the resource. */
export function doneWord(row: Row): string {
  switch (row.change) {
    case 'create':
      return 'created'
    case 'update':
      return 'updated'
    case 'recreate':
      return 'recreated'
    case 'delete':
      return 'deleted'
    case 'none':
      return 'unchanged'
    case 'hook':
      return 'applied'
    case 'await':
      return 'ready'
    default:
      return unreachable(row.change)
  }
}

/** `ready`, `complete`, `established`: the goal, once it is reached. */
export function goalWord(goal: AwaitGoal): string {
  if (goal === 'failed') return 'failed as expected'
  return goal === 'properties' ? 'as expected' : goal
}

function rowDonePhrase(row: Row): Phrase {
  const goal = row.waits.at(-1)?.until
  if (goal === undefined) return [doneWord(row)]
  const reason = row.state?.reason
  if (reason?.code !== 'replicas') return [goalWord(goal)]
  if (reason.what === goal) return phrase`${[goal]} (${reason.have} of ${reason.want})`
  return phrase`${[goalWord(goal)]} (${readinessPhrase(reason)})`
}

/** A pod's trouble in one word: the table is narrow, and the sentence above it says the rest. */
function briefly(reason: ReadinessReason): Phrase {
  return reason.code === 'pod' ? phrase`${reason.problem}` : readinessPhrase(reason)
}

function goalPhrase(wait: AwaitOperation): Phrase {
  if (wait.until !== 'properties') return [wait.until]
  return (wait.properties ?? []).flatMap((one, index) => [
    ...(index === 0 ? [] : [', ']),
    ...phrase`${one.path} = ${one.value}`,
  ])
}
