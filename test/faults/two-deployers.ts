import { storyFindings } from '../oracle/story-findings.ts'
import { lockFindings } from '../oracle/write-findings.ts'
import { seededRandom } from '../seeded-random.ts'
import type { Cell, CellOptions } from './cell.ts'
import { atMoment, killPoints, type Moment } from './moments.ts'
import { cleanRunFindings, createBystanders } from './release-findings.ts'
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
