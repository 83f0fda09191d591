import { loadAll } from 'js-yaml'
import type { Json } from '../../src/tools/local/cluster/cluster-api.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { helmIn } from '../e2e/helm.ts'
import { mapLimited } from '../map-limited.ts'

/** A release as `helm` of one version tells it. */
export interface HelmView {
  readonly revisions: readonly { readonly revision: number; readonly status: string }[]
  readonly status: string
  readonly revision: number
  /** Objects in the manifest of the newest revision; hooks are none of them. */
  readonly manifest: readonly Json[]
  readonly values: Json
}

export const HELM_VERSIONS = ['helm3', 'helm4'] as const

/** Throws where one of the commands fails: then `helm` cannot read the release. */
export async function helmView(
  namespace: Namespace,
  release: string,
  version: (typeof HELM_VERSIONS)[number],
): Promise<HelmView> {
  const helm = await helmIn(namespace, version)
  const asked = [
    ['history', release, '--max', '1000', '--output', 'json'],
    ['status', release, '--output', 'json'],
    ['get', 'manifest', release],
    ['get', 'values', release, '--output', 'json'],
  ]
  const [history = '', status = '', manifest = '', values = ''] = await mapLimited(asked, 2, (args) => helm(...args))
  const { info, version: revision } = JSON.parse(status) as { info: { status: string }; version: number }
  const revisions = (JSON.parse(history) as readonly { revision: number; status: string }[]).map((entry) => ({
    revision: entry.revision,
    status: entry.status,
  }))
  return {
    revisions,
    status: info.status,
    revision,
    manifest: loadAll(manifest).filter((document) => document !== null && document !== undefined) as Json[],
    values: JSON.parse(values) as Json,
  }
}
