import { describe, expect, test } from 'vitest'
import type { Listing } from '../../src/kube/list-pages.ts'
import type { WatchSource } from '../../src/kube/reflector.ts'
import { createWatches } from '../../src/kube/watches.ts'
import { ApiError } from '../../src/model/errors.ts'
import type { KubeObject } from '../../src/model/object.ts'
import { fakeClock } from '../doubles/fake-clock.ts'

const query = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop' }

function pod(name: string, version: number, more: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', resourceVersion: String(version), ...more },
  }
}
const event = (type: string, object: unknown) => JSON.stringify({ type, object })
const listing = (version: number, ...objects: readonly KubeObject[]): Listing => ({
  objects,
  resourceVersion: String(version),
})
const refusal = (status: number, reason: string) =>
  new ApiError({ doing: 'watch', status, reason, message: reason, causes: [] })

/** One stream of the fake server: batches of lines are pushed, then it ends or breaks. */
interface FakeStream {
  readonly from: string
  push(...lines: readonly string[]): void
  end(error?: Error): void
}

/** A server whose lists and refusals are scripted; streams are driven by the test. */
function start(script: { readonly lists: (Listing | ApiError)[]; readonly refusals?: ApiError[] }) {
  const clock = fakeClock()
  const streams: FakeStream[] = []
  const counts = { lists: 0, closed: 0 }
  const lists = [...script.lists]
  const refusals = [...(script.refusals ?? [])]
  const source: WatchSource = {
    apiVersion: 'v1',
    kind: 'Pod',
    async list() {
      await Promise.resolve()
      counts.lists += 1
      const next = lists.length > 1 ? lists.shift() : lists[0]
      if (next === undefined || next instanceof ApiError) throw next
      return next
    },
    async watch(from, signal) {
      await Promise.resolve()
      signal.throwIfAborted()
      const refused = refusals.shift()
      if (refused !== undefined) throw refused
      return openStream(from, signal)
    },
  }
  function openStream(from: string, signal: AbortSignal): AsyncIterable<readonly string[]> {
    let controller: ReadableStreamDefaultController<readonly string[]> | undefined
    const stream = new ReadableStream<readonly string[]>({
      start(given) {
        controller = given
      },
    })
    signal.addEventListener('abort', () => {
      counts.closed += 1
      controller?.error(signal.reason)
    })
    streams.push({
      from,
      push: (...lines) => controller?.enqueue(lines),
      end: (error) => (error === undefined ? controller?.close() : controller?.error(error)),
    })
    return stream
  }
  const watches = createWatches({ open: () => source, clock, random: () => 1 })
  const last = (): FakeStream => {
    const stream = streams.at(-1)
    if (stream === undefined) throw new Error('no stream is open')
    return stream
  }
  return { clock, streams, counts, watches, last, settle: () => clock.advance(0) }
}

const names = (objects: readonly KubeObject[]) => objects.map((object) => object.metadata.name).sort()

describe('a watch', () => {
  test('is seeded by a list and goes on from there', async () => {
    const { watches, streams, last, settle } = start({ lists: [listing(10, pod('a', 5))] })
    const watching = watches.watch(query)
    await watching.ready
    expect(names(watching.objects())).toEqual(['a'])
    await settle()
    last().push(
      event('ADDED', pod('b', 11)),
      event('DELETED', pod('a', 12)),
      event('MODIFIED', pod('b', 13, { labels: { x: 'y' } })),
    )
    await settle()
    expect(names(watching.objects())).toEqual(['b'])
    expect(watching.get('b')?.metadata.labels).toEqual({ x: 'y' })
    expect(watching.get('a')).toBeUndefined()
    expect(streams.map((stream) => stream.from)).toEqual(['10'])
    await watches.close()
  })

  test('tells each listener once for all that arrived together', async () => {
    const { watches, last, settle } = start({ lists: [listing(10)] })
    const watching = watches.watch(query)
    await watching.ready
    await settle()
    let calls = 0
    const listener = () => {
      calls += 1
    }
    const unsubscribe = watching.subscribe(listener)
    watching.subscribe(listener)
    last().push(event('ADDED', pod('a', 11)), event('ADDED', pod('b', 12)))
    await settle()
    expect(calls).toBe(2)
    unsubscribe()
    last().push(event('ADDED', pod('c', 13)))
    await settle()
    expect(calls).toBe(3)
    last().push(event('BOOKMARK', pod('', 14)))
    await settle()
    expect(calls).toBe(3)
    await watches.close()
  })

  test('remembers how an object was when it was deleted, also where its end arrived together with that', async () => {
    const { watches, last, settle } = start({ lists: [listing(10, pod('a', 5))] })
    const watching = watches.watch(query)
    await watching.ready
    await settle()
    expect(watching.lastSeen?.('a')).toBeUndefined()
    last().push(
      event('MODIFIED', pod('a', 11, { labels: { done: 'yes' } })),
      event('DELETED', pod('a', 12, { labels: { done: 'yes' } })),
    )
    await settle()
    expect(watching.get('a')).toBeUndefined()
    expect(watching.lastSeen?.('a')?.metadata.labels).toEqual({ done: 'yes' })
    await watches.close()
  })

  test('objects come without managed fields, and with apiVersion and kind where the list leaves them out', async () => {
    const { watches } = start({ lists: [listing(10, pod('a', 5, { managedFields: [{ manager: 'x' }] }))] })
    const watching = watches.watch(query)
    await watching.ready
    expect(watching.get('a')).toEqual(pod('a', 5))
    await watches.close()
  })
})

describe('breaks', () => {
  test('goes on from the last version seen, bookmarks count', async () => {
    const { clock, watches, streams, last, settle, counts } = start({ lists: [listing(10)] })
    await watches.watch(query).ready
    await settle()
    last().push(event('ADDED', pod('a', 11)))
    await settle()
    last().end(new Error('reset'))
    await clock.advance(1_000)
    last().push(event('BOOKMARK', pod('', 20)))
    await clock.advance(5_000)
    last().end()
    await clock.advance(1_000)
    expect(streams.map((stream) => stream.from)).toEqual(['10', '11', '20'])
    expect(counts.lists).toBe(1)
    await watches.close()
  })

  test('lists again where the version is gone, and forgets what is no longer there', async () => {
    const { clock, watches, last, settle } = start({ lists: [listing(10, pod('a', 5)), listing(50, pod('b', 40))] })
    const watching = watches.watch(query)
    await watching.ready
    await settle()
    let calls = 0
    watching.subscribe(() => {
      calls += 1
    })
    last().push(event('ERROR', { kind: 'Status', code: 410 }))
    await clock.advance(1_000)
    expect(names(watching.objects())).toEqual(['b'])
    expect(calls).toBe(1)
    expect(last().from).toBe('50')
    await watches.close()
  })

  test('410 as the answer itself means the same', async () => {
    const lists = [listing(10), listing(50, pod('b', 40))]
    const { clock, watches, last } = start({ lists, refusals: [refusal(410, 'Expired')] })
    const watching = watches.watch(query)
    await watching.ready
    await clock.advance(1_000)
    expect(last().from).toBe('50')
    await watches.close()
  })

  test('garbage ends the stream, not the watch; after three times in a row it lists again', async () => {
    const { clock, watches, streams, last, settle, counts } = start({ lists: [listing(10), listing(50)] })
    await watches.watch(query).ready
    await settle()
    for (const garbage of ['{"type":"ADDED","obj', '<html>', '{"type":"ADDED"}']) {
      last().push(garbage)
      await clock.advance(1_000)
    }
    expect(streams.map((stream) => stream.from)).toEqual(['10', '10', '10', '50'])
    expect(counts.lists).toBe(2)
    await watches.close()
  })

  test('a server that closes at once is not asked without pause', async () => {
    const { clock, watches, streams, last, settle } = start({ lists: [listing(10)] })
    await watches.watch(query).ready
    await settle()
    last().end()
    await clock.advance(199)
    expect(streams).toHaveLength(1)
    await clock.advance(1)
    expect(streams).toHaveLength(2)
    last().end()
    await clock.advance(399)
    expect(streams).toHaveLength(2)
    await clock.advance(1)
    expect(streams).toHaveLength(3)
    await watches.close()
  })

  test('a list that fails later keeps what is known and is tried again', async () => {
    const lists = [listing(10, pod('a', 5)), refusal(0, 'Unreachable'), listing(60, pod('b', 55))]
    const { clock, watches, last, settle } = start({ lists })
    const watching = watches.watch(query)
    await watching.ready
    await settle()
    last().push(event('ERROR', { code: 410 }))
    await clock.advance(200)
    expect(names(watching.objects())).toEqual(['a'])
    last().push(event('ERROR', { code: 410 }))
    await clock.advance(1_000)
    expect(names(watching.objects())).toEqual(['b'])
    await watches.close()
  })

  test('where objects may be listed but not watched, they are listed every two seconds, which is told', async () => {
    const refusals = Array.from({ length: 5 }, () => refusal(403, 'Forbidden'))
    const { clock, watches, counts } = start({ lists: [listing(10), listing(50, pod('b', 40))], refusals })
    const watching = watches.watch(query)
    await watching.ready
    await clock.advance(4_100)
    expect(counts.lists).toBe(3)
    expect(names(watching.objects())).toEqual(['b'])
    expect(watching.polledBecause?.()?.details.reason).toBe('Forbidden')
    await clock.advance(60_000)
    expect(counts.lists).toBeLessThan(25)
    await watches.close()
  })

  test('where watching is allowed again, it is watched again within a minute', async () => {
    const refusals = [refusal(403, 'Forbidden')]
    const { clock, watches, streams } = start({ lists: [listing(10)], refusals })
    await watches.watch(query).ready
    await clock.advance(65_000)
    expect(streams).toHaveLength(1)
    await watches.close()
  })

  test.each([
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
  ])('a wait that began is told within 30 s that all is answered with %i from now on', async (status, reason) => {
    const refusals = Array.from({ length: 100 }, () => refusal(status, reason))
    const { clock, watches, counts, last } = start({
      lists: [listing(10, pod('a', 5)), refusal(status, reason)],
      refusals,
    })
    const watching = watches.watch(query)
    await watching.ready
    let calls = 0
    watching.subscribe(() => {
      calls += 1
    })
    expect(() => last()).toThrow()
    await clock.advance(15_000)
    expect(watching.failure?.()).toBeUndefined()
    await clock.advance(15_000)
    expect(watching.failure?.()).toMatchObject({ details: { status } })
    expect(calls).toBeGreaterThan(0)
    const { lists } = counts
    await clock.advance(60_000)
    expect(counts.lists).toBe(lists)
    await watches.close()
  })

  test('a refusal that passes is no end', async () => {
    const refusals = Array.from({ length: 4 }, () => refusal(401, 'Unauthorized'))
    const lists = [listing(10), ...refusals.slice(1), listing(60, pod('b', 55))]
    const { clock, watches } = start({ lists, refusals })
    const watching = watches.watch(query)
    await watching.ready
    await clock.advance(30_000)
    expect([watching.failure?.(), names(watching.objects())]).toEqual([undefined, ['b']])
    await watches.close()
  })
})

describe('sharing', () => {
  test('equal queries share one stream; the last to leave ends it', async () => {
    const { watches, streams, counts, settle } = start({ lists: [listing(10, pod('a', 5))] })
    const [one, two] = [watches.watch(query), watches.watch({ ...query })]
    const other = watches.watch({ ...query, labelSelector: 'a=b' })
    await Promise.all([one.ready, two.ready, other.ready])
    await settle()
    expect(streams).toHaveLength(2)
    one.close()
    one.close()
    await settle()
    expect(counts.closed).toBe(0)
    two.close()
    await settle()
    expect(counts.closed).toBe(1)
    await watches.watch(query).ready
    await settle()
    expect(streams).toHaveLength(3)
    await watches.close()
    expect(counts.closed).toBe(3)
  })

  test('a refused list is told to all, and not remembered', async () => {
    const { watches } = start({ lists: [refusal(403, 'Forbidden'), listing(10, pod('a', 5))] })
    const [one, two] = [watches.watch(query), watches.watch(query)]
    await expect(one.ready).rejects.toMatchObject({ details: { reason: 'Forbidden' } })
    await expect(two.ready).rejects.toMatchObject({ details: { reason: 'Forbidden' } })
    const again = watches.watch(query)
    await again.ready
    expect(names(again.objects())).toEqual(['a'])
    await watches.close()
  })

  test('who never waits for it does not bring the process down', async () => {
    const { watches, settle } = start({ lists: [refusal(403, 'Forbidden')] })
    watches.watch(query)
    await settle()
    await watches.close()
  })

  test('a watch that is closed while it lists ends', async () => {
    const { watches, settle } = start({ lists: [listing(10)] })
    const watching = watches.watch(query)
    watching.close()
    await settle()
    await watches.close()
  })
})
