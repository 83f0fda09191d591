import { dump } from 'js-yaml'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Api, at, type Json, openApi } from '../../src/tools/local/cluster/cluster-api.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { createNamespace, type Namespace, waitForObject } from '../cluster/namespace.ts'
import { chartOf } from './chart-of.ts'
import { type Chapter, live } from './life.ts'
import { writesOfAuthor } from './timeline.ts'
import { MARK, OWN_ADDRESS, startWebhookBackend, type WebhookBackend } from './webhook-backend.ts'

const { kubeconfig, local } = inject('cluster')
const SIMULATE = 'simulate.staged-helm-deploy.dev'
const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const CRD_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/issuers.cert-manager.io'
const SERVICE = 'cert-manager-webhook'
const WEBHOOK = 'webhook.cert-manager.io'
const KINDS = [
  ['ValidatingWebhookConfiguration', 'validatingwebhookconfigurations'],
  ['MutatingWebhookConfiguration', 'mutatingwebhookconfigurations'],
] as const

/** A release that looks like cert-manager and brings an Issuer, which its own webhooks decide about. */
interface Release {
  /** How long the pod of the webhook takes. */
  readonly readyAfter?: string
  readonly scenario?: string
  /** Of the Service: with another one it never has endpoints. */
  readonly selects?: string
  readonly caBundle?: string
  readonly issuerWeight?: string
  readonly secretName?: string
  readonly operations?: readonly string[]
}

/** Sources: docs/decisions/0043. */
describe.skipIf(local === undefined || OWN_ADDRESS === undefined)('a webhook and what it decides about', () => {
  const api = openApi(kubeconfig)
  let namespace: Namespace
  let backend: WebhookBackend

  beforeEach(async () => {
    await removeClusterObjects(api)
    namespace = await createNamespace(kubeconfig, 'starting')
    backend = await startWebhookBackend(namespace, SERVICE)
  })
  afterEach(async () => {
    await removeClusterObjects(api)
    await namespace.remove()
    await backend.close()
  })

  const run = async (release: Release, inputs: { readonly [name: string]: string } = {}): Promise<Chapter> => {
    const workspace = await chartOf(filesOf(release, backend, namespace))
    return live(namespace, { command: 'deploy', chart: '.', ...inputs }, { workspace })
  }
  const issuer = () => `${namespace.in('cert-manager.io/v1')}/issuers/own`

  test('come in one release, the Issuer in a later group: it is written once, the second deploy writes nothing', async () => {
    const release = { readyAfter: '5s', caBundle: backend.caBundle, issuerWeight: '10' }
    const plan = await run(release, { command: 'plan' })
    expect(plan.exitCode, plan.log).toBe(0)
    expect(plan.log).toMatch(/Issuer\/\S+\/own: .*unknown until applied, its kind is not served yet/)

    const [first] = await Promise.all([run(release), reportReady(api, issuer())])
    expect(first.exitCode, first.log).toBe(0)
    expect(issuerWrites(first)).toHaveLength(1)
    expect(at(await api.get(issuer()), 'metadata', 'annotations', MARK)).toBe('yes')

    await expectNothingWritten(release)
  })

  test('come in one group: the write waits for the pods and for the authority that another tool puts into the webhooks', async () => {
    const release = { readyAfter: '11s' }
    const running = run(release)
    await waitForRefusal(namespace, 'x509: certificate signed by unknown authority')
    await putAuthority(api, backend.caBundle)
    const [first] = await Promise.all([running, reportReady(api, issuer())])
    expect(first.exitCode, first.log).toBe(0)
    expect(issuerWrites(first)).toEqual(['patch'])
    const told = first.log.split('\n').filter((line) => line.startsWith('apply Issuer'))
    expect(told[0]).toMatch(/is tried again since .* no endpoints available for service "cert-manager-webhook"/)
    expect(told.at(-1)).toMatch(/ goes on after /)
    expect(new Set(told).size).toBe(told.length)
    await expectNothingWritten(release)

    const upgrade = { ...release, operations: ['CREATE', 'UPDATE', 'DELETE'], secretName: 'other' }
    const changed = await run(upgrade)
    expect(changed.exitCode, changed.log).toBe(0)
    expect(issuerWrites(changed)).toEqual(['patch'])
    expect(await authorities(api)).toEqual([backend.caBundle, backend.caBundle])
    await expectNothingWritten(upgrade)
  })

  test('come in one group: the run ends with the failure of the pods where they crash', async () => {
    const failed = await run({ scenario: 'crash-loop', caBundle: backend.caBundle }, { timeout: '10m' })
    expect(failed.outputs, failed.log).toMatchObject({
      status: 'failed',
      'failure-reason': 'not-ready',
      'failed-resource': `Deployment/${namespace.name}/${SERVICE}`,
    })
    for (const text of [failed.log, failed.summary]) expect(text).toContain('CrashLoopBackOff')
    const held = `the webhook of Service/${namespace.name}/${SERVICE} needs Deployment/${namespace.name}/${SERVICE}, which fails`
    expect(failed.log).toContain(`apply Issuer/${namespace.name}/own cannot succeed: ${held}`)
    expect(failed.elapsedMs).toBeLessThan(180_000)
  })

  test('end with the time of the run where the webhook never comes, and can be rolled back', async () => {
    const good = { caBundle: backend.caBundle }
    const [first] = await Promise.all([run(good), reportReady(api, issuer())])
    expect(first.exitCode, first.log).toBe(0)

    const bad = { ...good, selects: 'nobody', secretName: 'other' }
    await backend.close()
    const failed = await run(bad, { timeout: '20s' })
    expect(failed.outputs, failed.log).toMatchObject({
      status: 'failed',
      'failure-reason': 'rejected',
      'failed-resource': `Issuer/${namespace.name}/own`,
    })
    expect(failed.log).toMatch(/update Issuer\/\S+\/own: unknown until applied, its webhook cannot be called now/)
    expect(failed.log).toContain('spec.ca.secretName own → other')
    // What the webhook set at the last apply stays.
    expect(failed.log).not.toContain(`${MARK}"] removed`)
    expect(failed.log).toMatch(/next: check that the Service of the webhook in the message has ready pods/)
    expect(failed.elapsedMs).toBeLessThan(40_000)
    const sentence = `failed calling webhook "${WEBHOOK}": .*: no endpoints available for service "${SERVICE}"`
    for (const text of [failed.log, failed.summary]) expect(text).toMatch(new RegExp(sentence))
    expect(failed.log).toContain('release app: revision 2 is failed')

    const back = await run(good, { command: 'rollback' })
    expect(back.outputs, back.log).toMatchObject({ status: 'rolled-back', 'failure-reason': '' })
    await expectNothingWritten(good)
  })

  async function expectNothingWritten(release: Release): Promise<void> {
    const again = await run(release)
    expect(again.outputs, again.log).toMatchObject({ status: 'no-changes', changed: 'false' })
    expect(written(again, namespace.name)).toEqual([])
  }
})

async function removeClusterObjects(api: Api): Promise<void> {
  for (const [, resource] of KINDS) await api.request('DELETE', `${ADMISSION}/${resource}/${SERVICE}`)
  await api.request('DELETE', CRD_PATH)
  await waitFor({ what: 'the CRD is gone' }, async () => (await api.request('GET', CRD_PATH)).status === 404)
}

/** Of a dry run. */
async function waitForRefusal({ api, in: folder }: Namespace, why: string): Promise<void> {
  const issuers = folder('cert-manager.io/v1')
  const probe = { ...(issuerOf({}) as object), metadata: { name: 'probe' } }
  await waitFor({ what: `an Issuer is refused: ${why}` }, async () => {
    const { text } = await api.request('POST', `${issuers}/issuers?dryRun=All`, probe)
    return text.includes(why)
  })
}

/** As cert-manager's cainjector does. */
async function putAuthority(api: Api, caBundle: string): Promise<void> {
  for (const [kind, resource] of KINDS) {
    const webhooks = [{ name: WEBHOOK, clientConfig: { caBundle } }]
    const body = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: SERVICE }, webhooks }
    await api.apply(`${ADMISSION}/${resource}/${SERVICE}`, body)
  }
}

async function authorities(api: Api): Promise<readonly (Json | undefined)[]> {
  const found = KINDS.map(async ([, resource]) => {
    const live = await api.get(`${ADMISSION}/${resource}/${SERVICE}`)
    return at(live, 'webhooks', 0, 'clientConfig', 'caBundle')
  })
  return Promise.all(found)
}

/** As the controller of the Issuer does. */
async function reportReady(api: Api, path: string): Promise<void> {
  await waitForObject(api, path, 'made', () => true)
  await api.patch(`${path}/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } })
}

function issuerWrites({ events }: Chapter): readonly string[] {
  return writesOfAuthor(events)
    .filter(({ ref }) => ref.resource === 'issuers' && ref.subresource === undefined)
    .map(({ verb }) => verb)
}

/** Objects of the release only: others write to the same API server at the same time. */
function written({ events }: Chapter, namespace: string): readonly string[] {
  return writesOfAuthor(events)
    .filter(({ ref }) => (ref.namespace === undefined ? isOwn(ref.name) : ref.namespace === namespace))
    .filter(({ ref }) => ref.resource !== 'secrets' && ref.resource !== 'leases')
    .map(({ ref, verb }) => `${verb} ${ref.resource}/${ref.name}`)
}

function isOwn(name: string | undefined): boolean {
  return name === SERVICE || CRD_PATH.endsWith(`/${name}`)
}

function filesOf(release: Release, backend: WebhookBackend, namespace: Namespace): { readonly [path: string]: string } {
  const documents = [
    service(release),
    deployment(release, backend),
    configuration('ValidatingWebhookConfiguration', '/validate', release, namespace),
    configuration('MutatingWebhookConfiguration', '/mutate', release, namespace),
    issuerOf(release),
  ]
  return {
    'crds/issuers.yaml': dump(definition),
    'templates/all.yaml': documents.map((document) => dump(document)).join('---\n'),
  }
}

function service({ selects = 'webhook' }: Release): Json {
  const ports = [{ name: 'https', port: 443, targetPort: 'https' }]
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: SERVICE }, spec: { selector: { app: selects }, ports } }
}

function deployment({ readyAfter, scenario }: Release, { port }: WebhookBackend): Json {
  const annotations = {
    [`${SIMULATE}/address`]: OWN_ADDRESS ?? '',
    ...(readyAfter === undefined ? {} : { [`${SIMULATE}/ready-after`]: readyAfter }),
    ...(scenario === undefined ? {} : { [`${SIMULATE}/scenario`]: scenario }),
  }
  const labels = { app: 'webhook' }
  const ports = [{ name: 'https', containerPort: port }]
  const containers = [{ name: 'webhook', image: 'registry.example/webhook:1', ports }]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: SERVICE },
    spec: { selector: { matchLabels: labels }, template: { metadata: { annotations, labels }, spec: { containers } } },
  }
}

function configuration(kind: string, path: string, release: Release, { name: namespace }: Namespace): Json {
  const { caBundle, operations = ['CREATE', 'UPDATE'] } = release
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: SERVICE },
    webhooks: [
      {
        name: WEBHOOK,
        clientConfig: {
          service: { name: SERVICE, namespace, path, port: 443 },
          ...(caBundle === undefined ? {} : { caBundle }),
        },
        rules: [{ apiGroups: ['cert-manager.io'], apiVersions: ['v1'], operations, resources: ['*/*'] }],
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        sideEffects: 'None',
        timeoutSeconds: 5,
        admissionReviewVersions: ['v1'],
      },
    ],
  }
}

function issuerOf({ issuerWeight, secretName = 'own' }: Release): Json {
  const annotations = issuerWeight === undefined ? {} : { 'werf.io/weight': issuerWeight }
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Issuer',
    metadata: { name: 'own', annotations },
    spec: { ca: { secretName } },
  }
}

const definition: Json = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'issuers.cert-manager.io' },
  spec: {
    group: 'cert-manager.io',
    scope: 'Namespaced',
    names: { kind: 'Issuer', plural: 'issuers', singular: 'issuer', listKind: 'IssuerList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                properties: {
                  ca: { type: 'object', required: ['secretName'], properties: { secretName: { type: 'string' } } },
                  selfSigned: { type: 'object' },
                },
              },
              status: {
                type: 'object',
                properties: {
                  conditions: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['status', 'type'],
                      properties: { status: { type: 'string' }, type: { type: 'string' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
}
