/** Reads from servers of charts: with proxies, authorities, retries and limits. Methods throw FetchError. */
export interface Http {
  get(request: HttpRequest): Promise<HttpAnswer>
  /** Sends a form, as OAuth2 wants it. No redirect is followed: what is in the form belongs to this address. */
  postForm(request: HttpForm): Promise<HttpAnswer>
  close(): Promise<void>
}

export interface HttpAnswer {
  readonly status: number
  /** As it was sent: nobody is asked to compress it. */
  readonly body: Uint8Array<ArrayBuffer>
  /** After redirects. Its query may hold a signature: show it by `shownAddress`. */
  readonly url: URL
  header(name: string): string | undefined
}

export interface HttpRequest {
  readonly url: string
  readonly accept?: string
  readonly maxBytes: number
  /** Statuses other than 2xx that come back as an answer; every other one is a FetchError of its own kind. */
  readonly expected?: readonly number[]
  /** Sent to the first host only, never over a redirect to another scheme, host or port. */
  readonly login?: Login
  /** `If-None-Match` and `If-Modified-Since`; no other is sent. They go over redirects. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface HttpForm extends Omit<HttpRequest, 'login' | 'headers'> {
  readonly form: Readonly<Record<string, string>>
}

export type Login =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
