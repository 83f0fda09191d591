import type { Dialect } from './dialect.ts'

/** Annotations of tools that order deployments too: seen, not used, and listed in the plan (docs/decisions/0021). */
export const foreignFamilies: readonly { readonly tool: string; readonly prefixes: readonly string[] }[] = [
  { tool: 'Argo CD', prefixes: ['argocd.argoproj.io/'] },
  { tool: 'kapp', prefixes: ['kapp.k14s.io/'] },
  { tool: 'Flux', prefixes: ['kustomize.toolkit.fluxcd.io/', 'helm.toolkit.fluxcd.io/'] },
]

/** Kubernetes refuses longer keys; comparing them would only cost time. */
const MAX_KEY_CHARS = 317
/** How many letters may be wrong, missing, too many or swapped. */
const MAX_TYPOS = 2

export function isForeignKey(key: string): boolean {
  return foreignFamilies.some(({ prefixes }) => prefixes.some((prefix) => key.startsWith(prefix)))
}

/** The known key that an unknown one of a family is probably meant to be, or undefined. */
export function likelyKey(key: string, dialects: readonly Dialect[]): string | undefined {
  if (key.length > MAX_KEY_CHARS || !dialects.some(({ family }) => family.test(key))) return undefined
  const known = dialects.flatMap(({ rows }) => rows.filter(({ parse }) => parse !== undefined).map((row) => row.key))
  const ranked = known
    .map((candidate) => ({ candidate, typos: typosBetween(key, candidate) }))
    .filter(({ typos }) => typos <= MAX_TYPOS)
    .toSorted((a, b) => a.typos - b.typos)
  return ranked[0]?.candidate
}

/** A key with a name in it is compared without that name: `<id>.` in front, `-<id>` at the end. */
function typosBetween(key: string, candidate: string): number {
  if (candidate.startsWith('<id>.')) return distance(key.slice(key.indexOf('.') + 1), candidate.slice('<id>.'.length))
  const end = candidate.indexOf('<')
  return end === -1 ? distance(key, candidate) : distance(key.slice(0, end), candidate.slice(0, end))
}

/**
 * Optimal string alignment: insertions, deletions, replacements, swaps of neighbours. Complexity: product of lengths.
 */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_TYPOS) return MAX_TYPOS + 1
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current: number[] = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
