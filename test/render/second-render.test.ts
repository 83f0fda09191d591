import { describe, expect, test } from 'vitest'
import type { EngineDocument, EngineFileAgain } from '../../src/render/protocol.ts'
import { renderedTwice } from '../../src/render/second-render.ts'

/** What differs between two renders of the same input. See docs/decisions/0027. */
describe('a document of a second render', () => {
  test('is found by its place in the file, whatever the install order', () => {
    const first = [document('a', 5, named('s2', 1)), document('b', 1, named('z', 1)), document('a', 1, named('s1', 1))]
    const again = [file('a', [document('a', 1, named('s1', 2)), document('a', 5, named('s2', 2))])]
    expect(rowsOf(first, again)).toEqual(['s2 1 -> s2 2', 'z 1', 's1 1 -> s1 2'])
  })

  test('may have another name', () => {
    const again = [file('a', [document('a', 1, named('job-y', 1))])]
    expect(rowsOf([document('a', 1, named('job-x', 1))], again)).toEqual(['job-x 1 -> job-y 1'])
  })

  test('is not told of where it says the same, large numbers included', () => {
    const first = [document('a', 1, named('x', 1)), document('a', 5, named('y', 9007199254740992n))]
    const again = [file('a', [document('a', 1, named('x', 1)), document('a', 9, named('y', 9007199254740993n))])]
    expect(rowsOf(first, again)).toEqual(['x 1', 'y 9007199254740992 -> y 9007199254740993'])
  })

  test('is found by kind and name where the file came to another number of documents; one without counterpart has a name that varies', () => {
    const first = [document('a', 1, named('x', 1)), document('a', 5, named('y', 1)), document('a', 9, named('y', 3))]
    const again = [file('a', [document('a', 1, named('y', 2))])]
    expect(rowsOf(first, again)).toEqual(['x 1 -> undefined 1', 'y 1 -> y 2', 'y 3 -> undefined 3'])
    expect(rowsOf(first, [file('a', null)])).toEqual(['x 1 -> undefined 1', 'y 1 -> undefined 1', 'y 3 -> undefined 3'])
  })

  test('is an item of a List, too', () => {
    const list = (value: number) => `{"apiVersion":"v1","kind":"List","items":[${named('x', 1)},${named('y', value)}]}`
    expect(rowsOf([document('a', 1, list(1))], [file('a', [document('a', 1, list(2))])])).toEqual(['x 1', 'y 1 -> y 2'])
  })

  test('is left aside where it is no Kubernetes object', () => {
    expect(rowsOf([document('a', 1, named('x', 1))], [file('a', [document('a', 1, '{"kind":"A"}')])])).toEqual(['x 1'])
  })
})

function rowsOf(first: readonly EngineDocument[], again: readonly EngineFileAgain[]): readonly string[] {
  return renderedTwice(first, again).map(({ object, again }) =>
    [object, ...(again === undefined ? [] : [again])]
      .map(({ metadata, value }) => `${metadata.name} ${value}`)
      .join(' -> '),
  )
}

function file(name: string, documents: readonly EngineDocument[] | null): EngineFileAgain {
  return { file: name, documents }
}

function document(file: string, line: number, json: string): EngineDocument {
  return { file, line, json, text: '' }
}

function named(name: string, value: number | bigint): string {
  return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"value":${value}}`
}
