import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import { fieldChangesPhrase } from '../../../src/report/words/field-changes.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { apply, ref } from '../plans.ts'

const said = (before: string, after: string) => {
  const [old, now] = [before, after].map((text) => load(text) as JsonObject)
  const { impact } = apply(
    ref('apps/v1', 'Deployment', 'web'),
    'update',
    { code: 'chart-changed', paths: [] },
    {
      ...(old === undefined ? {} : { before: old }),
      ...(now === undefined ? {} : { after: now }),
    },
  )
  return plainText(fieldChangesPhrase(impact?.fields ?? []))
}

const pod = (spec: string, more = '') => `spec: { ${more} template: { spec: { ${spec} } } }`

test.each([
  [
    'of a container, however many there are',
    pod('containers: [{ name: a, args: [x], env: [], livenessProbe: {}, ports: [], resources: {}, tty: true }]'),
    pod('containers: [{ name: a }]'),
    'containers[a]: args, resources, livenessProbe, env and ports removed, tty true removed',
  ],
  [
    'of a pod behind a container that comes and one that goes',
    pod('containers: [{ name: a }], volumes: [], securityContext: {}, dnsPolicy: None', 'minReadySeconds: 1,'),
    pod('containers: [{ name: b }]'),
    'containers[a] removed, containers[b] added, template.spec.securityContext and volumes removed, minReadySeconds 1 removed, dnsPolicy None removed',
  ],
  [
    'of data',
    'data: { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1 }',
    'data: {}',
    'data: a 1 removed, b 1 removed, c 1 removed, d 1 removed, e 1 removed, f 1 removed, g 1 removed, h 1 removed and 2 more fields',
  ],
  [
    'and a bare one before them is not read as one of them',
    'data: { a: "the first of two texts that are long", b: "a text of more than twenty-four", c: "a text of more than twenty-four" }',
    'data: { a: "the second of two texts that are long" }',
    'data: a changed, b and c removed',
  ],
])('the first eight names stand before the rest is counted, once, %s', (_what, before, after, expected) => {
  expect(said(before, after)).toBe(expected)
})

const template = (containers: string, init = '') =>
  pod(`${init === '' ? '' : `initContainers: ${init}, `}containers: ${containers}`)

test.each([
  [
    'one that has another name, with what else of it differs, and what comes beside it',
    template('[{ name: shop, image: shop:2, env: [{ name: TOKEN, value: plain }] }]'),
    template(
      '[{ name: proxy, image: proxy:1 }, { name: app, image: shop:2, env: [{ name: TOKEN, valueFrom: { secretKeyRef: { name: token, key: t } } }] }]',
      '[{ name: wait, image: busybox:1 }]',
    ),
    'container proxy added (proxy:1), containers[app]: renamed from shop, env[TOKEN].value plain removed, env[TOKEN].valueFrom added, init container wait added (busybox:1)',
  ],
  [
    'nothing but the name',
    template('[{ name: a, image: shop:2 }]'),
    template('[{ name: b, image: shop:2 }]'),
    'containers[b] renamed from a',
  ],
  [
    'one that comes and one that goes',
    template('[{ name: a, image: shop:2 }, { name: log, image: log:1 }]'),
    template('[{ name: a, image: shop:2 }, { name: proxy, image: proxy:1 }]'),
    'container log removed (log:1), container proxy added (proxy:1)',
  ],
  [
    'several that come together',
    template('[{ name: a, image: shop:2 }]'),
    template(
      '[{ name: a, image: shop:2 }]',
      '[{ name: a, image: a:1 }, { name: b, image: b:1 }, { name: c, image: c:1 }, { name: d, image: d:1 }, { name: e, image: e:1 }]',
    ),
    'init containers a (a:1), b (b:1), c (c:1), d (d:1) and 1 more added',
  ],
  [
    'of a Pod',
    'spec: { containers: [{ name: a, image: shop:2 }] }',
    'spec: { containers: [{ name: b, image: shop:2, tty: true }] }',
    'containers[b]: renamed from a, tty true added',
  ],
])('containers are told by their names and images: %s', (_what, before, after, expected) => {
  expect(said(before, after)).toBe(expected)
})
