import { describe, expect, test } from 'vitest'
import type { History, ReleaseStatus } from '../../src/model/release.ts'
import {
  deployVerb,
  historyOf,
  lastDeployed,
  lastGood,
  newest,
  nextRevision,
  pendingOf,
  prunable,
  rollbackTarget,
} from '../../src/record/history.ts'
import { dataOf, historyWith, recordOf, secretOf, start, textOf } from './records.ts'

const empty: History = { revisions: [], unreadable: [] }
const versions = (revisions: History['revisions']): readonly number[] => revisions.map(({ record }) => record.version)

describe('reading a history', () => {
  test('takes one LIST of the Secrets that Helm would take, and looks whether the next name is free', async () => {
    const { cluster, read } = start('superseded', 'deployed')
    cluster.put(secretOf({ ...recordOf(3, 'deployed'), name: 'other' }))
    expect(textOf(await read())).toBe('1 superseded, 2 deployed')
    expect(cluster.requests).toMatchObject([
      { verb: 'list', query: { kind: 'Secret', namespace: 'shop', labelSelector: 'owner=helm,name=web' } },
      { verb: 'get', ref: { kind: 'Secret', namespace: 'shop', name: 'sh.helm.release.v1.web.v4' } },
    ])
  })

  test('sorts by revision as a number', () => {
    const secrets = [10, 9, 100, 1].map((version) => secretOf(recordOf(version, 'superseded')))
    expect(versions(historyOf(secrets, 'web').revisions)).toEqual([1, 9, 10, 100])
  })

  test('keeps what is needed to write a revision back', () => {
    expect(historyWith('deployed').revisions[0]).toMatchObject({
      secretName: 'sh.helm.release.v1.web.v1',
      resourceVersion: '1',
      labels: { owner: 'helm' },
    })
  })

  test.each([
    ['truncated', secretOf(recordOf(2, 'deployed'), { data: dataOf('{"name"').slice(0, 20) }), /cannot be unpacked/],
    ['of another release', secretOf({ ...recordOf(2, 'deployed'), name: 'other' }), /of another release/],
    [
      'under the name of another revision',
      secretOf(recordOf(5, 'deployed'), { name: 'sh.helm.release.v1.web.v2' }),
      /is revision 5/,
    ],
    ['of another type', { ...secretOf(recordOf(2, 'deployed')), type: 'Opaque' }, /no Secret of type/],
    [
      'that is not JSON',
      secretOf(recordOf(2, 'deployed'), { data: dataOf('{"password":"hunter2"x') }),
      /^it is not valid JSON$/,
    ],
    ['without data', { ...secretOf(recordOf(2, 'deployed')), data: {} }, /no data.release/],
  ])('reports a record %s and goes on', (_name, secret, cause) => {
    const history = historyOf([secretOf(recordOf(1, 'deployed')), secret], 'web')
    expect(textOf(history)).toBe('1 deployed')
    expect(history.unreadable).toMatchObject([
      { secretName: secret.metadata.name, cause: expect.stringMatching(cause) },
    ])
  })
})

test('a history that unpacks to too much keeps its newest revisions', () => {
  const secrets = [1, 2, 3].map((version) => secretOf(recordOf(version, 'superseded')))
  const twoRecords = 2 * JSON.stringify(recordOf(1, 'superseded')).length
  const { revisions, unreadable } = historyOf(secrets, 'web', twoRecords + 10)
  expect([versions(revisions), unreadable.map(({ secretName }) => secretName)]).toEqual([
    [2, 3],
    ['sh.helm.release.v1.web.v1'],
  ])
})

describe('questions to a history', () => {
  test('the newest deployed revision counts where there are two, as in Helm', () => {
    expect(lastDeployed(historyWith('deployed', 'deployed', 'failed'))?.record.version).toBe(2)
  })

  test.each<[string, readonly ReleaseStatus[], number | undefined]>([
    ['the deployed one', ['superseded', 'deployed', 'failed'], 2],
    [
      'the newest superseded one where none is deployed (helm died between two writes)',
      ['superseded', 'superseded', 'pending-upgrade'],
      2,
    ],
    ['none where nothing was ever deployed', ['failed', 'pending-install'], undefined],
    ['none after an uninstall', ['superseded', 'uninstalled'], undefined],
  ])('the last good revision is %s', (_name, statuses, version) => {
    expect(lastGood(historyWith(...statuses))?.record.version).toBe(version)
  })

  test.each<[string, readonly ReleaseStatus[], 'install' | 'upgrade']>([
    ['nothing', [], 'install'],
    ['a failed install', ['failed'], 'install'],
    ['an interrupted install', ['pending-install'], 'install'],
    ['a failed install and its failed retry', ['failed', 'failed'], 'install'],
    ['a deployed revision', ['deployed'], 'upgrade'],
    ['a failed upgrade', ['deployed', 'failed'], 'upgrade'],
    ['a superseded revision alone', ['superseded', 'pending-upgrade'], 'upgrade'],
    ['an uninstall that kept the history', ['superseded', 'uninstalled'], 'install'],
    ['a failed install after that', ['superseded', 'uninstalled', 'failed'], 'install'],
    ['an uninstall that stopped half way', ['superseded', 'uninstalling'], 'upgrade'],
  ])('the verb after %s', (_name, statuses, verb) => {
    expect(deployVerb(historyWith(...statuses))).toBe(verb)
  })

  test('the next revision is one above the newest, unreadable ones counted', () => {
    const unreadable = [{ secretName: 'sh.helm.release.v1.web.v7', cause: '' }]
    expect([
      nextRevision(empty),
      nextRevision(historyWith('failed', 'deployed')),
      nextRevision({ ...historyWith('deployed'), unreadable }),
      nextRevision({ revisions: [], unreadable }),
      nextRevision({
        ...historyWith('deployed'),
        unreadable: [{ secretName: 'sh.helm.release.v1.other.v9', cause: '' }],
      }),
    ]).toEqual([1, 3, 8, 8, 2])
  })

  test('the next revision is above what Helm reads in a record under another name', () => {
    const secrets = [
      secretOf(recordOf(1, 'deployed')),
      secretOf(recordOf(5, 'deployed'), { name: 'sh.helm.release.v1.web.v2' }),
    ]
    expect(nextRevision(historyOf(secrets, 'web'))).toBe(6)
  })

  test('pending revisions are found wherever they stand', () => {
    expect(versions(pendingOf(historyWith('pending-upgrade', 'deployed', 'pending-rollback')))).toEqual([1, 3])
  })

  test('an empty history has no newest revision', () => {
    expect(newest(empty)).toBeUndefined()
  })
})

describe('target of a rollback', () => {
  test.each<[string, readonly ReleaseStatus[], number | undefined, number]>([
    ['the good one before a good one', ['superseded', 'superseded', 'deployed'], undefined, 2],
    ['the last good one after a failure', ['superseded', 'deployed', 'failed'], undefined, 2],
    ['failed ones are passed over', ['superseded', 'failed', 'deployed'], undefined, 1],
    ['the given one, whatever its status', ['failed', 'superseded', 'deployed'], 1, 1],
  ])('%s', (_name, statuses, given, version) => {
    expect(rollbackTarget(historyWith(...statuses), given).record.version).toBe(version)
  })

  test('an unknown revision is an error that lists the known ones', () => {
    expect(() => rollbackTarget(historyWith('superseded', 'deployed'), 7)).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({
          reason: 'invalid-input',
          message: 'there is no revision 7',
          hint: {
            kind: 'choose-revision',
            revisions: [
              { revision: 1, status: 'superseded' },
              { revision: 2, status: 'deployed' },
            ],
          },
        }),
      }),
    )
  })

  test('a release that was deployed once has nothing to go back to', () => {
    expect(() => rollbackTarget(historyWith('deployed'))).toThrow('no earlier revision was deployed')
  })
})

describe('pruning before one more revision', () => {
  test.each<[string, readonly ReleaseStatus[], number, readonly number[]]>([
    ['room is made for the new one', ['superseded', 'superseded', 'deployed'], 3, [1]],
    ['nothing while there is room', ['superseded', 'deployed'], 3, []],
    ['0 keeps all', ['superseded', 'superseded', 'deployed'], 0, []],
    ['the deployed one is kept, however old', ['deployed', 'failed', 'failed', 'failed'], 2, [2, 3, 4]],
    ['the last good one is kept where none is deployed', ['superseded', 'failed', 'failed'], 2, [2, 3]],
    ['max 1 leaves the deployed one beside the new one', ['superseded', 'deployed'], 1, [1]],
  ])('%s', (_name, statuses, max, removed) => {
    expect(versions(prunable(historyWith(...statuses), max))).toEqual(removed)
  })
})
