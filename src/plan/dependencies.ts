import type { Resource, ResourceDependency } from '../model/directives.ts'
import type { PlainHint } from '../model/hint.ts'
import type { Problem } from '../model/problem.ts'
import { compareRefs, formatRef, groupOf, type Ref, refKey } from '../model/ref.ts'

/** A resource and its place among the groups of its stage: those of a lower place are done before. */
export interface Placed {
  readonly resource: Resource
  readonly place: number
}

/** How the dependencies between the resources of one stage split its groups. */
export interface Levels {
  /** Within its group, a resource is applied (or deleted) after all resources of a lower level. */
  readonly levelOf: (ref: Ref) => number
  /** Resources whose readiness, not only whose presence, something waits for. Keys are `refKey`. */
  readonly awaited: ReadonlySet<string>
  readonly problems: readonly Problem[]
}

/**
 * Follows the dependencies that annotations ask for. One that points into a later group contradicts the weights, and one
 * that comes back to where it started can never be met: both are errors that print the whole route.
 * Complexity: resources x dependencies for the matching, linear in both for the walk.
 */
export function levelsOf(
  placed: readonly Placed[],
  dependenciesOf: (resource: Resource) => readonly ResourceDependency[],
): Levels {
  const problems: Problem[] = []
  const awaited = new Set<string>()
  const targets = new Map<string, readonly Placed[]>()
  const sorted = placed.toSorted((a, b) => compareRefs(a.resource.manifest.ref, b.resource.manifest.ref))
  for (const one of sorted) {
    const found = dependenciesOf(one.resource).flatMap((dependency) => {
      const matching = sorted.filter((other) => other !== one && isMatch(dependency, other.resource.manifest.ref))
      if (matching.length === 0) problems.push(withoutTarget(one.resource, dependency))
      for (const target of matching) {
        if (dependency.state === 'ready') awaited.add(placedKey(target))
        if (target.place > one.place) problems.push(contradiction(one, target))
      }
      return matching.filter((target) => target.place === one.place)
    })
    targets.set(placedKey(one), found)
  }

  const levels = new Map<string, number>()
  const walk = (one: Placed, route: readonly Placed[]): number => {
    const known = levels.get(placedKey(one))
    if (known !== undefined) return known
    const start = route.indexOf(one)
    if (start !== -1) {
      problems.push(cycle([...route.slice(start), one]))
      return 0
    }
    const below = (targets.get(placedKey(one)) ?? []).map((target) => walk(target, [...route, one]) + 1)
    const level = Math.max(0, ...below)
    levels.set(placedKey(one), level)
    return level
  }
  for (const one of sorted) walk(one, [])
  return { levelOf: (ref) => levels.get(refKey(ref)) ?? 0, awaited, problems }
}

/** Members of one group, those of the lowest level first. */
export function splitByLevel(members: readonly Resource[], { levelOf }: Levels): readonly (readonly Resource[])[] {
  return [...Map.groupBy(members, ({ manifest }) => levelOf(manifest.ref))]
    .toSorted(([a], [b]) => a - b)
    .map(([, ofLevel]) => ofLevel)
}

function placedKey({ resource }: Placed): string {
  return refKey(resource.manifest.ref)
}

function isMatch(dependency: ResourceDependency, ref: Ref): boolean {
  const { group, kind, name, namespace, version } = dependency
  return (
    (kind === undefined || kind === ref.kind) &&
    (name === undefined || name === ref.name) &&
    (namespace === undefined || namespace === ref.namespace) &&
    (group === undefined || group === groupOf(ref.apiVersion)) &&
    (version === undefined || ref.apiVersion === version || ref.apiVersion.endsWith(`/${version}`))
  )
}

function withoutTarget(resource: Resource, { id }: ResourceDependency): Problem {
  return dependencyProblem(
    resource,
    'warning',
    `its dependency "${id}" matches nothing in this stage`,
    'correct-dependency',
  )
}

function contradiction(one: Placed, target: Placed): Problem {
  const route = [one, target].map(
    ({ resource }) => `${formatRef(resource.manifest.ref)} (weight ${resource.directives.weight})`,
  )
  return dependencyProblem(
    one.resource,
    'error',
    `it depends on what comes later: ${route.join(' -> ')}`,
    'change-weight',
  )
}

function cycle(route: readonly Placed[]): Problem {
  const [first] = route
  const text = route.map(({ resource }) => formatRef(resource.manifest.ref)).join(' -> ')
  if (first === undefined) throw new Error('a cycle has at least one member')
  return dependencyProblem(first.resource, 'error', `its dependencies form a cycle: ${text}`, 'break-circle')
}

function dependencyProblem(resource: Resource, severity: Problem['severity'], what: string, hint: PlainHint): Problem {
  const { origin, ref } = resource.manifest
  return { severity, reason: 'invalid-input', place: { file: origin.file, ref }, what, hint: { kind: hint } }
}
