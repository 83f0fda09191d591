import { builtInKind, isBuiltIn, podPlaceOf } from '../../manifest/built-in-kinds.ts'
import { riskRank } from '../rows/risk-order.ts'
import type { Row } from '../rows/rows.ts'
import { waitsPhrase } from '../words/row-text.ts'
import { workloadCounts } from '../words/workload-counts.ts'
import { code, markdown } from './markdown.ts'

/**
 * `5 workloads restart. Runs in this order: crds → pre-upgrade -5 → main 0, 10 → prune. Waits until workloads are ready. Listed by risk:`;
 * each part only where it tells something.
 */
export function orderLine(rows: readonly Row[]): string {
  const steps = rows.filter((row) => row.change !== 'none')
  const stages = [...Map.groupBy(steps, stageOrHook)].map(([stage, members]) => {
    const weights = [...new Set(members.map(weightText))]
    if (weights.length === 1 && weights[0] === '0') return stage
    if (weights.length > 1 && members.every(isHook)) return `${stage} (${weights.length} steps in turn)`
    const shown = weights.slice(0, MAX_WEIGHTS).join(', ')
    return `${stage} ${shown}${weights.length > MAX_WEIGHTS ? ` ... ${weights.at(-1)}` : ''}`
  })
  const isOneStep = stages.length === 0 || (stages.length === 1 && !stages[0]?.includes(' '))
  const counts = workloadCounts(steps)
  const sentences = [
    counts === '' ? '' : `**${counts}.**`,
    isOneStep ? onlyStageText(steps) : `Runs in this order: ${stages.join(' → ')}.`,
    isOrderToldOnce(rows) ? waitsText(rows) : '',
    isOneStep && new Set(steps.map(riskRank)).size < 2 ? '' : 'Listed by risk:',
  ]
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

const MAX_WEIGHTS = 12

/** That all is in the main stage needs no word, nor that deletions are where they are; a hook names its event. */
function onlyStageText(steps: readonly Row[]): string {
  const others = steps.find((row) => !isHook(row) && row.stage !== 'main' && row.change !== 'delete')
  return others === undefined ? '' : `Runs in stage **${others.stage}**.`
}

/**
 * Whether the order line says of each row where it runs and what is waited for, so that the table need not: CRDs, deletions
 * and all else have one place each, a hook names its event, and what can be waited for is waited for until it is ready.
 */
export function isOrderToldOnce(rows: readonly Row[]): boolean {
  const steps = rows.filter((row) => row.change !== 'none' || isWaitTold(row))
  if (steps.some(({ change }) => change === 'await')) return false
  const [hooks, others] = [steps.filter(isHook), steps.filter((row) => !isHook(row))]
  const places = Map.groupBy(others, natureOf)
  const hasOnePlaceEach = [...places.values()].every((members) => new Set(members.map(stagePlace)).size === 1)
  const goalsOf = (row: Row) => row.waits.map(({ until }) => until)
  const isUsualHook = hooks.every((row) => goalsOf(row).every((goal) => goal === 'complete' || goal === 'established'))
  const isReady = others.filter(isWaitTold).every((row) => goalsOf(row).every((goal) => goal === 'ready'))
  return hasOnePlaceEach && isUsualHook && isReady && !hasUnawaited(others)
}

/** `main 0, 10`, `pre-upgrade -5, post-upgrade`, in the order of the plan. */
export function placesOf(rows: readonly Row[]): string {
  const places = [...Map.groupBy(rows, stageOrHook).values()].flatMap((members) => {
    const [first = '', ...more] = new Set(members.map(stagePlace))
    const [, ...weights] = new Set(members.map(weightText))
    return [first, ...more.map((_place, index) => weights[index] ?? '')]
  })
  return places.length <= MAX_PLACES ? places.join(', ') : `${places.slice(0, MAX_PLACES).join(', ')} and others`
}

const MAX_PLACES = 4

/** `pre-upgrade, post-upgrade`: their order is told above the table. */
export function eventsOfHooks(hooks: readonly Row[]): string {
  return [...new Set(hooks.map(stageOrHook))].join(', ')
}

/** `main 10`, `pre-upgrade`: the weight where it is not 0. */
function stagePlace(row: Row): string {
  const weight = weightText(row)
  return weight === '0' ? stageOrHook(row) : `${stageOrHook(row)}${BLANK}${weight}`
}

/** What the stage waits for, of workloads and custom resources. */
export function goalText(row: Row): string {
  return isWaitTold(row) ? markdown(waitsPhrase(row)) : ''
}

export function weightText(row: Row): string {
  return row.deletionPhase === undefined ? String(row.weight) : `phase ${row.deletionPhase}, ${row.weight}`
}

/** With plain hyphens: a reader searches for it, and copies it. */
export function hookCode(hook: string): string {
  return code(hook)
}

/** Keeps a cell on one line. */
export const BLANK = '\u00a0'

/** A hook's event says more than its stage; in a comment there is no room for both. */
function stageOrHook({ hook, stage }: Row): string {
  return hook === undefined ? `**${stage}**` : hookCode(hook)
}

function isHook({ hook }: Row): boolean {
  return hook !== undefined
}

function natureOf({ change, ref }: Row): string {
  if (change === 'delete') return 'deletion'
  return isBuiltIn(ref, 'CustomResourceDefinition') ? 'definition' : 'other'
}

/** Of what is there once it is written, such as a budget or a CRD, the wait tells a reviewer nothing. */
function isWaitTold(row: Row): boolean {
  if (row.waits.length === 0) return false
  const isReadyAtOnce = row.waits.every(({ until }) => until === 'ready' || until === 'established')
  if (row.change === 'await' || !isReadyAtOnce) return true
  return row.change !== 'none' && isWaitable(row)
}

function isWaitable({ ref }: Row): boolean {
  return builtInKind(ref) === undefined || podPlaceOf(ref) !== undefined
}

/** Somebody has said that a workload is not waited for, while others are. */
function hasUnawaited(rows: readonly Row[]): boolean {
  const isAwaited = ({ ref }: Row) => (builtInKind(ref)?.awaited ?? 'ready') === 'ready'
  const waitable = rows.filter((row) => row.change !== 'delete' && isWaitable(row) && isAwaited(row))
  return waitable.some(isWaitTold) && !waitable.every(isWaitTold)
}

function waitsText(rows: readonly Row[]): string {
  const waiting = rows.filter((row) => !isHook(row) && isWaitTold(row))
  const what = [
    ...(waiting.some(({ ref }) => podPlaceOf(ref) !== undefined) ? ['workloads'] : []),
    ...(waiting.some(({ ref }) => builtInKind(ref) === undefined) ? ['custom resources'] : []),
  ]
  return what.length === 0 ? '' : `Waits until ${what.join(' and ')} are ready.`
}
