import { expect, test } from 'vitest'
import { isWhatWasSent } from '../../src/kube/lost-reply.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'

const object = (content: JsonObject, metadata: JsonObject = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', ...metadata },
  ...content,
})
const own = { name: 'app', image: 'app:1' }
const sidecar = { name: 'proxy', image: 'proxy:1' }
const sent = object({ spec: { containers: [own, { name: 'helper', image: 'helper:1' }] } })

test.each([
  ['the same', sent],
  [
    'with defaults',
    object({
      spec: {
        dnsPolicy: 'ClusterFirst',
        containers: [
          { ...own, tty: false },
          { name: 'helper', image: 'helper:1' },
        ],
      },
    }),
  ],
  [
    'with a container that admission put in front',
    object({ spec: { containers: [sidecar, own, { name: 'helper', image: 'helper:1' }] } }),
  ],
  [
    'with one in between and one behind',
    object({ spec: { containers: [own, sidecar, { name: 'helper', image: 'helper:1' }, sidecar] } }),
  ],
  [
    'with labels, a uid and an owner of managed fields',
    { ...sent, metadata: { name: 'a', uid: 'u', labels: { x: 'y' }, managedFields: [] } },
  ],
])('%s: it is ours', (_name, live) => {
  expect(isWhatWasSent(live, sent)).toBe(true)
})

test.each([
  [
    'another image',
    object({
      spec: {
        containers: [
          { ...own, image: 'app:2' },
          { name: 'helper', image: 'helper:1' },
        ],
      },
    }),
  ],
  ['another order', object({ spec: { containers: [{ name: 'helper', image: 'helper:1' }, own] } })],
  ['a container less', object({ spec: { containers: [own] } })],
  ['no containers', object({ spec: {} })],
  ['no spec', object({})],
])('%s: it is another', (_name, live) => {
  expect(isWhatWasSent(live, sent)).toBe(false)
})

test('one live entry does not stand for two that were sent', () => {
  expect(isWhatWasSent(object({ args: ['a'] }), object({ args: ['a', 'a'] }))).toBe(false)
})

test.each([
  ['stored in data', { data: { a: 'b25l', b: 'dHdv' } }, true],
  ['with another value', { data: { a: 'b25l', b: 'b25l' } }, false],
  ['not there', { data: { a: 'b25l' } }, false],
])('stringData %s: %o %s', (_name, live, isOurs) => {
  expect(isWhatWasSent(object(live), object({ data: { a: 'b25l', b: 'b25l' }, stringData: { b: 'two' } }))).toBe(isOurs)
})

test('what is empty may be left out by the server, what is not may not', () => {
  const empty = { spec: { hostNetwork: false, args: [], priority: 0, subdomain: '', affinity: { nodeAffinity: {} } } }
  expect(isWhatWasSent(object({}), object(empty))).toBe(true)
  expect(isWhatWasSent(object({ spec: {} }), object({ spec: { hostNetwork: true } }))).toBe(false)
})
