import { describe, expect, test } from 'vitest'
import { conditionsOf } from '../../src/readiness/conditions.ts'
import { readiness } from '../../src/readiness/judge-readiness.ts'
import { meaningOf, namesError, splitWords } from '../../src/readiness/status-words.ts'

test.each([
  ['ErrRegisterACMEAccount', 'err register acme account'],
  ['no-pods_found', 'no pods found'],
  ['Failing over', 'failing over'],
  ['Phase2Done', 'phase2 done'],
  ['', ''],
])('%s in words', (value, words) => {
  expect(splitWords(value).join(' ')).toBe(words)
})

// Words of kubedog in its spellings. Source: docs/sources.md#kubedog-generic-tracker.
describe('what a phase says', () => {
  test.each(
    'ready Success succeeded Complete completed finished finalized done Available running OK active live healthy started initialized approved valid green Bound'.split(
      ' ',
    ),
  )('%s: ready', (value) => {
    expect(meaningOf(value)).toBe('ready')
  })

  test.each(
    'creating updating waiting awaiting Pending finishing starting readying in-progress progressing initialization-pending initializing approving Unknown NotReady yellow red ClusterReconciling'.split(
      ' ',
    ),
  )('%s: progressing', (value) => {
    expect(meaningOf(value)).toBe('progressing')
  })

  test.each(
    'failure failed abort aborted terminated Error errored rejection rejected UpdateFailed CREATE_FAILED InvalidSpec degraded TimedOut'.split(
      ' ',
    ),
  )('%s: failed', (value) => {
    expect(meaningOf(value)).toBe('failed')
  })

  test.each(['ClusterRunning', 'ring', 'Paused', 'Nominal', 'v1.2.3', '?'])('%s: unknown', (value) => {
    expect(meaningOf(value)).toBe('unknown')
  })
})

test.each([
  ['DependencyNotFound', true],
  ['NoPodsFound', true],
  ['PolicyNotAllowed', true],
  ['RolesMaxLimitReached', true],
  ['NoErrors', false],
  ['DependencyNotReady', false],
  ['Unavailable', false],
  ['Creating', false],
  [undefined, false],
])('reason %s names an error: %s', (reason, expected) => {
  expect(namesError(reason)).toBe(expected)
})

test.each(
  'Succeeded Complete Completed Finished Established Programmed Accepted Approved Running Active Live Initialized Deployed'.split(
    ' ',
  ),
)('%s speaks for the whole where nothing better does', (type) => {
  const state = (status: string) => {
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Gadget',
      metadata: {},
      status: { conditions: [{ type, status }] },
    }
    const verdict = readiness(object, [], { nowMs: 0 })
    return 'then' in verdict ? 'unknown' : verdict.state
  }
  expect([state('True'), state('False')]).toEqual(['ready', 'progressing'])
})

test.each(
  'Creating Deploying Initializing Installing Progressing Provisioning Reconciling DatabaseUpdating Upgrading RollingUpdate'.split(
    ' ',
  ),
)('%s tells of work that goes on, also while all else is ready', (type) => {
  const conditions = [
    { type: 'Ready', status: 'True' },
    { type, status: 'True' },
  ]
  const object = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: {}, status: { conditions } }
  expect(readiness(object, [], { nowMs: 0 }).state).toBe('progressing')
})

test('no more conditions and no longer messages are looked at than make sense', () => {
  const conditions = Array.from({ length: 1_000 }, () => ({
    type: 'Ready',
    status: 'False',
    message: 'x'.repeat(10_000),
  }))
  const object = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: {}, status: { conditions } }
  expect(conditionsOf(object)).toHaveLength(200)
  expect(JSON.stringify(readiness(object, [], { nowMs: 0 })).length).toBeLessThan(1_500)
})
