import { isApiError } from '../model/errors.ts'
import { arrayAt, isJsonObject, type JsonValue, type KubeObject, stringAt } from '../model/object.ts'
import type { ListQuery } from '../ports.ts'
import { parseAnswer } from './api-answer.ts'
import { COLLECTION_MS } from './patience.ts'
import type { Requests } from './request.ts'
import type { About } from './status.ts'
import { queryString } from './urls.ts'

/** Larger pages save requests, smaller ones memory of the API server; kubectl's choice. */
const PAGE_SIZE = 500

export interface Listing {
  readonly objects: readonly KubeObject[]
  /** From which version a watch continues. */
  readonly resourceVersion: string
}

/** All objects of a query, page by page, as of one moment. `path`: that of the kind in its namespace. */
export async function listAll(
  requests: Pick<Requests, 'send'>,
  input: About & { readonly path: string; readonly query: ListQuery; readonly signal?: AbortSignal },
): Promise<Listing> {
  try {
    return await listPages(requests, input, PAGE_SIZE)
  } catch (error) {
    // The pages of one moment are kept for some minutes only. As client-go: list again, in one piece.
    if (!isApiError(error, 'Expired', 'Gone')) throw error
    return listPages(requests, input, undefined)
  }
}

async function listPages(
  requests: Pick<Requests, 'send'>,
  input: Parameters<typeof listAll>[1],
  limit: number | undefined,
): Promise<Listing> {
  const { doing, path, query, signal } = input
  const { labelSelector, fieldSelector } = query
  const objects: KubeObject[] = []
  let next: string | undefined
  let resourceVersion = ''
  do {
    const search = queryString({ labelSelector, fieldSelector, limit, continue: next })
    const request = { doing, method: 'GET', path: path + search, answersWithinMs: COLLECTION_MS } as const
    const page = parseAnswer(await requests.send(signal === undefined ? request : { ...request, signal }), request)
    for (const item of arrayAt(page, 'items')) {
      const object = withListedKind(item, query)
      if (object !== undefined) objects.push(object)
    }
    resourceVersion = stringAt(page, 'metadata', 'resourceVersion') ?? ''
    next = stringAt(page, 'metadata', 'continue')
  } while (next !== undefined && next !== '')
  return { objects, resourceVersion }
}

/** An object of a list or a watch event; lists of built-in kinds leave apiVersion and kind out of their items. */
export function withListedKind(
  value: JsonValue | undefined,
  as: { readonly apiVersion: string; readonly kind: string },
): KubeObject | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.metadata)) return undefined
  return { ...value, apiVersion: as.apiVersion, kind: as.kind, metadata: value.metadata }
}
