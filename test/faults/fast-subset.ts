import type { Cell } from './cell.ts'
import { cellsNamed } from './matrix.ts'
import { type FaultAtStage, faultNamed, upgradesUnderFaults } from './upgrade-under-faults.ts'

/**
 * What `npm test` plays of the matrices: each fault, several to a cell, each stage, each way to be cut short, each verb. A
 * row is a cell, a text in it an upgrade; faults that stop an upgrade have one each.
 */
const faultsOfCells: readonly (readonly string[])[] = [
  [
    'throttled-with-time@start leader-changes@plan gateway-errors@record watch-gone@crds watch-garbage@pre ' +
      'quota-race@group watch-closes@wait lost-replies@prune token-expires@post latency@report',
  ],
  [
    'short-outage@start foreign-group-fails@plan lost-replies@record watch-garbage@crds slow-bodies@pre resets@group ' +
      'watch-gone@wait gateway-errors@prune flapping-server@post short-outage@final',
  ],
  [
    'foreign-group-hangs@start throttled@plan watch-lags@crds webhook-starts@pre long-outage@group watch-forbidden@wait ' +
      'black-hole@prune',
  ],
  [
    'quota-exceeded@record',
    'writes-forbidden@crds',
    'reads-forbidden@wait',
    'webhook-denies@prune',
    'token-refused@post',
  ],
]

export const fastFaults: readonly FaultAtStage[] = faultsOfCells.flat().flatMap(faultsNamed)

/** Of the runs that are cut short. */
export const fastCuts: readonly Cell[] = [
  'K7@upgrade',
  'part-12@uninstall',
  'K8-cut-off@upgrade',
  'K10-cancelled@rollback',
  'part-9-cancelled@install',
].flatMap((name) => cellsNamed([name]))

export const fastCells: readonly Cell[] = [
  ...faultsOfCells.map((upgrades, index) =>
    upgradesUnderFaults(`several-${index + 1}`, 'several', upgrades.map(faultsNamed)),
  ),
  ...fastCuts,
]

function faultsNamed(names: string): readonly FaultAtStage[] {
  return names.split(' ').map(faultNamed)
}
