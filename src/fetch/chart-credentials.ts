import type { Environment } from '../network/proxy.ts'
import type { Clock, RegistryAccess } from '../ports.ts'
import { configPaths } from './config-paths.ts'
import { askCredentialHelper } from './credential-helper.ts'
import { type DockerConfig, loginIn, readDockerConfig } from './docker-config.ts'
import { entryFor, type HelmRepository, readHelmRepositories } from './helm-files.ts'
import { hostTls } from './host-tls.ts'
import type { Login } from './http.ts'
import type { HostTls } from './http-connections.ts'
import { readMachineFile } from './machine-file.ts'
import { accessTo, registryName } from './registry-access.ts'
import type { RegistryLogin } from './registry-login.ts'

/** Logins of the job. Methods throw FetchError where a file or a credential helper is broken. */
export interface Credentials {
  /** Of a registry: input `registries`, Helm's registry file, Docker's configuration, in this order, as Helm has it. */
  ofRegistry(host: string): Promise<RegistryLogin | undefined>
  /** Of an address: input `registries`, or the entry of Helm's repositories file whose address it begins with. */
  ofAddress(url: URL): Promise<Login | undefined>
  /** Address of the repository that `helm repo add` knows by this name (`@name`, `alias:name`). */
  addressOf(name: string): Promise<string | undefined>
  /** What Helm's repositories file says about TLS with the host of an address. */
  tlsOf(url: URL): Promise<HostTls | undefined>
}

export interface CredentialsOptions {
  readonly env: Environment
  readonly platform: NodeJS.Platform
  readonly registries: readonly RegistryAccess[]
  readonly clock: Clock
  /** Gets each secret value that a file or a helper gives, before anything is done with it. */
  readonly onSecret: (value: string) => void
  /** What of the files has no effect, once. */
  readonly onNotice: (text: string) => void
}

export function createChartCredentials(options: CredentialsOptions): Credentials {
  const { env, platform, registries, onSecret, onNotice } = options
  const paths = configPaths(env, platform)
  const dockerFiles = [paths.helmRegistry, paths.docker].map((path) => once(() => readDocker(path)))
  const repositories = once(() => readRepositories(paths.helmRepositories))
  const logins = new Map<string, Promise<RegistryLogin | undefined>>()
  const said = new Set<string>()

  async function find(host: string): Promise<RegistryLogin | undefined> {
    const url = URL.parse(`https://${host}`)
    const given = url === null ? undefined : loginOf(accessTo(url, registries))
    if (given !== undefined) return given
    for (const read of dockerFiles) {
      const config = await read()
      const found = config === undefined ? undefined : await inDocker(config, host)
      if (found !== undefined) return found
    }
    return undefined
  }

  async function inDocker(config: DockerConfig, host: string): Promise<RegistryLogin | undefined> {
    const helper = config.helpers.get(host) ?? config.store
    if (helper !== undefined) {
      const found = await askCredentialHelper({ helper, host, file: config.file }, options)
      if (found !== undefined) return found
    }
    return loginIn(config, host, onSecret)
  }

  return {
    ofRegistry(host) {
      const name = registryName(host.toLowerCase())
      const found = logins.get(name) ?? find(name)
      logins.set(name, found)
      return found
    },
    async ofAddress(url) {
      const given = loginOf(accessTo(url, registries))
      if (given !== undefined) return given
      const entry = entryFor(url, await repositories())
      if (entry === undefined || (entry.username === '' && entry.password === '')) return undefined
      if (entry.password !== '') onSecret(entry.password)
      if (entry.passesCredentials && !said.has(entry.name)) {
        said.add(entry.name)
        const effect = 'pass_credentials_all has no effect: the login goes to the host of the repository only'
        onNotice(`repository ${entry.name} of Helm's repositories file: ${effect}`)
      }
      return { kind: 'basic', username: entry.username, password: entry.password }
    },
    addressOf: async (name) => (await repositories()).find((entry) => entry.name === name)?.url,
    tlsOf: async (url) => {
      const isTrusted = accessTo(url, registries)?.authorities !== undefined
      return hostTls(url, await repositories(), { isTrusted, onSecret })
    },
  }
}

function loginOf(access: RegistryAccess | undefined): Login | undefined {
  if (access?.token !== undefined) return { kind: 'bearer', token: access.token }
  if (access?.password === undefined) return undefined
  return { kind: 'basic', username: access.username ?? '', password: access.password }
}

async function readDocker(path: string | undefined): Promise<DockerConfig | undefined> {
  const text = path === undefined ? undefined : await readMachineFile(path)
  return text === undefined || path === undefined ? undefined : readDockerConfig(text, path)
}

async function readRepositories(path: string | undefined): Promise<readonly HelmRepository[]> {
  const text = path === undefined ? undefined : await readMachineFile(path)
  return text === undefined || path === undefined ? [] : readHelmRepositories(text, path)
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => {
    answer ??= read()
    return answer
  }
}
