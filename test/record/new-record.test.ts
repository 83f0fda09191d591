import { describe, expect, test } from 'vitest'
import type { History } from '../../src/model/release.ts'
import { historyOf } from '../../src/record/history.ts'
import { draftDeploy, draftRollback } from '../../src/record/new-record.ts'
import {
  asDeployed,
  asFailed,
  asInterrupted,
  asSuperseded,
  asUninstalled,
  asUninstalling,
  underwayHolder,
  withHookRun,
} from '../../src/record/transitions.ts'
import { historyWith, migrate, nextRun, recordOf, revision, run, secretOf } from './records.ts'

const nowMs = Date.UTC(2026, 4, 5, 12, 0, 0, 250)
const parts = { chart: { metadata: { name: 'web' } }, config: { a: 1 }, manifest: 'kind: Service\n', hooks: [migrate] }

function request(verb: 'install' | 'upgrade') {
  return { verb, release: 'web', namespace: 'shop', parts, notes: 'hello', holder: run, nowMs } as const
}

function draft(verb: 'install' | 'upgrade', history: History) {
  return draftDeploy(history, request(verb))
}

describe('record of a deploy', () => {
  test('first install', () => {
    expect(draft('install', historyWith()).record).toEqual({
      name: 'web',
      info: {
        first_deployed: '2026-05-05T12:00:00.25Z',
        last_deployed: '2026-05-05T12:00:00.25Z',
        description: `Install underway by ${run}`,
        status: 'pending-install',
        notes: 'hello',
      },
      ...parts,
      hooks: [{ ...migrate, last_run: { phase: '' } }],
      version: 1,
      namespace: 'shop',
      apply_method: 'ssa',
    })
  })

  test('an upgrade carries over when the release was first deployed', () => {
    expect(draft('upgrade', historyWith('superseded', 'deployed')).record).toMatchObject({
      version: 3,
      info: {
        first_deployed: '2026-01-01T00:00:00Z',
        status: 'pending-upgrade',
        description: `Upgrade underway by ${run}`,
      },
    })
  })

  test('a release that was uninstalled starts again, with the next revision', () => {
    const { record } = draft('install', historyWith('superseded', 'uninstalled'))
    expect([record.version, record.info.first_deployed]).toEqual([3, '2026-05-05T12:00:00.25Z'])
  })

  test("labels of the user go with the release, Helm's own do not", () => {
    const secret = secretOf(recordOf(1, 'deployed'))
    const labels = {
      name: 'web',
      owner: 'helm',
      status: 'deployed',
      version: '1',
      createdAt: '1',
      modifiedAt: '2',
      team: 'a',
    }
    const history = historyOf([{ ...secret, metadata: { ...secret.metadata, labels } }], 'web')
    expect(draft('upgrade', history).labels).toEqual({ team: 'a' })
    const asked = { ...request('upgrade'), labels: { stage: 'prod', team: 'null' } }
    expect(draftDeploy(history, asked).labels).toEqual({ stage: 'prod' })
  })
})

describe('record of a rollback', () => {
  test('is the target as a new revision', () => {
    const target = recordOf(1, 'superseded', {
      manifest: 'old',
      hooks: [{ ...migrate, last_run: { phase: 'Failed' } }],
    })
    const csa = { ...target, apply_method: 'csa' }
    const history = historyOf([secretOf(csa), secretOf(recordOf(2, 'deployed', { manifest: 'new' }))], 'web')
    const rollback = { target: revision(history, 1), namespace: 'shop', holder: run, nowMs }
    expect(draftRollback(history, rollback).record).toEqual({
      ...target,
      info: {
        first_deployed: '2026-01-01T00:00:00Z',
        last_deployed: '2026-05-05T12:00:00.25Z',
        description: `Rollback underway by ${run}`,
        status: 'pending-rollback',
        rollback_revision: 1,
      },
      hooks: [{ ...migrate, last_run: { phase: '' } }],
      version: 3,
      apply_method: 'ssa',
    })
  })
})

describe('changes of a record', () => {
  const pending = draft('upgrade', historyWith('deployed')).record

  test.each([
    ['install', asDeployed(draft('install', historyWith()).record), 'deployed', 'Install complete'],
    ['upgrade', asDeployed(pending), 'deployed', 'Upgrade complete'],
    ['upgrade with a description', asDeployed(pending, 'build\n42'), 'deployed', 'build 42'],
    [
      'rollback',
      asDeployed(recordOf(3, 'pending-rollback', { info: { status: 'pending-rollback', rollback_revision: 1 } })),
      'deployed',
      'Rollback to 1',
    ],
    ['failure', asFailed(pending, 'Job migrate:\nit failed'), 'failed', 'Upgrade "web" failed: Job migrate: it failed'],
    ['superseded', asSuperseded(recordOf(1, 'deployed')), 'superseded', 'Upgrade complete'],
    [
      'uninstall begun',
      asUninstalling(recordOf(1, 'deployed')),
      'uninstalling',
      'Deletion in progress (or silently failed)',
    ],
    ['uninstall ended', asUninstalled(recordOf(1, 'uninstalling'), nowMs), 'uninstalled', 'Uninstallation complete'],
    [
      'interrupted (names the run)',
      asInterrupted(pending, nextRun),
      'failed',
      `Upgrade interrupted: ${run} ended before it was done; marked by ${nextRun}`,
    ],
  ])('%s', (_name, record, status, description) => {
    expect(record.info).toMatchObject({ status, description })
  })

  test('an uninstalled record says when', () => {
    expect(asUninstalled(recordOf(1, 'uninstalling'), nowMs).info.deleted).toBe('2026-05-05T12:00:00.25Z')
  })

  test('only a pending record of ours names its run', () => {
    const helms = recordOf(1, 'pending-upgrade', {
      info: { status: 'pending-upgrade', description: 'Preparing upgrade' },
    })
    expect([underwayHolder(pending), underwayHolder(helms)]).toEqual([run, undefined])
  })

  test('a description is one line of at most 512 characters', () => {
    expect(asFailed(pending, 'x'.repeat(10_000)).info.description).toHaveLength(512)
  })

  test('the run of a hook stands at that hook only', () => {
    const smoke = { ...migrate, name: 'smoke', events: ['test'] }
    const id = { kind: 'Job', name: 'migrate', event: 'pre-upgrade' }
    const record = withHookRun(recordOf(1, 'pending-upgrade', { hooks: [migrate, smoke] }), id, {
      phase: 'Succeeded',
      startedAtMs: nowMs,
      completedAtMs: nowMs + 750,
    })
    expect(record.hooks.map((hook) => hook.last_run)).toEqual([
      { started_at: '2026-05-05T12:00:00.25Z', completed_at: '2026-05-05T12:00:01Z', phase: 'Succeeded' },
      undefined,
    ])
  })

  test('a hook on several events gets the run of any of them', () => {
    const id = { kind: 'Job', name: 'migrate', event: 'post-upgrade' }
    const record = withHookRun(recordOf(1, 'deployed', { hooks: [migrate] }), id, { phase: 'Running', startedAtMs: 0 })
    expect(record.hooks[0]?.last_run).toBeUndefined()
  })
})
