import type { Environment } from '../network/proxy.ts'

/**
 * What credential plugins need to run: where programs, homes, settings and caches lie, how to reach the network, and how
 * to write texts. In lower case: names of variables have no case on Windows, and proxies are written in both.
 */
const SYSTEM_VARIABLES: ReadonlySet<string> = new Set([
  'path',
  'pathext',
  'home',
  'user',
  'logname',
  'username',
  'userprofile',
  'homedrive',
  'homepath',
  'appdata',
  'localappdata',
  'allusersprofile',
  'programdata',
  'programfiles',
  'programfiles(x86)',
  'programw6432',
  'systemroot',
  'systemdrive',
  'windir',
  'comspec',
  'tmpdir',
  'tmp',
  'temp',
  'lang',
  'language',
  'tz',
  // A Python that a step installed finds its libraries there.
  'ld_library_path',
  'kubeconfig',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'ssl_cert_file',
  'ssl_cert_dir',
  'curl_ca_bundle',
  'requests_ca_bundle',
  'node_extra_ca_certs',
])

/** Variables of clouds and identity providers begin so. Source: docs/sources.md#variables-of-credential-plugins. */
const FAMILIES: readonly string[] = [
  'lc_',
  'xdg_',
  // Amazon
  'aws_',
  // Google
  'google_',
  'cloudsdk_',
  'gcloud_',
  'gcp_',
  'use_gke_gcloud_',
  // Azure
  'azure_',
  'aad_',
  'arm_',
  'identity_',
  'imds_',
  'msi_',
  // DigitalOcean, Oracle, IBM, Yandex
  'digitalocean_',
  'oci_',
  'ibmcloud_',
  'bluemix_',
  'yc_',
  // Pinniped, Rancher, Tanzu, Teleport
  'pinniped_',
  'rancher_',
  'tanzu_',
  'teleport_',
]

/**
 * What a credential plugin sees of the job's environment. All else is not its business: inputs of this action, the
 * workflow's tokens, files by which a step talks to the runner, and secrets that steps before have left. The job may name
 * more of them; a kubeconfig cannot, it only adds texts of its own.
 */
export function pluginEnvironment(env: Environment, further: readonly string[]): Readonly<Record<string, string>> {
  const named = new Set(further)
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (named.has(name) || isListed(name.toLowerCase())) ? [[name, value] as const] : [],
  )
  return Object.fromEntries(entries)
}

function isListed(name: string): boolean {
  return SYSTEM_VARIABLES.has(name) || FAMILIES.some((family) => name.startsWith(family))
}
