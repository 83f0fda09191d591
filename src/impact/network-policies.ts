import type { TrafficChange } from '../model/impact.ts'
import {
  arrayAt,
  at,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  stringAt,
} from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { cutOffBy, limitsPods } from './policy-cover.ts'
import { addedPeers, isAnybody, peersOf } from './policy-peers.ts'
import { labelsOfPods, type Releases } from './release-objects.ts'
import { selects } from './selectors.ts'
import { isEqual } from './side-by-side.ts'

/** Both sides of a change; either may be missing. */
export interface Sides {
  readonly before?: JsonObject | undefined
  readonly after?: JsonObject | undefined
}

type Direction = 'ingress' | 'egress'

const EFFECTS = {
  ingress: {
    denies: 'accepts-nothing',
    limits: 'accepts-only',
    adds: 'accepts-also',
    drops: 'accepts-no-longer',
    opens: 'accepts-all',
    allows: 'from-anywhere',
  },
  egress: {
    denies: 'connects-nowhere',
    limits: 'connects-only',
    adds: 'connects-also',
    drops: 'connects-no-longer',
    opens: 'connects-anywhere',
    allows: 'to-anywhere',
  },
} as const

/** Pods that no policy selects accept all and connect anywhere. Source: docs/sources.md#kubernetes-services-and-network-policies. */
export function networkPolicyChanges(ref: Ref, pair: Sides, releases: Releases): readonly TrafficChange[] {
  return (['ingress', 'egress'] as const).flatMap((direction) => [
    ...denied(direction, ref, pair, releases),
    ...limited(direction, ref, pair, releases),
    ...changedPeers(direction, pair),
    ...opened(direction, ref, pair, releases),
    ...allowed(direction, pair),
  ])
}

/** Without names all pods of the namespace; else workloads of the release, but for those that another policy of it lets through. */
function denied(
  direction: Direction,
  ref: Ref,
  { after, before }: Sides,
  releases: Releases,
): readonly TrafficChange[] {
  if (!allowsNothing(after, direction)) return []
  const { denies: effect } = EFFECTS[direction]
  const wasDenied = allowsNothing(before, direction)
  if (selectsAll(after)) {
    return wasDenied && selectsAll(before) ? [] : [{ effect }, ...cutOff(direction, ref, after, releases)]
  }
  const others = othersIn(releases, ref).filter((one) => arrayAt(one, 'spec', direction).length > 0)
  const names = workloadsIn(releases, ref)
    .filter((one) => selected(after, one) && !(wasDenied && selected(before, one)))
    .filter((one) => !others.some((policy) => selected(policy, one)))
    .map(workloadName)
  return names.length === 0 ? [] : [{ effect, names }, ...cutOff(direction, ref, after, releases)]
}

function cutOff(
  direction: Direction,
  ref: Ref,
  policy: JsonObject | undefined,
  releases: Releases,
): readonly TrafficChange[] {
  const names = direction === 'egress' || policy === undefined ? [] : cutOffBy(policy, ref, releases.after)
  return names.length === 0 ? [] : [{ effect: 'cuts-off', names }]
}

/** Pods that run, that no policy limited, and that may from now on what the rules of this one say. */
function limited(
  direction: Direction,
  ref: Ref,
  { after, before: old }: Sides,
  releases: Releases,
): readonly TrafficChange[] {
  const peers = peersOf(after, direction)
  if (!limitsPods(after, direction) || peers.length === 0 || peers.some(isAnybody)) return []
  const { limits: effect } = EFFECTS[direction]
  const before = releases.before.policies.filter((one) => isIn(ref, one) && limitsPods(one, direction))
  const others = othersIn(releases, ref).filter((one) => peersOf(one, direction).some(isAnybody))
  const running = new Set(releases.before.workloads.filter((one) => isIn(ref, one)).map(workloadName))
  const names = workloadsIn(releases, ref)
    .filter((one) => running.has(workloadName(one)) && selected(after, one))
    .filter((one) => ![...before, ...others].some((policy) => selected(policy, one)))
    .map(workloadName)
  if (names.length > 0) return [{ effect, names, peers }]
  // Its pods are not of the release: they were free as far as this policy goes.
  const isOfOthers = !workloadsIn(releases, ref).some((one) => selected(after, one))
  return isOfOthers && old !== undefined && !limitsPods(old, direction) ? [{ effect, peers }] : []
}

/** Of a policy that limited before, and is about the same pods: whom its rules let through that they did not, and no longer. */
function changedPeers(direction: Direction, { after, before }: Sides): readonly TrafficChange[] {
  if (!limitsPods(before, direction) || !limitsPods(after, direction) || allowsNothing(after, direction)) return []
  if (!isEqual(at(before, 'spec', 'podSelector'), at(after, 'spec', 'podSelector'))) return []
  const [old, now] = [peersOf(before, direction), peersOf(after, direction)]
  if (old.some(isAnybody) || allowsAll(after, direction)) return []
  const { adds, drops } = EFFECTS[direction]
  const changes: readonly TrafficChange[] = [
    { effect: drops, peers: addedPeers(now, old) },
    { effect: adds, peers: addedPeers(old, now) },
  ]
  return changes.filter(({ peers = [] }) => peers.length > 0)
}

function isIn({ namespace }: Ref, { metadata }: KubeObject): boolean {
  return metadata.namespace === namespace
}

function allowsNothing(policy: JsonObject | undefined, direction: Direction): boolean {
  return limitsPods(policy, direction) && arrayAt(policy, 'spec', direction).length === 0
}

function othersIn({ after }: Releases, ref: Ref): readonly KubeObject[] {
  return after.policies.filter(({ metadata }) => metadata.namespace === ref.namespace && metadata.name !== ref.name)
}

function workloadsIn({ after }: Releases, ref: Ref): readonly KubeObject[] {
  return after.workloads.filter(({ metadata }) => metadata.namespace === ref.namespace)
}

function selected(policy: JsonObject | undefined, workload: KubeObject): boolean {
  return selects(at(policy, 'spec', 'podSelector'), labelsOfPods(workload) ?? {})
}

function workloadName({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name ?? ''}`
}

/** Pods that it selected, and that no policy of the release selects any more. */
function opened(
  direction: Direction,
  ref: Ref,
  { after, before }: Sides,
  releases: Releases,
): readonly TrafficChange[] {
  if (!limitsPods(before, direction)) return []
  const { opens: effect } = EFFECTS[direction]
  const left = [...othersIn(releases, ref), ...(after === undefined ? [] : [after])].filter((one) =>
    limitsPods(one, direction),
  )
  if (selectsAll(before)) return left.some(selectsAll) ? [] : [{ effect }]
  const names = workloadsIn(releases, ref)
    .filter((one) => selected(before, one) && !left.some((policy) => selected(policy, one)))
    .map(workloadName)
  return names.length === 0 ? [] : [{ effect, names }]
}

function allowed(direction: Direction, { after, before }: Sides): readonly TrafficChange[] {
  const isNew = limitsPods(before, direction) && !allowsAll(before, direction) && allowsAll(after, direction)
  return isNew && limitsPods(after, direction) ? [{ effect: EFFECTS[direction].allows }] : []
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

/** An empty selector selects every pod of the namespace, and so does a missing one. */
function selectsAll(policy: JsonObject | undefined): boolean {
  const selector = at(policy, 'spec', 'podSelector')
  const labels = at(selector, 'matchLabels')
  const isEmpty = !isJsonObject(labels) || Object.keys(labels).length === 0
  return isEmpty && arrayAt(selector, 'matchExpressions').length === 0
}
