import { expect, test } from 'vitest'
import { imagesImpact } from '../../src/impact/images.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { refOfObject } from '../../src/model/ref.ts'

const none = releaseObjects([])

function imageChanges(before: JsonObject, after: JsonObject) {
  const pair = { before, after }
  const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }
  return imagesImpact({ ref, real: pair, shown: pair, releases: { before: none, after: none } }).images
}

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

/** `web=shop:1,log:2` with containers `c0` and `c1`; `web=a>shop:1` with one of another name. */
function workload(text: string): KubeObject {
  const [name = '', list = ''] = text.split('=')
  const containers = list.split(',').map((one, index) => {
    const [image = '', container = `c${index}`] = one.split('>').toReversed()
    return { name: container, image }
  })
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: { template: { spec: { containers } } },
  }
}

function imagesOfRelease(was: string, is: string, name = 'web') {
  const [before, after] = [was, is].map((text) => text.split(' ').filter(Boolean).map(workload))
  const of = (objects: readonly KubeObject[] = []) => objects.find(({ metadata }) => metadata.name === name)
  const [old, now] = [of(before), of(after)]
  const pair = { ...(old && { before: old }), ...(now && { after: now }) }
  return imagesImpact({
    ref: refOfObject(now ?? old ?? workload(name)),
    real: pair,
    shown: pair,
    releases: { before: releaseObjects(before ?? []), after: releaseObjects(after ?? []) },
  })
}

const change = { before: 'shop:1', after: 'shop:2', jump: 'major' }

test.each<[string, string, string, object]>([
  ['all that run it change', 'web=shop:1 api=shop:1', 'web=shop:2 api=shop:2', { images: [change] }],
  ['one other stays', 'web=shop:1 api=shop:1', 'web=shop:2 api=shop:1', { images: [{ ...change, stillIn: 1 }] }],
  ['a new one runs the old image', 'web=shop:1', 'web=shop:2 api=shop:1', { images: [{ ...change, stillIn: 1 }] }],
  ['another container of its own is no other workload', 'web=shop:1,shop:1', 'web=shop:2,shop:1', { images: [change] }],
  ['a container is new, with an image of its own', 'web=shop:1', 'web=shop:1,log:1', { newImages: ['log:1'] }],
  ['a container is new, with an image that another one runs', 'web=shop:1 api=log:1', 'web=shop:1,log:1', {}],
  ['a container goes, and its image with it', 'web=shop:1,log:1', 'web=shop:1', { goneImages: ['log:1'] }],
  ['a container goes, and another one still runs its image', 'web=shop:1,log:1', 'web=shop:1 api=log:1', {}],
  ['a container gets another name', 'web=a>shop:1', 'web=b>shop:1', {}],
  ['a new object', 'api=shop:1', 'api=shop:1 web=queue:3', { newImages: ['queue:3'] }],
  ['an object that goes', 'api=shop:1 web=cache:7', 'api=shop:1', { goneImages: ['cache:7'] }],
  ['the first release', '', 'web=shop:1', {}],
  ['the last of it', 'web=shop:1', '', {}],
])('images of a release: %s', (_what, was, is, expected) => {
  expect(imagesOfRelease(was, is)).toEqual(expected)
})

test('texts are masked, and what they stand for is compared', () => {
  const [old, now] = [workload('web=secret/shop:1'), workload('web=secret/shop:1,secret/log:1')]
  const shown = { before: workload('web=***/shop:1'), after: workload('web=***/shop:1,***/log:1') }
  const releases = { before: releaseObjects([old]), after: releaseObjects([now]) }
  expect(imagesImpact({ ref: refOfObject(now), real: { before: old, after: now }, shown, releases })).toEqual({
    newImages: ['***/log:1'],
  })
})
