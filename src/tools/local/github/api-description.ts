import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import { jsonField, jsonList } from '../../../github/json-field.ts'
import { type Operation, operationsOf, type Part, parametersOf } from './api-operations.ts'

/** Examples of the description that the double's answers start from. */
export const EXAMPLES = {
  comment: 'issue-comment',
  pull: 'pull-request',
  pulls: 'pull-request-simple-items',
  comparison: 'commit-comparison',
  permission: 'repository-collaborator-permission-response-if-user-has-admin-permissions',
  user: 'private-user-response-with-public-profile-information',
} as const

/** GitHub answers null where the head's repository was deleted (its webhooks' schema says so, this one does not). */
const KNOWN_GAP = /^body\.(?:\d+\.)?head\.repo must be object$/

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

/** What `npm run github-api` took from the published description. Read once per process; a schema is compiled when it is asked for. */
export function describedApi(): Description {
  known ??= read()
  return known
}

let known: Description | undefined

function read(): Description {
  const api: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'api.json'), 'utf8'))
  const operations = operationsOf(api)
  const check = checkerOf(api)
  const described = (request: DescribedRequest) =>
    operations.find(({ method, path }) => method === request.method && path.test(request.path))
  return {
    requestViolations: (request) => {
      const operation = described(request)
      if (operation === undefined)
        return [`${request.method} ${request.path}: the description has no such operation in use`]
      return [
        ...parameterViolations(operation, request, check),
        ...requestBodyViolations(operation, request, check),
        ...unknownNames(operation, request),
      ].map((what) => `${request.method} ${request.path}: ${what}`)
    },
    responseViolations: (request, response) => {
      const operation = described(request)
      if (operation === undefined) return []
      const { status, body } = response
      const answer = operation.at('responses', String(status))
      const found =
        answer === undefined ? basicErrorViolations(status, body) : answerViolations(answer, response, check)
      return found
        .filter((what) => !KNOWN_GAP.test(what))
        .map((what) => `${request.method} ${request.path}: answer ${status}: ${what}`)
    },
    example: (name) => {
      const value = jsonField(api, 'components', 'examples', EXAMPLES[name], 'value')
      if (typeof value !== 'object' || value === null)
        throw new Error(`the description has no example ${EXAMPLES[name]}`)
      return { ...value }
    },
  }
}

/** What is wrong with a value, by the schema that stands at a part. Numbers may come as text in paths and queries. */
type Check = (schema: Part, value: unknown, form: 'json' | 'text') => readonly ErrorObject[]

/** Not strict, because OpenAPI has keywords that JSON Schema has not. */
function checkerOf(api: unknown): Check {
  const options = { allErrors: true, strict: false }
  const forms = { json: new Ajv(options), text: new Ajv({ ...options, coerceTypes: true }) }
  for (const ajv of Object.values(forms)) {
    formats.default(ajv)
    ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger })
    ajv.addSchema(Object(api), 'api')
  }
  return (schema, value, form) => {
    const validate = forms[form].getSchema(`api${schema.pointer}`)
    if (validate === undefined) throw new Error(`the description has no schema ${schema.pointer}`)
    validate(value)
    return validate.errors ?? []
  }
}

function parameterViolations(operation: Operation, request: DescribedRequest, check: Check): readonly string[] {
  const inPath = operation.path.exec(request.path)?.groups ?? {}
  return parametersOf(operation).flatMap(({ in: place, name, isRequired, schema }) => {
    const value = {
      path: inPath[name] === undefined ? undefined : decodeURIComponent(inPath[name]),
      query: request.query.get(name) ?? undefined,
      header: request.headers[name.toLowerCase()],
    }[place]
    if (value === undefined) return isRequired ? [`${place} parameter ${name} is missing`] : []
    return schema === undefined ? [] : messagesOf(`${place} parameter ${name}`, check(schema, value, 'text'))
  })
}

function requestBodyViolations(operation: Operation, request: DescribedRequest, check: Check): readonly string[] {
  const { body, headers } = request
  const described = operation.at('requestBody')
  if (body === undefined) return jsonField(described?.value, 'required') === true ? ['body is missing'] : []
  return contentViolations(described?.at('content'), headers['content-type'], body, check)
}

function answerViolations(answer: Part, { headers, body }: DescribedResponse, check: Check): readonly string[] {
  const sent = new Headers(headers)
  const content = answer.at('content')
  const ofHeaders = Object.keys(Object(jsonField(answer.value, 'headers'))).flatMap((name) => {
    const [schema, value] = [answer.at('headers', name, 'schema'), sent.get(name)]
    return schema === undefined || value === null ? [] : messagesOf(`header ${name}`, check(schema, value, 'text'))
  })
  if (content === undefined && body === undefined) return ofHeaders
  return [...ofHeaders, ...contentViolations(content, sent.get('content-type') ?? undefined, body, check)]
}

/** A body in its media type; `application/json` with any parameters is `application/json`. */
function contentViolations(
  content: Part | undefined,
  contentType: string | undefined,
  body: unknown,
  check: Check,
): readonly string[] {
  if (content === undefined) return ['a body that is not described']
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase() ?? 'none'
  const described = content.at(mediaType)
  if (described === undefined) return [`content type ${mediaType} is not one of ${Object.keys(Object(content.value))}`]
  const schema = described.at('schema')
  return schema === undefined ? [] : messagesOf('body', check(schema, body, 'json'))
}

/** The description allows members it does not name; we do not send any. */
function unknownNames(operation: Operation, { query, body }: DescribedRequest): readonly string[] {
  const queries = parametersOf(operation).flatMap((one) => (one.in === 'query' ? [one.name] : []))
  const schema = operation.at('requestBody', 'content', 'application/json', 'schema')
  const members = jsonField(schema?.value, 'properties') ?? {}
  const sent = typeof body === 'object' && body !== null ? Object.keys(body) : []
  return [
    ...[...query.keys()].filter((name) => !queries.includes(name)).map((name) => `query parameter ${name} is unknown`),
    ...sent.filter((name) => !Object.hasOwn(members, name)).map((name) => `body member ${name} is unknown`),
  ]
}

/** `body.0.user must be object`. */
function messagesOf(what: string, errors: readonly ErrorObject[]): readonly string[] {
  return errors.map(({ instancePath, message = 'is wrong', params }) => {
    const allowed = jsonList(params, 'allowedValues')
    const values = allowed.length === 0 ? '' : `: ${allowed.join(', ')}`
    return `${what}${instancePath.replaceAll('/', '.')} ${message}${values}`
  })
}

function basicErrorViolations(status: number, body: unknown): readonly string[] {
  if (status < 400) return ['the description has no such answer']
  return typeof jsonField(body, 'message') === 'string' ? [] : ['an error without a message']
}
