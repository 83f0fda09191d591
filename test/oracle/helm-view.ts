import { loadAll } from 'js-yaml'
import { mapLimited } from '../../src/concurrency/map-limited.ts'
import type { Json } from '../../src/tools/local/cluster/cluster-api.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { helmIn } from '../e2e/helm.ts'

/** A release as `helm` of one version tells it. */
export interface HelmView {
  readonly revisions: readonly Revision[]
  /** As `helm status` tells the newest one; absent where it was not asked. */
  readonly newest?: Revision
  /** Objects in the manifest of the newest revision; hooks are none of them. */
  readonly manifest: readonly Json[]
  readonly values: Json
}

export interface Revision {
  readonly revision: number
  readonly status: string
}

export const HELM_VERSIONS = ['helm3', 'helm4'] as const

/**
 * Throws where one of the commands fails: then `helm` cannot read the release. `withStatus: false`: `helm status` is not
 * asked, which looks up the live objects and fails as long as a CRD of theirs is missing.
 */
export async function helmView(
  namespace: Namespace,
  release: string,
  version: (typeof HELM_VERSIONS)[number],
  { withStatus }: { readonly withStatus: boolean },
): Promise<HelmView> {
  const helm = await helmIn(namespace, version)
  const asked = [
    ['history', release, '--max', '1000', '--output', 'json'],
    ['get', 'manifest', release],
    ['get', 'values', release, '--output', 'json'],
    ...(withStatus ? [['status', release, '--output', 'json']] : []),
  ]
  const [history = '', manifest = '', values = '', told] = await mapLimited(asked, 2, (args) => helm(...args))
  const status = told === undefined ? undefined : (JSON.parse(told) as { info: { status: string }; version: number })
  return {
    revisions: (JSON.parse(history) as readonly Revision[]).map(({ revision, status }) => ({ revision, status })),
    ...(status === undefined ? {} : { newest: { revision: status.version, status: status.info.status } }),
    manifest: loadAll(manifest).filter((document) => document !== null && document !== undefined) as Json[],
    values: JSON.parse(values) as Json,
  }
}
