import { describe, expect, test } from 'vitest'
import type { ApiRequest } from '../../src/kube/api-request.ts'
import { createLogs } from '../../src/kube/logs.ts'
import type { Requests } from '../../src/kube/request.ts'
import { ApiError } from '../../src/model/errors.ts'
import { fakeClock } from '../doubles/fake-clock.ts'

const query = { namespace: 'shop', pod: 'web-1', container: 'app' }
const broken = new ApiError({ doing: 'read', status: 0, reason: 'Unreachable', message: 'reset', causes: [] })
const waiting = new ApiError({
  doing: 'read',
  status: 400,
  reason: 'BadRequest',
  message: 'is waiting to start',
  causes: [],
})

/** Each request gets the next of these streams: lines, then their end, or a break. */
function start(...streams: readonly (ApiError | readonly (string | ApiError)[])[]) {
  const clock = fakeClock()
  const asked: ApiRequest[] = []
  const requests: Requests = {
    attempt: () => Promise.reject(new Error('not expected')),
    send: () => Promise.reject(new Error('not expected')),
    trouble: () => undefined,
    count: () => asked.length,
    under: () => requests,
    stream(request) {
      const stream = streams[asked.length] ?? []
      asked.push(request)
      if (stream instanceof ApiError) return Promise.reject(stream)
      return Promise.resolve(bytes(stream))
    },
  }
  const parameters = () => asked.map(({ path }) => Object.fromEntries(new URL(path, 'http://a').searchParams))
  return { clock, parameters, logs: createLogs(requests, clock) }
}

async function* bytes(lines: readonly (string | ApiError)[]) {
  const encoder = new TextEncoder()
  for (const line of lines) {
    if (line instanceof ApiError) throw line
    yield await Promise.resolve(encoder.encode(`${line}\n`))
  }
}

describe('a log that is read at once', () => {
  test('asks for what the query says, and no more than 16 MiB', async () => {
    const { logs, parameters } = start(['a', 'b'])
    const text = await logs.log({ ...query, tailLines: 50, previous: true, sinceTime: '2026-01-01T00:00:00Z' })
    expect(text).toBe('a\nb')
    expect(parameters()).toEqual([
      {
        container: 'app',
        tailLines: '50',
        previous: 'true',
        sinceTime: '2026-01-01T00:00:00Z',
        limitBytes: '16777216',
      },
    ])
  })

  test('keeps its end where it is too long', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => String(index).padEnd(15_000, '.'))
    const text = await start(lines).logs.log(query)
    expect(text.length).toBeLessThanOrEqual(1024 * 1024)
    expect(text.split('\n').at(-1)?.slice(0, 4)).toBe('299.')
  })

  test('a container that has not started is an error', async () => {
    await expect(start(waiting).logs.log(query)).rejects.toThrow('is waiting to start')
  })
})

describe('a log that is followed', () => {
  const stamp = (fraction: string, text: string) => `2026-01-01T00:00:01${fraction}Z ${text}`
  async function follow(
    setup: ReturnType<typeof start>,
    signal = new AbortController().signal,
  ): Promise<readonly string[]> {
    const lines: string[] = []
    await setup.clock.runUntil(setup.logs.followLog({ ...query, tailLines: 10 }, (line) => lines.push(line), signal))
    return lines
  }

  test('gives line by line, without the times it asked for', async () => {
    const setup = start([stamp('.5', 'one'), stamp('.6', ''), 'no time'])
    expect(await follow(setup)).toEqual(['one', '', 'no time'])
    expect(setup.parameters()).toEqual([{ container: 'app', tailLines: '10', follow: 'true', timestamps: 'true' }])
  })

  test('goes on after a break without losing or repeating a line', async () => {
    const first = [stamp('.09', 'a'), stamp('.1', 'b'), stamp('.1', 'c'), broken]
    // `sinceTime` counts in seconds: all of that second comes again.
    const second = [stamp('.09', 'a'), stamp('.1', 'b'), stamp('.1', 'c'), stamp('.1', 'd'), stamp('.11', 'e')]
    const setup = start(first, second)
    expect(await follow(setup)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(setup.parameters()[1]).toEqual({
      container: 'app',
      sinceTime: '2026-01-01T00:00:01.1Z',
      follow: 'true',
      timestamps: 'true',
    })
  })

  test('is given up where it breaks again and again, and says so', async () => {
    const setup = start(...Array.from({ length: 20 }, () => [broken]))
    expect(await follow(setup)).toEqual(['(the connection broke too often: the rest of the log is not followed)'])
    expect(setup.parameters()).toHaveLength(6)
  })

  test('a line is cut at 16 KiB, a log at 64 MiB', async () => {
    const line = 'x'.repeat(20_000)
    const lines = await follow(start(Array.from({ length: 5_000 }, () => line)))
    expect(lines[0]).toHaveLength(16 * 1024)
    expect(lines.length).toBeLessThan(4_200)
    expect(lines.at(-1)).toBe('(the log is longer than 64 MiB: the rest is not followed)')
  })

  test('ends in peace when the signal fires', async () => {
    const stop = new AbortController()
    const setup = start([stamp('.1', 'a'), stamp('.2', 'b')])
    const lines: string[] = []
    const take = (line: string) => {
      lines.push(line)
      stop.abort(new Error('enough'))
    }
    await setup.logs.followLog(query, take, stop.signal)
    expect(lines).toEqual(['a'])
  })

  test('a refusal is an error', async () => {
    await expect(follow(start(waiting))).rejects.toThrow('is waiting to start')
  })
})
