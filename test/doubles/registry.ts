import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { ensureBinary } from '../../src/tools/builds/binaries.ts'

export interface RegistryOptions {
  /** With `certificate.pem` and `key.pem`; plain HTTP without. */
  readonly tls?: string
  readonly login?: RegistryLogin
  /** How many tags it lists at once. */
  readonly pageSize?: number
}

export interface RegistryLogin {
  /** `basic`: asks for the password itself. `token`: sends to a server of its own, as Docker Hub does. */
  readonly kind: 'basic' | 'token'
  readonly username: string
  readonly password: string
  /** What the token server takes in place of the password. */
  readonly identityToken?: string
  /** The token server lets everybody pull. */
  readonly isPublic?: boolean
  /** Where clients reach the token server; absent: `localhost` and its port. */
  readonly realm?: string
}

/** A real registry, empty at first, on the loopback address. */
export interface Registry {
  readonly port: number
  /** Of the token server. */
  readonly tokenPort: number | undefined
  /** All requests so far, in the order in which they were answered. */
  requests(): Promise<readonly RegistryRequest[]>
  /** Empties the list of requests. */
  forget(): Promise<void>
  close(): Promise<void>
}

export interface RegistryRequest {
  readonly server: 'registry' | 'tokens'
  readonly method: string
  readonly host: string
  readonly path: string
  /** As it was sent; empty without. */
  readonly authorization: string
  readonly status: number
}

/** The program `test/registry`, which ends with this process. */
export async function startRegistry(options: RegistryOptions = {}): Promise<Registry> {
  const child = spawn(await ensureBinary('registry'), flagsOf(options), { stdio: 'pipe' })
  const exit = once(child, 'exit')
  const failure = text(child.stderr)
  const line = createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  const { value, done } = await line
  if (done === true) throw new Error(`the registry did not start: ${await failure}`)
  const { registry, tokens, control } = JSON.parse(value) as Addresses
  return {
    port: portOf(registry),
    tokenPort: tokens === undefined ? undefined : portOf(tokens),
    requests: async () => (await (await fetch(`http://${control}`)).json()) as readonly RegistryRequest[],
    forget: async () => void (await fetch(`http://${control}`, { method: 'DELETE' })),
    close: async () => {
      child.stdin.end()
      await exit
    },
  }
}

interface Addresses {
  readonly registry: string
  readonly tokens?: string
  readonly control: string
}

function flagsOf({ tls, login, pageSize }: RegistryOptions): readonly string[] {
  const flags = {
    tls,
    'page-size': pageSize,
    login: login?.kind,
    user: login === undefined ? undefined : `${login.username}:${login.password}`,
    'identity-token': login?.identityToken,
    'pulled-by-all': login?.isPublic,
    realm: login?.realm,
  }
  return Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`-${name}=${value}`]))
}

function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1))
}
