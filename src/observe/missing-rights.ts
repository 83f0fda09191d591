import type { AccessRequest, NeededRight } from '../model/access.ts'
import { isApiError } from '../model/errors.ts'
import type { Reader } from '../ports.ts'

/** Up to this many objects of a kind are checked by name, where the kind as a whole is not allowed. */
const MAX_NAMES = 20

/**
 * Which of these rights the account lacks. Whole kinds are checked first: with RBAC that is one request per namespace.
 * An account that may not even ask counts as having all of them: the deploy itself will show.
 */
export async function missingRights(
  reader: Reader,
  needed: readonly NeededRight[],
  signal?: AbortSignal,
): Promise<readonly NeededRight[]> {
  if (needed.length === 0) return []
  const groups = [...Map.groupBy(needed, kindRightKey).values()].flatMap(nonEmpty)
  try {
    const answers = await reader.mayI(
      groups.map((group) => withoutNote(general(group))),
      signal,
    )
    const denied = groups.filter((_group, index) => answers[index] === false)
    const named = denied.flatMap((group) => (mayBeGrantedByName(group) ? unique(group) : []))
    const allowed = named.length === 0 ? [] : await reader.mayI(named.map(withoutNote), signal)
    const grantedNames = new Set(named.filter((_right, index) => allowed[index] === true))
    return denied.flatMap((group) => {
      if (!mayBeGrantedByName(group)) return [general(group)]
      return unique(group).filter((right) => !grantedNames.has(right))
    })
  } catch (error) {
    if (!isApiError(error, 'Forbidden')) throw error
    return []
  }
}

function nonEmpty<T>([first, ...rest]: readonly T[]): readonly (readonly [T, ...T[]])[] {
  return first === undefined ? [] : [[first, ...rest]]
}

function kindRightKey({ verb, group, resource, namespace }: AccessRequest): string {
  return `${verb}/${group}/${resource}/${namespace ?? ''}`
}

/** The right to the whole kind; it is advisory only where all that need it are. */
function general(group: readonly [NeededRight, ...NeededRight[]]): NeededRight {
  const { name: _name, ...right } = group.find(({ isAdvisory }) => isAdvisory !== true) ?? group[0]
  return right
}

function mayBeGrantedByName(group: readonly NeededRight[]): boolean {
  return group.every(({ name }) => name !== undefined) && unique(group).length <= MAX_NAMES
}

/** One per name; always the first of that name. */
function unique(group: readonly NeededRight[]): readonly NeededRight[] {
  return [...new Map(group.toReversed().map((right) => [right.name, right])).values()].toReversed()
}

function withoutNote({ isAdvisory: _isAdvisory, ...request }: NeededRight): AccessRequest {
  return request
}
