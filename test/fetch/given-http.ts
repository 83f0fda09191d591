import { onTestFinished } from 'vitest'
import type { Http } from '../../src/fetch/http.ts'
import { createHttp, type HttpOptions } from '../../src/fetch/http-client.ts'
import { systemClock } from '../../src/host/system-clock.ts'
import { FetchError } from '../../src/model/errors.ts'
import type { RegistryAccess } from '../../src/ports.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { makeAuthority } from '../doubles/certificates.ts'

export const authority = makeAuthority()
/** For both names of this machine. */
export const tls = authority.issue(['localhost', '127.0.0.1'])

/** A client that trusts the authority of the tests for these servers. */
export function givenHttp(hosts: readonly string[], options: Partial<HttpOptions> = {}): Http {
  const http = createHttp({
    env: {},
    registries: hosts.map((host) => trusted(host)),
    clock: systemClock,
    signal: new AbortController().signal,
    timeoutSeconds: 60,
    ...options,
  })
  onTestFinished(() => http.close())
  return http
}

export function trusted(host: string): RegistryAccess {
  return { host, authorities: authority.ca, isPlainHttp: false }
}

/** `what; hint` of the FetchError; anything else fails the test. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('nothing was refused'),
    (failure: unknown) => failure,
  )
  if (!(error instanceof FetchError)) throw error
  return `${error.details.what}; ${hintText(error.details.hint)}`
}
