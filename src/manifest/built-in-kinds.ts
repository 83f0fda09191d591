import { groupOf } from '../model/ref.ts'
import { builtInTable, type PodPlace, type Row } from './built-in-table.ts'

/** A row of the table with all defaults filled in. */
export interface BuiltInKind
  extends Required<Omit<Row, Optional | Flag>>,
    Pick<Row, Optional>,
    Readonly<Record<Flag, boolean>> {
  readonly group: string
  readonly kind: string
}

type Optional = 'installOrder' | 'uninstallAfter' | 'pods'
type Flag = 'hasStatus' | 'runsToEnd' | 'isWorkload' | 'isPrecious' | 'isServing' | 'isNamedByHash'

export const builtInKinds: readonly BuiltInKind[] = Object.entries(builtInTable).flatMap(([group, rows]) =>
  Object.entries(rows).map(([kind, row]) => withDefaults(group, kind, row)),
)

const byGroupKind: ReadonlyMap<string, BuiltInKind> = new Map(
  builtInKinds.map((row) => [`${row.group}/${row.kind}`, row]),
)

/** The built-in kind, in any version; undefined for a kind of the same name in another group. */
export function builtInKind(of: { readonly apiVersion: string; readonly kind: string }): BuiltInKind | undefined {
  return byGroupKind.get(`${groupOf(of.apiVersion)}/${of.kind}`)
}

/** Whether it is this built-in kind, not one of the same name in another group. */
export function isBuiltIn(
  of: { readonly apiVersion: string; readonly kind: string },
  kind: 'ConfigMap' | 'CustomResourceDefinition' | 'Job' | 'Namespace' | 'PersistentVolumeClaim' | 'Pod' | 'Secret',
): boolean {
  return builtInKind(of)?.kind === kind
}

/** Whether the API server itself serves the group: all of its kinds are built-in ones. */
export function isBuiltInGroup(group: string): boolean {
  return Object.hasOwn(builtInTable, group)
}

/** Names of such kinds, for uses where a kind of the same name in another group counts as well. */
export function kindNames(where: (kind: BuiltInKind) => boolean): ReadonlySet<string> {
  return new Set(builtInKinds.filter(where).map(({ kind }) => kind))
}

const podPlaces: ReadonlyMap<string, PodPlace> = new Map(
  builtInKinds.flatMap(({ kind, pods }) => (pods === undefined ? [] : [[kind, pods]])),
)

/** For evidence: a workload of the same name in another group owns its pods in the same way; a Pod there is no pod. */
export function podPlaceOf(of: { readonly apiVersion: string; readonly kind: string }): PodPlace | undefined {
  const place = podPlaces.get(of.kind)
  return place === 'itself' ? builtInKind(of)?.pods : place
}

function withDefaults(group: string, kind: string, row: Row): BuiltInKind {
  return {
    group,
    kind,
    versions: ['v1'],
    resource: pluralOf(kind.toLowerCase()),
    shortNames: [],
    scope: 'namespaced',
    hasStatus: false,
    awaited: 'ready',
    readiness: 'applied',
    runsToEnd: false,
    quota: 'count',
    serverChosen: 'nothing',
    isWorkload: false,
    isPrecious: false,
    isServing: false,
    isNamedByHash: false,
    ...row,
  }
}

/** As Kubernetes guesses it. Source: apimachinery, UnsafeGuessKindToResource. */
export function pluralOf(singular: string): string {
  if (singular.endsWith('s')) return `${singular}es`
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`
}
