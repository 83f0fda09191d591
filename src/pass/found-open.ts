import type { ClusterValue } from '../manifest/cluster-values.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { Problem } from '../model/problem.ts'
import { refKey } from '../model/ref.ts'
import { openFieldsOf } from '../plan/open-fields.ts'

interface Read {
  readonly resources: readonly Resource[]
  readonly problems: readonly Problem[]
}

/** Fields of one object that are named before the rest is counted. */
const MAX_FIELDS = 5

/**
 * The resources with their open texts, by those of a render with other values. What depends on the values in any other way counts as it
 * is rendered; while a value is not known, a warning says so.
 */
export function withOpenFields(read: Read, other: readonly Resource[], values: readonly ClusterValue[]): Read {
  const counterparts = new Map(other.map((resource) => [refKey(resource.manifest.ref), resource.manifest.object]))
  const isKnown = values.every((value) => value.isKnown)
  const problems: Problem[] = []
  const resources = read.resources.map((resource): Resource => {
    const { manifest } = resource
    const counterpart = counterparts.get(refKey(manifest.ref))
    const { closed, open } =
      counterpart === undefined
        ? { open: [], closed: ['the whole object'] }
        : openFieldsOf(manifest, counterpart, values)
    if (closed.length > 0 && !isKnown) problems.push(closedWarning(resource, closed))
    return open.length === 0 ? resource : { ...resource, manifest: { ...manifest, open } }
  })
  return { resources, problems: [...read.problems, ...problems] }
}

function closedWarning({ manifest: { origin, ref } }: Resource, closed: readonly string[]): Problem {
  const more = closed.length - MAX_FIELDS
  const named = `${closed.slice(0, MAX_FIELDS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return {
    severity: 'warning',
    reason: 'invalid-input',
    place: { file: origin.file, ref, ...defined({ line: origin.line }) },
    what: `depends on what only the cluster will say of an earlier release, so that a deploy under an approval stops before this release: ${named}`,
  }
}
