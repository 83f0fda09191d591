import type { Resource } from '../model/directives.ts'
import { refKey } from '../model/ref.ts'
import { rowOf, type Verb } from '../model/verb.ts'
import { builtInKind, isBuiltIn } from './built-in-kinds.ts'

/**
 * Whether an existing object is recreated whatever the change: with `before-creation`, and the Job or Pod that an
 * earlier run left behind; but never a CRD and never against `keep`, which are updated in place
 * (docs/decisions/0018, docs/decisions/0019). `kept`: see `Observed`.
 */
export function isRecreated(
  resource: Resource,
  { kept, verb }: { readonly kept: ReadonlySet<string>; readonly verb: Verb },
): boolean {
  const { directives, manifest } = resource
  if (isBuiltIn(manifest.ref, 'CustomResourceDefinition') || isKept(resource, kept)) return false
  if (directives.deletePolicies.includes('before-creation')) return true
  // A hook runs each time. So does what an uninstall deploys: a backup of an earlier life is not the last one.
  return runsToCompletion(resource) && (directives.isHook || rowOf(verb).removes === true)
}

export function runsToCompletion(resource: Resource): boolean {
  return builtInKind(resource.manifest.ref)?.runsToEnd === true
}

/** `keep` counts in the manifest and on the live object (docs/decisions/0008). */
export function isKept({ directives, manifest }: Resource, kept: ReadonlySet<string>): boolean {
  return directives.keep || kept.has(refKey(manifest.ref))
}
