import { setTimeout as sleep } from 'node:timers/promises'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import { storyFindings } from '../oracle/story-findings.ts'
import { lastHolder, lockFindings, onceInJournal } from '../oracle/write-findings.ts'
import { seededRandom } from '../seeded-random.ts'
import type { Cell, CellOptions } from './cell.ts'
import { afterRequest, atMoment, killPoints, type Moment } from './moments.ts'
import { cleanRunFindings, createBystanders, HOOKS } from './release-findings.ts'
import { deployOf, prepareFor, requestCount } from './run-of-verb.ts'
import { isLease } from './stages.ts'
import type { Attempt, Stand } from './stand.ts'

/** Requests of the second run after which the first reaches the server again, at most. */
const LATEST_RETURN = 60

/** One that never got to know that it had the lock takes it later; one that had written its last record was done. */
const MAY_END_WELL: readonly string[] = ['K1', 'K12', 'K13']

/**
 * A run is cut off from the API server at each moment of an upgrade; another one takes its lock over, and while it works,
 * or after it, the first can reach the server again.
 */
export function partitionCells(): readonly Cell[] {
  return killPoints.flatMap(({ id, title, at: { upgrade: moment } }) => {
    if (typeof moment === 'string' || moment.follows !== undefined) return []
    const mayEndWell = MAY_END_WELL.includes(id)
    return {
      row: `${id}-cut-off`,
      column: 'upgrade',
      title,
      play: (stand, options, attempts) => play(stand, { moment, mayEndWell }, options, attempts),
    } satisfies Cell
  })
}

async function play(
  stand: Stand,
  { moment, mayEndWell }: { readonly moment: Moment; readonly mayEndWell: boolean },
  { seed }: CellOptions,
  attempts: Attempt[],
): Promise<readonly string[]> {
  await createBystanders(stand)
  const deploy = (version: 1 | 2) => ({ command: 'deploy', chart: stand.release.chart(version), timeout: '5m' })
  const install = await stand.run(deploy(1))
  attempts.push(install)
  if (install.exitCode !== 0) return ['the install before the fault failed']

  const cutOff = Promise.withResolvers<void>()
  stand.proxy.listen(
    atMoment(moment, async () => {
      cutOff.resolve()
      await stand.proxy.goDown()
    }),
  )
  const rival = await stand.openLane()
  let left = Math.floor(seededRandom(seed)() * LATEST_RETURN)
  let hasTakenOver = false
  rival.proxy.listen({
    answered(request) {
      hasTakenOver ||= request.method === 'PUT' && isLease(request) && request.answer?.status === 200
      if (!hasTakenOver || left < 0) return undefined
      left -= 1
      return left < 0 ? stand.proxy.comeBack() : undefined
    },
  })
  const running = stand.run(deploy(2))
  await Promise.race([cutOff.promise, running])
  const second = await rival.run(deploy(2), { env: { GITHUB_RUN_ID: '882' } })
  await stand.proxy.comeBack()
  const first = await running
  attempts.push(first, second)

  const told = `exit ${first.exitCode}, ${first.outputs['failure-reason']}`
  const endsWell = mayEndWell && first.exitCode === 0
  const isTold = endsWell || (first.exitCode === 1 && first.outputs['failure-reason'] === 'locked')
  return [
    ...(isTold ? [] : [`the run that was cut off must end as locked: ${told}`]),
    ...storyFindings(first),
    ...lockFindings([
      { name: 'first', requests: first.requests },
      { name: 'second', requests: second.requests },
    ]),
    ...(await cleanRunFindings(stand, second)),
  ]
}

/** The other run comes at most so long after the first was cut off, in ms. */
const LATEST_RIVAL_MS = 10_000
/** Time of both runs, and for how long the other one waits for the lock. */
const PATIENCE = { timeout: '10m', 'lock-timeout': '5m' }

/**
 * Two runs deploy different content of one release. The first is cut off from the API server after any of its requests, for
 * up to a minute: its connections are reset, or nothing passes any more. With as many seeds as there shall be rounds.
 */
export function roundCell(): Cell {
  return { row: 'any-cut-off', column: 'upgrade', title: 'after any request, for up to a minute', play: playRound }
}

async function playRound(
  stand: Stand,
  { seed, kubeconfig, minuteMs }: CellOptions,
  attempts: Attempt[],
): Promise<readonly string[]> {
  const random = seededRandom(seed)
  const n = 1 + Math.floor(random() * (await requestCount('upgrade', kubeconfig)))
  const partitionMs = random() * minuteMs
  const rivalMs = random() * LATEST_RIVAL_MS
  const isSilent = random() < 0.5
  const unprepared = await prepareFor('upgrade', stand, attempts)
  if (unprepared.length > 0) return unprepared

  const { proxy, release } = stand
  const cutOff = Promise.withResolvers<void>()
  proxy.listen(
    atMoment(afterRequest(n), async () => {
      if (isSilent) proxy.freeze()
      else await proxy.goDown()
      cutOff.resolve()
    }),
  )
  const rival = await stand.openLane()
  const firstRun = stand.run({ ...deployOf(release, 2), ...PATIENCE })
  await Promise.race([cutOff.promise, firstRun])
  const healing = sleep(partitionMs).then(() => proxy.calm())
  await sleep(rivalMs)
  const second = await rival.run({ ...deployOf(release, 3), ...PATIENCE }, { env: { GITHUB_RUN_ID: '882' } })
  await healing
  const first = await firstRun
  attempts.push(first, second)

  const journals = [
    { name: 'first', requests: first.requests },
    { name: 'second', requests: second.requests },
  ]
  const isFirstLast = lastHolder(journals) === 'first'
  // The audit log holds what both wrote; which of them wrote it is in their journals.
  const last = { ...(isFirstLast ? first : second), events: [] }
  const map = await stand.namespace.api.get(`${stand.namespace.path}/configmaps/first`)
  const [deployed, wanted] = [at(map, 'data', 'version'), isFirstLast ? '2' : '3']
  const told = `exit ${first.exitCode}, ${first.outputs['failure-reason']}`
  const isTold = first.exitCode === 0 || (first.exitCode === 1 && first.outputs['failure-reason'] === 'locked')
  return [
    ...(isTold ? [] : [`the run that was cut off must succeed or end as locked: ${told}`]),
    ...(second.exitCode === 0 ? [] : [`the other one must succeed: exit ${second.exitCode}`]),
    ...storyFindings(first),
    ...storyFindings(second),
    ...lockFindings(journals),
    ...journals.flatMap((journal) => onceInJournal(journal, HOOKS)),
    ...(deployed === wanted ? [] : [`version ${deployed} is deployed, the last holder of the lock deploys ${wanted}`]),
    ...(await cleanRunFindings(stand, last)),
  ].map(
    (finding) =>
      `request ${n}, ${Math.round(partitionMs / 1000)} s ${isSilent ? 'of silence' : 'of resets'}, the other after ${Math.round(rivalMs / 1000)} s: ${finding}`,
  )
}
