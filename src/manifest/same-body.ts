import { at, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { withoutBookkeeping } from './bookkeeping.ts'
import { builtInKind } from './built-in-kinds.ts'
import { sameScalar } from './compare.ts'
import { type StepPattern, withoutMatching } from './remove-paths.ts'

/** An object of the cluster or of the chart, by its name. */
export interface NamedBody {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly body: JsonObject
}

/**
 * Whether two objects of one kind say the same but for their names, also where only one of them has the defaults of the API
 * server. Labels may name the object, or the version of the chart. False where that is not certain, as for every field
 * that only one of them has and that is no known default. Complexity: linear in the size of both.
 */
export function sameButName(a: NamedBody, b: NamedBody): boolean {
  const hasDefaults = WITH_DEFAULTS.has(builtInKind(a)?.kind ?? '')
  return isSame(comparable(a), comparable(b), { path: [], names: [a.name, b.name], hasDefaults })
}

/** Kinds whose defaults are known below. */
const WITH_DEFAULTS: ReadonlySet<string> = new Set(['CronJob', 'Deployment', 'Job', 'Pod', 'ReplicaSet', 'Service'])

interface Place {
  readonly path: readonly string[]
  readonly names: readonly [string, string]
  readonly hasDefaults: boolean
}

/** Deeper than any object that Kubernetes accepts; what is below is not compared. */
const MAX_DEPTH = 200

function isSame(a: JsonValue | undefined, b: JsonValue | undefined, place: Place): boolean {
  if (place.path.length > MAX_DEPTH) return false
  if (a === undefined || b === undefined) return a === b || isVersionLabel(place.path)
  if (sameScalar(a, b)) return true
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    return keys.every((key) => {
      const [one, other] = [at(a, key), at(b, key)]
      if (isSame(one, other, { ...place, path: [...place.path, key] })) return true
      return (
        place.hasDefaults &&
        (one === undefined ? isDefault(key, other, b) : other === undefined && isDefault(key, one, a))
      )
    })
  }
  if (isJsonArray(a) && isJsonArray(b)) {
    return (
      a.length === b.length &&
      a.every((item, index) => isSame(item, b[index], { ...place, path: [...place.path, '*'] }))
    )
  }
  if (isVersionLabel(place.path)) return true
  return isOfLabels(place.path) && a === place.names[0] && b === place.names[1]
}

/** Without the name, and what the API server chooses for each object. */
function comparable(of: NamedBody): JsonObject {
  const chosen = builtInKind(of)?.serverChosen
  return withoutMatching(withoutBookkeeping(of.body), [
    ['metadata', 'name'],
    ['metadata', 'annotations', 'deployment.kubernetes.io/revision'],
    ['metadata', 'annotations', 'deprecated.daemonset.template.generation'],
    ...(chosen === 'addresses' && at(specOf(of.body), 'clusterIP') !== 'None' ? ADDRESSES : []),
    ...(chosen === 'job-uid' ? JOB_UID : []),
  ])
}

const ADDRESSES: readonly StepPattern[] = [
  ['spec', 'clusterIP'],
  ['spec', 'clusterIPs'],
]

const JOB_UID: readonly StepPattern[] = [
  ['spec', 'selector'],
  ['metadata', 'labels', 'controller-uid'],
  ['metadata', 'labels', 'batch.kubernetes.io/controller-uid'],
  ['spec', 'template', 'metadata', 'labels', 'controller-uid'],
  ['spec', 'template', 'metadata', 'labels', 'batch.kubernetes.io/controller-uid'],
]

/** The labels of an object or of its pods, and the selector of a workload, which finds them. */
function isOfLabels(path: readonly string[]): boolean {
  const [parent, map] = path.slice(-3, -1)
  return (parent === 'metadata' && map === 'labels') || (parent === 'selector' && map === 'matchLabels')
}

function isVersionLabel(path: readonly string[]): boolean {
  return path.slice(-3, -1).join(' ') === 'metadata labels' && VERSION_LABELS.has(path.at(-1) ?? '')
}

/** Labels that name the version of the chart, as charts write them. */
const VERSION_LABELS: ReadonlySet<string> = new Set(['helm.sh/chart', 'chart', 'app.kubernetes.io/version'])

/** A field of `of` is what the API server writes where it is left out. Sources: the defaults of Kubernetes' API groups. */
function isDefault(key: string, value: JsonValue | undefined, of: JsonObject): boolean {
  if (isEmpty(value)) return EMPTY_DEFAULTS.has(key)
  if (key === 'serviceAccount') return value === at(of, 'serviceAccountName')
  if (key === 'targetPort') return value === at(of, 'port')
  if (key === 'strategy') {
    return (
      isJsonObject(value) &&
      Object.keys(value).every((one) => isDefault(one, at(value, one), value)) &&
      value.type === 'RollingUpdate'
    )
  }
  if (key === 'rollingUpdate') {
    return isJsonObject(value) && Object.entries(value).every(([one, amount]) => amount === ROLLING[one])
  }
  if (key === 'ipFamilies') return isJsonArray(value)
  return Object.hasOwn(DEFAULTS, key) && (DEFAULTS[key]?.includes(value as string | number | boolean) ?? false)
}

function isEmpty(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0
}

const EMPTY_DEFAULTS: ReadonlySet<string> = new Set(['securityContext', 'resources', 'podSelector', 'emptyDir'])

const ROLLING: Readonly<Record<string, string | number>> = { maxSurge: '25%', maxUnavailable: '25%' }

const DEFAULTS: Readonly<Record<string, readonly (string | number | boolean)[]>> = {
  apiVersion: ['v1'],
  backoffLimit: [6],
  completionMode: ['NonIndexed'],
  completions: [1],
  concurrencyPolicy: ['Allow'],
  defaultMode: [420],
  dnsPolicy: ['ClusterFirst'],
  failedJobsHistoryLimit: [1],
  failureThreshold: [3],
  imagePullPolicy: ['IfNotPresent'],
  internalTrafficPolicy: ['Cluster'],
  ipFamilyPolicy: ['SingleStack'],
  manualSelector: [false],
  parallelism: [1],
  periodSeconds: [10],
  podReplacementPolicy: ['TerminatingOrFailed'],
  progressDeadlineSeconds: [600],
  protocol: ['TCP'],
  replicas: [1],
  restartPolicy: ['Always'],
  revisionHistoryLimit: [10],
  schedulerName: ['default-scheduler'],
  scheme: ['HTTP'],
  sessionAffinity: ['None'],
  successThreshold: [1],
  successfulJobsHistoryLimit: [3],
  suspend: [false],
  terminationGracePeriodSeconds: [30],
  terminationMessagePath: ['/dev/termination-log'],
  terminationMessagePolicy: ['File'],
  timeoutSeconds: [1],
  type: ['ClusterIP', 'RollingUpdate'],
}

function specOf({ spec }: JsonObject): JsonObject | undefined {
  return isJsonObject(spec) ? spec : undefined
}
