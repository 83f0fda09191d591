/** As charts name them: `checksum/config`, `example.com/checksum`. */
export function isChecksum(key: string): boolean {
  return key.startsWith('checksum/') || key === 'checksum' || key.endsWith('/checksum')
}

/** Labels that only name the chart's version or its tool. */
export function isVersionKey(key: string): boolean {
  return VERSION_KEYS.has(key)
}

/** Labels that say which application an object is part of, as charts have them. Source: the docs of Kubernetes, "Recommended Labels". */
export function isAppLabel(key: string): boolean {
  return key.startsWith('app.kubernetes.io/') || APP_LABELS.has(key)
}

/**
 * Whether nothing reads the label or annotation but people and the tool that wrote it. Any other key may steer something:
 * a controller, a load balancer, a cloud role, a selector.
 */
export function isInertKey(map: string, key: string): boolean {
  if (isVersionKey(key)) return true
  if (map !== 'annotations') return false
  return isChecksum(key) || INERT.has(key) || INERT_PREFIXES.some((prefix) => key.startsWith(prefix)) || isText(key)
}

/** Marks of the release: Helm writes them on every object. */
export function isReleaseMark(map: 'labels' | 'annotations', key: string): boolean {
  return map === 'annotations' ? key.startsWith('meta.helm.sh/release-') : key === 'app.kubernetes.io/managed-by'
}

function isText(key: string): boolean {
  return key === 'description' || key.endsWith('/description')
}

/** Annotations of a ServiceAccount by which a cloud knows it. Source: docs/sources.md#labels-and-annotations-that-steer. */
export const CLOUD_IDENTITY =
  /^(eks\.amazonaws\.com\/role-arn|iam\.gke\.io\/gcp-service-account|azure\.workload\.identity\/(client|tenant)-id)$/

const VERSION_KEYS: ReadonlySet<string> = new Set([
  'helm.sh/chart',
  'chart',
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
  'heritage',
])

const APP_LABELS: ReadonlySet<string> = new Set(['app', 'k8s-app', 'component', 'tier', 'release', 'instance'])

const INERT: ReadonlySet<string> = new Set(['controller-gen.kubebuilder.io/version', 'kubernetes.io/change-cause'])
const INERT_PREFIXES: readonly string[] = ['meta.helm.sh/', 'artifacthub.io/']
