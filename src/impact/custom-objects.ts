import { crdKind, servedVersions } from '../manifest/crd-kind.ts'
import type { ObjectEffect } from '../model/impact.ts'
import { isJsonArray, isJsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import { groupOf, versionOf } from '../model/ref.ts'
import type { Sides } from './network-policies.ts'
import { withKey } from './path-step.ts'
import type { Releases } from './release-objects.ts'
import { schemaImpactOf } from './schema-change.ts'

/** What the change of a CRD does to the objects of its kind that the release holds. */
export function crdEffects({ after, before }: Sides, releases: Releases): readonly ObjectEffect[] {
  const crd = after ?? before
  const defined = crd && crdKind(crd)
  if (defined === undefined || before === undefined) return []
  const ofKind = (all: readonly KubeObject[]) =>
    all.filter(({ apiVersion, kind }) => groupOf(apiVersion) === defined.group && kind === defined.kind)
  if (after === undefined) return [{ effect: 'objects-deleted', names: ofKind(releases.before.all).map(kindAndName) }]
  const objects = ofKind(releases.after.all)
  if (objects.length === 0) return []
  const [old, now] = [servedVersions(before), servedVersions(after)]
  const isUnserved = (version: string) => old.includes(version) && !now.includes(version)
  return [
    ...effectOn(
      'unserved-version-used',
      objects.filter(({ apiVersion }) => isUnserved(versionOf(apiVersion))),
    ),
    ...effectOn('removed-field-used', usersOfRemoved({ before, after }, objects)),
  ]
}

function effectOn(effect: ObjectEffect['effect'], objects: readonly KubeObject[]): readonly ObjectEffect[] {
  return objects.length === 0 ? [] : [{ effect, names: objects.map(kindAndName) }]
}

function usersOfRemoved({ after, before }: Required<Sides>, objects: readonly KubeObject[]): readonly KubeObject[] {
  if (after === undefined) return []
  const versions = schemaImpactOf(before, after, { isMasked: true })?.versions ?? []
  const removed = new Map(
    versions.map(({ changes, name }) => [
      name,
      changes.flatMap(({ effect, paths, what }) => (what === 'field' && effect === 'removes' ? paths : [])),
    ]),
  )
  return objects.filter((object) =>
    (removed.get(versionOf(object.apiVersion)) ?? []).some((path) => hasField(object, path)),
  )
}

/** `path` as a schema has it: `spec.list[].name`, `spec.map.*`. Follows the parts of the object that lie on it. */
function hasField(value: JsonValue | undefined, path: string, here = ''): boolean {
  if (here === path) return value !== undefined
  if (!path.startsWith(here)) return false
  if (isJsonArray(value)) return value.some((item) => hasField(item, path, `${here}[]`))
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(
    ([key, inside]) => hasField(inside, path, withKey(here, key)) || hasField(inside, path, `${here}.*`),
  )
}

/** `Deployment/api`. */
export function kindAndName({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name ?? ''}`
}
