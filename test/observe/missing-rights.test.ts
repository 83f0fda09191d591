import { beforeEach, describe, expect, test } from 'vitest'
import type { NeededRight } from '../../src/model/access.ts'
import { missingRights } from '../../src/observe/missing-rights.ts'
import { fakeClock } from '../doubles/fake-clock.ts'
import { apiError, type FakeCluster, fakeCluster } from '../doubles/fake-cluster.ts'

const patch = (name: string): NeededRight => ({
  verb: 'patch',
  group: '',
  resource: 'configmaps',
  namespace: 'web',
  name,
})
const create: NeededRight = { verb: 'create', group: '', resource: 'configmaps', namespace: 'web' }

let cluster: FakeCluster
beforeEach(() => {
  cluster = fakeCluster(fakeClock())
})

const questions = () => cluster.requests.filter(({ verb }) => verb === 'may-i').length

describe('missing rights', () => {
  test('are asked for once, however many objects need them', async () => {
    const needed = [create, ...Array.from({ length: 50 }, (_, index) => patch(`c${index}`))]
    expect([await missingRights(cluster, needed), questions()]).toEqual([[], 1])
  })

  test('a Role with resourceNames counts', async () => {
    cluster.setAccess(({ verb, name }) => verb === 'create' || name === 'a')
    expect(await missingRights(cluster, [create, patch('a'), patch('b')])).toEqual([patch('b')])
  })

  test('of very many objects the kind is named, not each of them', async () => {
    cluster.setAccess(() => false)
    const needed = Array.from({ length: 50 }, (_, index) => patch(`c${index}`))
    const { name: _name, ...kind } = patch('a')
    expect(await missingRights(cluster, needed)).toEqual([kind])
  })

  test('what one needs and another would like to have is needed', async () => {
    cluster.setAccess(() => false)
    const list: NeededRight = { verb: 'list', group: '', resource: 'pods', namespace: 'web' }
    expect(await missingRights(cluster, [{ ...list, isAdvisory: true }, list])).toEqual([list])
  })

  test('an account that may not ask is left to find out', async () => {
    cluster.failWhen({ verb: 'may-i' }, apiError('Forbidden'))
    expect(await missingRights(cluster, [create])).toEqual([])
  })

  test('nothing is asked where nothing is needed', async () => {
    expect([await missingRights(cluster, []), questions()]).toEqual([[], 0])
  })
})
