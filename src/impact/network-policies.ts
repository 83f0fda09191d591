import type { TrafficChange } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { labelsOfPods, type Releases } from './release-objects.ts'
import { selects } from './selectors.ts'

/** Both sides of a change; either may be missing. */
export interface Sides {
  readonly before?: JsonObject | undefined
  readonly after?: JsonObject | undefined
}

type Direction = 'ingress' | 'egress'

const EFFECTS = {
  ingress: { denies: 'accepts-nothing', opens: 'accepts-all', allows: 'from-anywhere' },
  egress: { denies: 'connects-nowhere', opens: 'connects-anywhere', allows: 'to-anywhere' },
} as const

/** Pods that no policy selects accept all and connect anywhere. Source: docs/sources.md#kubernetes-services-and-network-policies. */
export function networkPolicyChanges(ref: Ref, pair: Sides, releases: Releases): readonly TrafficChange[] {
  return (['ingress', 'egress'] as const).flatMap((direction) => [
    ...denied(direction, pair),
    ...opened(direction, ref, pair, releases),
    ...allowed(direction, pair),
  ])
}

function denied(direction: Direction, { after, before }: Sides): readonly TrafficChange[] {
  const isNew = deniesAll(after, direction) && !deniesAll(before, direction)
  return isNew ? [{ effect: EFFECTS[direction].denies }] : []
}

function deniesAll(policy: JsonObject | undefined, direction: Direction): boolean {
  return limits(policy, direction) && selectsAll(policy) && arrayAt(policy, 'spec', direction).length === 0
}

/** Pods that it selected, and that no policy of the release selects any more. */
function opened(
  direction: Direction,
  ref: Ref,
  { after, before }: Sides,
  releases: Releases,
): readonly TrafficChange[] {
  if (!limits(before, direction)) return []
  const { opens: effect } = EFFECTS[direction]
  const others = releases.after.policies.filter(
    (one) => one.metadata.namespace === ref.namespace && one.metadata.name !== ref.name,
  )
  const left = [...others, ...(after === undefined ? [] : [after])].filter((one) => limits(one, direction))
  if (selectsAll(before)) return left.some(selectsAll) ? [] : [{ effect }]
  const selected = (policy: JsonObject | undefined, workload: JsonObject) =>
    selects(at(policy, 'spec', 'podSelector'), labelsOfPods(workload) ?? {})
  const names = releases.after.workloads
    .filter((one) => one.metadata.namespace === ref.namespace)
    .filter((one) => selected(before, one) && !left.some((policy) => selected(policy, one)))
    .map(({ kind, metadata }) => `${kind}/${metadata.name ?? ''}`)
  return names.length === 0 ? [] : [{ effect, names }]
}

function allowed(direction: Direction, { after, before }: Sides): readonly TrafficChange[] {
  const isNew = limits(before, direction) && !allowsAll(before, direction) && allowsAll(after, direction)
  return isNew && limits(after, direction) ? [{ effect: EFFECTS[direction].allows }] : []
}

function allowsAll(policy: JsonObject | undefined, direction: Direction): boolean {
  return arrayAt(policy, 'spec', direction).some((rule) => {
    const peers = arrayAt(rule, direction === 'ingress' ? 'from' : 'to')
    return peers.length === 0 || peers.some(isEverywhere)
  })
}

function isEverywhere(peer: JsonValue): boolean {
  const range = stringAt(peer, 'ipBlock', 'cidr') ?? ''
  return range.endsWith('/0') && arrayAt(peer, 'ipBlock', 'except').length === 0
}

/** Without `policyTypes` it is about connections to the pods, and about those from them where it has such rules. */
function limits(policy: JsonObject | undefined, direction: Direction): boolean {
  if (policy === undefined) return false
  const types = arrayAt(policy, 'spec', 'policyTypes')
  if (types.length > 0) return types.includes(direction === 'ingress' ? 'Ingress' : 'Egress')
  return direction === 'ingress' || arrayAt(policy, 'spec', 'egress').length > 0
}

/** An empty selector selects every pod of the namespace, and so does a missing one. */
function selectsAll(policy: JsonObject | undefined): boolean {
  const selector = at(policy, 'spec', 'podSelector')
  const labels = at(selector, 'matchLabels')
  const isEmpty = !isJsonObject(labels) || Object.keys(labels).length === 0
  return isEmpty && arrayAt(selector, 'matchExpressions').length === 0
}
