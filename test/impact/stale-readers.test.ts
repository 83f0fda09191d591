import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import { staleReaders } from '../../src/impact/stale-readers.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { refOfObject } from '../../src/model/ref.ts'

const yaml = (text: string) => load(text) as JsonObject

function object(kind: string, name: string, body: string, apiVersion = 'v1'): KubeObject {
  return { ...yaml(body), apiVersion, kind, metadata: { name, namespace: 'shop' } }
}

const config = (data: string) => object('ConfigMap', 'a', `data: ${data}`)
const [old, now] = [config('{ x: "1", y: "1" }'), config('{ x: "2", y: "1" }')]
const secret = (body: string) => object('Secret', 'a', body)

const template = (spec: string, annotations = '{}') =>
  `template: { metadata: { labels: { app: web }, annotations: ${annotations} }, spec: ${spec} }`
const web = (spec: string, annotations?: string) =>
  object('Deployment', 'web', `spec: { ${template(spec, annotations)} }`, 'apps/v1')

const allAsVariables = '{ containers: [{ envFrom: [{ configMapRef: { name: a } }] }] }'
const asVariable = (key: string) =>
  `{ containers: [{ env: [{ valueFrom: { configMapKeyRef: { name: a, key: ${key} } } }] }] }`
const asFile = (subPath: string, items = '[]') =>
  `{ volumes: [{ name: v, configMap: { name: a, items: ${items} } }], containers: [{ volumeMounts: [{ name: v, mountPath: /x, subPath: ${subPath} }] }] }`
const secretVariables = '{ initContainers: [{ envFrom: [{ secretRef: { name: a } }] }] }'

interface Given {
  readonly before?: KubeObject
  readonly after?: KubeObject
  readonly was?: KubeObject
  readonly is: KubeObject
}

function stale({ after = now, before = old, is, was = is }: Given): readonly string[] {
  const releases = { before: releaseObjects([before, was]), after: releaseObjects([after, is]) }
  return staleReaders(refOfObject(after), before, after, releases)
}

test.each<[string, Given]>([
  ['all of it as variables', { is: web(allAsVariables) }],
  ['the key that changes as a variable', { is: web(asVariable('x')) }],
  ['the key that changes as a file of its own', { is: web(asFile('x')) }],
  ['the same under another name', { is: web(asFile('x.yaml', '[{ key: x, path: x.yaml }]')) }],
  [
    'a Secret as variables',
    { before: secret('data: { x: MQ== }'), after: secret('stringData: { x: "2" }'), is: web(secretVariables) },
  ],
])('pods that read %s have the old values until they restart', (_what, given) => {
  expect(stale(given)).toEqual(['Deployment/web'])
})

test.each<[string, Given]>([
  ['read another key', { is: web(asVariable('y')) }],
  ['mount another key', { is: web(asFile('y')) }],
  ['mount it as a folder, which is updated', { is: web('{ volumes: [{ name: v, configMap: { name: a } }] }') }],
  ['restart in the same plan', { was: web(asVariable('x')), is: web(asVariable('x'), '{ checksum/config: b }') }],
  ['are new', { was: object('ConfigMap', 'other', 'data: {}'), is: web(asVariable('x')) }],
  ['are restarted by a tool', { is: web(asVariable('x'), '{ reloader.stakater.com/auto: "true" }') }],
  ['are new for each run', { is: object('Job', 'web', `spec: { ${template(asVariable('x'))} }`, 'batch/v1') }],
  [
    'read a Secret that is only written otherwise',
    { before: secret('data: { x: MQ== }'), after: secret('stringData: { x: "1" }'), is: web(secretVariables) },
  ],
])('not pods that %s', (_what, given) => {
  expect(stale(given)).toEqual([])
})
