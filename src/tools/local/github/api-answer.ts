import type { DescribedRequest, Description } from './api-description.ts'
import type { DoubleState } from './github-state.ts'

/** A request to the API, on the way to its answer. */
export interface Asked {
  readonly state: DoubleState
  readonly request: DescribedRequest
  /** Gives the examples that answers start from. */
  readonly description: Description
  /** Address of the double, for links. */
  readonly url: string
  /** Address of the request, for links to other pages. */
  readonly target: URL
}

export interface Answer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly data?: unknown
}

/** One page of a list, with the link to the next. */
export function pageOf<T>({ request, target }: Asked, all: readonly T[], show: (one: T) => unknown): Answer {
  const perPage = Math.min(100, Number(request.query.get('per_page') ?? 30))
  const page = Number(request.query.get('page') ?? 1)
  const data = all.slice((page - 1) * perPage, page * perPage).map(show)
  if (page * perPage >= all.length) return { status: 200, data }
  const next = new URL(target)
  next.searchParams.set('page', String(page + 1))
  return { status: 200, headers: { link: `<${next.href}>; rel="next"` }, data }
}

export function notFound(): Answer {
  return {
    status: 404,
    data: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
  }
}
