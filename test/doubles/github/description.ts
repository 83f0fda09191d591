import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { transformOas3Operations } from '@stoplight/http-spec/oas3'
import { fieldAt } from '../../../src/github/field.ts'

/** The operations that the action uses, and thus the double offers. */
const USED = [
  ['get', '/repos/{owner}/{repo}/issues/{issue_number}/comments'],
  ['post', '/repos/{owner}/{repo}/issues/{issue_number}/comments'],
  ['get', '/repos/{owner}/{repo}/issues/comments/{comment_id}'],
  ['patch', '/repos/{owner}/{repo}/issues/comments/{comment_id}'],
  ['delete', '/repos/{owner}/{repo}/issues/comments/{comment_id}'],
  ['get', '/repos/{owner}/{repo}/pulls'],
  ['get', '/repos/{owner}/{repo}/pulls/{pull_number}'],
  ['get', '/repos/{owner}/{repo}/commits/{commit_sha}/pulls'],
  ['get', '/repos/{owner}/{repo}/compare/{basehead}'],
  ['get', '/repos/{owner}/{repo}/tarball/{ref}'],
  ['get', '/repos/{owner}/{repo}/collaborators/{username}/permission'],
  ['get', '/user'],
] as const

/** Examples of the description that the double's answers start from. */
const EXAMPLES = {
  comment: 'issue-comment',
  pull: 'pull-request',
  pulls: 'pull-request-simple-items',
  comparison: 'commit-comparison',
  permission: 'repository-collaborator-permission-response-if-user-has-admin-permissions',
  user: 'private-user-response-with-public-profile-information',
} as const

/** GitHub answers null where the head's repository was deleted (its webhooks' schema says so, this one does not). */
const KNOWN_GAP = /^Response body property (?:\d+\.)?head\.repo must be object$/

export interface DescribedRequest {
  readonly method: string
  /** Without a prefix as `/api/v3`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: { readonly [name: string]: string }
  /** Parsed JSON; undefined where the request has none. */
  readonly body: unknown
}

export interface DescribedResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}

/** What GitHub's published OpenAPI description says of the operations in use. */
export interface Description {
  /** What is wrong with a request; empty where it is as described. */
  requestViolations(request: DescribedRequest): readonly string[]
  /** What is wrong with an answer. An error status that is not described must at least carry GitHub's basic error. */
  responseViolations(request: DescribedRequest, response: DescribedResponse): readonly string[]
  example(name: keyof typeof EXAMPLES): { readonly [field: string]: unknown }
}

/** Read once per process; takes some hundred ms, because only the operations in use are resolved. */
export function describedApi(): Promise<Description> {
  loading ??= load()
  return loading
}

let loading: Promise<Description> | undefined

async function load(): Promise<Description> {
  const path = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json')
  const [text, { validateInput, validateOutput }, { transformOas3Operations }] = await Promise.all([
    readFile(path, 'utf8'),
    import('@stoplight/prism-http/dist/validator/index.js'),
    import('@stoplight/http-spec/oas3'),
  ])
  const whole: unknown = JSON.parse(text)
  const operations = transformOas3Operations(partOf(whole))
  const described = (request: DescribedRequest) => operations.find((one) => isFor(one, request))
  return {
    requestViolations: (request) => {
      const operation = described(request)
      if (operation === undefined)
        return [`${request.method} ${request.path}: the description has no such operation in use`]
      const { method, path: at, query, headers, body } = request
      return [
        ...messagesOf(
          validateInput({
            resource: operation,
            element: { method: 'get', url: { path: at, query: Object.fromEntries(query) }, headers, body },
          }),
        ),
        ...unknownNames(operation, request),
      ].map((what) => `${method} ${at}: ${what}`)
    },
    responseViolations: (request, response) => {
      const operation = described(request)
      if (operation === undefined) return []
      const { status, headers, body } = response
      const isDescribed = operation.responses.some(({ code }) => code === String(status))
      const found = isDescribed
        ? messagesOf(validateOutput({ resource: operation, element: { statusCode: status, headers, body } }))
        : basicErrorViolations(status, body)
      return found
        .filter((what) => !KNOWN_GAP.test(what))
        .map((what) => `${request.method} ${request.path}: answer ${status}: ${what}`)
    },
    example: (name) => {
      const value = fieldAt(whole, 'components', 'examples', EXAMPLES[name], 'value')
      const first: unknown = Array.isArray(value) ? value[0] : value
      if (typeof first !== 'object' || first === null)
        throw new Error(`the description has no example ${EXAMPLES[name]}`)
      return { ...first }
    },
  }
}

type Operation = ReturnType<typeof transformOas3Operations>[number]

/** A description of the used operations alone, every reference in the place of which stands what it refers to. */
function partOf(whole: unknown): { readonly [part: string]: unknown } {
  const resolved = new Map<string, unknown>()
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(resolve)
    const ref = fieldAt(value, '$ref')
    if (typeof ref !== 'string')
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one)]))
    if (!resolved.has(ref)) resolved.set(ref, resolve(fieldAt(whole, ...ref.split('/').slice(1))))
    return resolved.get(ref)
  }
  const paths: { [path: string]: { [method: string]: unknown } } = {}
  for (const [method, path] of USED) {
    paths[path] = { ...paths[path], [method]: resolve(fieldAt(whole, 'paths', path, method)) }
  }
  return { openapi: fieldAt(whole, 'openapi'), info: fieldAt(whole, 'info'), paths }
}

function isFor(operation: Operation, { method, path }: DescribedRequest): boolean {
  const pattern = operation.path.replaceAll(/\{[^}]+\}/g, '[^/]+')
  return operation.method === method.toLowerCase() && new RegExp(`^${pattern}$`).test(path)
}

/** The description allows members it does not name; we do not send any. */
function unknownNames({ request }: Operation, { query, body }: DescribedRequest): readonly string[] {
  const queries = new Set(request?.query?.map(({ name }) => name))
  const members = fieldAt(request?.body, 'contents', '0', 'schema', 'properties') ?? {}
  const sent = typeof body === 'object' && body !== null ? Object.keys(body) : []
  return [
    ...[...query.keys()].filter((name) => !queries.has(name)).map((name) => `query parameter ${name} is unknown`),
    ...sent.filter((name) => !Object.hasOwn(members, name)).map((name) => `body member ${name} is unknown`),
  ]
}

/** What prism's validators give: `Left` with its findings, or `Right`. */
function messagesOf(result: {
  readonly _tag: 'Left' | 'Right'
  readonly left?: readonly { readonly message: string }[]
}): readonly string[] {
  return result._tag === 'Left' ? (result.left ?? []).map(({ message }) => message) : []
}

function basicErrorViolations(status: number, body: unknown): readonly string[] {
  if (status < 400) return ['the description has no such answer']
  return typeof fieldAt(body, 'message') === 'string' ? [] : ['an error without a message']
}
