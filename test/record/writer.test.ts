import { describe, expect, test } from 'vitest'
import { DeployError } from '../../src/model/errors.ts'
import type { ReleaseRecord } from '../../src/model/release.ts'
import { newest } from '../../src/record/history.ts'
import { secretRef, toSecret } from '../../src/record/secret.ts'
import { asFailed, asSuperseded } from '../../src/record/transitions.ts'
import { beginUninstall, finishUninstall } from '../../src/record/uninstall-record.ts'
import {
  createRevision,
  finishDeployed,
  finishFailed,
  type RecordPorts,
  removeRevision,
  updateRevision,
} from '../../src/record/writer.ts'
import { apiError, type FakeCluster } from '../doubles/fake-cluster.ts'
import { draftOf, recordOf, revision, start, textOf } from './records.ts'

const secret = (version: number) => secretRef('shop', `sh.helm.release.v1.web.v${version}`)

/** Another client writes this record over what stands there, by `manager`. */
function overwrite(cluster: FakeCluster, record: ReleaseRecord, manager = 'other'): void {
  const object = toSecret(record, { namespace: 'shop', nowMs: 0, labels: {} })
  const managedFields = [{ manager, operation: 'Update', time: '2026-01-01T00:00:00Z' }]
  cluster.put({ ...object, metadata: { ...object.metadata, managedFields } })
}

function losesReply(ports: RecordPorts, verb: 'create' | 'replace', reason: string): RecordPorts {
  const { cluster } = ports
  const lossy = async (object: Parameters<FakeCluster['create']>[0]) => {
    await cluster[verb](object)
    throw apiError(reason)
  }
  return { ...ports, cluster: { ...cluster, [verb]: lossy } }
}

describe('creating a revision', () => {
  test("stores Helm's Secret, pending", async () => {
    const { cluster, ports, events, read } = start('deployed')
    await createRevision(
      ports,
      { ...draftOf(await read()), labels: { team: 'a' } },
      { history: await read(), historyMax: 10 },
    )
    expect(cluster.object(secret(2))).toMatchObject({
      type: 'helm.sh/release.v1',
      metadata: {
        labels: {
          name: 'web',
          owner: 'helm',
          status: 'pending-upgrade',
          version: '2',
          createdAt: '1767225600',
          team: 'a',
        },
      },
    })
    expect(textOf(await read())).toBe('1 deployed, 2 pending-upgrade')
    expect(events).toMatchObject([{ type: 'record', revision: 2, status: 'pending-upgrade' }])
  })

  test('prunes before it creates, as Helm does', async () => {
    const { cluster, ports, read } = start('superseded', 'superseded', 'deployed')
    const history = await read()
    await createRevision(ports, draftOf(history), { history, historyMax: 3 })
    expect(cluster.writes()).toEqual([
      'delete Secret/shop/sh.helm.release.v1.web.v1',
      'create Secret/shop/sh.helm.release.v1.web.v4',
    ])
  })

  test('a revision that cannot be pruned is a warning', async () => {
    const { cluster, ports, events, read } = start('superseded', 'deployed')
    cluster.failWhen({ verb: 'delete' }, apiError('Forbidden'))
    const history = await read()
    await createRevision(ports, draftOf(history), { history, historyMax: 2 })
    expect(events.map(({ type }) => type)).toEqual(['warning', 'record'])
    expect(textOf(await read())).toBe('1 superseded, 2 deployed, 3 pending-upgrade')
  })

  test('refuses a record that does not fit before anything is written', async () => {
    const { cluster, ports, read } = start('superseded', 'deployed')
    const noise = Array.from({ length: 60_000 }, (_, index) => Math.sin(index)).join(' ')
    const chart = { files: [{ name: 'crds/large.yaml', data: noise }], templates: [{ name: 'a.yaml', data: 'a' }] }
    const history = await read()
    const create = createRevision(ports, draftOf(history, undefined, { chart, manifest: noise }), {
      history,
      historyMax: 1,
    })
    await expect(create).rejects.toMatchObject({
      failure: {
        reason: 'rejected',
        message: expect.stringMatching(
          /a Secret holds 1024 KiB; packed sizes: (files and crds|manifest) \d+ KiB, .*; largest files: crds\/large.yaml \d+ KiB, a.yaml 1 KiB/,
        ),
      },
    })
    expect(cluster.writes()).toEqual([])
  })

  test('names the other writer of a revision that is there already', async () => {
    const { cluster, ports, read } = start('deployed')
    const history = await read()
    overwrite(
      cluster,
      recordOf(2, 'pending-upgrade', { info: { status: 'pending-upgrade', description: 'Preparing upgrade' } }),
      'helm',
    )
    await expect(createRevision(ports, draftOf(history), { history, historyMax: 10 })).rejects.toMatchObject({
      failure: {
        reason: 'locked',
        message:
          'another client created this revision meanwhile: pending-upgrade, Preparing upgrade (written by helm at 2026-01-01T00:00:00Z)',
      },
    })
  })

  test('knows its own record where the reply was lost', async () => {
    const { ports, read } = start('deployed')
    const history = await read()
    const made = await createRevision(losesReply(ports, 'create', 'AlreadyExists'), draftOf(history), {
      history,
      historyMax: 10,
    })
    expect(made.resourceVersion).toBe(newest(await read())?.resourceVersion)
  })
})

describe('updating a revision', () => {
  const failed = asFailed(recordOf(1, 'pending-upgrade'), 'no')

  test('replaces labels as Helm does and keeps those of the user', async () => {
    const { cluster, ports, read } = start()
    const labels = { team: 'a', createdAt: '1' }
    cluster.put(toSecret(recordOf(1, 'pending-upgrade'), { namespace: 'shop', nowMs: 0, labels }))
    await updateRevision(ports, revision(await read(), 1), failed)
    expect(cluster.object(secret(1))?.metadata.labels).toEqual({
      team: 'a',
      name: 'web',
      owner: 'helm',
      status: 'failed',
      version: '1',
      modifiedAt: '1767225600',
    })
  })

  test('gives what the next update needs', async () => {
    const { ports, read } = start('pending-upgrade')
    const once = await updateRevision(ports, revision(await read(), 1), failed)
    await updateRevision(ports, once, asSuperseded(once.record))
    expect(textOf(await read())).toBe('1 superseded')
  })

  test('never overwrites a record that somebody else has changed', async () => {
    const { cluster, ports, read } = start('pending-upgrade')
    const before = revision(await read(), 1)
    overwrite(cluster, recordOf(1, 'superseded'))
    await expect(updateRevision(ports, before, failed)).rejects.toMatchObject({
      failure: { reason: 'locked', message: expect.stringContaining('superseded, Upgrade complete (written by other') },
    })
    expect(textOf(await read())).toBe('1 superseded')
  })

  test('never overwrites what is no record any more', async () => {
    const { cluster, ports, read } = start('pending-upgrade')
    const before = revision(await read(), 1)
    const live = cluster.object(secret(1))
    if (live !== undefined) cluster.put({ ...live, data: { release: 'AAAA' } })
    await expect(updateRevision(ports, before, failed)).rejects.toMatchObject({ failure: { reason: 'locked' } })
  })

  test('goes on where only labels have changed, and keeps them', async () => {
    const { cluster, ports, read } = start('pending-rollback')
    const before = revision(await read(), 1)
    const live = cluster.object(secret(1))
    if (live !== undefined)
      cluster.put({ ...live, metadata: { ...live.metadata, labels: { ...live.metadata.labels, team: 'a' } } })
    await updateRevision(ports, before, failed)
    expect(cluster.object(secret(1))?.metadata.labels).toMatchObject({ team: 'a', status: 'failed' })
  })

  test('gives up where the Secret changes again and again', async () => {
    const { cluster, ports, read } = start('pending-upgrade')
    cluster.failWhen({ verb: 'replace' }, apiError('Conflict'))
    const update = updateRevision(ports, revision(await read(), 1), failed)
    await expect(update).rejects.toMatchObject({ failure: { reason: 'locked' } })
    expect(cluster.writes()).toHaveLength(2)
  })

  test('a record that was deleted is not made again', async () => {
    const { cluster, ports, read } = start('pending-upgrade')
    const before = revision(await read(), 1)
    cluster.remove(secret(1))
    await expect(updateRevision(ports, before, failed)).rejects.toThrow('the Secret was deleted')
    expect(cluster.object(secret(1))).toBeUndefined()
  })

  test('knows its own update where the reply was lost', async () => {
    const { ports, read } = start('pending-upgrade')
    await updateRevision(losesReply(ports, 'replace', 'Conflict'), revision(await read(), 1), failed)
    expect(textOf(await read())).toBe('1 failed')
  })

  test('nothing is written once the lock is lost', async () => {
    const { cluster, ports, read } = start('pending-upgrade')
    const before = revision(await read(), 1)
    const signal = AbortSignal.abort(new Error('lock lost'))
    await expect(updateRevision({ ...ports, signal }, before, failed)).rejects.toThrow('lock lost')
    expect(cluster.writes()).toEqual([])
  })
})

describe('ending a deploy', () => {
  test('the new revision is deployed before the old one is superseded', async () => {
    const { cluster, ports, read } = start('deployed', 'failed', 'pending-upgrade')
    const history = await read()
    await finishDeployed(ports, revision(history, 3), history)
    expect(cluster.writes()).toEqual([
      'replace Secret/shop/sh.helm.release.v1.web.v3',
      'replace Secret/shop/sh.helm.release.v1.web.v1',
    ])
    expect(textOf(await read())).toBe('1 superseded, 2 failed, 3 deployed')
  })

  test('an old revision that cannot be superseded is a warning: the deploy has succeeded', async () => {
    const { cluster, ports, events, read } = start('deployed', 'pending-upgrade')
    const history = await read()
    overwrite(cluster, recordOf(1, 'deployed', { manifest: 'changed' }))
    await finishDeployed(ports, revision(history, 2), history)
    expect(events.map(({ type }) => type)).toEqual(['record', 'warning'])
    expect(textOf(await read())).toBe('1 deployed, 2 deployed')
  })

  test('a failure leaves the deployed revision as it is', async () => {
    const { ports, read } = start('deployed', 'pending-upgrade')
    const failed = await finishFailed(ports, revision(await read(), 2), 'Deployment web is not ready')
    expect(failed.record.info.description).toBe('Upgrade "web" failed: Deployment web is not ready')
    expect(textOf(await read())).toBe('1 deployed, 2 failed')
  })
})

describe('uninstalling', () => {
  test('removes the newest revision last', async () => {
    const { cluster, ports, read } = start('superseded', 'superseded', 'deployed')
    const history = await read()
    const current = await beginUninstall(ports, revision(history, 3))
    await finishUninstall(ports, current, { history, keepHistory: false })
    expect(cluster.writes()).toEqual([
      'replace Secret/shop/sh.helm.release.v1.web.v3',
      'delete Secret/shop/sh.helm.release.v1.web.v1',
      'delete Secret/shop/sh.helm.release.v1.web.v2',
      'delete Secret/shop/sh.helm.release.v1.web.v3',
    ])
  })

  test('with keep-history the newest is uninstalled, and none stays deployed', async () => {
    const { ports, read } = start('deployed', 'failed')
    const history = await read()
    const current = await beginUninstall(ports, revision(history, 2))
    await finishUninstall(ports, current, { history, keepHistory: true })
    expect(textOf(await read())).toBe('1 superseded, 2 uninstalled')
  })

  test('removes the Secret that was read, not another of its name', async () => {
    const { cluster, ports, read } = start('deployed')
    const before = revision(await read(), 1)
    cluster.remove(secret(1))
    overwrite(cluster, recordOf(1, 'deployed'))
    await expect(removeRevision(ports, before)).rejects.toThrow('Precondition')
  })

  test('a record that cannot be removed fails the run', async () => {
    const { cluster, ports, read } = start('deployed')
    cluster.failWhen({ verb: 'delete' }, apiError('Forbidden'))
    await expect(removeRevision(ports, revision(await read(), 1))).rejects.toThrow('Forbidden')
  })
})

test('an error of a record ends the pass with all that a report needs', async () => {
  const { cluster, ports, read } = start('pending-upgrade')
  const before = revision(await read(), 1)
  cluster.remove(secret(1))
  const error: unknown = await updateRevision(ports, before, asFailed(before.record, 'no')).catch(
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(DeployError)
  expect(error instanceof DeployError ? error.message : '').toBe(
    'mark revision 1 of web failed: another client changed the record meanwhile: the Secret was deleted',
  )
})
