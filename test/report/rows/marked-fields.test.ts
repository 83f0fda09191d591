import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import { markedFields } from '../../../src/report/rows/marked-fields.ts'
import { apply, ref } from '../plans.ts'

const apiVersions: Readonly<Record<string, string>> = {
  CronJob: 'batch/v1',
  Deployment: 'apps/v1',
  Ingress: 'networking.k8s.io/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'v1',
}

function marked(kind: string, before: string, after: string): readonly string[] {
  const bodies = { before: load(before) as JsonObject, after: load(after) as JsonObject }
  const changed = { code: 'chart-changed', paths: [] } as const
  const { impact } = apply(ref(apiVersions[kind] ?? '', kind, 'web'), 'update', changed, bodies)
  return impact === undefined ? [] : markedFields(impact).map(({ path }) => path.replace('spec.template.spec.', ''))
}

const pod = (pods: string, more = '') => `{ spec: { ${more} template: { spec: { dnsPolicy: a, ${pods} } } } }`
const other = (pods: string, more = '') => pod(pods, more).replace('dnsPolicy: a', 'dnsPolicy: b')

test.each([
  [
    'a security context that goes, of the pod and of the container',
    pod(
      'securityContext: { runAsUser: 1 }, containers: [{ name: a, securityContext: { allowPrivilegeEscalation: false } }]',
    ),
    other('containers: [{ name: a }]'),
    ['containers[a].securityContext', 'securityContext'],
  ],
  [
    'a capability, and not the image or another container',
    pod('containers: [{ name: a, image: "x:1.0" }, { name: b, securityContext: { privileged: true } }]'),
    other(
      'containers: [{ name: a, image: "x:1.1", securityContext: { capabilities: { add: [SYS_ADMIN] } } }, { name: b }]',
    ),
    ['containers[a].securityContext'],
  ],
  [
    'a directory of the node',
    pod('containers: [{ name: a }], volumes: [{ name: b, emptyDir: {} }]'),
    other('containers: [{ name: a }], volumes: [{ name: b, emptyDir: {} }, { name: c, hostPath: { path: /etc } }]'),
    ['volumes[c]'],
  ],
  [
    'a privileged container that is new, and not the one that goes',
    pod('containers: [{ name: a }]'),
    other('containers: [{ name: b, securityContext: { privileged: true } }]'),
    ['containers[b]'],
  ],
  [
    'an image of another major version',
    pod('containers: [{ name: a, image: "x:1.0" }]'),
    other('containers: [{ name: a, image: "x:2.0" }]'),
    ['containers[a].image'],
  ],
  ['pods that stop', pod('containers: []', 'replicas: 4,'), other('containers: []', 'replicas: 1,'), ['spec.replicas']],
  ['nothing that matters', pod('containers: []'), other('containers: []'), []],
])('a diff is first about %s', (_what, before, after, expected) => {
  expect(marked('Deployment', before, after)).toEqual(expected)
})

test.each([
  [
    'Service',
    '{ spec: { type: ClusterIP, sessionAffinity: None } }',
    '{ spec: { type: LoadBalancer, sessionAffinity: ClientIP } }',
    ['spec.type'],
  ],
  [
    'Ingress',
    '{ spec: { ingressClassName: a, rules: [{ host: a.example.com }] } }',
    '{ spec: { ingressClassName: b, rules: [{ host: b.example.com }] } }',
    ['spec.rules[a.example.com]', 'spec.rules[b.example.com]'],
  ],
  [
    'NetworkPolicy',
    '{ metadata: { labels: { a: b } }, spec: { podSelector: {}, policyTypes: [Ingress], ingress: [] } }',
    '{ metadata: { labels: { a: c } }, spec: { podSelector: {}, policyTypes: [Ingress], ingress: [{}] } }',
    ['spec.ingress'],
  ],
  [
    'PodDisruptionBudget',
    '{ spec: { maxUnavailable: 1 } }',
    '{ spec: { maxUnavailable: 0, unhealthyPodEvictionPolicy: AlwaysAllow } }',
    ['spec.maxUnavailable'],
  ],
])('and of a %s about what reaches or stops pods', (kind, before, after, expected) => {
  expect(marked(kind, before, after)).toEqual(expected)
})
