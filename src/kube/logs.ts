import { defined } from '../model/defined.ts'
import { isApiError } from '../model/errors.ts'
import type { Clock, LogQuery } from '../ports.ts'
import type { ApiRequest } from './api-request.ts'
import { advance, LOG_START, type LogPosition, skipSeen, splitStamp } from './log-lines.ts'
import type { Requests } from './request.ts'
import { streamLines } from './stream-lines.ts'
import { queryString } from './urls.ts'

/** Longer lines are cut; CRI runtimes split at 16 KiB as well. */
const LINE_LIMIT_CHARS = 16 * 1024
/** What the server sends of one log that is read at once, and what is followed of one, in bytes. */
const READ_LIMIT_BYTES = 16 * 1024 * 1024
const FOLLOW_LIMIT_CHARS = 64 * 1024 * 1024
/** What is kept of a log that is read at once: its end. */
const KEEP_CHARS = 1024 * 1024
/** Breaks in a row, without a line between them, after which a followed log is given up. */
const BREAKS = 5
const DELAY_AFTER_BREAK_MS = 500

export interface Logs {
  log(query: LogQuery, signal?: AbortSignal): Promise<string>
  followLog(query: LogQuery, onLine: (line: string) => void, signal: AbortSignal): Promise<void>
}

export function createLogs(requests: Requests, clock: Clock): Logs {
  async function read(query: LogQuery, signal: AbortSignal | undefined): Promise<string> {
    const body = await requests.stream(logRequest(query, { follow: false, signal }), 30_000)
    const kept: string[] = []
    let chars = 0
    for await (const lines of streamLines(body, LINE_LIMIT_CHARS)) {
      for (const line of lines) {
        kept.push(line)
        chars += line.length + 1
        // Cut back only at twice the limit, so that each line is moved once at most.
        if (chars > 2 * KEEP_CHARS) chars = dropOldest(kept, chars)
      }
    }
    dropOldest(kept, chars)
    return kept.join('\n')
  }

  /** Follows from a position until the log ends, the connection breaks, or the limit is reached. */
  async function followOnce({ query, position, onLine, signal }: Following): Promise<FollowEnd> {
    const from = position.time === undefined ? query : { ...query, sinceTime: position.time }
    const body = await requests.stream(logRequest(from, { follow: true, signal }), 0)
    const isNew = skipSeen(position)
    try {
      for await (const lines of streamLines(body, LINE_LIMIT_CHARS)) {
        for (const line of lines) {
          if (signal.aborted) return 'ended'
          const { time, text } = splitStamp(line)
          if (isNew(time) && !onLine(text, time)) return 'too-long'
        }
      }
      return 'ended'
    } catch (error) {
      if (signal.aborted) return 'ended'
      if (isApiError(error, 'Unreachable')) return 'broken'
      throw error
    }
  }

  return {
    log: read,
    async followLog(query, onLine, signal) {
      let position = LOG_START
      let breaks = 0
      let chars = 0
      const take = (text: string, time: string | undefined) => {
        breaks = 0
        position = advance(position, time)
        chars += text.length + 1
        if (chars > FOLLOW_LIMIT_CHARS) return false
        onLine(text)
        return true
      }
      while (breaks <= BREAKS) {
        const end = await followOnce({ query, position, onLine: take, signal })
        if (end === 'ended') return
        if (end === 'too-long') return onLine('(the log is longer than 64 MiB: the rest is not followed)')
        breaks += 1
        await clock.sleep(DELAY_AFTER_BREAK_MS, signal)
      }
      onLine('(the connection broke too often: the rest of the log is not followed)')
    },
  }
}

type FollowEnd = 'ended' | 'broken' | 'too-long'

interface Following {
  readonly query: LogQuery
  readonly position: LogPosition
  /** False where the limit is reached. */
  readonly onLine: (text: string, time: string | undefined) => boolean
  readonly signal: AbortSignal
}

function logRequest(
  query: LogQuery,
  options: { readonly follow: boolean; readonly signal: AbortSignal | undefined },
): ApiRequest {
  const { namespace, pod, container, tailLines, previous, sinceTime, limitBytes } = query
  const { follow, signal } = options
  const search = queryString({
    container,
    tailLines: sinceTime === undefined || !follow ? tailLines : undefined,
    previous: previous === true ? true : undefined,
    sinceTime,
    limitBytes: follow ? limitBytes : (limitBytes ?? READ_LIMIT_BYTES),
    follow: follow ? true : undefined,
    timestamps: follow ? true : undefined,
  })
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log${search}`
  return {
    doing: `read the log of ${container}`,
    ref: { apiVersion: 'v1', kind: 'Pod', namespace, name: pod },
    method: 'GET',
    path,
    accept: '*/*',
    ...defined({ signal }),
  }
}

/** Drops lines from the front until the limit holds; gives the number of characters left. */
function dropOldest(lines: string[], chars: number): number {
  let left = chars
  let drop = 0
  while (left > KEEP_CHARS && drop < lines.length - 1) {
    left -= (lines[drop]?.length ?? 0) + 1
    drop += 1
  }
  lines.splice(0, drop)
  return left
}
