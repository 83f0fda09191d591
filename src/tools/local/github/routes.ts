import { jsonField } from '../../../github/json-field.ts'
import { type Answer, type Asked, notFound, pageOf } from './api-answer.ts'
import type { DoubleState, StoredComment } from './github-state.ts'
import { comparison, pullOf, pullsOf } from './pulls.ts'

/** GitHub's own limit for a comment: more characters than this are refused with 422. */
const MAX_BODY_CHARS = 65_536

/** One request to the REST API, answered from the state; the state is changed by writes. */
export function answerRequest(asked: Asked): Answer {
  const { method, path } = asked.request
  if (path === '/user') return { status: 200, data: { ...asked.description.example('user'), login: asked.state.login } }
  const [, repository, rest = ''] = /^\/repos\/([^/]+\/[^/]+)\/(.+)$/.exec(path) ?? []
  if (repository !== asked.state.repository) return notFound()
  for (const { method: of, pattern, act } of ROUTES) {
    const match = of === method ? pattern.exec(rest) : null
    if (match !== null) return act(asked, decodeURIComponent(match[1] ?? ''))
  }
  return notFound()
}

interface Route {
  readonly method: string
  /** Of the path behind the repository. */
  readonly pattern: RegExp
  readonly act: (asked: Asked, found: string) => Answer
}

const ROUTES: readonly Route[] = [
  { method: 'GET', pattern: /^issues\/(\d+)\/comments$/, act: listComments },
  { method: 'POST', pattern: /^issues\/(\d+)\/comments$/, act: createComment },
  { method: 'GET', pattern: /^issues\/comments\/(\d+)$/, act: getComment },
  { method: 'PATCH', pattern: /^issues\/comments\/(\d+)$/, act: updateComment },
  { method: 'DELETE', pattern: /^issues\/comments\/(\d+)$/, act: deleteComment },
  { method: 'GET', pattern: /^pulls\/(\d+)$/, act: pullOf },
  { method: 'GET', pattern: /^pulls()$/, act: pullsOf },
  { method: 'GET', pattern: /^commits\/([0-9a-f]+)\/pulls$/, act: pullsOf },
  { method: 'GET', pattern: /^compare\/([^/]+)$/, act: comparison },
  { method: 'GET', pattern: /^collaborators\/([^/]+)\/permission$/, act: permission },
  { method: 'GET', pattern: /^tarball\/([^/]+)$/, act: archiveAddress },
]

function listComments(asked: Asked, issue: string): Answer {
  if (!asked.state.pulls.has(Number(issue))) return notFound()
  return pageOf(
    asked,
    asked.state.comments.filter((one) => one.issue === Number(issue)),
    (one) => commentJson(one, asked),
  )
}

function createComment(asked: Asked, issue: string): Answer {
  const { state } = asked
  if (!state.pulls.has(Number(issue))) return notFound()
  const body = bodyOf(asked)
  if (body.length > MAX_BODY_CHARS) return tooLong()
  state.nextId += 1
  const comment: StoredComment = { id: state.nextId, issue: Number(issue), body, user: viewer(state) }
  state.comments.push(comment)
  const data = commentJson(comment, asked)
  return { status: 201, headers: { location: data.url }, data }
}

function getComment(asked: Asked, id: string): Answer {
  const comment = asked.state.comments.find((one) => one.id === Number(id))
  return comment === undefined ? notFound() : { status: 200, data: commentJson(comment, asked) }
}

function updateComment(asked: Asked, id: string): Answer {
  const comment = asked.state.comments.find((one) => one.id === Number(id))
  if (comment === undefined) return notFound()
  const body = bodyOf(asked)
  if (body.length > MAX_BODY_CHARS) return tooLong()
  comment.body = body
  comment.editor = viewer(asked.state)
  return { status: 200, data: commentJson(comment, asked) }
}

function deleteComment({ state }: Asked, id: string): Answer {
  const index = state.comments.findIndex((one) => one.id === Number(id))
  if (index === -1) return notFound()
  state.comments.splice(index, 1)
  return { status: 204 }
}

function permission({ state, description }: Asked, login: string): Answer {
  const role = state.roles.get(login)
  if (role === undefined) return notFound()
  const example = description.example('permission')
  const user = { ...Object(example.user), login, role_name: role.role_name }
  return { status: 200, data: { ...example, ...role, user } }
}

function archiveAddress({ state, url }: Asked, commit: string): Answer {
  if (!state.archives.has(commit)) return notFound()
  return { status: 302, headers: { location: `${url}/_codeload/${commit}?token=short-lived` } }
}

export function viewer({ login }: DoubleState) {
  return { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' } as const
}

/** For GraphQL. */
export function nodeIdOf(comment: StoredComment): string {
  return `IC_${comment.id}`
}

function commentJson(comment: StoredComment, { state, description, url }: Asked) {
  const example = description.example('comment')
  return {
    ...example,
    id: comment.id,
    node_id: nodeIdOf(comment),
    url: `${url}/repos/${state.repository}/issues/comments/${comment.id}`,
    html_url: `${url}/${state.repository}/pull/${comment.issue}#issuecomment-${comment.id}`,
    body: comment.body,
    user: { ...Object(example.user), ...comment.user },
  }
}

function bodyOf({ request }: Asked): string {
  const body = jsonField(request.body, 'body')
  return typeof body === 'string' ? body : ''
}

function tooLong(): Answer {
  const message = 'Body is too long (maximum is 65536 characters)'
  const errors = [{ resource: 'IssueComment', field: 'body', code: 'unprocessable', message }]
  return {
    status: 422,
    data: { message: 'Validation Failed', errors, documentation_url: 'https://docs.github.com/rest', status: '422' },
  }
}
