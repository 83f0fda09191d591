import type { Resource } from '../model/directives.ts'
import type { Manifest } from '../model/manifest.ts'
import type { Problem } from '../model/problem.ts'
import { compareText } from '../model/ref.ts'
import { dialects } from './dialects.ts'
import { withoutDuplicates } from './duplicates.ts'
import { mergeAsked } from './merge-dialects.ts'
import { readAnnotations } from './read-annotations.ts'

/**
 * The directives of all objects, in the order of the input, and every problem of every object.
 * `isPlainManifests`: the release holds plain manifests, not a chart; kinds that only KOTS reads are left out of it.
 */
export function directivesOf(
  manifests: readonly Manifest[],
  options: { readonly isPlainManifests: boolean },
): { readonly resources: readonly Resource[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const resources = manifests.map((manifest) => {
    const read = readAnnotations(manifest, dialects)
    problems.push(...read.problems)
    const merged = mergeAsked(manifest, read.readings, { dialects, ...options })
    const unusedKeys = [...read.unusedKeys, ...merged.overriddenKeys].sort(compareText)
    return { manifest, directives: merged.directives, unusedKeys }
  })
  const distinct = withoutDuplicates(resources)
  return { resources: distinct.resources, problems: [...problems, ...distinct.problems] }
}
