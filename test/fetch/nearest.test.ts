import { describe, expect, test } from 'vitest'
import { nearestNames, nearestVersions } from '../../src/fetch/nearest.ts'

describe('the nearest versions', () => {
  const versions = ['1.2.0', '1.10.0', '1.9.1', '2.0.0-rc.1', '2.0.0', '0.9.0', 'v3.1.0']

  test.each([
    ['1.9.0', ['1.9.1']],
    ['^1.5', ['1.10.0', '1.9.1', '1.2.0']],
    ['2.1.0', ['2.0.0', '2.0.0-rc.1']],
    ['~3.0.0', ['v3.1.0']],
    ['7', ['v3.1.0', '2.0.0', '2.0.0-rc.1', '1.10.0', '1.9.1']],
    ['latest', ['v3.1.0', '2.0.0', '2.0.0-rc.1', '1.10.0', '1.9.1']],
  ])('to %s are %j: what shares most of its numbers, the newest first', (wanted, nearest) => {
    expect(nearestVersions(versions, wanted)).toEqual(nearest)
  })

  test('are told once, and of ten thousand in no time', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `1.${index % 100}.${Math.floor(index / 100)}`)
    expect(nearestVersions([...many, ...many], '1.7.300')).toEqual(['1.7.99', '1.7.98', '1.7.97', '1.7.96', '1.7.95'])
  })
})

describe('the nearest names', () => {
  test.each([
    ['reddis', ['redis']],
    ['postgres', ['postgresql', 'postgresql-ha']],
    ['zookeeper', []],
  ])('to %s are %j', (wanted, nearest) => {
    expect(nearestNames(['redis', 'postgresql', 'postgresql-ha', 'nginx', 'mysql', 'kafka'], wanted)).toEqual(nearest)
  })

  test('of a small repository are all of its names', () => {
    expect(nearestNames(['web', 'api'], 'zookeeper')).toEqual(['api', 'web'])
  })
})
