import { createHash } from 'node:crypto'
import type { ReleaseSpec } from '../model/release.ts'
import type { Reader } from '../ports.ts'

/**
 * Label of the records that one workflow step makes of a list of charts. Helm keeps labels that it does not know from
 * revision to revision.
 */
const BUNDLE = 'staged-helm-deploy.dev/bundle'
const ID_CHARS = 16

/** The id of a list: of the step that holds it, not of its members, which may change. */
export function bundleId(step: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(step)).digest('hex').slice(0, ID_CHARS)
}

export function bundleLabels(bundle: string | undefined): { readonly [key: string]: string } {
  return bundle === undefined ? {} : { [BUNDLE]: bundle }
}

/**
 * Releases (`namespace/name`) that this list deployed earlier and that are not in it any more. One LIST request
 * per namespace of the run.
 */
export async function goneFromBundle(
  reader: Reader,
  bundle: string,
  releases: readonly ReleaseSpec[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const namespacedName = ({ namespace, release }: ReleaseSpec) => `${namespace ?? reader.defaultNamespace}/${release}`
  const listed = new Set(releases.map(namespacedName))
  const namespaces = [...new Set(releases.map(({ namespace }) => namespace ?? reader.defaultNamespace))]
  const found = await Promise.all(
    namespaces.map(async (namespace) => {
      const labelSelector = `owner=helm,status=deployed,${BUNDLE}=${bundle}`
      const secrets = await reader.list({ apiVersion: 'v1', kind: 'Secret', namespace, labelSelector }, signal)
      return secrets.map(({ metadata }) => `${namespace}/${metadata.labels?.name ?? ''}`)
    }),
  )
  return [...new Set(found.flat())].filter((place) => !listed.has(place)).sort()
}
