import { defined } from '../model/defined.ts'
import { type KubeObject, stringAt } from '../model/object.ts'
import { formatRef, type Ref } from '../model/ref.ts'
import type { ListQuery, ServerVersion } from '../ports.ts'
import { parseAnswer, parseObject } from './api-answer.ts'
import { listAll } from './list-pages.ts'
import { ONE_OBJECT_MS } from './patience.ts'
import type { WatchSource } from './reflector.ts'
import type { Requests } from './request.ts'
import type { Kinds } from './served-kinds.ts'
import type { About } from './status.ts'
import { streamLines } from './stream-lines.ts'
import { apiPath, queryString } from './urls.ts'

/**
 * The server ends a watch after a time between these, so that not all streams are reopened at once, and sends a bookmark two
 * seconds before: a connection that is dead without a sign is found within a minute, and going on from the bookmark costs
 * one small request. Otherwise bookmarks come every 60 s or so.
 */
const SHORTEST_WATCH_SECONDS = 40
const LONGEST_WATCH_SECONDS = 50
/** A stream that is quiet for longer has lost its connection, in ms. */
const WATCH_SILENCE_MS = 55_000
const EVENT_LIMIT_CHARS = 32 * 1024 * 1024

export interface ReadsInput {
  readonly requests: Requests
  readonly kinds: Kinds
  readonly random: () => number
}

export interface Reads {
  version(signal?: AbortSignal): Promise<ServerVersion>
  get(ref: Ref, signal?: AbortSignal): Promise<KubeObject | undefined>
  list(query: ListQuery, signal?: AbortSignal): Promise<readonly KubeObject[]>
  watchSource(query: ListQuery): WatchSource
}

export function createReads({ requests, kinds, random }: ReadsInput): Reads {
  return {
    async version(signal) {
      const about = { doing: 'read the version of the API server' }
      const answer = parseAnswer(
        await requests.send({
          ...about,
          method: 'GET',
          path: '/version',
          answersWithinMs: ONE_OBJECT_MS,
          ...defined({ signal }),
        }),
        about,
      )
      const text = (key: string) => stringAt(answer, key) ?? ''
      return { gitVersion: text('gitVersion') }
    },

    get(ref, signal) {
      const about = { doing: `get ${formatRef(ref)}`, ref }
      return kinds.using({ ...about, ...ref, ...defined({ signal }) }, async (kind) => {
        const path = apiPath(kind, ref, about)
        const request = {
          ...about,
          method: 'GET',
          path,
          answersWithinMs: ONE_OBJECT_MS,
          ...defined({ signal }),
        } as const
        const result = await requests.attempt(request)
        if (result.isOk) return parseObject(result.value, about)
        if (result.error.details.reason === 'NotFound') return undefined
        throw result.error
      })
    },

    list(query, signal) {
      const about = aboutList('list', query)
      return kinds.using({ ...about, ...query, ...defined({ signal }) }, async (kind) => {
        const path = apiPath(kind, query, about)
        return (await listAll(requests, { ...about, path, query, ...defined({ signal }) })).objects
      })
    },

    watchSource(query) {
      const about = aboutList('watch', query)
      const { apiVersion, kind, labelSelector, fieldSelector } = query
      return {
        apiVersion,
        kind,
        list: (signal) =>
          kinds.using({ ...about, ...query, signal }, (served) =>
            listAll(requests, { ...about, path: apiPath(served, query, about), query, signal }),
          ),
        watch: (resourceVersion, signal) =>
          kinds.using({ ...about, ...query, signal }, async (served) => {
            const range = LONGEST_WATCH_SECONDS - SHORTEST_WATCH_SECONDS
            const timeoutSeconds = Math.round(SHORTEST_WATCH_SECONDS + random() * range)
            const watch = { watch: true, allowWatchBookmarks: true, timeoutSeconds, resourceVersion }
            const path = apiPath(served, query, about) + queryString({ ...watch, labelSelector, fieldSelector })
            const request = { ...about, method: 'GET', path, answersWithinMs: ONE_OBJECT_MS, signal } as const
            const body = await requests.stream(request, WATCH_SILENCE_MS)
            return streamLines(body, EVENT_LIMIT_CHARS)
          }),
      }
    },
  }
}

function aboutList(doing: string, { kind, namespace }: ListQuery): About {
  return { doing: `${doing} ${kind} objects${namespace === undefined ? '' : ` in ${namespace}`}` }
}
