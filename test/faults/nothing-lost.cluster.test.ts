import { describe, type expect, inject, test } from 'vitest'
import { type Cell, cellName, playCell } from './cell.ts'
import { killCells } from './run-cut-short.ts'
import { faultNamed, upgradeUnderFaults } from './upgrade-under-faults.ts'

const { kubeconfig, local } = inject('cluster')
/** A minute's fault takes two seconds. */
const OPTIONS = { kubeconfig, seed: 1, minuteMs: 2_000 }

/**
 * A part of the matrix that `npm run test:faults` plays cell by cell: several faults in one upgrade, each at its own stage,
 * and processes that are killed. What each leaves is asked for by the oracle of `test/oracle/`.
 */
describe.skipIf(local === undefined).concurrent('nothing is lost', () => {
  test.for([
    'throttled-with-time@start leader-changes@plan gateway-errors@record watch-gone@crds watch-garbage@pre ' +
      'quota-race@group watch-closes@wait lost-replies@prune token-expires@post latency@report',
    'short-outage@start foreign-group-fails@plan lost-replies@record watch-garbage@crds slow-bodies@pre resets@group ' +
      'watch-gone@wait gateway-errors@prune flapping-server@post short-outage@final',
  ])('in an upgrade under %s', async (names, { expect }) => {
    await expectNothingLost(upgradeUnderFaults('several', 'several', names.split(' ').map(faultNamed)), expect)
  })

  test('where token-refused@group ends the upgrade', async ({ expect }) => {
    await expectNothingLost(upgradeUnderFaults('token', 'group', [faultNamed('token-refused@group')]), expect)
  })

  test.for(killCells().filter((cell) => cellName(cell) === 'K7@upgrade'))(
    'in an $column that is killed: $title',
    async (cell, { expect }) => {
      await expectNothingLost(cell, expect)
    },
  )
})

async function expectNothingLost(cell: Cell, expectIn: typeof expect): Promise<void> {
  const { findings, log } = await playCell(cell, OPTIONS)
  expectIn(findings, log).toEqual([])
}
