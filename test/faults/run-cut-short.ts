import { setTimeout as sleep } from 'node:timers/promises'
import type { ProxyRequest } from '../doubles/proxy-fault.ts'
import { recordFindings } from '../oracle/record-findings.ts'
import { storyFindings } from '../oracle/story-findings.ts'
import { isChange, onceFindings } from '../oracle/write-findings.ts'
import { apiStatus } from './api-status.ts'
import type { Cell } from './cell.ts'
import { atMoment, type Moment, moments, type Verb } from './moments.ts'
import { cleanRunFindings, createBystanders, HOOKS } from './release-findings.ts'
import type { Attempt, Stand } from './stand.ts'

/** How a runner ends a cancelled step: docs/sources.md#github-workflow-cancellation. In ms after the first signal. */
const SIGTERM_AFTER_MS = 7_500
const SIGKILL_AFTER_MS = 10_000

/** A process that is killed at each moment of each verb; the next run comes when its lock has been silent for hours. */
export function killCells(): readonly Cell[] {
  return cellsOf('', 'SIGKILL')
}

/** Fails in its second group, and is killed amid the rollback that follows. */
export function killedRollback(): Cell {
  const [amidGroup] = moments.filter(({ id }) => id === 'K7')
  if (amidGroup === undefined) throw new Error('the moment K7 is gone')
  return {
    row: 'K14',
    column: 'upgrade',
    title: 'rollback of a failed upgrade half done',
    async play(stand, _, attempts) {
      const denied = apiStatus(403, 'Forbidden', 'admission webhook "policy.example.com" denied the request: not here')
      const isSecond = (request: ProxyRequest) => isChange(request) && request.path.includes('/deployments/second')
      let hasFailed = false
      // The install writes it too.
      let count = 0
      stand.proxy.play((request) => {
        if (!isSecond(request) || count++ !== 1) return undefined
        hasFailed = true
        return { kind: 'answer', ...denied }
      })
      const moment: Moment = { ...amidGroup, of: (request) => hasFailed && amidGroup.of(request) }
      return cutShort(
        stand,
        { moment, verb: 'upgrade', ending: 'SIGKILL', inputs: { 'on-failure': 'rollback' } },
        attempts,
      )
    },
  }
}

/** The same moments, cancelled as a runner does. */
export function cancelCells(): readonly Cell[] {
  return cellsOf('-cancelled', 'cancel')
}

type Ending = 'SIGKILL' | 'cancel'

interface Cut {
  readonly moment: Moment
  readonly verb: Verb
  readonly ending: Ending
  /** Of the run that is cut short, beside those of its verb. It may then run the hooks of two verbs. */
  readonly inputs?: { readonly [name: string]: string }
}

function cellsOf(suffix: string, ending: Ending): readonly Cell[] {
  return moments.flatMap((moment) =>
    moment.verbs.map((verb) => ({
      row: `${moment.id}${suffix}`,
      column: verb,
      title: moment.title,
      play: (stand, _, attempts) => cutShort(stand, { moment, verb, ending }, attempts),
    })),
  )
}

async function cutShort(
  stand: Stand,
  { moment, verb, ending, inputs: extra }: Cut,
  attempts: Attempt[],
): Promise<readonly string[]> {
  await createBystanders(stand)
  const deploy = (version: 1 | 2) => ({ command: 'deploy', chart: stand.release.chart(version) })
  const before = { install: [], upgrade: [deploy(1)], rollback: [deploy(1), deploy(2)] }[verb]
  for (const inputs of before) {
    const attempt = await stand.run(inputs)
    attempts.push(attempt)
    if (attempt.exitCode !== 0) return ['a run before the fault failed']
  }
  const inputs = verb === 'rollback' ? { command: 'rollback', revision: '1' } : deploy(verb === 'install' ? 1 : 2)
  const cut = await runUntil(stand, { ...inputs, ...extra }, { moment, ending })
  attempts.push(cut.attempt)
  const underFault = ending === 'SIGKILL' ? killFindings(cut) : cancelFindings(cut, stand)
  const record = await recordFindings(stand.namespace, 'app', { isSettled: false })
  // Before the first record there is nothing that `helm` could read.
  const isRecorded = verb !== 'install' || moment.id !== 'K1'
  await stand.ageLock()
  const next = await stand.run(inputs)
  attempts.push(next)
  return [
    ...[
      ...(await underFault),
      ...(isRecorded ? record.findings : []),
      ...(extra === undefined ? onceFindings(cut.attempt.events, HOOKS) : []),
    ].map((finding) => `cut short: ${finding}`),
    ...(await cleanRunFindings(stand, next)),
  ]
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
