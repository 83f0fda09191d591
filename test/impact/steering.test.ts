import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { impactOf } from '../../src/impact/assess.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { refOfObject } from '../../src/model/ref.ts'
import { causePhrase } from '../../src/report/words/cause-text.ts'
import { plainText } from '../../src/report/words/phrase.ts'

const apiVersions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  Ingress: 'networking.k8s.io/v1',
  IngressClass: 'networking.k8s.io/v1',
  StorageClass: 'storage.k8s.io/v1',
}
const releases = { before: releaseObjects([]), after: releaseObjects([]) }
const yaml = (text: string) => load(text) as JsonObject

interface Given {
  readonly kind: string
  readonly before: JsonObject | undefined
  readonly after: JsonObject
  readonly shown?: { readonly before: JsonObject; readonly after: JsonObject }
}

/** Risk and row of the change. */
function said({ after, before, kind, shown }: Given): string {
  const object = (body: JsonObject) =>
    ({ apiVersion: apiVersions[kind] ?? 'v1', kind, ...body }) as unknown as KubeObject
  const real = { ...(before && { before: object(before) }), after: object(after) }
  const impact = impactOf({
    ref: refOfObject(real.after),
    change: before === undefined ? 'create' : 'update',
    real,
    shown: shown === undefined ? real : { before: object(shown.before), after: object(shown.after) },
    isDrifted: false,
    releases,
  })
  const reason = before === undefined ? ({ code: 'new' } as const) : ({ code: 'chart-changed', paths: [] } as const)
  return `${impact.risk}: ${plainText(causePhrase(reason, impact))}`
}

const withMap = (map: string, text: string, spec = '{}'): JsonObject => ({
  metadata: { name: 'web', namespace: 'shop', [map]: yaml(text) },
  spec: yaml(spec),
})
const inMap = (map: string, kind: string) => (before: string, after: string) =>
  said({ kind, before: withMap(map, before), after: withMap(map, after) })
const newInMap = (map: string, kind: string) => (after: string) =>
  said({ kind, before: undefined, after: withMap(map, after) })

describe('annotations of an Ingress', () => {
  const ingress = inMap('annotations', 'Ingress')

  test.each<[string, string, string, string]>([
    [
      'what only sets up its controller, which is told once',
      '{ nginx.ingress.kubernetes.io/proxy-body-size: 8m, example.com/note: a }',
      '{ nginx.ingress.kubernetes.io/proxy-body-size: 16m, cert-manager.io/cluster-issuer: acme, example.com/note: b }',
      'other: annotation cert-manager.io/cluster-issuer added: acme, annotation …/proxy-body-size 8m → 16m; annotation example.com/note a → b',
    ],
    [
      'a wider range',
      '{ nginx.ingress.kubernetes.io/whitelist-source-range: "10.0.0.0/8" }',
      '{ nginx.ingress.kubernetes.io/whitelist-source-range: "10.0.0.0/8,192.0.2.0/24" }',
      'access: ⚠️ takes requests from more addresses: annotation …/whitelist-source-range 10.0.0.0/8 → 10.0.0.0/8,192.0.2.0/24',
    ],
    [
      'all addresses',
      '{ alb.ingress.kubernetes.io/inbound-cidrs: 10.0.0.0/8 }',
      '{ alb.ingress.kubernetes.io/inbound-cidrs: "0.0.0.0/0, ::/0" }',
      'access: ⚠️ takes requests from any address: annotation alb.ingress.kubernetes.io/inbound-cidrs 10.0.0.0/8 → 0.0.0.0/0, ::/0',
    ],
    [
      'no ranges any more',
      '{ a.example.com/allowlist-source-range: 10.0.0.0/8 }',
      '{}',
      'access: ⚠️ takes requests from any address: annotation a.example.com/allowlist-source-range removed: 10.0.0.0/8',
    ],
    [
      'a narrower range',
      '{ a.example.com/allowlist-source-range: 10.0.0.0/8 }',
      '{ a.example.com/allowlist-source-range: 10.1.0.0/16 }',
      'other: takes requests from fewer addresses: annotation a.example.com/allowlist-source-range 10.0.0.0/8 → 10.1.0.0/16',
    ],
    [
      'ranges in another order',
      '{ a.example.com/allowlist-source-range: "10.0.0.0/8,192.0.2.1" }',
      '{ a.example.com/allowlist-source-range: "192.0.2.1, 10.0.0.0/8" }',
      'other: annotation a.example.com/allowlist-source-range 10.0.0.0/8,192.0.2.1 → 192.0.2.1, 10.0.0.0/8',
    ],
    [
      'a load balancer on the internet',
      '{ alb.ingress.kubernetes.io/scheme: internal }',
      '{ alb.ingress.kubernetes.io/scheme: internet-facing }',
      'access: ⚠️ reachable from the internet by its load balancer: annotation alb.ingress.kubernetes.io/scheme internal → internet-facing',
    ],
    [
      'no authentication',
      '{ nginx.ingress.kubernetes.io/auth-url: "https://login.example.com" }',
      '{}',
      'access: ⚠️ no authentication any more: annotation nginx.ingress.kubernetes.io/auth-url removed: https://login.example.com',
    ],
    [
      'authentication by somebody else',
      '{ nginx.ingress.kubernetes.io/auth-url: "https://login.example.com" }',
      '{ nginx.ingress.kubernetes.io/auth-type: basic }',
      'access: ⚠️ authenticates otherwise: annotation nginx.ingress.kubernetes.io/auth-url removed: https://login.example.com; annotation nginx.ingress.kubernetes.io/auth-type added: basic',
    ],
    [
      'one of two ways to authenticate',
      '{ a.example.com/auth-tls-secret: shop/ca, a.example.com/auth-type: basic }',
      '{ a.example.com/auth-tls-secret: shop/ca, a.example.com/auth-type: basic, a.example.com/auth-tls-verify-client: "off" }',
      'access: ⚠️ one way to authenticate less: annotation a.example.com/auth-tls-verify-client added: off',
    ],
    [
      'authentication of a load balancer',
      '{ alb.ingress.kubernetes.io/auth-type: oidc }',
      '{ alb.ingress.kubernetes.io/auth-type: none }',
      'access: ⚠️ no authentication any more: annotation alb.ingress.kubernetes.io/auth-type oidc → none',
    ],
    [
      'authentication from now on',
      '{}',
      '{ a.example.com/auth-type: basic }',
      'other: requests have to authenticate: annotation a.example.com/auth-type added: basic',
    ],
    [
      'no redirect to HTTPS',
      '{ a.example.com/force-ssl-redirect: "true" }',
      '{ a.example.com/force-ssl-redirect: "false" }',
      'access: ⚠️ serves plain HTTP without a redirect to HTTPS: annotation a.example.com/force-ssl-redirect true → false',
    ],
    [
      'entry points of Traefik',
      '{ traefik.ingress.kubernetes.io/router.entrypoints: websecure }',
      '{ traefik.ingress.kubernetes.io/router.entrypoints: "web, websecure" }',
      'access: ⚠️ serves plain HTTP without a redirect to HTTPS: annotation …/router.entrypoints websecure → web, websecure',
    ],
    [
      'a middleware less',
      '{ traefik.ingress.kubernetes.io/router.middlewares: "a-auth@crd,a-gzip@crd" }',
      '{ traefik.ingress.kubernetes.io/router.middlewares: a-gzip@crd }',
      'access: ⚠️ requests pass fewer middlewares: annotation …/router.middlewares a-auth@crd,a-gzip@crd → a-gzip@crd',
    ],
    [
      'a snippet',
      '{}',
      '{ nginx.ingress.kubernetes.io/server-snippet: "a;\\nb;" }',
      'access: ⚠️ configuration of its own for the ingress controller: annotation …/server-snippet added',
    ],
    [
      'a snippet less',
      '{ a.example.com/server-snippet: a }',
      '{}',
      'other: annotation a.example.com/server-snippet removed: a',
    ],
    [
      'a timeout',
      '{ a.example.com/proxy-read-timeout: "5" }',
      '{ a.example.com/proxy-read-timeout: "6" }',
      'other: annotation a.example.com/proxy-read-timeout 5 → 6',
    ],
    [
      'a name in DNS',
      '{ external-dns.alpha.kubernetes.io/hostname: "a.example.com,b.example.com" }',
      '{ external-dns.alpha.kubernetes.io/hostname: b.example.com }',
      'access: ⚠️ a DNS name is no longer published: annotation …/hostname a.example.com,b.example.com → b.example.com',
    ],
  ])('%s', (_what, before, after, expected) => {
    expect(ingress(before, after)).toBe(expected)
  })

  test('with TLS redirect by themselves, until it is switched off', () => {
    const tls = '{ tls: [{}] }'
    const [before, after] = ['{}', '{ a.example.com/ssl-redirect: "false" }'].map((text) =>
      withMap('annotations', text, tls),
    )

    expect(said({ kind: 'Ingress', before, after: after ?? {} })).toBe(
      'access: ⚠️ serves plain HTTP without a redirect to HTTPS: annotation a.example.com/ssl-redirect added: false',
    )
  })

  test('of a new one tell what it brings, and not what it does without', () => {
    const created = newInMap('annotations', 'Ingress')

    expect(created('{ alb.ingress.kubernetes.io/scheme: internet-facing }')).toBe(
      'access: ⚠️ reachable from the internet by its load balancer: annotation alb.ingress.kubernetes.io/scheme added: internet-facing',
    )
    expect(created('{ a.example.com/auth-url: a, a.example.com/ssl-redirect: "false" }')).toBe('new: ')
  })
})

describe('labels and annotations of others', () => {
  const ROLE = 'eks.amazonaws.com/role-arn'

  test.each<[string, string, string, string, string, string]>([
    [
      'another cloud account',
      'ServiceAccount',
      'annotations',
      `{ ${ROLE}: a }`,
      `{ ${ROLE}: b }`,
      `access: ⚠️ its pods get another cloud identity: annotation ${ROLE} a → b`,
    ],
    [
      'no cloud account',
      'ServiceAccount',
      'annotations',
      '{ iam.gke.io/gcp-service-account: a }',
      '{}',
      'access: ⚠️ its pods lose their cloud identity: annotation iam.gke.io/gcp-service-account removed: a',
    ],
    [
      'an object that is no longer kept',
      'PersistentVolumeClaim',
      'annotations',
      '{ helm.sh/resource-policy: keep }',
      '{}',
      'access: ⚠️ is deleted from now on where the chart leaves it out, and on uninstall: annotation helm.sh/resource-policy removed: keep',
    ],
    [
      'an object that is kept',
      'Secret',
      'annotations',
      '{}',
      '{ helm.sh/resource-policy: keep }',
      'other: is kept from now on where the chart leaves it out, and on uninstall: annotation helm.sh/resource-policy added: keep',
    ],
    [
      'a weaker standard',
      'Namespace',
      'labels',
      '{ pod-security.kubernetes.io/enforce: restricted }',
      '{ pod-security.kubernetes.io/enforce: privileged }',
      'access: ⚠️ a weaker Pod Security Standard is enforced: label pod-security.kubernetes.io/enforce restricted → privileged',
    ],
    [
      'a stricter standard',
      'Namespace',
      'labels',
      '{}',
      '{ pod-security.kubernetes.io/enforce: baseline }',
      'access: ⚠️ a stricter Pod Security Standard is enforced: pods that do not meet it are refused: label pod-security.kubernetes.io/enforce added: baseline',
    ],
    [
      'the standard of warnings',
      'Namespace',
      'labels',
      '{ pod-security.kubernetes.io/warn: restricted }',
      '{}',
      'other: label pod-security.kubernetes.io/warn removed: restricted',
    ],
    [
      'a mesh that is left',
      'Namespace',
      'labels',
      '{ istio-injection: enabled }',
      '{ istio-injection: disabled }',
      'access: ⚠️ pods leave the service mesh: label istio-injection enabled → disabled',
    ],
    [
      'the default of the cluster',
      'StorageClass',
      'annotations',
      '{ storageclass.kubernetes.io/is-default-class: "false" }',
      '{ storageclass.kubernetes.io/is-default-class: "true" }',
      'access: ⚠️ becomes the default of the cluster: annotation …/is-default-class false → true',
    ],
    [
      'a key that steers another kind',
      'ConfigMap',
      'annotations',
      `{ ${ROLE}: a }`,
      `{ ${ROLE}: b }`,
      `other: annotation ${ROLE} a → b`,
    ],
  ])('%s', (_what, kind, map, before, after, expected) => {
    expect(inMap(map, kind)(before, after)).toBe(expected)
  })

  test('a new account of the cloud is told without a mark', () => {
    expect(newInMap('annotations', 'ServiceAccount')(`{ ${ROLE}: a }`)).toBe(
      `new: its pods get a cloud identity: annotation ${ROLE} added: a`,
    )
  })

  test('of pods are told beside the restart', () => {
    const workload = (text: string): JsonObject => ({
      metadata: { name: 'web', namespace: 'shop' },
      spec: { replicas: 2, template: { metadata: { annotations: yaml(text) } } },
    })

    expect(
      said({
        kind: 'Deployment',
        before: workload('{ linkerd.io/inject: enabled }'),
        after: workload('{ linkerd.io/inject: disabled }'),
      }),
    ).toBe(
      'access: ⚠️ pods leave the service mesh: annotation linkerd.io/inject enabled → disabled; 2 pods restart in a rolling update (annotations of the template only)',
    )
  })

  test('are told with masked values only', () => {
    const of = (value: string) => withMap('annotations', `{ ${ROLE}: ${value} }`)

    expect(
      said({
        kind: 'ServiceAccount',
        before: of('a'),
        after: of('b'),
        shown: { before: of('"*"'), after: of('"* (changed)"') },
      }),
    ).toBe(`access: ⚠️ its pods get another cloud identity: annotation ${ROLE} * → * (changed)`)
  })
})
