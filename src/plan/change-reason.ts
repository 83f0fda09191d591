import { changedPaths } from '../manifest/compare.ts'
import { stepsOf } from '../manifest/json-pointer.ts'
import { stepInto, stepsThrough } from '../manifest/known-path.ts'
import { fieldSetsOf, ownersOf } from '../manifest/managed-fields.ts'
import { withOwnership } from '../manifest/ownership.ts'
import { withSecretData } from '../manifest/secret-data.ts'
import type { Resource } from '../model/directives.ts'
import { at, isJsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import type { Drift, Reason } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import type { PlanContext } from './context.ts'
import type { PlanInput } from './plan-input.ts'

/**
 * Why the object becomes `result`: the chart differs from the last revision, or the cluster does, or both do. Defaults
 * and other fields that the API server writes by itself are no reason, unless nothing else changes.
 */
export function changeReason(
  resource: Resource,
  live: KubeObject,
  result: KubeObject,
  { input, previous: before }: PlanContext,
): Reason {
  const wanted = storedForm(resource, input)
  const states = { live, result, wanted }
  const paths = changedPaths(live, result).filter((path) => !isEmptiedByApply(path, states))
  if (paths.length === 0) return { code: 'unchanged' }

  const previous = before.get(refKey(resource.manifest.ref))
  if (previous === undefined) return chartChanged(paths, (path) => isOfOurs(path, states))
  const recorded = storedForm(previous, input)
  const inChart = [
    ...changedPaths(previous.manifest.object, resource.manifest.object),
    ...changedPaths(recorded, wanted),
  ]
  const isInChart = (path: string) =>
    inChart.some(
      (changed) =>
        isWithin(changed, path) ||
        (isWithin(path, changed) && (isWritten(recorded, path, states) || isWritten(wanted, path, states))),
    )
  const drifted = paths.filter((path) => !isInChart(path) && isOfOthers(path, states))
  const byChart = (path: string) => isInChart(path) || (!drifted.includes(path) && isWritten(wanted, path, states))
  const drift = drifted.map((path) => driftAt(live, path))
  if (drift.length === 0) return chartChanged(paths, byChart)
  return paths.some(byChart) ? { code: 'both', paths: paths.filter(byChart), drift } : { code: 'drift', drift }
}

/** The live object, what the apply makes of it, and the manifest in the form that is stored. */
interface States {
  readonly live: KubeObject
  readonly result: KubeObject
  readonly wanted: KubeObject
}

function chartChanged(paths: readonly string[], isOfChart: (path: string) => boolean): Reason {
  const ofChart = paths.filter(isOfChart)
  return { code: 'chart-changed', paths: ofChart.length === 0 ? paths : ofChart }
}

/** Of an object that no record has: what the manifest writes, or Helm wrote before. */
function isOfOurs(path: string, states: States): boolean {
  const isGone = !isThere(states.result, path)
  return isWritten(states.wanted, path, states) || (isGone && ownersOf(states.live, path).includes('helm'))
}

/** Somebody wrote the value or took it away. What nobody owns, the API server wrote; in what Helm 3 applied, Helm owns it. */
function isOfOthers(path: string, states: States): boolean {
  const { live, wanted } = states
  const owners = ownersOf(live, path)
  if (owners.some((owner) => owner !== 'helm')) return true
  const isOfServer = live.metadata.managedFields !== undefined && owners.length === 0 && isThere(live, path)
  return isWritten(wanted, path, states) && !isOfServer
}

/**
 * An apply that takes all members of a map takes the map as well, although the manifest has it, empty: Helm owns a map
 * that is not there. To write it is no change.
 */
function isEmptiedByApply(path: string, states: States): boolean {
  const { live, wanted } = states
  const place = placeIn(wanted, path, states)
  const value = place === undefined ? undefined : at(wanted, ...place)
  const isEmpty = isJsonObject(value) && Object.keys(value).length === 0
  return isEmpty && !isThere(live, path) && ownersOf(live, path).includes('helm')
}

function isWritten(manifest: KubeObject, path: string, states: States): boolean {
  return placeIn(manifest, path, states) !== undefined
}

/** Where a path of the live object, or of the result, is in a manifest, whose lists may have another order. */
function placeIn(
  manifest: KubeObject,
  path: string,
  { live, result }: States,
): readonly (string | number)[] | undefined {
  const object = isThere(live, path) ? live : result
  return stepsThrough(manifest, { object, sets: fieldSetsOf(live) }, stepsOf(path))
}

function isThere(object: KubeObject, path: string): boolean {
  return stepsOf(path).reduce<JsonValue | undefined>(stepInto, object) !== undefined
}

/** As the API server keeps it, with the marks of the release where it owns the object. */
function storedForm({ directives, manifest }: Resource, { release, namespace }: PlanInput): KubeObject {
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
