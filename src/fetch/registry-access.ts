import type { RegistryAccess } from '../ports.ts'

/** The item of the input `registries` for the server of an address. */
export function accessTo(url: URL, registries: readonly RegistryAccess[]): RegistryAccess | undefined {
  return registries.find(({ host }) => registryName(hostOf(host, url.protocol)) === registryName(url.host))
}

/** Docker Hub goes by several names; the one that its charts are asked for by stands for all of them. */
export function registryName(host: string): string {
  return DOCKER_HUB.has(host) ? 'docker.io' : host
}

const DOCKER_HUB: ReadonlySet<string> = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io'])

/** Without the port that the protocol has anyway. */
function hostOf(host: string, protocol: string): string {
  return URL.parse(`${protocol}//${host}`)?.host ?? host
}
