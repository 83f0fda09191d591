import { compareText, type Ref } from '../model/ref.ts'
import { builtInKinds } from './built-in-kinds.ts'

const ordered = builtInKinds
  .flatMap(({ installOrder: place, kind, uninstallAfter }) =>
    place === undefined ? [] : [{ place, kind, uninstallAfter }],
  )
  .toSorted((a, b) => a.place - b.place)

/**
 * Kinds in the order in which Helm creates them. Kind only; the API group is ignored.
 * Source: docs/sources.md#helm-kind-order.
 */
export const installOrder: readonly string[] = ordered.map(({ kind }) => kind)

/**
 * Kinds in the order in which Helm deletes them: the reverse, but for Service, which goes right after IngressClass so
 * that traffic stops before the workloads do. Source: docs/sources.md#helm-kind-order.
 */
export const uninstallOrder: readonly string[] = ordered
  .toReversed()
  .filter(({ uninstallAfter }) => uninstallAfter === undefined)
  .flatMap(({ kind }) => [
    kind,
    ...ordered.filter(({ uninstallAfter }) => uninstallAfter === kind).map((moved) => moved.kind),
  ])

const installRanks: ReadonlyMap<string, number> = new Map(installOrder.map((kind, rank) => [kind, rank]))
const uninstallRanks: ReadonlyMap<string, number> = new Map(uninstallOrder.map((kind, rank) => [kind, rank]))

/** Place in the install order, from 0; kinds that Helm does not know share the last place. */
export function installRank(kind: string): number {
  return installRanks.get(kind) ?? installOrder.length
}

/**
 * Place in the uninstall order. Kinds that Helm does not know share the first place: they were created last, and a
 * custom resource must go before its CRD and its controller do. Source: docs/sources.md#kots-phases; Helm itself puts
 * them last.
 */
export function uninstallRank(kind: string): number {
  return uninstallRanks.get(kind) ?? -1
}

/** By kind rank, then kind (for unknown kinds), then name, namespace and group: a total order of different objects. */
export function compareForInstall(a: Ref, b: Ref): number {
  return installRank(a.kind) - installRank(b.kind) || compareWithin(a, b)
}

export function compareForUninstall(a: Ref, b: Ref): number {
  return uninstallRank(a.kind) - uninstallRank(b.kind) || compareWithin(a, b)
}

function compareWithin(a: Ref, b: Ref): number {
  return (
    compareText(a.kind, b.kind) ||
    compareText(a.name, b.name) ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.apiVersion, b.apiVersion)
  )
}
