import { FetchError } from '../model/errors.ts'
import { parseJson } from '../model/json.ts'
import { type JsonValue, stringAt } from '../model/object.ts'
import type { Credentials } from './chart-credentials.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { Http, HttpAnswer, Login } from './http.ts'
import { type Challenge, readChallenges } from './registry-challenge.ts'
import type { RegistryLogin } from './registry-login.ts'

/** Which repository of a registry is read. */
export interface RegistryPlace {
  /** As the user writes it, and as logins are kept by. */
  readonly host: string
  readonly repository: string
  readonly isPlainHttp: boolean
}

export interface RegistryLogins {
  /** What the last request to this repository was answered with; undefined before the first, and where none is needed. */
  held(place: RegistryPlace): Promise<Login | undefined>
  /** What the registry asks for by `refusal`, after `used` was not enough; undefined where there is nothing to answer with. */
  answer(place: RegistryPlace, refusal: HttpAnswer, used: Login | undefined): Promise<Login | undefined>
}

const MAX_TOKEN_BYTES = 256 * 1024

/** Logins to registries: nobody first, then as the registry asks. Tokens are kept for the run, one for each repository. */
export function createRegistryLogins(http: Http, credentials: Pick<Credentials, 'ofRegistry'>): RegistryLogins {
  const tokens = new Map<string, Promise<Login | undefined>>()
  const keyOf = ({ host, repository }: RegistryPlace) => `${host}/${repository}`

  return {
    held: async (place) => tokens.get(keyOf(place)),
    async answer(place, refusal, used) {
      const key = keyOf(place)
      const current = tokens.get(key)
      // Another request has answered in the meantime.
      if (current !== undefined && (await current) !== used) return current
      const next = authorize(place, readChallenges(refusal.header('www-authenticate') ?? ''), { http, credentials })
      tokens.set(key, next)
      // Nobody may wait for it.
      next.catch(() => tokens.delete(key))
      return next
    },
  }
}

interface Parts {
  readonly http: Http
  readonly credentials: Pick<Credentials, 'ofRegistry'>
}

async function authorize(
  place: RegistryPlace,
  challenges: readonly Challenge[],
  { http, credentials }: Parts,
): Promise<Login | undefined> {
  const login = await credentials.ofRegistry(place.host)
  if (login?.kind === 'bearer') return login
  const bearer = challenges.find(({ scheme }) => scheme === 'bearer')
  if (bearer !== undefined) return tokenFrom(bearer, { place, login, http })
  return login?.kind === 'basic' ? login : undefined
}

interface TokenRequest {
  readonly place: RegistryPlace
  readonly login: Exclude<RegistryLogin, { kind: 'bearer' }> | undefined
  readonly http: Http
}

/**
 * A token of the server that the registry names, as Docker and ORAS get it. The login goes to a host that only the registry
 * vouches for (at Docker Hub another one than its own). That gives a hostile registry nothing: who asks this way could ask
 * for the login itself, by `Basic`. What matters is who asks: only the host that the login is for, over TLS, and never one
 * that it redirects to (see registry.ts). So that nobody on the way reads it, the server must be reached over TLS as well,
 * unless the registry itself is not. The token is for reading this one repository, whatever the registry asks for.
 */
async function tokenFrom({ parameters }: Challenge, { place, login, http }: TokenRequest): Promise<Login> {
  const { host, repository } = place
  const realm = URL.parse(parameters.get('realm') ?? '')
  const isSafe = realm?.protocol === 'https:' || (realm?.protocol === 'http:' && place.isPlainHttp)
  if (realm === null || !isSafe || realm.username !== '' || realm.password !== '') {
    throw fetchFailure(`${host} asks for a token of a server that is not reached by https`, { kind: 'check-address' })
  }
  const service = parameters.get('service')
  const scope = `repository:${repository}:pull`
  const answer = await askForToken({ realm, service, scope }, { place, login, http })
  if (answer.status >= 400) {
    const [hint, what] =
      answer.status === 403
        ? (['ask-for-access', 'gives no token for'] as const)
        : ([
            'log-in',
            login === undefined ? 'gives no token without a login for' : 'does not take the login for',
          ] as const)
    throw new FetchError({
      what: `${realm.host} ${what} ${host}/${repository} (${answer.status})`,
      hint: hint === 'log-in' ? { kind: hint, host } : { kind: hint },
    })
  }
  const body = tokenBody(answer, realm)
  const token = stringAt(body, 'token') || stringAt(body, 'access_token')
  if (token) return { kind: 'bearer', token }
  throw fetchFailure(`${realm.host} answers without a token for ${host}`, { kind: 'try-again' })
}

interface TokenQuestion {
  readonly realm: URL
  readonly service: string | undefined
  readonly scope: string
}

/** Source: docs/sources.md#tokens-of-registries. */
function askForToken({ realm, service, scope }: TokenQuestion, { login, http }: TokenRequest): Promise<HttpAnswer> {
  const fields = { ...(service === undefined ? {} : { service }), scope }
  const terms = { accept: 'application/json', maxBytes: MAX_TOKEN_BYTES, expected: [400, 401, 403] }
  if (login?.kind === 'identity') {
    const form = { grant_type: 'refresh_token', client_id: 'staged-helm-deploy', refresh_token: login.token, ...fields }
    return http.postForm({ ...terms, url: realm.href, form })
  }
  const url = new URL(realm)
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return http.get({ ...terms, url: url.href, ...(login === undefined ? {} : { login }) })
}

function tokenBody(answer: HttpAnswer, realm: URL): JsonValue {
  try {
    return parseJson(new TextDecoder().decode(answer.body))
  } catch (error) {
    throw fetchFailure(`${realm.host} answers with something that is no token`, { kind: 'try-again' }, error)
  }
}
