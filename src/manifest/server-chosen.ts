import {
  arrayAt,
  at,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  stringAt,
} from '../model/object.ts'
import { builtInKind } from './built-in-kinds.ts'
import type { ServerChosen } from './built-in-table.ts'
import { anyStep, type StepPattern } from './remove-paths.ts'

/**
 * Paths of the values that the API server or a controller chose: at random on creation, or while the object lives.
 * Without those that the sent body sets itself. Two dry runs of one body differ in these places only.
 */
export function serverChosen(object: KubeObject, body: JsonObject): readonly StepPattern[] {
  const ofKind = builtInKind(object)?.serverChosen ?? 'nothing'
  const freePaths = (patterns: readonly StepPattern[], isFree: typeof isUnset) =>
    patterns.flatMap((pattern) => matching(object, pattern)).filter((path) => isFree(at(body, ...path)))
  const paths = [...freePaths(chosenAnywhere, isLeftOut), ...freePaths(chosen[ofKind], isUnset)]
  const volumes = ofKind === 'token-volumes' ? tokenVolumes(object, body) : []
  return [...paths, ...volumes].map((path) => path.map(String))
}

/** An autoscaler sets the replicas that the chart leaves out; the others are counters of controllers. */
const chosenAnywhere: readonly StepPattern[] = [
  ['spec', 'replicas'],
  ['metadata', 'annotations', 'deployment.kubernetes.io/revision'],
  ['metadata', 'annotations', 'deprecated.daemonset.template.generation'],
]

type Path = readonly (string | number)[]

/** Token volumes are found by their names, see `tokenVolumes`. */
const chosen: Readonly<Record<ServerChosen, readonly StepPattern[]>> = {
  nothing: [],
  addresses: [
    ['spec', 'clusterIP'],
    ['spec', 'clusterIPs'],
    ['spec', 'healthCheckNodePort'],
    ['spec', 'ports', anyStep, 'nodePort'],
  ],
  'job-uid': [
    ['spec', 'selector'],
    ['metadata', 'labels', 'controller-uid'],
    ['metadata', 'labels', 'batch.kubernetes.io/controller-uid'],
    ['spec', 'template', 'metadata', 'labels', 'controller-uid'],
    ['spec', 'template', 'metadata', 'labels', 'batch.kubernetes.io/controller-uid'],
  ],
  // The scheduler's, which no field manager holds.
  'token-volumes': [['spec', 'nodeName']],
}

function isLeftOut(value: JsonValue | undefined): boolean {
  return value === undefined || value === null
}

/** The API server reads an empty text or a 0 as a request to choose; 0 replicas are none. */
function isUnset(value: JsonValue | undefined): boolean {
  return isLeftOut(value) || value === '' || value === 0
}

function matching(value: JsonValue | undefined, [step, ...rest]: StepPattern): readonly Path[] {
  if (step === undefined) return value === undefined ? [] : [[]]
  const below = (key: string | number) => matching(at(value, key), rest).map((path) => [key, ...path])
  if (step !== anyStep) return below(step)
  if (isJsonArray(value)) return value.flatMap((_item, index) => below(index))
  return isJsonObject(value) ? Object.keys(value).flatMap(below) : []
}

/** The volume with the token of its ServiceAccount that a Pod is given, and its mounts: `kube-api-access-x7k2p`. */
function tokenVolumes(object: KubeObject, body: JsonObject): readonly Path[] {
  const own = new Set(arrayAt(body, 'spec', 'volumes').map((volume) => stringAt(volume, 'name')))
  const isToken = (item: JsonValue | undefined) => {
    const name = stringAt(item, 'name')
    return name !== undefined && /^kube-api-access-[a-z0-9]{5}$/.test(name) && !own.has(name)
  }
  const containers: readonly StepPattern[] = ['containers', 'initContainers', 'ephemeralContainers'].map((field) => [
    'spec',
    field,
    anyStep,
    'volumeMounts',
    anyStep,
  ])
  return [['spec', 'volumes', anyStep] as StepPattern, ...containers]
    .flatMap((pattern) => matching(object, pattern))
    .filter((path) => isToken(at(object, ...path)))
}
