import { expect, test } from 'vitest'
import { imageChanges } from '../../src/impact/images.ts'
import type { JsonObject } from '../../src/model/object.ts'

const pod = (...images: readonly string[]): JsonObject => ({
  spec: { containers: images.map((image, index) => ({ name: `c${index}`, image })) },
})

test.each<[string, string, string, string | undefined]>([
  ['a major version', 'postgres:16.4', 'postgres:17.0', 'major'],
  ['of a registry with a port', 'registry:5000/a/web:1.0', 'registry:5000/a/web:2.0', 'major'],
  ['with a digest', `web:1.0@sha256:${'a'.repeat(64)}`, `web:2.0@sha256:${'b'.repeat(64)}`, 'major'],
  ['from another registry', 'bitnami/redis:7.2', 'bitnamilegacy/redis:8.0', 'major'],
  ['of another image', 'postgres:16', 'mysql:8', undefined],
  ['a minor version', 'web:1.0', 'web:1.1', undefined],
  ['without a tag', 'web', 'web:2.0', undefined],
])('an image that changes: %s', (_what, before, after, jump) => {
  expect(imageChanges(pod(before), pod(after))).toEqual([{ before, after, ...(jump && { jump }) }])
})

test('images of templates, of init containers, and of those that both have', () => {
  const cronJob = (init: string, image: string, more: readonly JsonObject[]) => ({
    spec: {
      jobTemplate: {
        spec: {
          template: {
            spec: { initContainers: [{ name: 'a', image: init }], containers: [{ name: 'a', image }, ...more] },
          },
        },
      },
    },
  })
  const changes = imageChanges(cronJob('i:1', 'a:1', []), cronJob('i:2', 'a:1', [{ name: 'new', image: 'n:1' }]))
  expect(changes).toEqual([{ before: 'i:1', after: 'i:2', jump: 'major' }])
})
