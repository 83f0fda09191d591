import { parseJson } from '../model/json.ts'
import { isJsonArray, type JsonValue, stringAt } from '../model/object.ts'
import type { HttpAnswer, Login } from './http.ts'
import { authorizationOf } from './http-try.ts'
import type { Hop } from './redirect.ts'

/** Longest piece of a server's text that an error repeats, in characters. */
const MAX_CHARS = 200

/** What a server says about its refusal: the messages of a registry, or a line of text. A page says nothing. */
export function serverText(answer: HttpAnswer, { url, login }: Hop): string {
  const text = new TextDecoder().decode(answer.body)
  const type = answer.header('content-type') ?? ''
  const said = /\bjson\b/.test(type) ? jsonText(text) : /^text\/plain\b/.test(type) ? text : ''
  return cleanText(said, [...secretsOf(login), ...queryOf(url)])
}

/** On one line, bounded, without control characters, and without what the server was sent. */
export function cleanText(text: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret !== '')
    .toSorted((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
  const line = hidden.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 3)}...` : line
}

/** Registries answer with a list of errors; others with one of these members. */
function jsonText(text: string): string {
  let value: JsonValue
  try {
    value = parseJson(text)
  } catch {
    return '' // Cut off, or no JSON at all.
  }
  const errors = typeof value === 'object' && value !== null && 'errors' in value ? value.errors : undefined
  if (isJsonArray(errors))
    return errors
      .map((error) => messageIn(error))
      .filter((one) => one !== '')
      .join('; ')
  return messageIn(value)
}

function messageIn(value: JsonValue): string {
  return ['message', 'error_description', 'error', 'code'].map((key) => stringAt(value, key)).find((one) => one) ?? ''
}

function secretsOf(login: Login | undefined): readonly string[] {
  if (login === undefined) return []
  const sent = authorizationOf(login)
  const encoded = sent.slice(sent.indexOf(' ') + 1)
  return login.kind === 'bearer' ? [login.token] : [encoded, login.password]
}

function queryOf(url: URL): readonly string[] {
  return [url.search.slice(1), ...url.searchParams.values()]
}
