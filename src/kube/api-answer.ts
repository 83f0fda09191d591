import { ApiError } from '../model/errors.ts'
import { NestingError, parseJson } from '../model/json.ts'
import { isJsonObject, type JsonValue, type KubeObject, stringAt } from '../model/object.ts'
import type { About } from './status.ts'

/** The object of an answer. */
export function parseObject(text: string, about: About): KubeObject {
  const value = parseAnswer(text, about)
  const apiVersion = stringAt(value, 'apiVersion')
  const kind = stringAt(value, 'kind')
  if (isJsonObject(value) && isJsonObject(value.metadata) && apiVersion !== undefined && kind !== undefined) {
    return { ...value, apiVersion, kind, metadata: value.metadata }
  }
  throw notAnApiServer(about)
}

/** The JSON of an answer. Throws ApiError where the other side is no API server, but a page that asks to sign in. */
export function parseAnswer(text: string, about: About): JsonValue {
  try {
    return parseJson(text)
  } catch (cause) {
    if (cause instanceof NestingError)
      throw new ApiError({ ...about, ...malformed(`the answer ${cause.message}`) }, { cause })
    throw notAnApiServer(about, cause)
  }
}

function notAnApiServer(about: About, cause?: unknown): ApiError {
  const message = 'the answer is not that of a Kubernetes API server; check `server` of the kubeconfig and the proxy'
  return new ApiError({ ...about, ...malformed(message) }, { cause })
}

function malformed(message: string) {
  return { status: 0, reason: 'Unreachable', message, causes: [] }
}
