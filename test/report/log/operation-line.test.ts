import { expect, test } from 'vitest'
import type { ApplyOperation, Reason } from '../../../src/model/plan.ts'
import { operationLine } from '../../../src/report/log/operation-line.ts'

function created(reason: Reason): string | undefined {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'a' }
  const operation: ApplyOperation = { id: 'a', ref, kind: 'apply', change: 'create', reason }
  const finished = { type: 'operation-finished', atMs: 0, id: 'a', result: 'succeeded' } as const
  return operationLine(operation, finished, { took: '1 s', evidence: undefined })
}

test('what was created says why', () => {
  expect(created({ code: 'new' })).toBe('ConfigMap/web/a created')
})

test('what was unknown until it was applied is known now', () => {
  expect(created({ code: 'unknown-until-applied', because: 'namespace-missing' })).toBe('ConfigMap/web/a created')
})
