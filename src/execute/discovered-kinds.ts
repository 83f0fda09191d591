import { shareAnswer } from '../concurrency/shared-answer.ts'
import { arrayAt, at, type JsonValue, type KubeObject, stringAt } from '../model/object.ts'
import { groupOf, versionOf } from '../model/ref.ts'
import type { ServedKind } from '../model/served.ts'
import type { Reader } from '../ports.ts'

/** What discovery serves, asked again at most once at a time for all who wait for it. */
export interface DiscoveredKinds {
  /** All versions that the CRD wants served are served. Asks discovery again. */
  servesAllVersions(crd: KubeObject): Promise<boolean>
  /** The kind's entry as it was last seen; asks where that was never. */
  kindOf(object: KubeObject): Promise<ServedKind | undefined>
}

export function createDiscoveredKinds(reader: Reader, signal: AbortSignal): DiscoveredKinds {
  const discovery = shareAnswer(() => reader.discovery({ refresh: true, signal }))

  return {
    async servesAllVersions(crd) {
      // An answer that was asked for before the CRD was established does not count: the next one does.
      const { kinds } = await discovery.fresh()
      return servedVersions(crd).every((version) =>
        kinds.some(
          (kind) =>
            kind.group === stringAt(crd, 'spec', 'group') &&
            kind.kind === stringAt(crd, 'spec', 'names', 'kind') &&
            kind.version === version,
        ),
      )
    },
    async kindOf(object) {
      const { kinds } = await reader.discovery({ signal })
      const version = versionOf(object.apiVersion)
      const isSame = (kind: ServedKind): boolean =>
        kind.kind === object.kind && kind.group === groupOf(object.apiVersion) && kind.version === version
      return kinds.find(isSame)
    },
  }
}

/** Versions of `apiextensions.k8s.io/v1`; `spec.version` of its `v1beta1`. */
function servedVersions(crd: KubeObject): readonly string[] {
  const versions = arrayAt(crd, 'spec', 'versions').flatMap((version: JsonValue) =>
    at(version, 'served') === true ? [stringAt(version, 'name') ?? ''] : [],
  )
  const only = stringAt(crd, 'spec', 'version')
  return versions.length === 0 && only !== undefined ? [only] : versions
}
