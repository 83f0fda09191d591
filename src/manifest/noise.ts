import { at, isJsonObject, type JsonObject } from '../model/object.ts'
import { changedPaths } from './compare.ts'
import { pointerOf, stepsOf } from './json-pointer.ts'

/** `labels`: keys that only name the chart's version or its tool. `checksum`: also checksums of other objects. */
export type Noise = 'labels' | 'checksum'

/**
 * What kind of noise the whole change is, or undefined where anything else changed. Noise is metadata of the object
 * itself only: what changes in a pod template restarts pods (docs/decisions/0024). Takes masked objects as well.
 */
export function noiseOf(before: JsonObject, after: JsonObject): Noise | undefined {
  const kinds = changedKeys(before, after).map(objectNoise)
  if (kinds.length === 0 || kinds.includes(undefined)) return undefined
  return kinds.includes('checksum') ? 'checksum' : 'labels'
}

/** Whether pods restart only because of a checksum annotation of their template; other noise may come with it. */
export function restartsPodsOnly(before: JsonObject, after: JsonObject): boolean {
  const paths = changedKeys(before, after)
  return paths.some(isTemplateChecksum) && paths.every((path) => isTemplateChecksum(path) || objectNoise(path))
}

const VERSION_KEYS: ReadonlySet<string> = new Set([
  'helm.sh/chart',
  'chart',
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
  'heritage',
])

/** Changed paths; a map of labels or annotations that appears or disappears counts as its keys. */
function changedKeys(before: JsonObject, after: JsonObject): readonly (readonly string[])[] {
  return changedPaths(before, after).flatMap((pointer) => {
    const steps = stepsOf(pointer)
    const last = steps.at(-1)
    if (steps.at(-2) !== 'metadata' || (last !== 'labels' && last !== 'annotations')) return [steps]
    const maps = [at(before, ...steps), at(after, ...steps)].filter(isJsonObject)
    return maps.flatMap((map) => Object.keys(map).map((key) => [...steps, key]))
  })
}

function objectNoise([root, map, key, ...rest]: readonly string[]): Noise | undefined {
  if (root !== 'metadata' || (map !== 'labels' && map !== 'annotations')) return undefined
  if (key === undefined || rest.length > 0) return undefined
  if (VERSION_KEYS.has(key)) return 'labels'
  return map === 'annotations' && isChecksum(key) ? 'checksum' : undefined
}

/** In workloads that keep pods running; the template of a CronJob is nested deeper and restarts nothing. */
function isTemplateChecksum(steps: readonly string[]): boolean {
  const key = steps.at(-1) ?? ''
  return pointerOf(steps.slice(0, -1)) === '/spec/template/metadata/annotations' && isChecksum(key)
}

/** As charts name them: `checksum/config`, `example.com/checksum`. */
function isChecksum(key: string): boolean {
  return key.startsWith('checksum/') || key === 'checksum' || key.endsWith('/checksum')
}
