import type { Resource } from '../model/directives.ts'
import { arrayAt, stringAt } from '../model/object.ts'

/** What the CRDs of a release will serve once it is deployed; later releases of the run may count on it. */
export interface Brings {
  /** As Helm lists them: `group/version` and `group/version/Kind`. */
  readonly apiVersions: readonly string[]
  /** `group/Kind` */
  readonly kinds: readonly string[]
}

export const noBrings: Brings = { apiVersions: [], kinds: [] }

export function bringsOf(resources: readonly Resource[]): Brings {
  const all = resources.map(({ manifest }) => manifest.object).filter(({ kind }) => kind === 'CustomResourceDefinition')
  return all.reduce<Brings>((found, crd) => {
    const group = stringAt(crd, 'spec', 'group') ?? ''
    const kind = stringAt(crd, 'spec', 'names', 'kind') ?? ''
    const versions = arrayAt(crd, 'spec', 'versions').flatMap((version) => stringAt(version, 'name') ?? [])
    return {
      apiVersions: [
        ...found.apiVersions,
        ...versions.flatMap((version) => [`${group}/${version}`, `${group}/${version}/${kind}`]),
      ],
      kinds: [...found.kinds, `${group}/${kind}`],
    }
  }, noBrings)
}

export function together(a: Brings, b: Brings): Brings {
  return { apiVersions: [...a.apiVersions, ...b.apiVersions], kinds: [...a.kinds, ...b.kinds] }
}
