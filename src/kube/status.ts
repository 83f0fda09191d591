import { type ApiCause, ApiError, messageOf } from '../model/errors.ts'
import { parseJson } from '../model/json.ts'
import { arrayAt, at, isJsonObject, type JsonValue, numberAt, stringAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { networkCode } from '../network/network-code.ts'

/** What a request was about, for its error. `doing`: `get Deployment/shop/web`. */
export interface About {
  readonly doing: string
  readonly ref?: Ref
}

const MESSAGE_LIMIT_CHARS = 4_000
const CAUSES_LIMIT = 200

/**
 * The HTTP status as it should have been: server-side apply answers 500 where a field is unknown or of the wrong type, or a
 * list holds an entry twice. That is the object's mistake, and no second try changes it (seen on Kubernetes 1.37).
 */
export function trueStatus(status: number, text: string): number {
  return status === 500 && /"failed to create typed \w+ object/.test(text) ? 400 : status
}

/** The API server's refusal as an error. Its body is a Kubernetes Status, or anything where a proxy answered. */
export function errorOfAnswer(
  about: About,
  answer: { readonly status: number; readonly text: string },
  sent: SentCredential = { wasTaken: false },
): ApiError {
  const body = parseStatus(answer.text)
  const told = stringAt(body, 'message')
  const message = answer.status === 401 ? refusedCredential(sent, told) : told
  return new ApiError({
    ...about,
    status: answer.status,
    reason: apiReason(answer.status, body),
    message: (message ?? `the server answered ${answer.status} without a reason`).slice(0, MESSAGE_LIMIT_CHARS),
    causes: arrayAt(body, 'details', 'causes').slice(0, CAUSES_LIMIT).map(apiCause),
  })
}

/** What is known about the credential that a request was sent with. */
export interface SentCredential {
  /** Ms since the epoch, where it had expired when it was sent. */
  readonly expiredAtMs?: number
  /** Whether the server has taken it before. */
  readonly wasTaken: boolean
}

/** The API server says `Unauthorized`, whatever the cause. */
function refusedCredential({ expiredAtMs, wasTaken }: SentCredential, told = 'Unauthorized'): string {
  if (expiredAtMs !== undefined) {
    return `the credentials of the kubeconfig have expired, at ${new Date(expiredAtMs).toISOString()}: ${told}`
  }
  return wasTaken
    ? `the credentials of the kubeconfig are no longer accepted, so they have expired or were revoked: ${told}`
    : told
}

/** The error of a request that got no answer. */
export function errorOfNetwork(about: About, server: string, error: unknown, tries: number): ApiError {
  const attempts = tries === 1 ? '' : ` (${tries} tries)`
  const message = `the API server at ${server} cannot be reached: ${networkErrorText(error)}${attempts}`
  return new ApiError({ ...about, status: 0, reason: 'Unreachable', message, causes: [] }, { cause: error })
}

/** `NotServed` where the server does not know the path itself; a missing object is named in the Status. */
function apiReason(status: number, body: JsonValue | undefined): string {
  if (status === 404 && stringAt(body, 'details', 'name') === undefined) return 'NotServed'
  const reason = stringAt(body, 'reason')
  const isCorrected = numberAt(body, 'code') === 500 && status !== 500
  return reason === undefined || reason === '' || isCorrected ? (REASONS.get(status) ?? 'Unknown') : reason
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [405, 'MethodNotAllowed'],
  [409, 'Conflict'],
  [410, 'Expired'],
  [413, 'RequestEntityTooLarge'],
  [415, 'UnsupportedMediaType'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
])

function parseStatus(text: string): JsonValue | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const body = parseJson(text)
    return isJsonObject(body) && at(body, 'kind') === 'Status' ? body : undefined
  } catch {
    return undefined // the HTTP status says enough
  }
}

function apiCause(cause: JsonValue): ApiCause {
  return {
    reason: stringAt(cause, 'reason') ?? '',
    field: stringAt(cause, 'field') ?? '',
    message: (stringAt(cause, 'message') ?? '').slice(0, MESSAGE_LIMIT_CHARS),
  }
}

/** Node leaves the message of a connection that failed on several addresses empty. */
function networkErrorText(error: unknown): string {
  const text = messageOf(error)
  const code = networkCode(error)
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return 'no answer in time'
  if (code === 'UND_ERR_BODY_TIMEOUT') return 'the answer was cut off'
  return text === '' ? code : text
}
