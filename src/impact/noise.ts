import { isChecksum, isInertKey, isVersionKey } from '../manifest/metadata-keys.ts'
import type { Noise } from '../model/impact.ts'
import type { FieldDifference } from './fields.ts'

/**
 * What kind of noise the whole change is, or undefined where anything else changed. Noise is metadata of the object
 * itself that steers nothing: what changes in a pod template restarts pods (docs/decisions/0039). `isSpecText`: the
 * object is a CRD whose `spec` says the same but for descriptions.
 */
export function noiseOf(differences: readonly FieldDifference[], isSpecText = false): Noise | undefined {
  const kinds = differences.map(({ stepsAfter }) =>
    isSpecText && stepsAfter[0] === 'spec' ? 'descriptions' : objectNoise(stepsAfter.map(String)),
  )
  if (kinds.length === 0 || kinds.includes(undefined)) return undefined
  if (kinds.includes('descriptions')) return 'descriptions'
  return kinds.includes('metadata') ? 'metadata' : kinds.includes('checksum') ? 'checksum' : 'labels'
}

function objectNoise([root, map, key, ...rest]: readonly string[]): Noise | undefined {
  if (root !== 'metadata' || (map !== 'labels' && map !== 'annotations')) return undefined
  if (key === undefined || rest.length > 0 || !isInertKey(map, key)) return undefined
  if (isVersionKey(key)) return 'labels'
  return isChecksum(key) ? 'checksum' : 'metadata'
}
