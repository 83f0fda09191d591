import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Answer, answer, type DoubleState, type StoredComment } from './routes.ts'

export interface GithubDouble {
  /** Base of the REST API: what `GITHUB_API_URL` is on a runner. */
  readonly url: string
  comments(): readonly StoredComment[]
  /** Puts a comment there as somebody has written it earlier; gives its id. */
  seed(comment: { readonly body: string; readonly login: string; readonly type?: 'Bot' | 'User' }): number
  /** Answers the next requests that match with these faults instead, one each, in order. */
  fail(match: FaultMatch, ...faults: readonly Fault[]): void
  /** Every request so far: `POST /repos/acme/shop/issues/57/comments`. */
  requests(): readonly string[]
  close(): Promise<void>
}

export interface FaultMatch {
  readonly method: string
  readonly path: RegExp
}

export interface Fault extends Answer {
  /** The request takes effect all the same: the answer was lost on its way. */
  readonly isLost?: boolean
  /** Runs before the request takes effect, to place another writer in between. */
  readonly before?: () => void
}

export interface GithubDoubleOptions {
  /** Login of the token's owner. */
  readonly login?: string
  /** Port to listen on; any free one where absent. */
  readonly port?: number
}

/**
 * A stateful stand-in for the part of GitHub's API that the action uses: comments of an issue with pages, the viewer, a
 * pull request. Faults can be planted; nothing is checked against GitHub's OpenAPI description yet.
 */
export async function startGithubDouble(options: GithubDoubleOptions = {}): Promise<GithubDouble> {
  const state: DoubleState = { login: options.login ?? 'github-actions[bot]', comments: [], nextId: 1_000 }
  const requests: string[] = []
  const planted: { readonly match: FaultMatch; readonly fault: Fault }[] = []

  const server = createServer((request, response) => {
    void respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the GitHub double has no port')
  const url = `http://127.0.0.1:${address.port}`

  return {
    url,
    comments: () => state.comments,
    seed: ({ body, login, type = 'Bot' }) => {
      state.nextId += 1
      state.comments.push({ id: state.nextId, issue: 57, body, user: { login, type } })
      return state.nextId
    },
    fail: (match, ...faults) => planted.push(...faults.map((fault) => ({ match, fault }))),
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    const method = request.method ?? 'GET'
    const target = new URL(request.url ?? '/', url)
    requests.push(`${method} ${target.pathname}${target.search}`)
    const fault = takeFault(method, target.pathname)
    fault?.before?.()
    const takesEffect = fault === undefined || fault.isLost === true
    const real = takesEffect ? answer(state, { method, target, body, url }) : undefined
    const { status, headers = {}, data } = fault ?? real ?? { status: 500, data: {} }
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(status === 204 ? '' : JSON.stringify(data))
  }

  function takeFault(method: string, path: string): Fault | undefined {
    const index = planted.findIndex(({ match }) => match.method === method && match.path.test(path))
    return index === -1 ? undefined : planted.splice(index, 1)[0]?.fault
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
