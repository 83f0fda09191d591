import { loadAll } from 'js-yaml'
import { changedPaths } from '../../src/manifest/compare.ts'
import { isJsonObject, type KubeObject } from '../../src/model/object.ts'
import type { Helm } from '../e2e/helm.ts'
import { keyOf } from './snapshot.ts'

export const HELMS = ['helm3', 'helm4'] as const
export type HelmVersion = (typeof HELMS)[number]

/** What Helm's own renders of both charts tell. All names are `Kind/name`. */
export interface Templates {
  readonly names: ReadonlySet<string>
  /** The apiVersion of each kind, the newer one where both charts have another. */
  readonly kinds: ReadonlyMap<string, string>
  /** Those that the old chart had among its objects, and the new one has as hooks. */
  readonly becameHooks: ReadonlySet<string>
  /** Whether two renders of the new chart differ in anything, names included. */
  readonly varies: boolean
  /** JSON pointers of what two renders of the new chart have different. */
  readonly random: ReadonlyMap<string, readonly string[]>
}

export async function readTemplates(
  helm: Helm,
  charts: { readonly old: string; readonly new: string },
): Promise<Templates> {
  const render = async (chart: string) => objectsIn(await helm('template', 'shop', chart, '--include-crds'))
  const [old, first, second] = await Promise.all([render(charts.old), render(charts.new), render(charts.new)])
  const all = [...old.values(), ...first.values()]
  const random = [...first].flatMap(([key, object]): readonly (readonly [string, readonly string[]])[] => {
    const other = second.get(key)
    return other === undefined ? [] : [[key, changedPaths(object, other)]]
  })
  return {
    names: new Set(all.map(keyOf)),
    kinds: new Map(all.map(({ kind, apiVersion }) => [kind, apiVersion])),
    becameHooks: new Set([...first].flatMap(([key, one]) => (isHook(one) && !isHook(old.get(key)) ? [key] : []))),
    varies: random.some(([, paths]) => paths.length > 0) || [...first.keys()].join() !== [...second.keys()].join(),
    random: new Map(random),
  }
}

/** An object that is not there counts as one. */
function isHook(object: KubeObject | undefined): boolean {
  return object === undefined || object.metadata.annotations?.['helm.sh/hook'] !== undefined
}

/** Tests may have names of their own in each render: the last of a name counts. */
export function objectsIn(text: string): ReadonlyMap<string, KubeObject> {
  const documents: readonly unknown[] = loadAll(text)
  const objects = documents.flatMap((document) =>
    isJsonObject(document as KubeObject) ? [document as KubeObject] : [],
  )
  return new Map(objects.map((object) => [keyOf(object), object]))
}
