/** Kinds that KOTS reads for itself and never deploys. Source: docs/sources.md#kots-inclusion. */
export function isKotsOnly(apiVersion: string, kind: string): boolean {
  if (apiVersion === 'velero.io/v1') return kind === 'Backup' || kind === 'Restore'
  return kotsVersions.has(apiVersion)
}

const kotsVersions: ReadonlySet<string> = new Set([
  'kots.io/v1beta1',
  'kots.io/v1beta2',
  'troubleshoot.sh/v1beta2',
  'troubleshoot.replicated.com/v1beta1',
  'cluster.kurl.sh/v1beta1',
  'kurl.sh/v1beta1',
  'embeddedcluster.replicated.com/v1beta1',
  'app.k8s.io/v1beta1',
])
