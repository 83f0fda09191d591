import { builtInKind } from '../manifest/built-in-kinds.ts'
import type { Ref } from '../model/ref.ts'

/**
 * The name without the hash or version at its end, as kustomize's generators write it, and charts that name a Job by its
 * version; undefined where it ends in none.
 */
export function nameWithoutSuffix(ref: Ref): string | undefined {
  const kind = builtInKind(ref)
  if (kind?.isPrecious === true) return undefined
  const [, base, suffix = ''] = VERSIONED.exec(ref.name) ?? []
  // A lone number may count objects side by side, but not those that run to their end.
  if (base !== undefined && (/[.-]/.test(suffix) || kind?.runsToEnd === true)) return base
  const dash = ref.name.lastIndexOf('-')
  const last = ref.name.slice(dash + 1)
  const isKnown = kind?.isNamedByHash === true ? isHash(last) : isHexHash(last)
  return dash > 0 && isKnown ? ref.name.slice(0, dash) : undefined
}

/** `index-2-5-0`, `index-v2.5`; `migrate-13`. */
const VERSIONED = /^(.+?)-(v?\d{1,9}(?:[.-]\d{1,9}){0,3})$/

/** A digit in it, or no vowel at all, as kustomize writes hashes: `production` and `staging` are none. */
function isHash(suffix: string): boolean {
  return /^[a-z0-9]{6,64}$/.test(suffix) && (/\d/.test(suffix) || !/[aeiou]/.test(suffix))
}

/** `ff06c244`: of a commit, or of what the object holds. */
function isHexHash(suffix: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(suffix) && /\d/.test(suffix) && /[a-f]/.test(suffix)
}
