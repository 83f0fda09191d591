import { builtInKind } from '../manifest/built-in-kinds.ts'
import { ingressBackends } from '../manifest/ingress-backends.ts'
import { podSpecsOf } from '../manifest/pod-places.ts'
import {
  arrayAt,
  at,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  stringAt,
} from '../model/object.ts'

/** Who refers to an object by its name: `Deployment/web`. */
export interface Referrer {
  readonly name: string
  /** It does not work without the object: nothing says `optional`. */
  readonly isNeeded: boolean
}

/** Keys are `referenceKey`. */
export type Referrers = ReadonlyMap<string, readonly Referrer[]>

export function referenceKey(kind: string, namespace: string | undefined, name: string): string {
  return JSON.stringify([kind, namespace ?? '', name])
}

/** Which objects of a release refer to which other ones. Complexity: linear in the size of the objects. */
export function referrersOf(objects: readonly KubeObject[]): Referrers {
  const found = new Map<string, Map<string, Referrer>>()
  for (const object of objects) {
    const name = `${object.kind}/${object.metadata.name ?? ''}`
    for (const { isNeeded, kind, name: target, namespace } of referencesOf(object)) {
      const key = referenceKey(kind, namespace ?? object.metadata.namespace, target)
      const referrers = found.get(key) ?? new Map<string, Referrer>()
      found.set(key, referrers.set(name, { name, isNeeded: isNeeded || referrers.get(name)?.isNeeded === true }))
    }
  }
  return new Map([...found].map(([key, referrers]) => [key, [...referrers.values()]]))
}

interface Reference {
  /** Of a built-in kind. */
  readonly kind: string
  readonly name: string
  /** Absent: that of the object itself. */
  readonly namespace?: string
  readonly isNeeded: boolean
}

/** ConfigMaps and Secrets that pods of a workload read: `ConfigMap/web`. */
export function configOfPods(workload: JsonObject): ReadonlySet<string> {
  const references = podSpecsOf(workload).flatMap(ofPod)
  const configs = references.filter(({ kind }) => kind === 'ConfigMap' || kind === 'Secret')
  return new Set(configs.map(({ kind, name }) => `${kind}/${name}`))
}

function referencesOf(object: KubeObject): readonly Reference[] {
  switch (builtInKind(object)?.kind) {
    case 'Ingress':
      return ofIngress(object)
    case 'HorizontalPodAutoscaler': {
      const target = at(object, 'spec', 'scaleTargetRef')
      return needed(stringAt(target, 'kind') ?? '', stringAt(target, 'name'))
    }
    case 'APIService':
      return ofService(at(object, 'spec', 'service'))
    case 'ValidatingWebhookConfiguration':
    case 'MutatingWebhookConfiguration':
      return arrayAt(object, 'webhooks').flatMap((webhook) => ofService(at(webhook, 'clientConfig', 'service')))
    case 'StatefulSet':
      return [...needed('Service', stringAt(object, 'spec', 'serviceName')), ...podSpecsOf(object).flatMap(ofPod)]
    default:
      return podSpecsOf(object).flatMap(ofPod)
  }
}

/** Source: the API reference of Kubernetes, `IngressSpec`. */
function ofIngress(ingress: JsonObject): readonly Reference[] {
  return [
    ...ingressBackends(ingress).flatMap((backend) => needed('Service', stringAt(backend, 'service', 'name'))),
    ...arrayAt(ingress, 'spec', 'tls').flatMap((tls) => needed('Secret', stringAt(tls, 'secretName'))),
  ]
}

/** Of a webhook or an aggregated API. */
function ofService(service: JsonValue | undefined): readonly Reference[] {
  const namespace = stringAt(service, 'namespace')
  return needed('Service', stringAt(service, 'name')).map((one) => ({ ...one, ...(namespace && { namespace }) }))
}

/**
 * What a pod needs before it runs. Secrets to pull images with may be missing. Source: the API reference of Kubernetes,
 * `PodSpec`.
 */
function ofPod(spec: JsonObject): readonly Reference[] {
  const containers = ['initContainers', 'containers'].flatMap((list) => arrayAt(spec, list).filter(isJsonObject))
  return [
    ...needed('ServiceAccount', stringAt(spec, 'serviceAccountName') ?? stringAt(spec, 'serviceAccount')),
    ...needed('PriorityClass', stringAt(spec, 'priorityClassName')).map((one) => ({ ...one, namespace: '' })),
    ...needed('RuntimeClass', stringAt(spec, 'runtimeClassName')).map((one) => ({ ...one, namespace: '' })),
    ...arrayAt(spec, 'imagePullSecrets').flatMap((one) => reference('Secret', stringAt(one, 'name'), false)),
    ...arrayAt(spec, 'volumes').flatMap(ofVolume),
    ...containers.flatMap((one) => [
      ...arrayAt(one, 'envFrom').flatMap((from) => ofSource(from, 'configMapRef', 'secretRef')),
      ...arrayAt(one, 'env').flatMap((env) => ofSource(at(env, 'valueFrom'), 'configMapKeyRef', 'secretKeyRef')),
    ]),
  ]
}

function ofVolume(volume: JsonValue): readonly Reference[] {
  return [
    ...needed('PersistentVolumeClaim', stringAt(volume, 'persistentVolumeClaim', 'claimName')),
    ...reference('Secret', stringAt(volume, 'secret', 'secretName'), !isOptional(at(volume, 'secret'))),
    ...ofSource(volume, 'configMap', undefined),
    ...arrayAt(volume, 'projected', 'sources').flatMap((source) => ofSource(source, 'configMap', 'secret')),
  ]
}

function ofSource(source: JsonValue | undefined, configMap: string, secret: string | undefined): readonly Reference[] {
  const named = (kind: string, key: string) =>
    reference(kind, stringAt(source, key, 'name'), !isOptional(at(source, key)))
  return [...named('ConfigMap', configMap), ...(secret === undefined ? [] : named('Secret', secret))]
}

function isOptional(source: JsonValue | undefined): boolean {
  return at(source, 'optional') === true
}

function needed(kind: string, name: string | undefined): readonly Reference[] {
  return reference(kind, name, true)
}

function reference(kind: string, name: string | undefined, isNeeded: boolean): readonly Reference[] {
  return name === undefined || name === '' ? [] : [{ kind, name, isNeeded }]
}
