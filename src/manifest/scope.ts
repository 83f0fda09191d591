import type { Manifest } from '../model/manifest.ts'
import { isJsonObject, type JsonObject, type KubeObject, stringAt } from '../model/object.ts'
import type { Problem } from '../model/problem.ts'
import { groupOf, type Ref, versionOf } from '../model/ref.ts'
import type { ServedKind } from '../model/served.ts'
import { builtInKind } from './built-in-kinds.ts'
import { changedPaths } from './compare.ts'
import { crdKind } from './crd-kind.ts'
import { type SingleDocument, type SourceDocument, singleDocuments } from './single-documents.ts'
import { documentProblems, type WellFormedScope } from './well-formed.ts'

/** `namespace` is that of the release, for every namespaced object without one. */
export interface Scope extends WellFormedScope {
  readonly served: readonly Pick<ServedKind, 'group' | 'version' | 'kind' | 'isNamespaced'>[]
}

/**
 * Parsed documents as manifests: Lists become their items, namespaced objects get a namespace and cluster-scoped ones
 * lose theirs, values that change with each render are listed (docs/decisions/0027), and malformed documents become
 * problems. Whether a kind is namespaced comes from discovery, else from a CRD among the documents, else from the table
 * of built-in kinds; a kind that none of them knows counts as namespaced.
 */
export function toManifests(
  documents: readonly SourceDocument[],
  scope: Scope,
): { readonly manifests: readonly Manifest[]; readonly problems: readonly Problem[] } {
  const singles = singleDocuments(documents)
  const isNamespaced = namespacedKinds(singles, scope)
  const manifests: Manifest[] = []
  const problems: Problem[] = []
  for (const document of singles) {
    const found = documentProblems(document, scope)
    problems.push(...found)
    if (!found.some((problem) => problem.severity === 'error')) {
      // `documentProblems` found no error, so the value has the shape of a Kubernetes object.
      manifests.push(varying(document.value as KubeObject, document, { scope, isNamespaced }))
    }
  }
  return { manifests, problems }
}

interface Context {
  readonly scope: Scope
  readonly isNamespaced: (apiVersion: string, kind: string) => boolean
}

/** A second render that is not a Kubernetes object is ignored. */
function varying(object: KubeObject, document: SingleDocument, context: Context): Manifest {
  const manifest = manifestOf(object, document, context)
  const { again } = document
  if (!isJsonObject(again) || !isJsonObject(again.metadata)) return manifest
  const other = manifestOf({ apiVersion: '', kind: '', ...again, metadata: again.metadata }, document, context)
  const varies = changedPaths(manifest.object, other.object)
  return varies.length === 0 ? manifest : { ...manifest, varies, again: other.object }
}

function manifestOf(object: KubeObject, document: SingleDocument, context: Context): Manifest {
  const { apiVersion, kind } = object
  const { namespace: written, ...rest } = object.metadata
  const metadata = withText(withText(rest, 'annotations'), 'labels')
  const name = metadata.name ?? ''
  const origin = { file: document.file, line: document.line }
  if (!context.isNamespaced(apiVersion, kind)) {
    const ref: Ref = { apiVersion, kind, name }
    return { ref, object: { ...object, metadata }, origin, source: document.source }
  }
  const namespace = written === undefined || written === '' ? context.scope.namespace : written
  const ref: Ref = { apiVersion, kind, namespace, name }
  return { ref, object: { ...object, metadata: { ...metadata, namespace } }, origin, source: document.source }
}

/** Every value as text; null becomes the empty text, as in Go. Where the template left the map empty, it is dropped. */
function withText(metadata: KubeObject['metadata'], field: 'annotations' | 'labels'): KubeObject['metadata'] {
  const { [field]: map, ...rest }: JsonObject = metadata
  if (!isJsonObject(map)) return rest
  return { ...rest, [field]: Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value ?? '')])) }
}

function namespacedKinds(
  documents: readonly SingleDocument[],
  scope: Scope,
): (apiVersion: string, kind: string) => boolean {
  const fromDiscovery = new Map<string, boolean>()
  for (const { group, version, kind, isNamespaced } of scope.served) {
    fromDiscovery.set(`${group}/${version}/${kind}`, isNamespaced)
    // All versions of a kind have the same scope.
    fromDiscovery.set(`${group}//${kind}`, isNamespaced)
  }
  const fromCrds = new Map(documents.flatMap(({ value }) => (isJsonObject(value) ? scopeOfCrd(value) : [])))
  return (apiVersion, kind) => {
    const group = groupOf(apiVersion)
    return (
      fromDiscovery.get(`${group}/${versionOf(apiVersion)}/${kind}`) ??
      fromDiscovery.get(`${group}//${kind}`) ??
      fromCrds.get(`${group}/${kind}`) ??
      builtInKind({ apiVersion, kind })?.scope !== 'cluster'
    )
  }
}

/** `spec.scope` is required in v1; in v1beta1 it defaults to `Namespaced`. */
function scopeOfCrd(object: JsonObject): readonly (readonly [string, boolean])[] {
  const defined = crdKind(object)
  if (defined === undefined) return []
  return [[`${defined.group}/${defined.kind}`, stringAt(object, 'spec', 'scope') !== 'Cluster']]
}
