import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { impactOf } from '../../src/impact/assess.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { refOfObject } from '../../src/model/ref.ts'
import { plainText } from '../../src/report/words/phrase.ts'
import { trafficPhrase } from '../../src/report/words/traffic-text.ts'

const yaml = (text: string) => load(text) as JsonObject
const apiVersions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  Ingress: 'networking.k8s.io/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  Service: 'v1',
}

function object(kind: string, spec: string, { annotations = '{}', name = 'web' } = {}): KubeObject {
  const metadata = { name, namespace: 'shop', annotations: yaml(annotations) as Record<string, string> }
  return { apiVersion: apiVersions[kind] ?? '', kind, metadata, spec: yaml(spec) }
}

const deployment = (app: string) =>
  object('Deployment', `{ template: { metadata: { labels: { app: ${app} } } } }`, { name: app })
const web = deployment('web')

interface Given {
  readonly before?: KubeObject
  readonly after?: KubeObject
  /** Beside it in the release, before and after. */
  readonly beside?: readonly KubeObject[]
}

/** What is said of it, after its risk. */
function said({ after, before, beside = [web] }: Given): string {
  const one = after ?? before
  if (one === undefined) throw new Error('nothing to compare')
  const release = (own: KubeObject | undefined) => releaseObjects([...beside, ...(own === undefined ? [] : [own])])
  const releases = { before: release(before), after: release(after) }
  const change = after === undefined ? 'delete' : before === undefined ? 'create' : 'update'
  const pair = { ...(before && { before }), ...(after && { after }) }
  const { noise, risk, traffic } = impactOf({
    ref: refOfObject(one),
    change,
    real: pair,
    shown: pair,
    isDrifted: false,
    releases,
  })
  // Who reaches pods is never noise, where an annotation decides as well.
  expect(noise !== undefined && traffic !== undefined).toBe(false)
  return traffic === undefined ? risk : `${risk}: ${plainText(trafficPhrase(traffic))}`
}

const service = (spec: string, annotations?: string) => object('Service', spec, { ...(annotations && { annotations }) })
const inside = service('{ type: ClusterIP }')
const balanced = (ranges: string) => service(`{ type: LoadBalancer, loadBalancerSourceRanges: ${ranges} }`)
const internal = (key: string, value: string) => service('{ type: LoadBalancer }', `{ ${key}: "${value}" }`)
const OUTSIDE = 'access: ⚠️ reachable from outside the cluster (LoadBalancer)'
const ANYWHERE = `${OUTSIDE}, from any address`
const INTERNAL = 'access: reachable by an internal load balancer (LoadBalancer)'

describe('from where a Service is reached', () => {
  test.each<[string, Given, string]>([
    ['a load balancer', { before: inside, after: service('{ type: LoadBalancer }') }, ANYWHERE],
    ['a new one', { after: service('{ type: LoadBalancer }') }, ANYWHERE],
    ['a new one of the usual type', { after: inside }, 'new'],
    [
      'on its ports',
      {
        before: inside,
        after: service('{ type: LoadBalancer, ports: [{ port: 80 }, { port: 53, protocol: UDP, nodePort: 30053 }] }'),
      },
      `${OUTSIDE} on ports 80, 53/UDP, from any address`,
    ],
    [
      'on ports of the nodes',
      { after: service('{ type: NodePort, ports: [{ port: 80, nodePort: 30080 }, { port: 443, protocol: TCP }] }') },
      'access: ⚠️ reachable from outside the cluster by ports of the nodes (NodePort): 30080 for 80, one that the cluster picks for 443',
    ],
    [
      'all addresses, as its ranges say',
      { after: service('{ type: LoadBalancer, loadBalancerSourceRanges: [0.0.0.0/0] }') },
      ANYWHERE,
    ],
    [
      'limited by an annotation that only its cloud reads',
      { after: internal('service.beta.kubernetes.io/azure-allowed-service-tags', 'AzureFrontDoor.Backend') },
      OUTSIDE,
    ],
    [
      'limited by security groups',
      { after: internal('service.beta.kubernetes.io/aws-load-balancer-security-groups', 'sg-1') },
      OUTSIDE,
    ],
    ['from some addresses only', { after: balanced('[10.0.0.0/8]') }, `${OUTSIDE}, from 10.0.0.0/8 only`],
    [
      'source ranges that go',
      { before: balanced('[10.0.0.0/8]'), after: service('{ type: LoadBalancer }') },
      'access: ⚠️ reachable from any address',
    ],
    [
      'more source ranges',
      { before: balanced('[10.0.0.0/8]'), after: balanced('[10.0.0.0/8, 192.0.2.0/24]') },
      'access: ⚠️ reachable from 192.0.2.0/24 as well',
    ],
    [
      'all addresses among the ranges',
      { before: balanced('[10.0.0.0/8]'), after: balanced('["::/0", 10.0.0.0/8]') },
      'access: ⚠️ reachable from any address',
    ],
    ['a part of a range', { before: balanced('[10.0.0.0/8]'), after: balanced('[10.1.0.0/16, 10.2.0.7]') }, 'other'],
    ['fewer source ranges', { before: balanced('[10.0.0.0/8, 0.0.0.0/0]'), after: balanced('[10.0.0.0/8]') }, 'other'],
    [
      'ports of the nodes',
      { before: inside, after: service('{ type: NodePort }') },
      'access: ⚠️ reachable from outside the cluster by ports of the nodes (NodePort)',
    ],
    [
      'no longer',
      { before: service('{ type: NodePort }'), after: inside },
      'access: ⚠️ no longer reachable from outside the cluster',
    ],
    [
      'an internal load balancer by its flag',
      { after: internal('service.beta.kubernetes.io/azure-load-balancer-internal', 'true') },
      INTERNAL,
    ],
    [
      'an internal load balancer by its type',
      { after: internal('networking.gke.io/load-balancer-type', 'Internal') },
      INTERNAL,
    ],
    [
      'an internal load balancer of OpenStack',
      { after: internal('service.beta.kubernetes.io/openstack-internal-load-balancer', 'true') },
      INTERNAL,
    ],
    [
      'an internal load balancer by a word of the cloud',
      { after: internal('service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type', 'intranet') },
      INTERNAL,
    ],
    [
      'the controller of AWS, which makes it internal',
      { after: internal('service.beta.kubernetes.io/aws-load-balancer-type', 'external') },
      INTERNAL,
    ],
    ['another type of AWS', { after: internal('service.beta.kubernetes.io/aws-load-balancer-type', 'nlb') }, ANYWHERE],
    [
      'an internal load balancer that is none any more',
      {
        before: internal('service.beta.kubernetes.io/aws-load-balancer-scheme', 'internal'),
        after: internal('service.beta.kubernetes.io/aws-load-balancer-scheme', 'internet-facing'),
      },
      'access: ⚠️ its load balancer is no longer internal: reachable from outside, from any address',
    ],
    [
      'an internal load balancer whose annotation goes',
      { before: internal('cloud.google.com/load-balancer-type', 'Internal'), after: service('{ type: LoadBalancer }') },
      'access: ⚠️ its load balancer is no longer internal: reachable from outside, from any address',
    ],
    [
      'ports of the nodes instead of a load balancer',
      { before: service('{ type: LoadBalancer }'), after: service('{ type: NodePort }') },
      'access: ⚠️ no load balancer any more: reachable by ports of the nodes only (NodePort)',
    ],
    [
      'a load balancer that becomes internal',
      {
        before: service('{ type: LoadBalancer }'),
        after: internal('networking.gke.io/load-balancer-type', 'Internal'),
      },
      'access: ⚠️ no longer reachable from outside: its load balancer becomes internal',
    ],
    [
      'the pods themselves',
      { before: service('{ clusterIP: 10.1.2.3 }'), after: service('{ clusterIP: None }') },
      'access: ⚠️ no address of its own any more (headless): its name leads to the pods themselves',
    ],
    [
      'an address of its own',
      { before: inside, after: service('{ externalIPs: [192.0.2.1] }') },
      'access: ⚠️ reachable by 192.0.2.1',
    ],
  ])('%s', (_what, given, expected) => {
    expect(said(given)).toBe(expected)
  })
})

describe('which pods a Service selects', () => {
  const selecting = (selector: string) => service(`{ selector: ${selector} }`)

  test.each<[string, Given, string]>([
    [
      'none of the release any more',
      { before: selecting('{ app: web }'), after: selecting('{ app: wbe }') },
      'access: ⚠️ selects no pods of the release',
    ],
    [
      'others of the release',
      { before: selecting('{ app: web }'), after: selecting('{ app: api }'), beside: [web, deployment('api')] },
      'other',
    ],
    ['never any of the release', { before: selecting('{ app: a }'), after: selecting('{ app: b }') }, 'other'],
    ['those of somebody else from now on', { before: selecting('{ app: web }'), after: service('{}') }, 'other'],
  ])('%s', (_what, given, expected) => {
    expect(said(given)).toBe(expected)
  })
})

describe('who still needs what goes', () => {
  const leading = (port: string, name = 'web') =>
    object('Ingress', `{ defaultBackend: { service: { name: ${name}, port: ${port} } } }`, { name: 'shop' })
  const withPorts = (ports: string) => service(`{ ports: ${ports} }`)
  const [both, one] = [
    withPorts('[{ name: http, port: 80 }, { name: admin, port: 81 }]'),
    withPorts('[{ name: http, port: 80 }]'),
  ]
  const GONE = 'access: ⚠️ no longer answers on port 81'
  const NEEDED = `${GONE}; ⚠️ Ingress/shop still names a port that goes`

  test.each<[string, KubeObject, string]>([
    ['a port by its name', leading('{ name: admin }'), NEEDED],
    ['a port by its number', leading('{ number: 81 }'), NEEDED],
    ['another port', leading('{ number: 80 }'), GONE],
    ['a port that never was', leading('{ number: 82 }'), GONE],
    ['a port of another Service', leading('{ number: 81 }', 'api'), GONE],
  ])('%s', (_what, ingress, expected) => {
    expect(said({ before: both, after: one, beside: [ingress] })).toBe(expected)
  })

  test.each<[string, string, string, string]>([
    ['one of two numbers', '[{ port: 80 }, { port: 81 }]', '[{ port: 80 }]', GONE],
    ['another number', '[{ name: http, port: 80 }]', '[{ name: http, port: 8080 }]', GONE.replace('81', '80')],
    [
      'one of two protocols',
      '[{ name: a, port: 53 }, { name: b, port: 53, protocol: UDP }]',
      '[{ name: a, port: 53, protocol: TCP }]',
      'access: ⚠️ no longer answers on port 53/UDP',
    ],
    ['another name', '[{ name: admin, port: 81 }]', '[{ name: ops, port: 81 }]', 'other'],
    [
      'one of two names',
      '[{ name: a, port: 81 }, { name: b, port: 81, targetPort: 8081 }]',
      '[{ name: a, port: 81 }]',
      'other',
    ],
    ['one more', '[{ name: http, port: 80 }]', '[{ name: http, port: 80 }, { name: b, port: 81 }]', 'other'],
    [
      'other pods behind it',
      '[{ name: http, port: 80, targetPort: 1 }]',
      '[{ name: http, port: 80, targetPort: 2 }]',
      'other',
    ],
  ])('ports of a Service: %s', (_what, before, after, expected) => {
    expect(said({ before: withPorts(before), after: withPorts(after), beside: [] })).toBe(expected)
  })

  test.each(['clusterIP: None', 'type: ExternalName'])('ports of a Service that only gives a name: %s', (how) => {
    const withPort = (port: number) => service(`{ ${how}, ports: [{ name: a, port: ${port} }] }`)

    expect(said({ before: withPort(80), after: withPort(81), beside: [] })).toBe('other')
  })

  const custom = (apiVersion: string, kind: string, spec: string, namespace = 'shop'): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name: 'one', namespace },
    spec: yaml(spec),
  })
  const monitor = (port: string, selector: string, more = '', namespace = 'shop') =>
    custom(
      'monitoring.coreos.com/v1',
      'ServiceMonitor',
      `{ endpoints: [{ port: ${port} }], selector: ${selector} ${more} }`,
      namespace,
    )
  const route = (port: number, more = '') =>
    custom(
      'gateway.networking.k8s.io/v1',
      'HTTPRoute',
      `{ rules: [{ backendRefs: [{ name: web, port: ${port} ${more} }] }] }`,
    )
  const server = (kind: string, body: string): KubeObject => ({
    apiVersion: kind === 'APIService' ? 'apiregistration.k8s.io/v1' : 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'one' },
    ...yaml(body),
  })
  const hook = (port: string) =>
    server(
      'MutatingWebhookConfiguration',
      `{ webhooks: [{ clientConfig: { service: { name: web, namespace: shop ${port} } } }] }`,
    )
  const ANY = '{ matchLabels: { app: web } }'

  test.each<[string, KubeObject, boolean]>([
    ['a ServiceMonitor by its name', monitor('admin', ANY), true],
    ['a ServiceMonitor of all namespaces', monitor('admin', ANY, ', namespaceSelector: { any: true }', 'ops'), true],
    [
      'a ServiceMonitor of its namespace',
      monitor('admin', ANY, ', namespaceSelector: { matchNames: [shop] }', 'ops'),
      true,
    ],
    ['a ServiceMonitor of another namespace', monitor('admin', ANY, '', 'ops'), false],
    ['a ServiceMonitor of other Services', monitor('admin', '{ matchLabels: { app: api } }'), false],
    ['a ServiceMonitor of a port that stays', monitor('http', ANY), false],
    ['a ServiceMonitor of the new name', monitor('ops', ANY), false],
    ['a route by its number', route(443), true],
    ['a route to a port that stays', route(80), false],
    ['a route to another namespace', route(443, ', namespace: ops'), false],
    ['a route to what is no Service', route(443, ', kind: Bucket'), false],
    ['a webhook without a port', hook(''), true],
    ['a webhook of a port that stays', hook(', port: 80'), false],
    ['an API', server('APIService', '{ spec: { service: { name: web, namespace: shop } } }'), true],
    ['an API of another Service', server('APIService', '{ spec: { service: { name: api, namespace: shop } } }'), false],
  ])('%s', (_what, user, isTold) => {
    const labelled = (ports: string): KubeObject => {
      const one = withPorts(ports)
      return { ...one, metadata: { ...one.metadata, labels: { app: 'web' } } }
    }
    const before = labelled('[{ name: http, port: 80 }, { name: admin, port: 81 }, { name: tls, port: 443 }]')
    const after = labelled('[{ name: http, port: 80 }, { name: ops, port: 81 }, { name: tls, port: 8443 }]')
    const text = said({ before, after, beside: [user] })

    expect(text).toBe(
      `access: ⚠️ no longer answers on port 443${isTold ? `; ⚠️ ${user.kind}/one still names a port that goes` : ''}`,
    )
  })

  const labelled = (labels: string) => object('Deployment', `{ template: { metadata: { labels: ${labels} } } }`)
  const tier = service('{ selector: { tier: front } }')

  test.each<[string, readonly KubeObject[], string]>([
    ['a Service', [tier], 'restart: ⚠️ Service/web no longer finds its pods by their labels'],
    ['a Service of other pods', [service('{ selector: { tier: back } }')], 'restart'],
    ['a Service without a selector', [service('{}')], 'restart'],
  ])('labels of pods, used by %s', (_what, beside, expected) => {
    const [before, after] = [labelled('{ app: web, tier: front }'), labelled('{ app: web }')]
    const text = said({ before, after, beside })

    expect(text.replace('access', 'restart')).toBe(expected)
  })
})

describe('what a NetworkPolicy closes and opens', () => {
  const policy = (spec: string, name = 'web') => object('NetworkPolicy', spec, { name })
  const closed = policy('{ podSelector: {}, policyTypes: [Ingress] }')
  const ofWeb = (rules: string) => policy(`{ podSelector: { matchLabels: { app: web } }, ${rules} }`)

  test.each<[string, Given, string]>([
    [
      'a namespace',
      { after: closed },
      'access: ⚠️ no pod of the namespace accepts connections unless another policy allows it',
    ],
    [
      'both directions',
      { after: policy('{ podSelector: {}, policyTypes: [Ingress, Egress] }') },
      'access: ⚠️ no pod of the namespace accepts connections unless another policy allows it; ⚠️ no pod of the namespace can connect anywhere unless another policy allows it',
    ],
    ['pods of a workload', { after: ofWeb('ingress: []') }, 'access: ⚠️ pods of Deployment/web accept no connections'],
    [
      'what pods of a workload send',
      { before: ofWeb('policyTypes: [Ingress]'), after: ofWeb('policyTypes: [Ingress, Egress]') },
      'access: ⚠️ pods of Deployment/web can connect nowhere',
    ],
    [
      'pods that another policy lets through',
      {
        after: ofWeb('ingress: []'),
        beside: [web, object('NetworkPolicy', '{ podSelector: {}, ingress: [{}] }', { name: 'all' })],
      },
      'new',
    ],
    ['pods of others', { after: ofWeb('ingress: []'), beside: [] }, 'new'],
    [
      'a namespace with exceptions',
      { after: policy('{ podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] }') },
      'access: ⚠️ pods of Deployment/web accept connections only from all pods of the namespace',
    ],
    [
      'a namespace no more',
      { before: closed },
      'stopped: ⚠️ pods of the namespace accept all connections unless another policy selects them',
    ],
    [
      'its only policy',
      { before: ofWeb('ingress: []') },
      'stopped: ⚠️ pods of Deployment/web accept all connections: no policy of the release selects them any more',
    ],
    [
      'one of two policies',
      { before: ofWeb('ingress: []'), beside: [web, policy('{ podSelector: {} }', 'all')] },
      'stopped',
    ],
    [
      'one of two, the other for what they send',
      { before: ofWeb('ingress: []'), beside: [web, policy('{ podSelector: {}, policyTypes: [Egress] }', 'all')] },
      'stopped: ⚠️ pods of Deployment/web accept all connections: no policy of the release selects them any more',
    ],
    ['pods that go with it', { before: ofWeb('ingress: []'), beside: [] }, 'stopped'],
    [
      'what pods send',
      { before: ofWeb('policyTypes: [Ingress, Egress]'), after: ofWeb('policyTypes: [Ingress]') },
      'access: ⚠️ pods of Deployment/web can connect anywhere: no policy of the release selects them any more',
    ],
    [
      'a rule for everybody',
      {
        before: ofWeb('ingress: [{ from: [{ podSelector: {} }] }]'),
        after: ofWeb('ingress: [{ ports: [{ port: 80 }] }]'),
      },
      'access: ⚠️ its pods accept connections from anywhere',
    ],
    [
      'all addresses',
      {
        before: ofWeb('egress: [{ to: [{ podSelector: {} }] }]'),
        after: ofWeb('egress: [{ to: [{ ipBlock: { cidr: 0.0.0.0/0 } }] }]'),
      },
      'access: ⚠️ its pods can connect to anywhere',
    ],
  ])('%s', (_what, given, expected) => {
    expect(said(given)).toBe(expected)
  })
})

describe('what the rules of a NetworkPolicy say', () => {
  const policy = (rules: string, name = 'web') =>
    object('NetworkPolicy', `{ podSelector: { matchLabels: { app: web } }, ${rules} }`, { name })
  const DNS =
    '{ to: [{ namespaceSelector: {}, podSelector: { matchLabels: { k8s-app: dns } } }], ports: [{ port: 53, protocol: UDP }, { port: 53 }] }'
  const from = (...apps: readonly string[]) =>
    `ingress: [{ from: [${apps.map((app) => `{ podSelector: { matchLabels: { app: ${app} } } }`).join(', ')}] }]`

  test.each<[string, Given, string]>([
    [
      'where pods may connect from now on',
      {
        before: policy('policyTypes: [Ingress], ingress: [{}]'),
        after: policy(
          `policyTypes: [Ingress, Egress], ingress: [{}], egress: [${DNS}, { to: [{ ipBlock: { cidr: 10.0.0.0/8 } }] }]`,
        ),
      },
      'access: ⚠️ pods of Deployment/web can connect only to pods k8s-app=dns of all namespaces on 53/UDP, 53/TCP, 10.0.0.0/8',
    ],
    [
      'a new policy for pods that run',
      { after: policy('ingress: [{ ports: [{ port: 80, endPort: 90 }] }]') },
      'access: ⚠️ pods of Deployment/web accept connections only from anywhere on 80-90',
    ],
    [
      'where pods of others may connect from now on',
      {
        before: policy('policyTypes: [Ingress], ingress: [{}]'),
        after: policy('policyTypes: [Ingress, Egress], ingress: [{}], egress: [{ ports: [{ port: 53 }] }]'),
        beside: [],
      },
      'access: ⚠️ its pods can connect only to anywhere on 53',
    ],
    [
      'a new policy for pods of others',
      { after: policy('ingress: [{ from: [{ podSelector: {} }] }]'), beside: [] },
      'new',
    ],
    ['a new policy that allows all', { after: policy('ingress: [{}]') }, 'new'],
    [
      'pods that a policy limited before',
      { after: policy(from('a')), beside: [web, policy(from('b'), 'other')] },
      'new',
    ],
    [
      'pods that another policy lets through',
      { after: policy(from('a')), beside: [web, policy('ingress: [{}]', 'other')] },
      'new',
    ],
    [
      'somebody else as well',
      { before: policy(from('a')), after: policy(from('b', 'a')) },
      'access: its pods also accept connections from pods app=b',
    ],
    [
      'somebody no longer',
      { before: policy(from('a', 'b')), after: policy(from('a')) },
      'access: ⚠️ its pods no longer accept connections from pods app=b',
    ],
    ['the same in another order', { before: policy(from('a', 'b')), after: policy(from('b', 'a')) }, 'other'],
    [
      'ranges with exceptions, and namespaces',
      {
        before: policy('policyTypes: [Egress], egress: []'),
        after: policy(
          'policyTypes: [Egress], egress: [{ to: [{ ipBlock: { cidr: 0.0.0.0/0, except: [10.0.0.0/8] } }, { namespaceSelector: { matchLabels: { team: a } } }] }]',
        ),
      },
      'access: its pods can also connect to 0.0.0.0/0 except 10.0.0.0/8, namespaces team=a',
    ],
  ])('%s', (_what, given, expected) => {
    expect(said(given)).toBe(expected)
  })

  test('are bounded: four peers are named, and long selectors are not', () => {
    const many = from(...Array.from({ length: 7 }, (_, index) => `a${index}`), 'x'.repeat(60))

    expect(
      said({
        before: policy('ingress: [{ from: [{ podSelector: { matchLabels: { app: a } } }] }]'),
        after: policy(many),
      }),
    ).toMatch(/from pods app=a0, pods app=a1, pods app=a2, pods app=a3 and 4 more$/)
  })
})

const withClass = (ingress: KubeObject, ingressClassName: string): KubeObject => ({
  ...ingress,
  spec: { ...(ingress.spec as JsonObject), ingressClassName },
})

describe('what an Ingress serves', () => {
  const ingress = (hosts: readonly string[], tls = '[]') =>
    object('Ingress', `{ rules: [${hosts.map((host) => `{ host: ${host} }`).join(', ')}], tls: ${tls} }`)
  const plain = ingress(['a.example.com'])
  const secure = ingress(['a.example.com'], '[{ hosts: [a.example.com] }]')

  test.each<[string, Given, string]>([
    [
      'a new host',
      { before: plain, after: ingress(['a.example.com', 'b.example.com']) },
      'access: serves b.example.com',
    ],
    [
      'a new host, and certificates for both',
      {
        before: plain,
        after: ingress(['a.example.com', 'b.example.com'], '[{ hosts: [a.example.com, b.example.com] }]'),
      },
      'access: serves b.example.com; a.example.com is served by TLS now; TLS for b.example.com',
    ],
    ['a new Ingress with TLS', { after: secure }, 'access: serves a.example.com'],
    ['a new Ingress', { after: plain }, 'access: serves a.example.com'],
    [
      'a host less',
      { before: ingress(['a.example.com', 'b.example.com']), after: plain },
      'access: ⚠️ no longer serves b.example.com',
    ],
    [
      'any host',
      { before: plain, after: object('Ingress', '{ rules: [{ host: a.example.com }, {}] }') },
      'access: serves *',
    ],
    ['its hosts with it', { before: plain }, 'stopped: ⚠️ no longer serves a.example.com'],
    [
      'a host that another one serves',
      { before: plain, beside: [object('Ingress', '{ rules: [{ host: a.example.com }] }', { name: 'other' })] },
      'stopped',
    ],
    [
      'a host that a route serves',
      {
        before: plain,
        beside: [
          { ...object('HTTPRoute', '{ hostnames: [a.example.com] }'), apiVersion: 'gateway.networking.k8s.io/v1' },
        ],
      },
      'stopped',
    ],
    [
      'another class',
      {
        before: object('Ingress', '{}', { annotations: '{ kubernetes.io/ingress.class: nginx }' }),
        after: object('Ingress', '{ ingressClassName: public }'),
      },
      'access: ⚠️ served by another ingress class: nginx → public',
    ],
    [
      'the same class, told by its field',
      {
        before: object('Ingress', '{}', { annotations: '{ kubernetes.io/ingress.class: nginx }' }),
        after: object('Ingress', '{ ingressClassName: nginx }'),
      },
      'other: its ingress class nginx moves from the annotation to ingressClassName',
    ],
    [
      'a class told both ways, then by one',
      {
        before: object('Ingress', '{ ingressClassName: nginx }', {
          annotations: '{ kubernetes.io/ingress.class: nginx }',
        }),
        after: object('Ingress', '{ ingressClassName: nginx }'),
      },
      'other',
    ],
    ['TLS', { before: plain, after: secure }, 'other: a.example.com is served by TLS now'],
    [
      'TLS by ingress-nginx, which redirects',
      { before: withClass(plain, 'nginx'), after: withClass(secure, 'nginx') },
      'access: ⚠️ a.example.com is served by TLS now, and plain HTTP is redirected to it',
    ],
    [
      'TLS by an ingress-nginx that is told not to redirect',
      {
        before: withClass(plain, 'nginx'),
        after: {
          ...withClass(secure, 'nginx'),
          metadata: { ...secure.metadata, annotations: { 'nginx.ingress.kubernetes.io/ssl-redirect': 'false' } },
        },
      },
      'other: a.example.com is served by TLS now',
    ],
    [
      'TLS by a class of the release that only has its name',
      {
        before: withClass(plain, 'nginx'),
        after: withClass(secure, 'nginx'),
        beside: [
          {
            apiVersion: 'networking.k8s.io/v1',
            kind: 'IngressClass',
            metadata: { name: 'nginx' },
            spec: { controller: 'nginx.org/ingress-controller' },
          },
        ],
      },
      'other: a.example.com is served by TLS now',
    ],
    ['TLS no more', { before: secure, after: plain }, 'access: ⚠️ no TLS for a.example.com any more'],
    [
      'TLS by a wildcard',
      { before: secure, after: ingress(['a.example.com'], '[{ hosts: ["*.example.com"] }]') },
      'other',
    ],
  ])('%s', (_what, given, expected) => {
    expect(said(given)).toBe(expected)
  })
})

describe('pods behind a NetworkPolicy of the release', () => {
  const policy = (spec: string, name = 'deny') => object('NetworkPolicy', spec, { name })
  const deny = policy('{ podSelector: {}, policyTypes: [Ingress] }')
  const some = policy(
    '{ podSelector: { matchLabels: { app: web } }, ingress: [{ from: [{ podSelector: {} }] }] }',
    'some',
  )
  const all = policy('{ podSelector: { matchLabels: { app: web } }, ingress: [{}] }', 'all')
  const balancer = service('{ type: LoadBalancer, selector: { app: web }, ports: [{ port: 80 }] }')
  const node = object('Service', '{ type: NodePort, selector: { app: other } }', { name: 'node' })
  const hidden = service('{ type: ClusterIP, selector: { app: web } }')
  const ingress = object('Ingress', '{ defaultBackend: { service: { name: web, port: { number: 80 } } } }', {
    name: 'site',
  })
  const webhook: KubeObject = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'guard' },
    webhooks: [{ name: 'a.example.com', clientConfig: { service: { name: 'web', namespace: 'shop' } } }],
  }
  const NOBODY = 'access: ⚠️ no pod of the namespace accepts connections unless another policy allows it'
  const CUT = '⚠️ no policy of the release lets connections through to the pods behind'

  test.each<[string, Given, string]>([
    [
      'a load balancer is reached by nobody where they let nothing pass',
      { before: inside, after: balancer, beside: [web, deny] },
      `${OUTSIDE} on port 80, but NetworkPolicy/deny lets nothing pass to its pods unless another policy does`,
    ],
    [
      'as far as one lets pass',
      { before: inside, after: balancer, beside: [web, some] },
      `${OUTSIDE} on port 80, as far as NetworkPolicy/some lets pass`,
    ],
    [
      'as far as several let pass',
      { before: inside, after: balancer, beside: [web, deny, some] },
      `${OUTSIDE} on port 80, as far as NetworkPolicy/deny, NetworkPolicy/some let pass`,
    ],
    [
      'from anywhere, where one of them lets everybody through',
      { before: inside, after: balancer, beside: [web, deny, all] },
      `${OUTSIDE} on port 80, from any address`,
    ],
    [
      'from anywhere, where they are about other pods',
      { before: inside, after: balancer, beside: [web, policy('{ podSelector: { matchLabels: { app: db } } }')] },
      `${OUTSIDE} on port 80, from any address`,
    ],
    [
      'from anywhere, where they are about connections of the pods only',
      { before: inside, after: balancer, beside: [web, policy('{ podSelector: {}, policyTypes: [Egress] }')] },
      `${OUTSIDE} on port 80, from any address`,
    ],
    ['a policy cuts off a load balancer', { after: deny, beside: [web, balancer] }, `${NOBODY}; ${CUT} Service/web`],
    [
      'a policy cuts off pods that are not of the release',
      { after: deny, beside: [node] },
      `${NOBODY}; ${CUT} Service/node`,
    ],
    [
      'a policy cuts off what an Ingress and a webhook lead to',
      { after: deny, beside: [web, hidden, ingress, webhook] },
      `${NOBODY}; ${CUT} Ingress/site, ValidatingWebhookConfiguration/guard, Service/web`,
    ],
    ['a policy cuts off nobody where another one allows some', { after: deny, beside: [web, balancer, some] }, NOBODY],
    [
      'a policy cuts off a Service inside of the cluster',
      { after: deny, beside: [web, hidden] },
      `${NOBODY}; ${CUT} Service/web`,
    ],
    [
      'a policy cuts off what is exposed, and then what is not',
      { after: deny, beside: [{ ...hidden, metadata: { ...hidden.metadata, name: 'api' } }, web, balancer] },
      `${NOBODY}; ${CUT} Service/web, Service/api`,
    ],
    [
      'a policy for some pods cuts them off',
      {
        after: policy('{ podSelector: { matchLabels: { app: web } }, policyTypes: [Ingress] }'),
        beside: [web, balancer, node],
      },
      `access: ⚠️ pods of Deployment/web accept no connections; ${CUT} Service/web`,
    ],
  ])('%s', (_what, given, expected) => {
    expect(said(given)).toBe(expected)
  })
})
