import { describe, inject, test } from 'vitest'
import { playCell } from './cell.ts'
import { fastCells } from './fast-subset.ts'

const { kubeconfig, local } = inject('cluster')
/** A minute's fault takes two seconds. */
const OPTIONS = { kubeconfig, seed: 1, minuteMs: 2_000 }

/**
 * A part of the matrix that `npm run test:faults` plays cell by cell. What each run leaves is asked for by the oracle of
 * `test/oracle/`.
 */
describe.skipIf(local === undefined).concurrent('nothing is lost', () => {
  test.for(fastCells)('in $row@$column: $title', async (cell, { expect }) => {
    const { findings, log } = await playCell(cell, OPTIONS)
    expect(findings, log).toEqual([])
  })
})
