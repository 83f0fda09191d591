import { setTimeout as sleep } from 'node:timers/promises'
import type { ProxyRequest } from '../doubles/proxy-fault.ts'
import { recordFindings, storedRevisions } from '../oracle/record-findings.ts'
import { storyFindings } from '../oracle/story-findings.ts'
import { isChange, onceFindings } from '../oracle/write-findings.ts'
import { seededRandom } from '../seeded-random.ts'
import { apiStatus } from './api-status.ts'
import type { Cell } from './cell.ts'
import { afterRequest, atMoment, killPoints, type Moment, VERBS, type Verb } from './moments.ts'
import { cleanRunFindings, goneFindings, HOOKS } from './release-findings.ts'
import { deployOf, inputsOf, prepareFor, requestCount } from './run-of-verb.ts'
import type { Attempt, Stand } from './stand.ts'

/** How a runner ends a cancelled step: docs/sources.md#github-workflow-cancellation. In ms after the first signal. */
const SIGTERM_AFTER_MS = 7_500
const SIGKILL_AFTER_MS = 10_000

/** In how many parts the requests of a run are cut, for moments that nobody chose. */
const PARTS = 20

type Ending = 'SIGKILL' | 'cancel'

const SUFFIXES: { readonly [ending in Ending]: string } = { SIGKILL: '', cancel: '-cancelled' }

/** A process that is killed at each kill point of each verb; the next run comes when its lock has been silent for hours. */
export function killCells(): readonly Cell[] {
  return killPointCells('SIGKILL')
}

/** The same moments, cancelled as a runner does. */
export function cancelCells(): readonly Cell[] {
  return killPointCells('cancel')
}

/** A process that is killed after any request: another one in each part of the run, chosen by the seed. */
export function killAnywhereCells(): readonly Cell[] {
  return anywhereCells('SIGKILL', (part, seed) => (part + seededRandom(seed * PARTS + part)()) / PARTS)
}

/** The same, spread evenly, and cancelled as a runner does. */
export function cancelAnywhereCells(): readonly Cell[] {
  return anywhereCells('cancel', (part) => (part + 0.5) / PARTS)
}

function killPointCells(ending: Ending): readonly Cell[] {
  return killPoints.flatMap(({ id, title, at }) =>
    VERBS.flatMap((verb) => {
      const moment = at[verb]
      if (typeof moment === 'string') return []
      return {
        row: `${id}${SUFFIXES[ending]}`,
        column: verb,
        title,
        play: (stand, _, attempts) => cutShort(stand, { moment, verb, ending }, attempts),
      } satisfies Cell
    }),
  )
}

function anywhereCells(ending: Ending, shareOf: (part: number, seed: number) => number): readonly Cell[] {
  const parts = Array.from({ length: PARTS }, (_, part) => part)
  return parts.flatMap((part) =>
    VERBS.map((verb) => ({
      row: `part-${part + 1}${SUFFIXES[ending]}`,
      column: verb,
      title: `after a request in part ${part + 1} of ${PARTS} of the run`,
      async play(stand, { seed, kubeconfig }, attempts) {
        const requests = await requestCount(verb, kubeconfig)
        const n = 1 + Math.floor(shareOf(part, seed) * requests)
        const findings = await cutShort(stand, { moment: afterRequest(n), verb, ending }, attempts)
        return findings.map((finding) => `request ${n} of ${requests}: ${finding}`)
      },
    })),
  )
}

interface Cut {
  readonly moment: Moment
  readonly verb: Verb
  readonly ending: Ending
}

async function cutShort(stand: Stand, { moment, verb, ending }: Cut, attempts: Attempt[]): Promise<readonly string[]> {
  const unprepared = await prepareFor(verb, stand, attempts)
  if (unprepared.length > 0) return unprepared
  const goesBack = moment.follows === 'failed-upgrade'
  const isRetry = moment.follows === 'failed-install'
  if (isRetry) {
    denySecond(stand)
    const failed = await stand.run(deployOf(stand.release, 1))
    attempts.push(failed)
    await stand.proxy.calm()
    if (failed.exitCode !== 1) return ['the install before the fault did not fail']
  }
  const inputs = isRetry ? deployOf(stand.release, 2) : inputsOf(verb, stand.release)
  const hasFailed = goesBack ? denySecond(stand) : () => true
  const cut = await runUntil(
    stand,
    { ...inputs, ...(goesBack ? { 'on-failure': 'rollback' } : {}) },
    { moment: { ...moment, of: (request) => hasFailed() && moment.of(request) }, ending },
  )
  attempts.push(cut.attempt)
  const underFault = ending === 'SIGKILL' ? killFindings(cut) : cancelFindings(cut, stand)
  // Before the first record, and after the last one is removed, there is nothing that `helm` could read.
  const isRecorded = (await storedRevisions(stand.namespace, 'app')) > 0
  const record = isRecorded ? (await recordFindings(stand.namespace, 'app', { isSettled: false })).findings : []
  await stand.ageLock()
  const next = await stand.run(inputs)
  attempts.push(next)
  return [
    ...[
      ...(await underFault),
      ...record,
      // A run that goes back runs the hooks of two verbs.
      ...(goesBack ? [] : onceFindings(cut.attempt.events, HOOKS)),
    ].map((finding) => `cut short: ${finding}`),
    ...(verb === 'uninstall' ? await goneFindings(stand, next) : await cleanRunFindings(stand, next)),
  ]
}

/** The next write of an object of the second group is refused. Tells whether it was. */
function denySecond({ proxy }: Stand): () => boolean {
  const denied = apiStatus(403, 'Forbidden', 'admission webhook "policy.example.com" denied the request: not here')
  const isSecond = (request: ProxyRequest) => isChange(request) && request.path.includes('/deployments/second')
  let hasDenied = false
  proxy.play((request) => {
    if (hasDenied || !isSecond(request)) return undefined
    hasDenied = true
    return { kind: 'answer', ...denied }
  })
  return () => hasDenied
}

interface CutShort {
  readonly attempt: Attempt
  readonly hasCome: boolean
  /** From the first signal to the end of the process, in ms. */
  readonly endedAfterMs: number
}

/** The request that shows the moment waits until the process is dead, or for as long as it takes to be signalled. */
async function runUntil(
  { proxy, run }: Stand,
  inputs: { readonly [name: string]: string },
  { moment, ending }: Pick<Cut, 'moment' | 'ending'>,
): Promise<CutShort> {
  let kill: (signal: NodeJS.Signals) => void = () => undefined
  let signalledAt: number | undefined
  const ended = new AbortController()
  proxy.listen(
    atMoment(moment, async () => {
      signalledAt = Date.now()
      if (ending === 'SIGKILL') {
        kill('SIGKILL')
        await new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve()))
        return
      }
      kill('SIGINT')
      for (const [ms, signal] of [
        [SIGTERM_AFTER_MS, 'SIGTERM'],
        [SIGKILL_AFTER_MS, 'SIGKILL'],
      ] as const) {
        sleep(ms, undefined, { signal: ended.signal }).then(
          () => kill(signal),
          () => undefined,
        )
      }
    }),
  )
  const attempt = await run(inputs, { onStart: (started) => (kill = started) })
  ended.abort()
  await proxy.calm()
  return { attempt, hasCome: signalledAt !== undefined, endedAfterMs: Date.now() - (signalledAt ?? 0) }
}

function killFindings({ attempt, hasCome }: CutShort): readonly string[] {
  if (!hasCome) return ['the moment never came']
  return attempt.exitCode === -1 ? [] : [`it was killed and ended with ${attempt.exitCode}`]
}

/** It ends by itself before the runner loses patience, frees its lock, and says what it was: cancelled, or done. */
async function cancelFindings({ attempt, hasCome, endedAfterMs }: CutShort, stand: Stand): Promise<readonly string[]> {
  if (!hasCome) return ['the moment never came']
  const { exitCode, outputs } = attempt
  const holder = await stand.lockHolder()
  return [
    ...(exitCode < 0 ? [`it had to be killed ${endedAfterMs} ms after SIGINT`] : []),
    ...(endedAfterMs > SIGTERM_AFTER_MS ? [`it took ${endedAfterMs} ms to end`] : []),
    ...(exitCode === 1 && outputs.status !== 'cancelled' ? [`its status is ${outputs.status}`] : []),
    ...(holder === '' ? [] : [`the lock is still held by ${holder}`]),
    ...storyFindings(attempt),
  ]
}
