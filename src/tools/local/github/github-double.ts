import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Answer } from './api-answer.ts'
import { type DescribedRequest, describedApi } from './api-description.ts'
import {
  type Account,
  type DoubleState,
  newState,
  PULL_57,
  type StoredComment,
  type StoredPull,
} from './github-state.ts'
import { answerQuery, queryViolations } from './graphql.ts'
import { answerRequest } from './routes.ts'

export type { StoredComment, StoredPull } from './github-state.ts'

export interface GithubDouble {
  /** Base of the REST API: what `GITHUB_API_URL` is on a runner. `/api/v3` may follow, as on GitHub Enterprise Server. */
  readonly url: string
  comments(): readonly StoredComment[]
  /** Puts a comment there as somebody has written it earlier; gives its id. */
  seed(comment: { readonly body: string; readonly login: string; readonly type?: 'Bot' | 'User' }): number
  /** Rewrites a comment as somebody else. */
  edit(id: number, edit: { readonly body: string; readonly by: Account }): void
  /** Adds or changes a pull request of `acme/shop`; number 57 is there from the start. */
  seedPull(pull: Partial<StoredPull> & { readonly number: number }): StoredPull
  /** What the permission API says of a login. */
  seedRole(login: string, role: { readonly permission: string; readonly role_name: string }): void
  /** The repository at a commit, as `.tar.gz`. */
  seedArchive(commit: string, bytes: Uint8Array): void
  /** Answers the next requests that match with these faults instead, one each, in order. */
  fail(match: FaultMatch, ...faults: readonly Fault[]): void
  /** Every request so far: `POST /repos/acme/shop/issues/57/comments`. */
  requests(): readonly string[]
  /** What was not as GitHub's description says, of requests and of our own answers; `close` throws where there is any. */
  violations(): readonly string[]
  close(): Promise<void>
}

export interface FaultMatch {
  readonly method: string
  readonly path: RegExp
}

/** Without a status nothing fails: the request takes effect and is answered as ever. */
export interface Fault extends Partial<Answer> {
  /** The request takes effect all the same: the answer was lost on its way. */
  readonly isLost?: boolean
  /** Runs before the request takes effect, to place another writer in between. */
  readonly before?: () => void
  /** Runs once it has taken effect. */
  readonly after?: () => void
}

export interface GithubDoubleOptions {
  /** Login of the token's owner. */
  readonly login?: string
  /** Port to listen on; any free one where absent. */
  readonly port?: number
}

/**
 * A stateful stand-in for the part of GitHub's API that the action uses, for one repository. Every request and every
 * answer, planted faults included, is checked against GitHub's published OpenAPI description.
 */
export async function startGithubDouble(options: GithubDoubleOptions = {}): Promise<GithubDouble> {
  const state = newState(options.login ?? 'github-actions[bot]')
  const requests: string[] = []
  const violations: string[] = []
  const planted: { readonly match: FaultMatch; readonly fault: Fault }[] = []
  const takeFault = (method: string, path: string): Fault | undefined => {
    const index = planted.findIndex(({ match }) => match.method === method && match.path.test(path))
    return index === -1 ? undefined : planted.splice(index, 1)[0]?.fault
  }
  const description = describedApi()
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      violations.push(`${request.method} ${request.url}: the double failed: ${String(error)}`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the GitHub double has no port')
  const url = `http://127.0.0.1:${address.port}`

  return {
    url,
    ...seeds(state),
    fail: (match, ...faults) => planted.push(...faults.map((fault) => ({ match, fault }))),
    requests: () => requests,
    violations: () => violations,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      if (violations.length > 0) throw new Error(`not as GitHub describes it:\n${violations.join('\n')}`)
    },
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = new URL(request.url ?? '/', url)
    const text = await bodyText(request)
    const asked = { target, request: describedRequest(request, target, text) }
    if (target.pathname.startsWith('/_codeload/')) return sendArchive(asked.request, response)
    requests.push(`${asked.request.method} ${target.pathname}${target.search}`)
    const fault = takeFault(asked.request.method, target.pathname)
    fault?.before?.()
    const isGraphql = /^(?:\/api)?\/graphql$/.test(target.pathname)
    violations.push(...(isGraphql ? queryViolations(asked.request.body) : ofRequest(asked.request)))
    const takesEffect = fault?.status === undefined || fault.isLost === true
    const real = takesEffect ? await (isGraphql ? ofQuery(asked.request) : ofRest(asked)) : undefined
    fault?.after?.()
    const given: Partial<Answer> | undefined = fault?.status === undefined ? real : fault
    const { status = 500, headers = {}, data } = given ?? {}
    const sent = { ...(status === 204 || status === 302 ? {} : JSON_TYPE), ...headers }
    if (!isGraphql) {
      const checked = { status, headers: sent, body: data }
      violations.push(...description.responseViolations(asked.request, checked))
    }
    response.writeHead(status, sent)
    response.end(data === undefined ? '' : JSON.stringify(data))
  }

  function ofRequest(request: DescribedRequest): readonly string[] {
    const hasToken = /^(?:token|bearer) ./i.test(request.headers.authorization ?? '')
    return [
      ...(hasToken ? [] : [`${request.method} ${request.path}: no token`]),
      ...description.requestViolations(request),
    ]
  }

  function ofRest(asked: { readonly request: DescribedRequest; readonly target: URL }): Answer {
    return answerRequest({ ...asked, state, description, url })
  }

  async function ofQuery(request: DescribedRequest): Promise<Answer> {
    return { status: 200, data: await answerQuery(state, request.body) }
  }

  function sendArchive(request: DescribedRequest, response: ServerResponse): void {
    if (request.headers.authorization !== undefined) violations.push('the token went to the host of the archives')
    response.writeHead(200, { 'content-type': 'application/x-gzip' })
    response.end(state.archives.get(request.path.split('/')[2] ?? ''))
  }
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

function seeds(
  state: DoubleState,
): Pick<GithubDouble, 'comments' | 'seed' | 'edit' | 'seedPull' | 'seedRole' | 'seedArchive'> {
  return {
    comments: () => state.comments,
    seed: ({ body, login, type = 'Bot' }) => {
      state.nextId += 1
      state.comments.push({ id: state.nextId, issue: 57, body, user: { login, type } })
      return state.nextId
    },
    edit: (id, { body, by }) => {
      const comment = state.comments.find((one) => one.id === id)
      if (comment !== undefined) Object.assign(comment, { body, editor: by })
    },
    seedPull: (pull) => {
      const seeded = { ...PULL_57, ...state.pulls.get(pull.number), ...pull }
      state.pulls.set(pull.number, seeded)
      return seeded
    },
    seedRole: (login, role) => state.roles.set(login, role),
    seedArchive: (commit, bytes) => state.archives.set(commit, bytes),
  }
}

function describedRequest(request: IncomingMessage, target: URL, text: string): DescribedRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  return {
    method: request.method ?? 'GET',
    path: target.pathname.replace(/^\/api\/v3(?=\/)/, ''),
    query: target.searchParams,
    headers: Object.fromEntries(headers),
    body: text === '' ? undefined : JSON.parse(text),
  }
}

async function bodyText(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
