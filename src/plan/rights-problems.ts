import type { AccessRequest, NeededRight } from '../model/access.ts'
import type { Hint } from '../model/hint.ts'
import type { Problem } from '../model/problem.ts'

/** How many kinds are named before the rest is counted. */
const MAX_NAMED = 20

/**
 * Missing rights as problems, all verbs at once, with the Role to paste; what a run can do without is a warning.
 * `needed`: what the Role grants, all rights of the plan; the missing ones by default.
 */
export function rightsProblems(
  missing: readonly NeededRight[],
  { severity, needed = missing }: { readonly severity: Problem['severity']; readonly needed?: readonly NeededRight[] },
): readonly Problem[] {
  const hint: Hint = { kind: 'bind-role', rights: needed }
  const problem = (of: readonly NeededRight[], level: Problem['severity'], tail: string): readonly Problem[] =>
    of.length === 0
      ? []
      : [{ severity: level, reason: 'forbidden', place: {}, what: `this account may not ${listed(of)}${tail}` }]
  const found = [
    ...problem(
      missing.filter(({ isAdvisory }) => isAdvisory !== true),
      severity,
      '',
    ),
    ...problem(
      missing.filter(({ isAdvisory }) => isAdvisory === true),
      'warning',
      ', which a deploy can do without',
    ),
  ]
  // One Role grants them all, so it is printed once.
  return found.map((one, index) => (index === 0 ? { ...one, hint } : one))
}

/**
 * The problems of a plan with those about missing rights before them. What single objects were refused for lack of a right
 * is left out only where the missing rights block the plan as well, so that nothing that was forbidden is lost.
 */
export function withRightsProblems(
  problems: readonly Problem[],
  missing: readonly NeededRight[],
  how: { readonly severity: Problem['severity']; readonly needed?: readonly NeededRight[] },
): readonly Problem[] {
  const found = rightsProblems(missing, how)
  const isBlocked = found.some(({ severity }) => severity === 'error')
  return [...found, ...(isBlocked ? problems.filter(({ reason }) => reason !== 'forbidden') : problems)]
}

/** `create, patch deployments.apps in shop; delete namespaces`. */
function listed(requests: readonly AccessRequest[]): string {
  const groups = Map.groupBy(requests, ({ group, resource, namespace }) => `${resource}/${group}/${namespace ?? ''}`)
  const phrases = [...groups.values()].flatMap((members) => {
    const [first] = members
    if (first === undefined) return []
    const verbs = [...new Set(members.map(({ verb }) => verb))].sort().join(', ')
    const resource = first.group === '' ? first.resource : `${first.resource}.${first.group}`
    return [`${verbs} ${resource}${first.namespace === undefined ? '' : ` in ${first.namespace}`}`]
  })
  const more = phrases.length - MAX_NAMED
  return [...phrases.slice(0, MAX_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
