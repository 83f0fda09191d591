import { arrayAt, at, type JsonValue, stringAt } from '../model/object.ts'
import type { Discovery, ServedKind } from '../ports.ts'

/**
 * Reads `APIGroupDiscoveryList`, the answer that holds all groups at once, or undefined where the server answered in the
 * old form. A `Stale` version is one whose backend does not answer now. Source: Kubernetes API docs, aggregated discovery.
 */
export function readAggregated(answer: JsonValue): Discovery | undefined {
  if (stringAt(answer, 'kind') !== 'APIGroupDiscoveryList') return undefined
  const kinds: ServedKind[] = []
  const failed: { groupVersion: string; cause: string }[] = []
  for (const item of arrayAt(answer, 'items')) {
    const group = stringAt(item, 'metadata', 'name') ?? ''
    arrayAt(item, 'versions').forEach((entry, index) => {
      const version = stringAt(entry, 'version') ?? ''
      if (stringAt(entry, 'freshness') === 'Stale') {
        failed.push({
          groupVersion: group === '' ? version : `${group}/${version}`,
          cause: 'its server does not answer',
        })
      }
      // The preferred version comes first.
      const place = { group, version, isPreferred: index === 0 }
      kinds.push(...arrayAt(entry, 'resources').flatMap((resource) => fromAggregated(resource, place)))
    })
  }
  return { kinds, failed }
}

/** Reads one `APIResourceList`: the answer of one group and version, in the form that every server knows. */
export function readResourceList(answer: JsonValue, place: GroupVersion): readonly ServedKind[] {
  const resources = arrayAt(answer, 'resources')
  const names = new Set(resources.map((resource) => stringAt(resource, 'name') ?? ''))
  return resources.flatMap((resource) => {
    const name = stringAt(resource, 'name') ?? ''
    const kind = stringAt(resource, 'kind') ?? ''
    if (name === '' || kind === '' || name.includes('/')) return []
    const isNamespaced = at(resource, 'namespaced') === true
    return [
      {
        ...place,
        kind,
        resource: name,
        shortNames: shortNamesIn(resource),
        isNamespaced,
        singular: stringAt(resource, 'singularName') || kind.toLowerCase(),
        hasStatus: names.has(`${name}/status`),
      },
    ]
  })
}

export interface GroupVersion {
  readonly group: string
  readonly version: string
  readonly isPreferred: boolean
}

/** The versions of every group of an `APIGroupList`, in the server's order. */
export function readGroups(answer: JsonValue): readonly GroupVersion[] {
  return arrayAt(answer, 'groups').flatMap((item) => {
    const group = stringAt(item, 'name') ?? ''
    const preferred = stringAt(item, 'preferredVersion', 'version')
    return arrayAt(item, 'versions').map((entry) => {
      const version = stringAt(entry, 'version') ?? ''
      return { group, version, isPreferred: version === preferred }
    })
  })
}

function fromAggregated(resource: JsonValue, place: GroupVersion): readonly ServedKind[] {
  const name = stringAt(resource, 'resource') ?? ''
  const kind = stringAt(resource, 'responseKind', 'kind') ?? ''
  if (name === '' || kind === '') return []
  const hasStatus = arrayAt(resource, 'subresources').some((sub) => stringAt(sub, 'subresource') === 'status')
  const isNamespaced = stringAt(resource, 'scope') === 'Namespaced'
  return [
    {
      ...place,
      kind,
      resource: name,
      shortNames: shortNamesIn(resource),
      isNamespaced,
      singular: stringAt(resource, 'singularResource') || kind.toLowerCase(),
      hasStatus,
    },
  ]
}

function shortNamesIn(resource: JsonValue): readonly string[] {
  return arrayAt(resource, 'shortNames').filter((name) => typeof name === 'string')
}
