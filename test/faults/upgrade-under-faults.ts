import { unneededWrites } from '../oracle/write-findings.ts'
import { seededRandom } from '../seeded-random.ts'
import { type Fault, faults } from './catalog.ts'
import type { Cell, CellOptions } from './cell.ts'
import { cleanRunFindings, createBystanders, HOOKS, runFindings } from './release-findings.ts'
import { atStage, STAGES, type Stage } from './stages.ts'
import type { Attempt, Stand } from './stand.ts'

/** A fault that begins at a stage of an upgrade. */
export interface FaultAtStage {
  readonly fault: Fault
  readonly stage: Stage
}

/** Time of the run that meets the fault; no fault lasts as long. */
const TIMEOUT = '6m'

/** By when it must be noticed that a connection is dead, or that the server is back, in ms. */
const LATE_MS = 60_000
/** What a run takes without a fault on a busy machine, in ms. */
const USUAL_MS = 45_000

/** Every fault at every stage that it is for. */
export function faultCells(): readonly Cell[] {
  return faults.flatMap((fault) =>
    STAGES.filter((stage) => fault.rides.includes(stage) || fault.stops?.stages.includes(stage) === true).map((stage) =>
      upgradeUnderFaults(fault.id, stage, [{ fault, stage }]),
    ),
  )
}

/** The parts of `lost-replies@record`. */
export function faultNamed(name: string): FaultAtStage {
  const [id, stageName] = name.split('@')
  const [fault, stage] = [faults.find((entry) => entry.id === id), STAGES.find((entry) => entry === stageName)]
  if (fault === undefined || stage === undefined) throw new Error(`no fault at a stage is named ${name}`)
  return { fault, stage }
}

/**
 * Installs a release, upgrades it while faults begin at their stages, deploys once more without any, and asks the oracle
 * after both: nothing is lost, and the next run needs no help.
 */
export function upgradeUnderFaults(row: string, column: string, begins: readonly FaultAtStage[]): Cell {
  return upgradesUnderFaults(row, column, [begins])
}

/** The same with several upgrades to one version; each but the last is stopped by its faults, so that the next has work left. */
export function upgradesUnderFaults(row: string, column: string, upgrades: readonly (readonly FaultAtStage[])[]): Cell {
  const all = upgrades.flat()
  return {
    row,
    column,
    title: all.map(({ fault }) => fault.title).join('; '),
    hasTokenFile: all.some(({ fault }) => fault.hasTokenFile === true),
    async play(stand, options, attempts) {
      const { release } = stand
      const deploy = async (version: 1 | 2) => {
        const attempt = await stand.run({ command: 'deploy', chart: release.chart(version), timeout: TIMEOUT })
        attempts.push(attempt)
        return attempt
      }
      await createBystanders(stand)
      const first = await deploy(1)
      if (first.exitCode !== 0) return ['the install before the fault failed']

      const found: string[] = []
      for (const begins of upgrades) {
        const findings = await findingsUnder(stand, begins, options, () => deploy(2))
        found.push(...findings.map((finding) => `under ${begins.map(nameOf).join(', ')}: ${finding}`))
      }
      const hasSucceeded = attempts.at(-1)?.exitCode === 0
      const next = await deploy(2)
      return [
        ...found,
        ...(await cleanRunFindings(stand, next)),
        ...(hasSucceeded ? unneededWrites(next.events, HOOKS) : []),
      ]
    },
  }
}

/** Upgrades while the faults begin, and leaves the lock as if nobody had come by since. */
async function findingsUnder(
  stand: Stand,
  begins: readonly FaultAtStage[],
  options: CellOptions,
  upgrade: () => Promise<Attempt>,
): Promise<readonly string[]> {
  const over = new AbortController()
  const begun = beginAtStages(stand, begins, options, over.signal)
  const met = await upgrade()
  over.abort()
  await stand.proxy.calm()
  const holder = await stand.lockHolder()
  const isLockLeft = holder !== '' && !begins.some(({ fault }) => fault.leavesLock === true)
  const findings = [
    ...begins.filter(({ stage }) => !begun.has(stage)).map(({ stage }) => `stage ${stage} never began`),
    ...(isLockLeft ? [`the lock is still held by ${holder}`] : []),
    ...verdictFindings(met, begins),
    ...timeFindings(met, begins, options),
    ...(await runFindings(stand, met, stand.release.upgrade)),
  ]
  await stand.ageLock()
  return findings
}

function nameOf({ fault, stage }: FaultAtStage): string {
  return `${fault.id}@${stage}`
}

function beginAtStages(
  { proxy, renewToken }: Stand,
  begins: readonly FaultAtStage[],
  { seed, minuteMs }: CellOptions,
  signal: AbortSignal,
): ReadonlySet<Stage> {
  const begun = new Set<Stage>()
  const random = seededRandom(seed)
  for (const { fault, stage } of begins) {
    proxy.listen(
      atStage(stage, async (trigger) => {
        begun.add(stage)
        await fault.begin({ proxy, trigger, minuteMs, random, renewToken, signal })
      }),
    )
  }
  return begun
}

/** A fault costs its own time, and what it takes to notice that it is over. */
function timeFindings(
  { elapsedMs, exitCode }: Attempt,
  begins: readonly FaultAtStage[],
  { minuteMs }: CellOptions,
): readonly string[] {
  const faultMs = begins.reduce((sum, { fault }) => sum + (fault.minutes ?? 0) * minuteMs, 0)
  const limitMs = faultMs + LATE_MS + USUAL_MS
  if (exitCode < 0 || elapsedMs <= limitMs) return []
  return [`it took ${Math.round(elapsedMs / 1000)} s with faults of ${faultMs / 1000} s`]
}

/** The run rides through all faults, or ends by one that must stop it. */
function verdictFindings({ exitCode, outputs }: Attempt, begins: readonly FaultAtStage[]): readonly string[] {
  const reasons = begins.flatMap(({ fault, stage }) =>
    fault.stops?.stages.includes(stage) === true ? fault.stops.reasons : [],
  )
  const told = `exit ${exitCode}, ${outputs.status}, ${outputs['failure-reason']} at ${outputs['failed-stage']}`
  if (reasons.length === 0) return exitCode === 0 ? [] : [`it must succeed: ${told}`]
  if (exitCode !== 1) return [`it must fail: ${told}`]
  return reasons.includes(outputs['failure-reason'] ?? '')
    ? []
    : [`the reason must be ${reasons.join(' or ')}: ${told}`]
}
