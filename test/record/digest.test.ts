import { expect, test } from 'vitest'
import type { StoredRevision } from '../../src/model/release.ts'
import { recordDigest } from '../../src/record/digest.ts'
import { recordOf } from './records.ts'

function stored(change: Partial<StoredRevision> = {}): StoredRevision {
  const record = recordOf(3, 'deployed')
  return { record, secretName: 'sh.helm.release.v1.web.v3', resourceVersion: '1', uid: 'u-1', labels: {}, ...change }
}

test('what repairs change is not in the digest of a record: status, times, version of its Secret', () => {
  const repaired = { ...recordOf(3, 'superseded'), info: { status: 'superseded', last_deployed: 'later' } as const }
  expect(recordDigest(stored({ record: repaired, resourceVersion: '9' }))).toBe(recordDigest(stored()))
})

test('nobody can try out the digest from a public chart', () => {
  expect(recordDigest(stored({ uid: 'u-2' }))).not.toBe(recordDigest(stored()))
})
