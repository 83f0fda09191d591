import { describe, expect, test } from 'vitest'
import type { History, ReleaseRecord, ReleaseStatus } from '../../src/model/release.ts'
import type { Cluster } from '../../src/ports.ts'
import { deployVerb, lastGood, newest, nextRevision, readHistory } from '../../src/record/history.ts'
import { leaseRef, readLease } from '../../src/record/lease.ts'
import { acquireLock } from '../../src/record/lock.ts'
import { draftDeploy } from '../../src/record/new-record.ts'
import { foreignPending, needsRepair, repairHistory } from '../../src/record/repair.ts'
import { toSecret } from '../../src/record/secret.ts'
import { withHookRun } from '../../src/record/transitions.ts'
import { createRevision, finishDeployed, type RecordPorts, updateRevision } from '../../src/record/writer.ts'
import type { FakeClock } from '../doubles/fake-clock.ts'
import { underTerms } from '../doubles/fake-terms.ts'
import { migrate, nextRun, recordOf, run, start, textOf } from './records.ts'

/**
 * The run dies right after its n-th write, the next run reads what is there. Writes of an upgrade: 1 Lease, 2 pending
 * revision, 3 hook run, 4 new revision deployed, 5 old revision superseded, 6 Lease freed. See docs/decisions/0007.
 */

/** One deploy, as a pass does it, without the objects. */
async function deploy(cluster: Cluster, clock: FakeClock, holder: string): Promise<void> {
  const emit = (): void => {}
  const acquisition = await acquireLock({
    cluster,
    clock,
    emit,
    release: 'web',
    namespace: 'shop',
    holder,
    random: () => 0,
  })
  if (acquisition.kind !== 'acquired') throw new Error(`locked by ${acquisition.holder}`)
  const { lock } = acquisition
  const guarded = cluster.under({ mayWrite: lock.mayWrite })
  const ports: RecordPorts = { cluster: guarded, clock, emit, namespace: 'shop', signal: lock.lost }
  const history = await repairHistory(ports, await readHistory(cluster, 'web', 'shop'), holder)
  const draft = draftDeploy(history, {
    verb: deployVerb(history),
    release: 'web',
    namespace: 'shop',
    parts: { chart: {}, config: {}, manifest: 'kind: ConfigMap\n', hooks: [migrate] },
    notes: '',
    holder,
    nowMs: clock.now(),
  })
  const pending = await createRevision(ports, draft, { history, historyMax: 10 })
  const id = { kind: 'Job', name: 'migrate', event: 'pre-upgrade' }
  const ran = withHookRun(pending.record, id, { phase: 'Succeeded', startedAtMs: 0, completedAtMs: 1 })
  await finishDeployed(ports, await updateRevision(ports, pending, ran), history)
  await lock.release()
}

/** A cluster that the process can reach until it dies, right after this many writes. */
function diesAfter(cluster: Cluster, writes: number): Cluster {
  let left = writes
  const alive = <T>(act: () => Promise<T>): Promise<T> => (left === 0 ? Promise.reject(new Error('killed')) : act())
  const writing = <T>(act: () => Promise<T>): Promise<T> =>
    alive(async () => {
      left -= 1
      return act()
    })
  const dying: Cluster = {
    ...cluster,
    under: (terms) => underTerms(dying, terms),
    get: (ref) => alive(() => cluster.get(ref)),
    list: (query) => alive(() => cluster.list(query)),
    create: (object) => writing(() => cluster.create(object)),
    replace: (object) => writing(() => cluster.replace(object)),
    delete: (ref, options) => writing(() => cluster.delete(ref, options)),
  }
  return dying
}

async function kill(afterWrites: number, ...statuses: readonly ReleaseStatus[]) {
  const world = start(...statuses)
  const { clock, cluster } = world
  await clock.runUntil(deploy(diesAfter(cluster, afterWrites), clock, run).catch(() => {}))
  return world
}

function decisions(history: History): string {
  const good = lastGood(history)?.record.version ?? 'nothing'
  return `${deployVerb(history)} revision ${nextRevision(history)} over ${good}`
}

describe('what the next run reads after a crash in an upgrade', () => {
  test.each([
    ['after the Lease', 1, '1 deployed', 'upgrade revision 2 over 1'],
    ['after the pending revision', 2, '1 deployed, 2 pending-upgrade', 'upgrade revision 3 over 1'],
    ['after the hook run', 3, '1 deployed, 2 pending-upgrade', 'upgrade revision 3 over 1'],
    ['after the new revision is deployed', 4, '1 deployed, 2 deployed', 'upgrade revision 3 over 2'],
    ['after the old revision is superseded', 5, '1 superseded, 2 deployed', 'upgrade revision 3 over 2'],
  ])('%s', async (_name, writes, text, decision) => {
    const { read } = await kill(writes, 'deployed')
    expect([textOf(await read()), decisions(await read())]).toEqual([text, decision])
  })
})

describe('what the next run reads after a crash in a first install', () => {
  test.each([
    ['after the Lease', 1, '', 'install revision 1 over nothing'],
    ['after the pending revision', 2, '1 pending-install', 'install revision 2 over nothing'],
    ['after the hook run', 3, '1 pending-install', 'install revision 2 over nothing'],
    ['after the new revision is deployed', 4, '1 deployed', 'upgrade revision 2 over 1'],
  ])('%s', async (_name, writes, text, decision) => {
    const { read } = await kill(writes)
    expect([textOf(await read()), decisions(await read())]).toEqual([text, decision])
  })
})

describe('what the next run leaves', () => {
  test.each([
    ['after the Lease', 1, '1 superseded, 2 deployed'],
    ['after the pending revision', 2, '1 superseded, 2 failed, 3 deployed'],
    ['after the hook run', 3, '1 superseded, 2 failed, 3 deployed'],
    ['after the new revision is deployed', 4, '1 superseded, 2 superseded, 3 deployed'],
    ['after the old revision is superseded', 5, '1 superseded, 2 superseded, 3 deployed'],
  ])('%s: taken over, one deployed revision, none pending', async (_name, writes, text) => {
    const { clock, cluster, read } = await kill(writes, 'deployed')
    await clock.runUntil(deploy(cluster, clock, nextRun))
    const lease = cluster.object(leaseRef('web', 'shop'))
    expect([textOf(await read()), lease && readLease(lease).holder]).toEqual([text, ''])
  })

  test('the interrupted revision names the run that died and the one that found it', async () => {
    const { clock, cluster, read } = await kill(2, 'deployed')
    await clock.runUntil(deploy(cluster, clock, nextRun))
    expect((await read()).revisions[1]?.record.info.description).toBe(
      `Upgrade interrupted: ${run} ended before it was done; marked by ${nextRun}`,
    )
  })

  test('a run that is killed in the repair itself is repaired by the next', async () => {
    const { clock, cluster, read } = await kill(2, 'deployed', 'deployed')
    await clock.runUntil(deploy(diesAfter(cluster, 2), clock, nextRun).catch(() => {}))
    await clock.runUntil(deploy(cluster, clock, 'third'))
    expect(textOf(await read())).toBe('1 superseded, 2 superseded, 3 failed, 4 deployed')
  })
})

describe('repairing a history', () => {
  test('two deployed revisions become one, also where nothing is deployed then', async () => {
    const { ports, read } = start('deployed', 'deployed')
    const repaired = await repairHistory(ports, await read(), nextRun)
    expect([textOf(repaired), textOf(await read())]).toEqual(['1 superseded, 2 deployed', '1 superseded, 2 deployed'])
  })

  test('gives what the writes after it need', async () => {
    const { ports, read } = start('deployed', 'deployed')
    expect(await repairHistory(ports, await read(), nextRun)).toEqual(await read())
  })

  test('a history in order is not written to', async () => {
    const { cluster, ports, read } = start('superseded', 'failed', 'deployed', 'failed')
    await repairHistory(ports, await read(), nextRun)
    expect([cluster.writes(), needsRepair(await read())]).toEqual([[], false])
  })

  test.each<[readonly ReleaseStatus[]]>([
    [['deployed', 'pending-upgrade']],
    [['deployed', 'deployed']],
    [['pending-install', 'deployed']],
  ])('%j needs repair', async (statuses) => {
    expect(needsRepair(await start(...statuses).read())).toBe(true)
  })
})

describe('a pending revision of helm, which takes no Lease', () => {
  const helms = (lastDeployed: string): ReleaseRecord =>
    recordOf(2, 'pending-upgrade', {
      info: { status: 'pending-upgrade', description: 'Preparing upgrade', last_deployed: lastDeployed },
    })

  function withHelm(lastDeployed: string) {
    const world = start('deployed')
    world.cluster.put(toSecret(helms(lastDeployed), { namespace: 'shop', nowMs: 0, labels: {} }))
    return world
  }

  test('may be alive: the run ends with `locked` before it writes', async () => {
    const { cluster, ports, read } = withHelm('2025-12-31T23:59:00Z')
    await expect(repairHistory(ports, await read(), run)).rejects.toMatchObject({
      failure: {
        reason: 'locked',
        message: expect.stringContaining('pending-upgrade since 2025-12-31T23:59:00Z (Preparing upgrade)'),
      },
    })
    expect(cluster.writes()).toEqual([])
  })

  test.each(['2025-12-31T22:00:00Z', 'no time'])('is given up after an hour, or without a time: %s', async (time) => {
    const { ports, read } = withHelm(time)
    expect(textOf(await repairHistory(ports, await read(), run))).toBe('1 deployed, 2 failed')
  })

  test('is over where a newer revision stands above it', async () => {
    const { clock, cluster, read } = withHelm('2025-12-31T23:59:00Z')
    cluster.put(toSecret(recordOf(3, 'deployed'), { namespace: 'shop', nowMs: 0, labels: {} }))
    expect(foreignPending(await read(), clock.now())).toBeUndefined()
  })

  test('the gap that helm leaves when it dies between its two writes reads as an upgrade', async () => {
    const { read } = start('superseded', 'pending-upgrade')
    expect([decisions(await read()), newest(await read())?.record.version]).toEqual(['upgrade revision 3 over 1', 2])
  })
})
