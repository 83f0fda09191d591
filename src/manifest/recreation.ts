import type { Resource } from '../model/directives.ts'
import { type KubeObject, stringAt } from '../model/object.ts'
import { groupOf } from '../model/ref.ts'

/**
 * Whether an existing object is deleted and made anew whatever the change: `before-creation`, and the Job or Pod that a
 * hook without that policy left behind; but never a CRD and never against `keep`, which are updated in place
 * (docs/decisions/0018, docs/decisions/0019).
 */
export function isRecreated(resource: Resource, live: KubeObject | undefined): boolean {
  const { directives, manifest } = resource
  if (manifest.ref.kind === 'CustomResourceDefinition' || isKept(resource, live)) return false
  return directives.deletePolicies.includes('before-creation') || (directives.isHook && runsToItsEnd(resource))
}

export function runsToItsEnd(resource: Resource): boolean {
  const { apiVersion, kind } = resource.manifest.ref
  return (kind === 'Job' && groupOf(apiVersion) === 'batch') || (kind === 'Pod' && apiVersion === 'v1')
}

/** `keep` counts in the manifest and on the live object (docs/decisions/0008). */
export function isKept(resource: Resource, live: KubeObject | undefined): boolean {
  const onLive = stringAt(live, 'metadata', 'annotations', 'helm.sh/resource-policy')
  return resource.directives.keep || onLive?.trim().toLowerCase() === 'keep'
}
