import { schemaImpactOf } from '../../src/impact/schema-change.ts'
import { conformed } from '../../src/manifest/structural-schema.ts'
import type { ApiError } from '../../src/model/errors.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type KubeObject } from '../../src/model/object.ts'
import type { Renderer } from '../../src/ports.ts'
import { completion, readiness } from '../../src/readiness/judge-readiness.ts'
import { documentsOf } from '../../src/render/rendered-documents.ts'
import { planText } from '../../src/report/words/plan-text.ts'
import { apiError } from '../doubles/fake-cluster.ts'
import { fakeRenderer } from '../doubles/fake-renderer.ts'
import { servedKind } from '../doubles/served-kind.ts'
import { runScene } from '../run/scene.ts'
import { refusing, withJson } from './refusals.ts'
import type { Target } from './target.ts'

const POD = {
  containers: [
    {
      name: 'web',
      image: 'registry.example:5000/shop/web:1.2.3@sha256:abc',
      resources: { requests: { cpu: '100m', memory: '1.5Gi' }, limits: { cpu: '1e3', memory: '2e9' } },
      env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'web', key: 'a' } } }],
      ports: [{ containerPort: 80, name: 'http' }],
      securityContext: { runAsUser: 0, capabilities: { add: ['NET_ADMIN'] } },
    },
  ],
  volumes: [{ name: 'v', configMap: { name: 'web' } }],
}
const LABELS = { app: 'web' }
const template = { metadata: { labels: LABELS }, spec: POD }

function named(apiVersion: string, kind: string, rest: JsonObject, annotations: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'web', labels: LABELS, annotations }, ...rest }
}

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    name: { type: 'string', pattern: '^(a+)+$', maxLength: 20, enum: ['a', 'aa'] },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
      items: { type: 'object', properties: { id: { type: 'string' } } },
    },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  },
  'x-kubernetes-validations': [{ rule: 'self.size > 1' }],
}
const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Gadget', plural: 'gadgets' },
    versions: ['v1', 'v1beta2', 'v2alpha1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: SCHEMA } } },
      additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
    })),
  },
}

const OBJECTS: readonly JsonObject[] = [
  named(
    'apps/v1',
    'Deployment',
    {
      spec: {
        replicas: 3,
        selector: { matchLabels: LABELS },
        strategy: { rollingUpdate: { maxUnavailable: '25%', maxSurge: 1 } },
        template,
      },
      status: { observedGeneration: 2, replicas: 3, conditions: [{ type: 'Progressing', status: 'False' }] },
    },
    {
      'werf.io/weight': '10',
      'werf.io/no-activity-timeout': '4m',
      'werf.io/log-regex': '^a.*b$',
      'werf.io/deploy-dependency-db': 'state=ready,kind=StatefulSet,name=db',
      'kots.io/wait-for-properties': '.status.phase=Ready',
    },
  ),
  named('batch/v1', 'CronJob', {
    spec: { schedule: '*/5 4 * * 1-5', timeZone: 'Europe/Berlin', jobTemplate: { spec: { template } } },
  }),
  named(
    'batch/v1',
    'Job',
    { spec: { backoffLimit: 2, template }, status: { failed: 1, conditions: [{ type: 'Complete', status: 'True' }] } },
    {
      'helm.sh/hook': 'pre-install,post-upgrade',
      'helm.sh/hook-weight': '-5',
      'helm.sh/hook-delete-policy': 'hook-failed',
    },
  ),
  named('v1', 'Pod', {
    spec: POD,
    status: {
      phase: 'Pending',
      startTime: '2026-01-01T00:00:00Z',
      containerStatuses: [{ name: 'web', restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
    },
  }),
  named('v1', 'Service', { spec: { selector: LABELS, ports: [{ port: 80, targetPort: 'http' }], type: 'NodePort' } }),
  named('v1', 'Secret', { data: { a: 'aHVudGVyMg==', b: '%%%' }, stringData: { c: 'x' } }),
  named('v1', 'ConfigMap', { data: { 'a.json': '{"a":[1,2]}', 'b.yaml': 'a: |\n  b\n' } }),
  named('networking.k8s.io/v1', 'Ingress', {
    spec: { rules: [{ host: '*.a.example', http: { paths: [{ path: '/', backend: { service: { name: 'web' } } }] } }] },
  }),
  named('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: {
      podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] },
      ingress: [
        { from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 80, endPort: 90 }] },
      ],
    },
  }),
  named('rbac.authorization.k8s.io/v1', 'Role', {
    rules: [{ apiGroups: ['*'], resources: ['secrets/*'], verbs: ['get'], resourceNames: ['a'] }],
  }),
  named('policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: '50%', selector: { matchLabels: LABELS } } }),
  named('example.com/v1', 'Gadget', {
    spec: { size: 2, name: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa!', parts: [{ id: 'a' }] },
    status: { conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }], phase: 'Running' },
  }),
  CRD,
  { apiVersion: 'v1', kind: 'List', items: [named('v1', 'ConfigMap', { data: {} })] },
]
const SEEDS = OBJECTS.map((object) => JSON.stringify(object))
const DISCOVERY = OBJECTS.map(({ apiVersion, kind }) => {
  const [group = '', version] = `${apiVersion}`.includes('/') ? `${apiVersion}`.split('/') : ['', `${apiVersion}`]
  return servedKind(group, version ?? '', `${kind}`)
})

/** The documents of this text, and the way that the engine's answer takes. */
function rendererOf(json: string): Renderer {
  const renderer = fakeRenderer()
  const documents = () => documentsOf([{ file: 'shop/templates/all.yaml', line: 1, json, text: json }])
  return {
    ...renderer,
    render: async (request) => ({ ...(await renderer.render(request)), documents: documents() }),
    parse: async () => documents(),
  }
}

export const manifestTargets: readonly Target[] = [
  {
    name: 'manifests',
    covers: [
      'impact/address-ranges.ts',
      'impact/limits.ts',
      'impact/rollout.ts',
      'manifest/crd-served.ts',
      'manifest/pod-defaults.ts',
      'manifest/secret-data.ts',
      'manifest/varying-text.ts',
      'manifest/version-jump.ts',
      'plan/name-suffix.ts',
      'plan/variation.ts',
      'report/words/field-changes.ts',
      'report/words/metadata-text.ts',
      'report/words/schedule-text.ts',
    ],
    seeds: SEEDS,
    // Annotations, well-formedness, scope, dry runs, impact, order, fingerprint: a plan of what the text holds.
    read: (text) => withJson(text, () => planned(text)),
  },
  {
    name: 'what admission says of a dry run',
    covers: ['plan/judged-before.ts'],
    seeds: [
      'error looking up service account web/web: serviceaccount "web" not found',
      'no PriorityClass with name high was found',
      'exceeded quota: compute, requested: pods=1, used: pods=3, limited: pods=3',
      "ValidatingAdmissionPolicy 'a' with binding 'b' denied request: no",
      'admission webhook "a.example" denied the request: violates PodSecurity "restricted:latest"',
    ],
    read: (text) => planned(SEEDS[0] ?? '', apiError('Forbidden', { message: text })),
  },
  {
    name: 'custom resources and their definitions',
    covers: ['manifest/schema-values.ts'],
    seeds: [JSON.stringify(CRD), ...SEEDS.filter((text) => text.includes('Gadget'))],
    read: (text) =>
      withJson(text, (value) => {
        if (!isJsonObject(value)) return
        for (const isMasked of [false, true]) {
          schemaImpactOf(CRD as unknown as JsonObject, value, { isMasked })
          schemaImpactOf(value, CRD as unknown as JsonObject, { isMasked })
        }
        const object = { ...value, metadata: {} } as unknown as KubeObject
        const given = at(arrayAt(value, 'spec', 'versions')[0] ?? null, 'schema', 'openAPIV3Schema')
        for (const schema of [given, SCHEMA]) if (isJsonObject(schema)) conformed(object, object, schema)
      }),
  },
  {
    name: 'live objects that are waited for',
    covers: [
      'readiness/newest-pods.ts',
      'readiness/pod-trouble.ts',
      'readiness/generic-readiness.ts',
      'readiness/verdict.ts',
    ],
    seeds: SEEDS,
    read: (text) =>
      withJson(text, () =>
        refusing(() => {
          for (const { object } of documentsOf([{ file: 'live', line: 1, json: text, text: '' }])) {
            const facts = { nowMs: 0, hasStatusSubresource: true, waitingSinceMs: 0, failuresAllowed: 1 }
            readiness(object, [object], facts)
            completion(object, [object], facts)
          }
        }),
      ),
  },
]

async function planned(text: string, refusal?: ApiError): Promise<void> {
  const scene = runScene(rendererOf(text))
  if (refusal !== undefined) scene.cluster.failWhen({ verb: 'dry-run' }, refusal)
  scene.cluster.setDiscovery({ kinds: [...DISCOVERY, servedKind('coordination.k8s.io', 'v1', 'Lease')], failed: [] })
  for (const object of OBJECTS) if (object.kind !== 'List') scene.cluster.put(object as unknown as KubeObject)
  const [result] = await scene.run({ command: 'plan', approval: 'comment' })
  const failure = result?.outcome.failure
  if (failure?.reason === 'internal') throw new Error(`${failure.doing}: ${failure.message}`)
  if (result?.plan !== undefined) planText(result.plan)
}
