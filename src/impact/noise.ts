import type { Noise } from '../model/impact.ts'
import type { FieldDifference } from './fields.ts'

/**
 * What kind of noise the whole change is, or undefined where anything else changed. Noise is metadata of the object
 * itself only: what changes in a pod template restarts pods (docs/decisions/0039). `isSpecText`: the object is a CRD
 * whose `spec` says the same but for descriptions.
 */
export function noiseOf(differences: readonly FieldDifference[], isSpecText = false): Noise | undefined {
  const kinds = differences.map(({ stepsAfter }) =>
    isSpecText && stepsAfter[0] === 'spec' ? 'descriptions' : objectNoise(stepsAfter.map(String)),
  )
  if (kinds.length === 0 || kinds.includes(undefined)) return undefined
  if (kinds.includes('descriptions')) return 'descriptions'
  return kinds.includes('metadata') ? 'metadata' : kinds.includes('checksum') ? 'checksum' : 'labels'
}

/** As charts name them: `checksum/config`, `example.com/checksum`. */
export function isChecksum(key: string): boolean {
  return key.startsWith('checksum/') || key === 'checksum' || key.endsWith('/checksum')
}

/** Labels that only name the chart's version or its tool. */
export function isVersionKey(key: string): boolean {
  return VERSION_KEYS.has(key)
}

const VERSION_KEYS: ReadonlySet<string> = new Set([
  'helm.sh/chart',
  'chart',
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
  'heritage',
])

function objectNoise([root, map, key, ...rest]: readonly string[]): Noise | undefined {
  if (root !== 'metadata' || (map !== 'labels' && map !== 'annotations')) return undefined
  if (key === undefined || rest.length > 0) return undefined
  if (givesRights(key)) return undefined
  if (VERSION_KEYS.has(key)) return 'labels'
  return map === 'annotations' && isChecksum(key) ? 'checksum' : 'metadata'
}

/**
 * Labels that decide who may do what: which ClusterRoles collect this one, and what Pod Security Admission lets pass.
 * Sources: docs/sources.md#kubernetes-rbac-rules, docs/sources.md#kubernetes-rbac-good-practices.
 */
function givesRights(key: string): boolean {
  return key.startsWith('rbac.authorization.k8s.io/') || key.startsWith('pod-security.kubernetes.io/')
}
