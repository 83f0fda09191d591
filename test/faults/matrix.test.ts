import { describe, expect, test } from 'vitest'
import { faults } from './catalog.ts'
import { cellName } from './cell.ts'
import { fastCuts, fastFaults } from './fast-subset.ts'
import { cellsNamed, matrices, matrixTable } from './matrix.ts'
import { killPoints, VERBS } from './moments.ts'
import { STAGES } from './stages.ts'

const [, kills] = matrices
if (kills === undefined) throw new Error('the matrix of kills is gone')

describe('the matrix of kills', () => {
  test('has a cell, or a reason why there is none, for each kill point and verb', () => {
    const places = killPoints.flatMap(({ id }) => VERBS.map((verb) => `${id}@${verb}`))
    const found = [...kills.cells, ...(kills.missing ?? [])].map(cellName)
    expect(places).toHaveLength(14 * 4)
    expect(found.sort()).toEqual(places.sort())
  })

  test('says below its table why a place is empty, for the rows that were played', () => {
    const outcomes = kills.cells.filter(({ row }) => row === 'K3').map((cell) => ({ cell, seed: 1, findings: [] }))
    expect(matrixTable(kills, outcomes)).toBe(
      [
        'Processes that are killed',
        '    install  upgrade  rollback  uninstall  what goes wrong',
        'K3  ok       ok       -         -          CRD applied, not established',
        '- K3@rollback: a record holds no CRDs of crds/, so that a rollback applies none',
        '- K3@uninstall: CRDs of crds/ outlive their release',
      ].join('\n'),
    )
  })
})

test('no two cells have one name', () => {
  const names = cellsNamed([]).map(cellName)
  expect(new Set(names).size).toBe(names.length)
})

describe('what npm test plays of the matrices', () => {
  test('has each fault of the catalog', () => {
    const played = new Set(fastFaults.map(({ fault }) => fault.id))
    expect(faults.map(({ id }) => id).filter((id) => !played.has(id))).toEqual([])
  })

  test('has faults at each stage that they are for', () => {
    const played = new Set(fastFaults.map(({ stage }) => stage))
    expect(STAGES.filter((stage) => !played.has(stage))).toEqual([])
    const astray = fastFaults.filter(
      ({ fault, stage }) => !fault.rides.includes(stage) && fault.stops?.stages.includes(stage) !== true,
    )
    expect(astray).toEqual([])
  })

  test('has each way to cut a run short, and each verb', () => {
    const [, ...ofCuts] = matrices
    const without = ofCuts.filter(({ cells }) => !cells.some((cell) => fastCuts.includes(cell)))
    expect(without.map(({ title }) => title)).toEqual([])
    expect(new Set(fastCuts.map(({ column }) => column))).toEqual(new Set(VERBS))
  })
})
