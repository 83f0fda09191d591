import { sameObject } from '../manifest/compare.ts'
import type { Resource } from '../model/directives.ts'
import type { Problem } from '../model/problem.ts'
import { formatRef, refKey } from '../model/ref.ts'
import { placeOfAnnotation } from './read-annotations.ts'

/**
 * Each object once per occasion. The same object on different occasions is no duplicate: hooks are written that way,
 * one document per event. A CRD may be in `crds/` of several charts, or in `crds/` and also Helm 2's `crd-install`: the
 * first one of `crds/` is used, and the others are warnings where they differ.
 */
export function withoutDuplicates(resources: readonly Resource[]): {
  readonly resources: readonly Resource[]
  readonly problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const firsts = new Map<string, Resource>()
  const kept = new Set<Resource>()
  // Files of `crds/` come first, whatever the order of the input, so that they win.
  for (const resource of resources.toSorted((a, b) => Number(isOfCrds(b)) - Number(isOfCrds(a)))) {
    const moments = resource.directives.excluded ? [] : momentsOf(resource)
    const first = moments.map((moment) => firsts.get(moment)).find((found) => found !== undefined)
    for (const moment of moments) if (!firsts.has(moment)) firsts.set(moment, resource)
    if (first === undefined) kept.add(resource)
    else if (!isOfCrds(first)) problems.push(duplicate(resource, first, 'error'))
    else if (!sameObject(first.manifest.object, resource.manifest.object)) {
      problems.push(duplicate(resource, first, 'warning'))
    }
  }
  return { resources: resources.filter((resource) => kept.has(resource)), problems }
}

function isOfCrds({ manifest }: Resource): boolean {
  return manifest.source === 'crds'
}

function momentsOf({ directives, manifest }: Resource): readonly string[] {
  return directives.occasions.map(({ verb, stage }) => `${verb}/${stage}/${refKey(manifest.ref)}`)
}

function duplicate(resource: Resource, first: Resource, severity: Problem['severity']): Problem {
  const { file, line } = first.manifest.origin
  const where = line === undefined ? file : `${file}:${line}`
  const what = `${formatRef(resource.manifest.ref)}: is also in ${where}`
  const place = placeOfAnnotation(resource.manifest)
  return severity === 'error'
    ? { severity, reason: 'invalid-input', place, what, hint: { kind: 'remove-duplicate' } }
    : { severity, reason: 'invalid-input', place, what: `${what}, which is the one that is used` }
}
