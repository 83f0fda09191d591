import { MAX_TYPOS, typosBetween } from '../model/typos.ts'
import type { Dialect } from './dialect.ts'

/** Annotations of tools that order deployments too: seen, not used, and listed in the plan (docs/decisions/0021). */
export const foreignFamilies: readonly { readonly tool: string; readonly prefixes: readonly string[] }[] = [
  { tool: 'Argo CD', prefixes: ['argocd.argoproj.io/'] },
  { tool: 'kapp', prefixes: ['kapp.k14s.io/'] },
  { tool: 'Flux', prefixes: ['kustomize.toolkit.fluxcd.io/', 'helm.toolkit.fluxcd.io/'] },
]

/** Kubernetes refuses longer keys; comparing them would only cost time. */
const MAX_KEY_CHARS = 317

export function isForeignKey(key: string): boolean {
  return foreignFamilies.some(({ prefixes }) => prefixes.some((prefix) => key.startsWith(prefix)))
}

/** The known key that an unknown one of a family is probably meant to be, or undefined. */
export function likelyKey(key: string, dialects: readonly Dialect[]): string | undefined {
  if (key.length > MAX_KEY_CHARS || !dialects.some(({ family }) => family.test(key))) return undefined
  const known = dialects.flatMap(({ rows }) => rows.filter(({ parse }) => parse !== undefined).map((row) => row.key))
  const ranked = known
    .map((candidate) => ({ candidate, typos: typosInKey(key, candidate) }))
    .filter(({ typos }) => typos <= MAX_TYPOS)
    .toSorted((a, b) => a.typos - b.typos)
  return ranked[0]?.candidate
}

/** A key with a name in it is compared without that name: `<id>.` in front, `-<id>` at the end. */
function typosInKey(key: string, candidate: string): number {
  if (candidate.startsWith('<id>.'))
    return typosBetween(key.slice(key.indexOf('.') + 1), candidate.slice('<id>.'.length))
  const end = candidate.indexOf('<')
  return end === -1 ? typosBetween(key, candidate) : typosBetween(key.slice(0, end), candidate.slice(0, end))
}
