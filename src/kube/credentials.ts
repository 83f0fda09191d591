import { readFile } from 'node:fs/promises'
import { shareAnswer } from '../concurrency/shared-answer.ts'
import { defined } from '../model/defined.ts'
import { ApiError } from '../model/errors.ts'
import type { Clock } from '../ports.ts'
import type { ClientCertificate, Connection } from './connection.ts'
import { expiryOfCertificate, expiryOfToken } from './credential-expiry.ts'
import { type ExecCredential, runExecPlugin } from './exec-plugin.ts'
import { pemSecrets } from './secret-values.ts'

/** A projected token is renewed by the kubelet at 80 % of its life; the file is looked at this often. */
const TOKEN_FILE_AGE_MS = 60_000
/** How long a failed renewal is remembered, in ms: a plugin that fails runs once, not once for each request. */
const FAILURE_AGE_MS = 10_000
/** A token is renewed when this part of its life is over. */
const USABLE_LIFE = 0.8

export interface Credential {
  readonly authorization?: string
  readonly certificate?: ClientCertificate
  /** From when on the server refuses it, in ms since the epoch, where that can be read. */
  readonly expiresAtMs?: number
}

export interface Credentials {
  /** What the next try is sent with. Callers at the same moment share one renewal. Throws ApiError. */
  current(): Promise<Credential>
  /** The server answered 401 to this credential. False where there is no other. */
  refuse(credential: Credential): boolean
}

export interface CredentialsInput {
  readonly connection: Connection
  readonly clock: Clock
  /** Called with every new secret, before it is used. */
  readonly onSecret: (value: string) => void
}

export function createCredentials(input: CredentialsInput): Credentials {
  const { authentication, tls } = input.connection
  const base = tls.certificate === undefined ? {} : { certificate: tls.certificate }
  switch (authentication.kind) {
    case 'none':
      return fixedCredentials(withExpiry(base))
    case 'token':
      return fixedCredentials(withExpiry({ ...base, authorization: `Bearer ${authentication.token}` }))
    case 'basic': {
      const pair = Buffer.from(`${authentication.username}:${authentication.password}`).toString('base64')
      return fixedCredentials({ ...base, authorization: `Basic ${pair}` })
    }
    case 'token-file':
      return renewedCredentials(input, async () => {
        const token = await readToken(authentication.path)
        input.onSecret(token)
        const credential = withExpiry({ ...base, authorization: `Bearer ${token}` })
        return { credential, renewAtMs: input.clock.now() + TOKEN_FILE_AGE_MS }
      })
    case 'exec':
      return renewedCredentials(input, async () => {
        const startedMs = input.clock.now()
        const given = await runExecPlugin(authentication.plugin, input.clock)
        registerSecrets(given, input.onSecret)
        const credential = { ...base, ...pluginCredential(given), ...defined({ expiresAtMs: given.expiresAtMs }) }
        return { credential, ...renewalTimes(given, startedMs) }
      })
  }
}

interface Renewed {
  readonly credential: Credential
  readonly renewAtMs: number
  /** Absent: not known, or never. */
  readonly expiresAtMs?: number
}

function fixedCredentials(credential: Credential): Credentials {
  return { current: () => Promise.resolve(credential), refuse: () => false }
}

function renewedCredentials({ clock }: CredentialsInput, renew: () => Promise<Renewed>): Credentials {
  let held: Renewed | undefined
  let failed: { readonly error: unknown; readonly atMs: number } | undefined
  const renewal = shareAnswer(async () => {
    if (failed !== undefined && clock.now() - failed.atMs < FAILURE_AGE_MS) throw failed.error
    try {
      held = await renew()
      failed = undefined
      return held
    } catch (error) {
      failed = { error, atMs: clock.now() }
      throw error
    }
  })

  return {
    async current() {
      if (held !== undefined && clock.now() < held.renewAtMs) return held.credential
      const previous = held
      try {
        return (await renewal.current()).credential
      } catch (error) {
        // A credential that is due for renewal but has not expired is still used.
        const serves = previous !== undefined && held === previous && clock.now() < (previous.expiresAtMs ?? 0)
        if (serves) return previous.credential
        throw error
      }
    },
    refuse(credential) {
      // Many requests may be refused at once: only the first of them drops the held credential.
      if (held?.credential === credential) held = undefined
      return true
    },
  }
}

function withExpiry(credential: Credential): Credential {
  const { authorization, certificate } = credential
  const expiresAtMs =
    authorization === undefined
      ? certificate && expiryOfCertificate(certificate.certificate)
      : expiryOfToken(authorization.replace(/^Bearer /, ''))
  return { ...credential, ...defined({ expiresAtMs }) }
}

async function readToken(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (cause) {
    const details = { doing: 'get credentials for the cluster', status: 401, reason: 'Unauthorized', causes: [] }
    throw new ApiError({ ...details, message: 'the token file of the kubeconfig cannot be read' }, { cause })
  }
}

function pluginCredential(given: ExecCredential): Credential {
  const { token, certificate, key } = given
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(certificate === undefined || key === undefined ? {} : { certificate: { certificate, key } }),
  }
}

function renewalTimes(
  given: ExecCredential,
  startedMs: number,
): { readonly renewAtMs: number; readonly expiresAtMs?: number } {
  const { expiresAtMs } = given
  if (expiresAtMs === undefined) return { renewAtMs: Number.POSITIVE_INFINITY }
  return { renewAtMs: startedMs + (expiresAtMs - startedMs) * USABLE_LIFE, expiresAtMs }
}

function registerSecrets(given: ExecCredential, onSecret: (value: string) => void): void {
  if (given.token !== undefined) onSecret(given.token)
  if (given.key !== undefined) for (const line of pemSecrets(given.key)) onSecret(line)
}
