import { request as httpsRequest, type RequestOptions } from 'node:https'
import { KubeConfig } from '@kubernetes/client-node'

/** What tests read from API answers: JSON of unknown shape, looked into with `at`. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export type Response = { readonly status: number; readonly text: string }

/** Plain requests to an API server, for tests and set-up; independent of the client under test. */
export type Api = {
  /** Any status code is an answer. */
  readonly request: (method: string, path: string, body?: unknown, contentType?: string) => Promise<Response>
  readonly get: (path: string) => Promise<Json>
  readonly create: (path: string, body: unknown) => Promise<Json>
  readonly patch: (path: string, body: unknown) => Promise<Json>
  /** Server-side apply. */
  readonly apply: (path: string, body: unknown) => Promise<Json>
  readonly remove: (path: string) => Promise<Json>
}

export function openApi(kubeconfig: string): Api {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const server = config.getCurrentCluster()?.server
  if (server === undefined) throw new Error(`the kubeconfig ${kubeconfig} names no cluster for its current context`)

  const request: Api['request'] = async (method, path, body, contentType = 'application/json') => {
    const options: RequestOptions = { method, headers: { accept: 'application/json', 'user-agent': 'test-setup' } }
    await config.applyToHTTPSOptions(options)
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = text === '' ? options.headers : { ...options.headers, 'content-type': contentType }
    return send(new URL(path, server), { ...options, headers: { ...headers } }, text)
  }
  const strict = async (method: string, path: string, body?: unknown, contentType?: string): Promise<Json> => {
    const response = await request(method, path, body, contentType)
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
    return JSON.parse(response.text) as Json
  }
  return {
    request,
    get: (path) => strict('GET', path),
    create: (path, body) => strict('POST', path, body),
    patch: (path, body) => strict('PATCH', path, body, 'application/merge-patch+json'),
    apply: (path, body) =>
      strict('PATCH', `${path}?fieldManager=test-setup&force=true`, body, 'application/apply-patch+yaml'),
    remove: (path) => strict('DELETE', path),
  }
}

/** The value at a path of keys and indexes, or undefined where the path ends early. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let found: Json | undefined = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as { readonly [key: string | number]: Json })[step]
  }
  return found
}

function send(url: URL, options: RequestOptions, body: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const outgoing = httpsRequest(url, options, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => {
        text += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }))
      incoming.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
