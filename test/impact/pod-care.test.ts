import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { impactOf } from '../../src/impact/assess.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { refOfObject } from '../../src/model/ref.ts'
import { fieldChangesPhrase } from '../../src/report/words/field-changes.ts'
import { impactPhrase, unspokenFields } from '../../src/report/words/impact-text.ts'
import { plainText } from '../../src/report/words/phrase.ts'

const yaml = (text: string) => load(text) as JsonObject

/** A Deployment, paused so that no restart is told; `web`: of its container, `pod`: of the pod's spec. */
function deployment(web = '{}', pod = '{}'): KubeObject {
  const spec = { containers: [{ name: 'web', image: 'web:1', ...yaml(web) }], ...yaml(pod) }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { template: { metadata: { labels: { app: 'web' } }, spec } },
  }
}

function other(kind: string, name: string, spec = '{}', apiVersion = 'v1'): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: 'shop' }, spec: yaml(spec) }
}

/** What is said of an update beside the restart, and the fields that are left. */
function said(
  before: KubeObject | undefined,
  after: KubeObject,
  release: readonly KubeObject[] = [],
): readonly string[] {
  const real = { ...(before && { before }), after }
  const change = before === undefined ? 'create' : 'update'
  const releases = { before: releaseObjects(release), after: releaseObjects([...release, after]) }
  const found = impactOf({ ref: refOfObject(after), change, real, shown: real, isDrifted: false, releases })
  const { restart: _, ...facts } = found
  return [plainText(impactPhrase(facts)), ...unspokenFields(facts).map((one) => plainText(fieldChangesPhrase([one])))]
}

const service = other('Service', 'web', '{ selector: { app: web } }')
const probe = '{ httpGet: { path: /, port: 80 } }'

describe('probes and limits that are gone', () => {
  test.each<[string, KubeObject, KubeObject, readonly KubeObject[], readonly string[]]>([
    [
      'a readiness probe, where a Service leads to the pods',
      deployment(`{ readinessProbe: ${probe} }`),
      deployment(),
      [service],
      ['⚠️ web has no readiness probe any more: it gets traffic as soon as it runs'],
    ],
    [
      'a readiness probe of pods that no Service finds',
      deployment(`{ readinessProbe: ${probe} }`),
      deployment(),
      [other('Service', 'web', '{ selector: { app: other } }')],
      ['web has no readiness probe any more: it counts as ready as soon as it runs'],
    ],
    [
      'a liveness probe',
      deployment(`{ livenessProbe: ${probe}, readinessProbe: ${probe} }`),
      deployment(`{ readinessProbe: ${probe} }`),
      [service],
      ['web has no liveness probe any more: it no longer restarts when it hangs'],
    ],
    [
      'a startup probe, where another one waits for it',
      deployment(`{ livenessProbe: ${probe}, startupProbe: ${probe} }`),
      deployment(`{ livenessProbe: ${probe} }`),
      [],
      ['web has no startup probe any more: the liveness probe counts from the start'],
    ],
    [
      'a startup probe alone',
      deployment(`{ startupProbe: ${probe} }`),
      deployment(),
      [],
      ['containers[web].startupProbe removed'],
    ],
    [
      'of a sidecar',
      deployment('{}', `{ initContainers: [{ name: log, restartPolicy: Always, livenessProbe: ${probe} }] }`),
      deployment('{}', '{ initContainers: [{ name: log, restartPolicy: Always }] }'),
      [],
      ['log has no liveness probe any more: it no longer restarts when it hangs'],
    ],
    [
      'a memory limit, where something is still asked for',
      deployment('{ resources: { limits: { memory: 1Gi }, requests: { cpu: 1 } } }'),
      deployment('{ resources: { requests: { cpu: 1 } } }'),
      [],
      ['web has no memory limit of its own any more', 'containers[web].resources.limits removed'],
    ],
    [
      'all requests and limits',
      deployment('{ resources: { limits: { memory: 1Gi } } }'),
      deployment(),
      [],
      ['⚠️ its pods ask for nothing and are not limited any more (BestEffort): the first to go where memory is short'],
    ],
  ])('%s', (_what, before, after, release, expected) => {
    const [text, ...fields] = said(before, after, release)
    expect([text, ...fields]).toEqual(expected[0]?.startsWith('containers') === true ? ['', ...expected] : expected)
  })

  test.each<[string, KubeObject, KubeObject, readonly KubeObject[]]>([
    [
      'a probe that changes',
      deployment(`{ livenessProbe: ${probe} }`),
      deployment('{ livenessProbe: { exec: {} } }'),
      [],
    ],
    [
      'a limit that a LimitRange of the release fills in',
      deployment('{ resources: { limits: { memory: 1Gi } } }'),
      deployment(),
      [other('LimitRange', 'all', '{ limits: [{ type: Container, default: { memory: 1Gi } }] }')],
    ],
    [
      'a limit of the container that becomes one of the pod',
      deployment('{ resources: { limits: { memory: 1Gi } } }'),
      deployment('{}', '{ resources: { limits: { memory: 1Gi } } }'),
      [],
    ],
    [
      'a container that goes',
      deployment('{}', `{ initContainers: [{ name: a, resources: { limits: { memory: 1 } } }] }`),
      deployment('{ resources: { limits: { memory: 1 } } }'),
      [],
    ],
  ])('not told: %s', (_what, before, after, release) => {
    expect(said(before, after, release)[0]).toBe('')
  })
})

describe('what pods read from now on', () => {
  const secretKey = (extra = '') => `{ secretKeyRef: { name: token, key: value${extra} } }`
  const variable = (from: string) => deployment(`{ env: [{ name: TOKEN, ${from} }] }`)
  const optional = ', optional: true'

  test.each<[string, KubeObject, KubeObject, readonly KubeObject[], string]>([
    [
      'a value that comes from a Secret, which may be missing',
      variable('value: plain'),
      variable(`valueFrom: ${secretKey(optional)}`),
      [],
      '⚠️ env[TOKEN] from Secret/token key value, before that plain text: left out silently where that does not exist',
    ],
    [
      'the same of a Secret of the release',
      variable('value: plain'),
      variable(`valueFrom: ${secretKey(optional)}`),
      [other('Secret', 'token')],
      'env[TOKEN] from Secret/token key value, before that plain text, optional',
    ],
    [
      'a Secret that a controller makes of an object of the release',
      variable('value: plain'),
      variable(`valueFrom: ${secretKey()}`),
      [other('ExternalSecret', 'shop', '{ target: { name: token } }', 'external-secrets.io/v1')],
      'env[TOKEN] from Secret/token key value, before that plain text',
    ],
    [
      'a new variable of a Secret of others',
      deployment('{ env: [{ name: A, value: a }] }'),
      deployment(`{ env: [{ name: A, value: a }, { name: TOKEN, valueFrom: ${secretKey()} }] }`),
      [],
      'env[TOKEN] from Secret/token key value, which is not of the release',
    ],
    [
      'another object',
      variable('valueFrom: { configMapKeyRef: { name: token, key: value } }'),
      variable(`valueFrom: ${secretKey()}`),
      [other('Secret', 'token')],
      'env[TOKEN] from Secret/token key value',
    ],
    [
      'all variables of an object',
      deployment('{ envFrom: [{ secretRef: { name: a } }] }'),
      deployment('{ envFrom: [{ secretRef: { name: a } }, { configMapRef: { name: b, optional: true } }] }'),
      [other('Secret', 'a'), other('ConfigMap', 'b')],
      'envFrom of web from ConfigMap/b, optional',
    ],
    [
      'a volume',
      deployment('{}', '{ volumes: [{ name: conf, configMap: { name: a } }] }'),
      deployment('{}', '{ volumes: [{ name: conf, secret: { secretName: b } }] }'),
      [other('Secret', 'b')],
      'volumes[conf] from Secret/b',
    ],
    [
      'several of one object',
      deployment('{ env: [{ name: A, value: a }, { name: B, value: b }] }'),
      deployment(
        '{ env: [{ name: A, valueFrom: { configMapKeyRef: { name: c, key: a } } }, { name: B, valueFrom: { configMapKeyRef: { name: c, key: b } } }] }',
      ),
      [other('ConfigMap', 'c')],
      'env[A], env[B] from ConfigMap/c, before that plain text',
    ],
  ])('%s', (_what, before, after, release, expected) => {
    const [text, ...fields] = said(before, after, release)
    expect(text).toBe(expected)
    expect(fields).toEqual([])
  })

  test.each<[string, KubeObject, KubeObject]>([
    ['a reference that stays', variable(`valueFrom: ${secretKey()}`), variable(`valueFrom: ${secretKey()}`)],
    ['a field of the pod', variable('value: a'), variable('valueFrom: { fieldRef: { fieldPath: metadata.name } }')],
    ['one that goes', variable(`valueFrom: ${secretKey()}`), variable('value: a')],
    [
      'of a container that comes with it',
      deployment(),
      deployment(
        '{}',
        `{ initContainers: [{ name: i, restartPolicy: Always, env: [{ name: T, valueFrom: ${secretKey()} }] }] }`,
      ),
    ],
  ])('not told: %s', (_what, before, after) => {
    expect(said(before, after)[0]).toBe('')
  })

  test('of a new workload it is not told', () => {
    expect(said(undefined, variable(`valueFrom: ${secretKey()}`))[0]).toBe('')
  })
})

describe('init containers that come new', () => {
  test('pods start only once they have ended; a sidecar is not waited for, and is called one', () => {
    const after = deployment(
      '{}',
      '{ initContainers: [{ name: wait, image: busybox }, { name: log, image: log:1, restartPolicy: Always }] }',
    )
    expect(said(deployment(), after)).toEqual([
      'pods start only after init container wait has ended',
      'init container wait added (busybox), sidecar log added (log:1)',
    ])
    const one = deployment('{}', '{ initContainers: [{ name: log, image: log:1, restartPolicy: Always }] }')
    expect(said(deployment(), one)).toEqual(['', 'sidecar log added (log:1)'])
    const both = deployment(
      '{}',
      '{ initContainers: [{ name: log, image: log:1, restartPolicy: Always }, { name: a, image: a:1 }, { name: b, image: b:1 }] }',
    )
    expect(said(one, both)).toEqual([
      'pods start only after init containers a, b have ended',
      'init container a added (a:1)',
      'init container b added (b:1)',
    ])
  })

  test.each<[string, string, string]>([
    ['one that stays', '[{ name: a, image: a:1 }]', '[{ name: a, image: a:2 }]'],
    ['one that gets another name', '[{ name: a, image: a:1 }]', '[{ name: b, image: a:1 }]'],
    ['one that goes', '[{ name: a, image: a:1 }, { name: b, image: b:1 }]', '[{ name: a, image: a:1 }]'],
  ])('not told: %s', (_what, before, after) => {
    expect(
      said(deployment('{}', `{ initContainers: ${before} }`), deployment('{}', `{ initContainers: ${after} }`))[0],
    ).toBe('')
  })
})
