/** A request as the proxy sees it, before anything happens to it. */
export interface ProxyRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly authorization: string
  /** Number of the connection that it came on, counted from 0. */
  readonly connection: number
  /** Empty for reads. */
  readonly body: string
  readonly arrivedAtMs: number
}

/** What became of it. */
export interface Exchange extends ProxyRequest {
  /** What the API server answered, whether or not the client got to know; absent: it was never asked, or never answered. */
  answer?: { readonly status: number; readonly atMs: number }
  fault?: ProxyFault['kind']
}

/** What goes wrong with one request. */
export type ProxyFault =
  /** The connection is reset before the server sees the request. */
  | { readonly kind: 'reset' }
  /** The server does what it was asked to; its answer never arrives. */
  | { readonly kind: 'lost-reply' }
  /** No answer and no end. */
  | { readonly kind: 'black-hole' }
  /** The answer breaks off after so many bytes of its body. */
  | { readonly kind: 'truncated'; readonly bytes: number }
  /** The request goes on to the server once this is settled. */
  | { readonly kind: 'held'; readonly until: Promise<void> }
  /** The request goes on to the server after this time. */
  | { readonly kind: 'late'; readonly ms: number }
  /** The body of the answer comes in so many pieces, with this time before each. */
  | { readonly kind: 'slow-body'; readonly pieces: number; readonly ms: number }
  /** The server is not asked. */
  | ({ readonly kind: 'answer' } & ProxyAnswer)
  /** The server does what it was asked to; the client gets another answer. */
  | { readonly kind: 'replaced'; readonly answer: ProxyAnswer }
  /** The body of the answer is changed. `accept`: the server is asked for this form instead. */
  | { readonly kind: 'rewritten'; readonly rewrite: (body: string) => string; readonly accept?: string }
  /** What a stream carries comes late. */
  | { readonly kind: 'lagging'; readonly ms: number }
  /** A stream is closed after this time; its last words may be half a line. */
  | { readonly kind: 'closing'; readonly ms: number; readonly lastWords: string }

export interface ProxyAnswer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}
