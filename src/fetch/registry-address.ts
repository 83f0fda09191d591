import { fetchFailure } from './fetch-failure.ts'
import { shown } from './wanted-version.ts'

/** A repository of a registry. */
export interface RegistryAddress {
  readonly host: string
  readonly repository: string
}

const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/
/** Source: the distribution specification, `<name>`; what it says of separators is left to the registry. */
const REPOSITORY_PART = /^[a-z0-9][a-z0-9._-]*$/

/** `oci://host/repository`. Throws FetchError. */
export function readRegistryAddress(text: string): RegistryAddress {
  const [, host = '', repository = ''] = /^oci:\/\/([^/]*)\/(.*)$/.exec(text.replace(/\/$/, '')) ?? []
  return requireRegistryAddress({ host, repository })
}

/** A path of another form would lead elsewhere on the server. */
export function requireRegistryAddress<T extends RegistryAddress>(address: T): T {
  const isProper = address.repository.split('/').every((part) => REPOSITORY_PART.test(part))
  // Numbers and lengths of a host are for the reader of addresses.
  if (HOST.test(address.host) && URL.canParse(`https://${address.host}`) && isProper) return address
  throw fetchFailure(
    `"${shown(registrySource(address))}" is no address of a registry: oci://host/path, in lower case`,
    { kind: 'check-address' },
  )
}

/** How a repository stands in messages and plans. */
export function registrySource({ host, repository }: RegistryAddress): string {
  return `oci://${host}/${repository}`
}
