import { type KubeObject, stringAt } from '../model/object.ts'

/** The ownership metadata that Helm sets on the objects of a release. Source: docs/sources.md#helm-ownership. */
const MANAGED_BY = 'app.kubernetes.io/managed-by'
const RELEASE_NAME = 'meta.helm.sh/release-name'
const RELEASE_NAMESPACE = 'meta.helm.sh/release-namespace'

export interface Owner {
  readonly release: string
  readonly namespace: string
}

/**
 * `ours`: label and annotations name this release. `other`: the annotations name another one. `none`: anything else,
 * with the keys that are missing or differ; an object that lost only its label is `none` with one entry in `missing`.
 */
export type Ownership =
  | { readonly kind: 'ours' }
  | { readonly kind: 'other'; readonly release: string; readonly namespace: string }
  | { readonly kind: 'none'; readonly missing: readonly string[] }

/** A copy with Helm's ownership metadata; values that the chart set for it are overwritten, as in Helm. */
export function withOwnership(object: KubeObject, owner: Owner): KubeObject {
  const { metadata } = object
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [MANAGED_BY]: 'Helm' },
      annotations: {
        ...metadata.annotations,
        [RELEASE_NAME]: owner.release,
        [RELEASE_NAMESPACE]: owner.namespace,
      },
    },
  }
}

/** Which release owns a live object, from the view of one release. */
export function ownershipOf(object: KubeObject, owner: Owner): Ownership {
  const release = stringAt(object, 'metadata', 'annotations', RELEASE_NAME)
  const namespace = stringAt(object, 'metadata', 'annotations', RELEASE_NAMESPACE)
  const isOther =
    (release !== undefined && release !== owner.release) || (namespace !== undefined && namespace !== owner.namespace)
  if (isOther) return { kind: 'other', release: release ?? '', namespace: namespace ?? '' }
  const missing = [
    stringAt(object, 'metadata', 'labels', MANAGED_BY) === 'Helm' ? '' : MANAGED_BY,
    release === undefined ? RELEASE_NAME : '',
    namespace === undefined ? RELEASE_NAMESPACE : '',
  ].filter((key) => key !== '')
  return missing.length === 0 ? { kind: 'ours' } : { kind: 'none', missing }
}
