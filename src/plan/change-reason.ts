import { changedPaths } from '../manifest/compare.ts'
import { stepsOf } from '../manifest/json-pointer.ts'
import { ownersOf } from '../manifest/managed-fields.ts'
import { withOwnership } from '../manifest/ownership.ts'
import { withSecretData } from '../manifest/secret-data.ts'
import type { Resource } from '../model/directives.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import type { Drift, Reason } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import type { PlanContext } from './context.ts'
import type { PlanInput } from './plan-input.ts'

/** Why the object becomes `result`: the chart differs from the last revision, or the cluster does, or both do. */
export function changeReason(
  resource: Resource,
  live: KubeObject,
  result: KubeObject,
  { input, previous: before }: PlanContext,
): Reason {
  const paths = changedPaths(live, result)
  if (paths.length === 0) return { code: 'unchanged' }

  const previous = before.get(refKey(resource.manifest.ref))
  if (previous === undefined) return { code: 'chart-changed', paths }
  const wanted = storedForm(resource, input)
  const inChart = [
    ...changedPaths(previous.manifest.object, resource.manifest.object),
    ...changedPaths(storedForm(previous, input), wanted),
  ]
  const isInChart = (path: string) => inChart.some((changed) => isWithin(path, changed) || isWithin(changed, path))
  const drifted = paths.filter((path) => !isInChart(path) && !isDefault(path, live, wanted))
  if (drifted.length === 0) return { code: 'chart-changed', paths }
  if (!paths.some(isInChart)) return { code: 'drift', drift: paths.map((path) => driftAt(live, path)) }
  const byChart = paths.filter((path) => !drifted.includes(path))
  return { code: 'both', paths: byChart, drift: drifted.map((path) => driftAt(live, path)) }
}

/**
 * A default: the API server fills it in, or removes it, to fit the fields around it. In what Helm 3 applied such fields
 * belong to Helm.
 */
function isDefault(path: string, live: KubeObject, wanted: JsonObject): boolean {
  return !isWrittenIn(wanted, stepsOf(path)) && ownersOf(live, path).every((owner) => owner === 'helm')
}

function isWrittenIn(value: JsonValue | undefined, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return value !== undefined
  if (isJsonArray(value)) return isWrittenIn(value[Number(step)], rest)
  return isJsonObject(value) && Object.hasOwn(value, step) && isWrittenIn(value[step], rest)
}

/** As the API server keeps it, with the marks of the release where it owns the object. */
function storedForm({ directives, manifest }: Resource, { release, namespace }: PlanInput): JsonObject {
  const stored = withSecretData(manifest.object)
  return directives.ownership === 'release' ? withOwnership(stored, { release, namespace }) : stored
}

function driftAt(live: KubeObject, path: string): Drift {
  const [manager] = ownersOf(live, path).filter((owner) => owner !== 'helm')
  return { manager: manager ?? 'unknown', path }
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}
