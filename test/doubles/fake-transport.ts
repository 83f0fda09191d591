import type { HttpAnswer, HttpTry, Transport } from '../../src/kube/transport.ts'
import { defined } from '../../src/model/defined.ts'

/** How a try of the fake transport ends. `error`: no answer came. `lines`: a stream, ended by `breaksWith` where given. */
export type FakeAnswer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: { readonly [name: string]: string } }
  | { readonly error: Error }
  | { readonly lines: AsyncIterable<string> | Iterable<string>; readonly breaksWith?: Error }

export interface FakeTransport extends Transport {
  readonly tries: readonly HttpTry[]
  /** `GET /api/v1/...`, in order. */
  requests(): readonly string[]
  /** Most requests that were in flight at one moment. */
  mostInFlight(): number
}

/** A server in a function: `answer` sees each try and how many went before it. */
export function fakeTransport(
  answer: (request: HttpTry, before: number) => FakeAnswer | Promise<FakeAnswer>,
): FakeTransport {
  const tries: HttpTry[] = []
  let inFlight = 0
  let most = 0
  return {
    tries,
    requests: () => tries.map((one) => `${one.method} ${one.path}`),
    mostInFlight: () => most,
    async send(request) {
      tries.push(request)
      inFlight += 1
      most = Math.max(most, inFlight)
      try {
        return toAnswer(await answer(request, tries.length - 1))
      } finally {
        inFlight -= 1
      }
    },
    close: () => Promise.resolve(),
  }
}

/** An error as Node raises it. */
export function networkError(code: string, syscall?: string): Error {
  return Object.assign(new Error(`${syscall ?? 'read'} ${code}`), {
    code,
    ...defined({ syscall }),
  })
}

/** A refusal as the API server words it. */
export function statusBody(code: number, reason: string, message: string, details: object = {}): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details }
}

function toAnswer(answer: FakeAnswer): HttpAnswer {
  if ('error' in answer) throw answer.error
  if ('lines' in answer) {
    return {
      status: 200,
      header: () => undefined,
      text: () => Promise.reject(new Error('a stream')),
      body: encode(answer),
    }
  }
  const { status, body = '', headers = {} } = answer
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const whole = { lines: [text] }
  return { status, header: (name) => headers[name], text: () => Promise.resolve(text), body: encode(whole) }
}

async function* encode(stream: {
  readonly lines: AsyncIterable<string> | Iterable<string>
  readonly breaksWith?: Error
}) {
  const encoder = new TextEncoder()
  for await (const line of stream.lines) yield encoder.encode(line)
  if (stream.breaksWith !== undefined) throw stream.breaksWith
}
