import { expect, test } from 'vitest'
import type { KubeObject } from '../../src/model/object.ts'
import { readiness } from '../../src/readiness/judge-readiness.ts'

const facts = { nowMs: Date.parse('2026-01-01T01:00:00Z') }

test('a pod in trouble is named with container, word, message, exit code and restarts', () => {
  const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 20s' }
  const status = { name: 'app', restartCount: 4, state: { waiting }, lastState: { terminated: { exitCode: 137 } } }
  expect(reasonOf({ kind: 'Pod', apiVersion: 'v1', status: { containerStatuses: [status] } })).toEqual({
    code: 'pod',
    pod: 'a',
    container: 'app',
    problem: 'CrashLoopBackOff',
    message: 'back-off 20s',
    exitCode: 137,
    restarts: 4,
  })
})

test('a pod without a node says why', () => {
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }
  const status = { phase: 'Pending', conditions: [condition] }
  expect(reasonOf({ kind: 'Pod', apiVersion: 'v1', status })).toEqual({
    code: 'pod',
    pod: 'a',
    problem: 'Unschedulable',
    message: '0/3 nodes',
  })
})

test('a condition is given with reason and message, empty ones left out', () => {
  const conditions = [{ type: 'Ready', status: 'False', reason: '', message: '' }]
  expect(reasonOf({ status: { conditions } })).toEqual({ code: 'condition', type: 'Ready', status: 'False' })
  const told = [{ type: 'Ready', status: 'False', reason: 'Creating', message: 'two of three' }]
  expect(reasonOf({ status: { conditions: told } })).toEqual({
    code: 'condition',
    type: 'Ready',
    status: 'False',
    reason: 'Creating',
    message: 'two of three',
  })
})

test('a phase is given with the message beside it, an empty one left out', () => {
  const path = '.status.phase'
  expect(reasonOf({ status: { phase: 'Pending', message: '' } })).toEqual({ code: 'field', path, value: 'Pending' })
  expect(reasonOf({ status: { phase: 'Pending', message: 'soon' } })).toEqual({
    code: 'field',
    path,
    value: 'Pending',
    message: 'soon',
  })
})

test('names that are not accepted come with the message of the API server', () => {
  const conditions = [{ type: 'NamesAccepted', status: 'False', message: '"gadgets" is already in use' }]
  const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', status: { conditions } }
  expect(reasonOf(crd)).toEqual({ code: 'names-not-accepted', message: '"gadgets" is already in use' })
})

test('an object that is being deleted names its finalizers', () => {
  const metadata = { name: 'a', deletionTimestamp: '2026-01-01T00:59:00Z', finalizers: ['example.com/hold'] }
  expect(reasonOf({ metadata })).toEqual({ code: 'deleting', finalizers: ['example.com/hold'] })
})

function reasonOf(object: Partial<KubeObject>) {
  const whole = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'a' }, ...object }
  return readiness(whole, [], facts).reason
}
