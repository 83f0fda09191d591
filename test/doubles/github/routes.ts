/** A comment as the double keeps it. */
export interface StoredComment {
  readonly id: number
  readonly issue: number
  body: string
  readonly user: { readonly login: string; readonly type: 'Bot' | 'User' }
}

export interface DoubleState {
  readonly login: string
  readonly comments: StoredComment[]
  nextId: number
}

export interface DoubleRequest {
  readonly method: string
  readonly target: URL
  readonly body: string
  /** Address of the double, for links. */
  readonly url: string
}

export interface Answer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly data?: unknown
}

/** GitHub's own limit for a comment: more characters than this are refused with 422. */
const MAX_BODY_CHARS = 65_536

/** One request to the API, answered from the state; the state is changed by writes. */
export function answer(state: DoubleState, request: DoubleRequest): Answer {
  const path = request.target.pathname.replace(/^\/api\/v3/, '')
  if (request.method === 'POST' && (path === '/graphql' || path === '/api/graphql')) return viewer(state, request)
  if (request.method === 'GET' && path === '/user') return { status: 200, data: { login: state.login } }
  const list = /^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)\/comments$/.exec(path)
  if (list !== null) return ofIssue(state, request, { repository: list[1] ?? '', issue: Number(list[2]) })
  const one = /^\/repos\/([^/]+\/[^/]+)\/issues\/comments\/(\d+)$/.exec(path)
  if (one !== null) return ofComment(state, request, { repository: one[1] ?? '', id: Number(one[2]) })
  const pull = /^\/repos\/([^/]+\/[^/]+)\/pulls\/(\d+)$/.exec(path)
  if (pull !== null) return { status: 200, data: { number: Number(pull[2]), state: 'open' } }
  return notFound()
}

function viewer(state: DoubleState, request: DoubleRequest): Answer {
  if (!request.body.includes('viewer')) return { status: 200, data: { errors: [{ message: 'unknown query' }] } }
  return { status: 200, data: { data: { viewer: { login: state.login } } } }
}

function ofIssue(
  state: DoubleState,
  request: DoubleRequest,
  at: { readonly repository: string; readonly issue: number },
): Answer {
  if (request.method === 'GET') return page(state, request, at)
  if (request.method !== 'POST') return notFound()
  const body = bodyOf(request)
  if (body.length > MAX_BODY_CHARS) return tooLong()
  state.nextId += 1
  const comment: StoredComment = { id: state.nextId, issue: at.issue, body, user: { login: state.login, type: 'Bot' } }
  state.comments.push(comment)
  return { status: 201, data: shown(comment, request, at.repository) }
}

function page(
  state: DoubleState,
  request: DoubleRequest,
  at: { readonly repository: string; readonly issue: number },
): Answer {
  const perPage = Math.min(100, Number(request.target.searchParams.get('per_page') ?? 30))
  const number = Number(request.target.searchParams.get('page') ?? 1)
  const all = state.comments.filter((comment) => comment.issue === at.issue)
  const data = all.slice((number - 1) * perPage, number * perPage).map((one) => shown(one, request, at.repository))
  if (number * perPage >= all.length) return { status: 200, data }
  const next = new URL(request.target)
  next.searchParams.set('page', String(number + 1))
  return { status: 200, headers: { link: `<${next.href}>; rel="next"` }, data }
}

function ofComment(
  state: DoubleState,
  request: DoubleRequest,
  at: { readonly repository: string; readonly id: number },
): Answer {
  const index = state.comments.findIndex((comment) => comment.id === at.id)
  const comment = state.comments[index]
  if (comment === undefined) return notFound()
  if (request.method === 'DELETE') {
    state.comments.splice(index, 1)
    return { status: 204 }
  }
  if (request.method === 'PATCH') {
    const body = bodyOf(request)
    if (body.length > MAX_BODY_CHARS) return tooLong()
    comment.body = body
  }
  return { status: 200, data: shown(comment, request, at.repository) }
}

function shown(comment: StoredComment, request: DoubleRequest, repository: string) {
  return {
    id: comment.id,
    body: comment.body,
    user: comment.user,
    html_url: `${request.url}/${repository}/pull/${comment.issue}#issuecomment-${comment.id}`,
  }
}

function bodyOf(request: DoubleRequest): string {
  const parsed: unknown = JSON.parse(request.body)
  const body: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'body') : undefined
  return typeof body === 'string' ? body : ''
}

function notFound(): Answer {
  return { status: 404, data: { message: 'Not Found' } }
}

function tooLong(): Answer {
  return {
    status: 422,
    data: { message: 'Validation Failed', errors: [{ message: 'Body is too long (maximum is 65536 characters)' }] },
  }
}
