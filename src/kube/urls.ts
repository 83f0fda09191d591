import { ApiError } from '../model/errors.ts'
import { groupOf, versionOf } from '../model/ref.ts'
import type { Discovery, ServedKind } from '../ports.ts'
import type { About } from './status.ts'

/** `/api/v1/namespaces/shop/configmaps/app`, from the server's root. Throws ApiError where a name cannot be part of a path. */
export function apiPath(
  kind: ServedKind,
  place: { readonly namespace?: string; readonly name?: string },
  about: About,
): string {
  const root =
    kind.group === ''
      ? `/api/${segment(kind.version, about)}`
      : `/apis/${segment(kind.group, about)}/${segment(kind.version, about)}`
  // A namespace on a cluster-scoped object is common in charts and means nothing.
  const scope =
    kind.isNamespaced && place.namespace !== undefined ? `/namespaces/${segment(place.namespace, about)}` : ''
  const name = place.name === undefined ? '' : `/${segment(place.name, about)}`
  return `${root}${scope}/${segment(kind.resource, about)}${name}`
}

/** `?a=1&b=2`, without the parameters that are undefined; empty where none is left. */
export function queryString(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.append(name, String(value))
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** The kind as the server serves it, or undefined. The version counts: `apps/v1` is not `apps/v1beta1`. */
export function findKind(discovery: Discovery, apiVersion: string, kind: string): ServedKind | undefined {
  const group = groupOf(apiVersion)
  const version = versionOf(apiVersion)
  return discovery.kinds.find((served) => served.kind === kind && served.version === version && served.group === group)
}

/** A name comes from a chart: it must be exactly one segment of the path. */
function segment(text: string, about: About): string {
  if (text === '' || text === '.' || text === '..' || text.includes('/') || text.includes('%')) {
    const message = text === '' ? 'a name or namespace is missing' : `${JSON.stringify(text)} cannot be a name`
    throw new ApiError({ ...about, status: 400, reason: 'BadRequest', message, causes: [] })
  }
  return encodeURIComponent(text)
}
