import { describe, expect, test } from 'vitest'
import type { ApiRequest } from '../../src/kube/api-request.ts'
import type { Credential, Credentials } from '../../src/kube/credentials.ts'
import { createRequests, type Requests } from '../../src/kube/request.ts'
import { RETRY_LIMITS } from '../../src/kube/retry.ts'
import { isApiError } from '../../src/model/errors.ts'
import { type FakeClock, fakeClock } from '../doubles/fake-clock.ts'
import {
  type FakeAnswer,
  type FakeTransport,
  fakeTransport,
  networkError,
  statusBody,
} from '../doubles/fake-transport.ts'

const anonymous: Credentials = { current: () => Promise.resolve({}), refuse: () => false }
const read: ApiRequest = { doing: 'get it', method: 'GET', path: '/it' }
const make: ApiRequest = {
  doing: 'make it',
  method: 'POST',
  path: '/it',
  body: { type: 'application/json', text: '{}' },
}
const ok: FakeAnswer = { status: 200, body: 'done' }
const refused: FakeAnswer = { error: networkError('ECONNREFUSED', 'connect') }
const reset: FakeAnswer = { error: networkError('ECONNRESET') }

interface Setup {
  readonly clock: FakeClock
  readonly transport: FakeTransport
  readonly requests: Requests
}

function start(answer: Parameters<typeof fakeTransport>[0], credentials = anonymous, parallelism = 16): Setup {
  const clock = fakeClock(0)
  const transport = fakeTransport(answer)
  const random = () => 0.5
  const server = 'https://api.example'
  const headers = { 'user-agent': 'us' }
  const requests = createRequests({
    transport,
    credentials,
    clock,
    random,
    server,
    headers,
    parallelism: { first: parallelism, most: parallelism },
    limits: RETRY_LIMITS,
  })
  return { clock, transport, requests }
}

/** Answers in this order; the last one for good. */
const inOrder = (...answers: readonly FakeAnswer[]) => {
  return (_request: unknown, before: number) => answers[Math.min(before, answers.length - 1)] ?? ok
}

describe('tries', () => {
  test('429 is waited out as long as the server asks', async () => {
    const { clock, requests } = start(inOrder({ status: 429, headers: { 'retry-after': '3' } }, ok))
    expect(await clock.runUntil(requests.send(read))).toBe('done')
    expect(clock.now()).toBe(3_100)
    expect(requests.count()).toBe(2)
  })

  test('a new CRD that answers 429 "storage is (re)initializing" becomes usable', async () => {
    const body = statusBody(429, 'TooManyRequests', 'storage is (re)initializing', { retryAfterSeconds: 1 })
    const initializing = { status: 429, body, headers: { 'retry-after': '1' } }
    const { clock, requests } = start(inOrder(initializing, initializing, ok))
    expect(await clock.runUntil(requests.send(make))).toBe('done')
  })

  test('an outage of ten minutes is not seen by a caller whose deadline is later', async () => {
    const { clock, requests } = start(() => (clock.now() > 0 && clock.now() < 600_000 ? refused : ok))
    await requests.send(read)
    await clock.advance(1)
    expect(await clock.runUntil(requests.send({ ...make, signal: AbortSignal.timeout(60_000) }))).toBe('done')
    expect(clock.now()).toBeGreaterThanOrEqual(600_000)
  })

  test('30 s of throttling fail no request', async () => {
    const throttled = { status: 429, headers: { 'retry-after': '1' } }
    const { clock, requests } = start(() => (clock.now() < 30_000 ? throttled : ok))
    const signal = new AbortController().signal
    const all = Promise.all(Array.from({ length: 100 }, () => requests.send({ ...make, signal })))
    expect(await clock.runUntil(all)).toEqual(Array.from({ length: 100 }, () => 'done'))
  })

  test('an outage that outlasts the deadline is an error that names server, cause and tries', async () => {
    const { clock, requests } = start(inOrder(ok, refused))
    await requests.send(read)
    const stop = new AbortController()
    clock.schedule(300_000, () => stop.abort('timeout'))
    const failed = requests.send({ ...read, ref: { apiVersion: 'v1', kind: 'Pod', name: 'a' }, signal: stop.signal })
    await expect(clock.runUntil(failed)).rejects.toThrow(
      /^get it: the API server at https:\/\/api.example cannot be reached: connect ECONNREFUSED \(\d+ tries\)$/,
    )
    expect(clock.now()).toBe(300_000)
    await failed.catch((error: unknown) => {
      expect(isApiError(error, 'Unreachable') && error.details).toMatchObject({ status: 0, ref: { kind: 'Pod' } })
    })
  })

  test('a server that has never answered is given up after 90 s', async () => {
    const { clock, requests } = start(inOrder(refused))
    await expect(clock.runUntil(requests.send(read))).rejects.toThrow('cannot be reached')
    expect(clock.now()).toBeLessThan(101_000)
  })

  test('a request that could do harm when done twice is not repeated after a lost reply', async () => {
    const { requests, transport } = start(inOrder(reset, ok))
    await expect(requests.send(make)).rejects.toThrow('ECONNRESET')
    expect(transport.requests()).toEqual(['POST /it'])
  })

  test('a repeatable one is, and says that the first may have counted', async () => {
    const conflict = { status: 409, body: statusBody(409, 'AlreadyExists', 'there', { name: 'it' }) }
    const { clock, requests } = start(inOrder(reset, conflict))
    const result = await clock.runUntil(requests.attempt({ ...make, isRepeatable: true }))
    expect(result).toMatchObject({
      isOk: false,
      mayHaveHappened: true,
      error: { details: { reason: 'AlreadyExists' } },
    })
  })

  test('an unsent request cannot have counted', async () => {
    const { clock, requests } = start(inOrder(refused, ok))
    expect(await clock.runUntil(requests.attempt(make))).toMatchObject({ isOk: true, mayHaveHappened: false })
  })

  test('a lost race for a quota is run again', async () => {
    const message = 'Operation cannot be fulfilled on resourcequotas "q": the object has been modified'
    const race = { status: 409, body: statusBody(409, 'Conflict', message, { name: 'q', kind: 'resourcequotas' }) }
    const { clock, requests } = start(inOrder(race, race, ok))
    expect(await clock.runUntil(requests.send(make))).toBe('done')
  })

  test.each([
    ['timeout', 'ECONNREFUSED'],
    [new Error('not in time'), 'ECONNREFUSED'],
    ['cancelled', 'cancelled'],
    ['lock-lost', 'lock-lost'],
  ])('a wait between tries that ends for %s tells %s', async (reason, told) => {
    const { clock, requests } = start(inOrder(ok, refused))
    await requests.send(read)
    const stop = new AbortController()
    const sent = requests.send({ ...read, signal: stop.signal })
    clock.schedule(500, () => stop.abort(reason))
    await expect(clock.runUntil(sent).catch(String)).resolves.toContain(told)
    expect(clock.pending()).toBe(0)
  })

  /** A server that takes the request and never answers. */
  const blackHole = (request: { readonly signal?: AbortSignal }): Promise<FakeAnswer> =>
    new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(request.signal?.reason)))

  test.each([
    ['a server that never answered', 0, 1_000, 'cannot be reached: no answer within 1 s'],
    ['a request without an answer for some time', 1, 7_000, 'cannot be reached: no answer within 7 s'],
    ['a request that was just sent', 1, 1_000, 'timeout'],
  ])('when the time is over, %s is told as such', async (_name, answered, afterMs, told) => {
    const { clock, requests } = start((request, before) => (before < answered ? ok : blackHole(request)))
    if (answered > 0) await requests.send(read)
    const stop = new AbortController()
    clock.schedule(afterMs, () => stop.abort('timeout'))
    await expect(clock.runUntil(requests.send({ ...read, signal: stop.signal })).catch(String)).resolves.toContain(told)
  })

  test('trouble is what the newest request failed with, until one is answered again', async () => {
    const { clock, requests } = start(inOrder(ok, { status: 503 }, refused, { status: 404 }))
    await requests.send(read)
    expect(requests.trouble()).toBeUndefined()
    const stop = new AbortController()
    const sent = requests.send({ ...read, signal: stop.signal })
    await clock.advance(0)
    expect(requests.trouble()?.message).toContain('503')
    await clock.advance(150)
    expect(requests.trouble()?.message).toContain('ECONNREFUSED')
    await expect(clock.runUntil(sent)).rejects.toThrow('404')
    expect(requests.trouble()).toBeUndefined()
  })
})

describe('credentials', () => {
  test('401 renews them once and tries again; a second 401 is final', async () => {
    const tokens = ['old', 'new']
    let refusals = 0
    const credentials: Credentials = {
      current: () => Promise.resolve({ authorization: tokens[refusals] ?? 'newest' }),
      refuse: () => {
        refusals += 1
        return true
      },
    }
    const { requests, transport } = start(inOrder({ status: 401 }), credentials)
    await expect(requests.send(read)).rejects.toMatchObject({ details: { reason: 'Unauthorized' } })
    expect(transport.tries.map((one) => one.headers.authorization)).toEqual(['old', 'new'])
  })

  test('a fixed token that is refused is not sent again', async () => {
    const { requests, transport } = start(inOrder({ status: 401 }))
    await expect(requests.send(read)).rejects.toMatchObject({ details: { status: 401 } })
    expect(transport.tries).toHaveLength(1)
  })
})

test('a credential plugin that hangs does not hold a request whose time is over', async () => {
  const { clock, requests } = start(() => ok, { current: () => new Promise(() => undefined), refuse: () => false })
  const over = new AbortController()
  clock.schedule(5_000, () => over.abort('timeout'))
  await expect(clock.runUntil(requests.send({ ...read, signal: over.signal }))).rejects.toBe('timeout')
})

describe('a credential that is refused', () => {
  const refusal = { status: 401, body: statusBody(401, 'Unauthorized', 'Unauthorized') }
  const fixed = (credential: Credential): Credentials => ({
    current: () => Promise.resolve(credential),
    refuse: () => false,
  })

  test.each([
    ['has expired', { expiresAtMs: 0 }, [], 'have expired, at 1970-01-01T00:00:00.000Z'],
    ['was taken before', {}, [ok], 'are no longer accepted, so they have expired or were revoked'],
    ['was never taken', {}, [], 'get it: Unauthorized'],
  ])('and %s is told as such', async (_name, credential, before, told) => {
    const { requests } = start(inOrder(...before, refusal), fixed(credential))
    for (const _answer of before) await requests.send(read)
    await expect(requests.send(read)).rejects.toThrow(told)
    expect(requests.trouble()?.details.status).toBe(401)
  })
})

describe('parallelism', () => {
  test('grows while all goes well, and shrinks to one where the server throttles', async () => {
    const clock = fakeClock(0)
    let isThrottling = false
    let inFlight = 0
    let most = 0
    const transport = fakeTransport(async () => {
      inFlight += 1
      most = Math.max(most, inFlight)
      await clock.sleep(10)
      inFlight -= 1
      return isThrottling ? { status: 429, headers: { 'retry-after': '1' } } : ok
    })
    const parallelism = { first: 16, most: 64 }
    const server = 'https://api.example'
    const input = { transport, credentials: anonymous, clock, random: () => 0.5, server, headers: {}, parallelism }
    const requests = createRequests({ ...input, limits: RETRY_LIMITS })
    const { signal } = new AbortController()
    const many = (count: number) => Promise.all(Array.from({ length: count }, () => requests.send({ ...read, signal })))
    await clock.runUntil(many(4_000))
    expect(most).toBe(64)
    isThrottling = true
    clock.schedule(30_000, () => {
      isThrottling = false
      most = 0
    })
    clock.schedule(29_000, () => {
      most = 0
    })
    const throttled = many(100)
    await clock.advance(29_990)
    expect(most).toBeLessThanOrEqual(2)
    await clock.runUntil(throttled)
  })

  test('one bound for all requests; who waits for a next try takes no place', async () => {
    const gates: (() => void)[] = []
    const answer = ({ path }: { readonly path: string }, before: number): FakeAnswer | Promise<FakeAnswer> => {
      if (path === '/busy') return before === 0 ? { status: 503 } : ok
      return new Promise((resolve) => gates.push(() => resolve(ok)))
    }
    const { clock, requests, transport } = start(answer, anonymous, 2)
    const busy = requests.send({ ...read, path: '/busy' })
    const others = [1, 2, 3, 4].map(() => requests.send(read))
    await clock.advance(0)
    expect(gates).toHaveLength(2)
    while (requests.count() < 6) {
      gates.shift()?.()
      await clock.advance(1_000)
    }
    for (const open of gates) open()
    await clock.runUntil(Promise.all([busy, ...others]))
    expect(transport.mostInFlight()).toBe(2)
  })

  test('who gives up in the queue leaves it, and its place goes to the next', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<FakeAnswer>()
    const { clock, requests, transport } = start(() => gate, anonymous, 1)
    const stop = new AbortController()
    const first = requests.send(read)
    const impatient = requests.send({ ...read, signal: stop.signal })
    const last = requests.send(read)
    await clock.advance(0)
    stop.abort(new Error('enough'))
    await expect(impatient).rejects.toThrow('enough')
    open(ok)
    await clock.runUntil(Promise.all([first, last]))
    expect(transport.tries).toHaveLength(2)
  })
})

test('a stream that breaks off ends in an ApiError', async () => {
  const { requests } = start(() => ({ lines: ['a\n'], breaksWith: networkError('ECONNRESET') }))
  const seen: string[] = []
  const reading = async () => {
    for await (const chunk of await requests.stream(read, 1_000)) seen.push(new TextDecoder().decode(chunk))
  }
  await expect(reading()).rejects.toMatchObject({ details: { reason: 'Unreachable' } })
  expect(seen).toEqual(['a\n'])
})

describe('under terms', () => {
  const write: ApiRequest = { ...make, isWrite: true, isRepeatable: true }
  const granted = new AbortController().signal

  test('the right to write is asked for right before each try: after the queue, and again before a repetition', async () => {
    const asked: number[] = []
    const { clock, requests } = start(
      async (request, before) => {
        if (request.method === 'GET') await clock.sleep(5_000)
        return before === 1 ? { status: 503 } : ok
      },
      anonymous,
      1,
    )
    const mayWrite = () => {
      asked.push(clock.now())
      return Promise.resolve(granted)
    }
    await clock.runUntil(Promise.all([requests.send(read), requests.under({ mayWrite }).send(write)]))
    expect(asked).toEqual([5_000, 5_100])
  })

  test('a write without the right is not sent', async () => {
    const { clock, transport, requests } = start(() => ok)
    const guarded = requests.under({ mayWrite: () => Promise.reject(new Error('lost')) })
    await expect(clock.runUntil(guarded.send(write))).rejects.toThrow('lost')
    expect(transport.tries).toEqual([])
  })

  test('reads and dry runs ask for no right', async () => {
    const { clock, requests } = start(() => ok)
    const guarded = requests.under({ mayWrite: () => Promise.reject(new Error('lost')) })
    expect(await clock.runUntil(Promise.all([guarded.send(read), guarded.send(make)]))).toEqual(['done', 'done'])
  })

  test('a try whose right ends is broken off, and sent again with a new one', async () => {
    const first = new AbortController()
    const rights = [first.signal, granted]
    const { clock, transport, requests } = start((request, before) =>
      before > 0
        ? ok
        : new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(request.signal?.reason))),
    )
    clock.schedule(7_000, () => first.abort(new Error('not renewed in time')))
    const mayWrite = () => Promise.resolve(rights.shift() ?? granted)
    await clock.runUntil(requests.under({ mayWrite }).send(write))
    expect([transport.tries.length, clock.now() >= 7_000]).toEqual([2, true])
  })

  test('an urgent request does not wait in the queue', async () => {
    const { clock, transport, requests } = start(
      (request) => (request.isUrgent === true ? ok : new Promise(() => {})),
      anonymous,
      1,
    )
    const stuck = [requests.send(read), requests.send(read)]
    expect(await clock.runUntil(requests.under({ isUrgent: true }).send(read))).toBe('done')
    expect([transport.tries.length, stuck.length]).toEqual([2, 2])
  })
})

describe('a read that gets no answer', () => {
  const quick: ApiRequest = { ...read, answersWithinMs: 10_000 }

  /** A server whose answers to a path take so long from their try on, in ms. */
  function answeringAfter(takesMs: (path: string, nowMs: number) => number) {
    const setup = start(async ({ path, answerWithinMs = 65_000 }) => {
      const { clock } = setup
      const tookMs = takesMs(path, clock.now())
      await clock.sleep(Math.min(tookMs, answerWithinMs))
      return tookMs > answerWithinMs ? { error: networkError('UND_ERR_HEADERS_TIMEOUT') } : ok
    })
    return setup
  }

  const until = (clock: FakeClock, ms: number) => {
    const over = new AbortController()
    clock.schedule(ms, () => over.abort('timeout'))
    return over.signal
  }

  test.each([20_000, 45_000, 90_000, 180_000])('goes on within 15 s after a black hole of %i ms', async (holeMs) => {
    const { clock, requests } = answeringAfter((path, nowMs) =>
      path === '/it' && nowMs < holeMs ? Number.POSITIVE_INFINITY : 0,
    )
    await clock.runUntil(requests.send({ ...quick, path: '/before' }))
    await clock.runUntil(requests.send({ ...quick, signal: until(clock, 3_600_000) }))
    expect(clock.now() - holeMs).toBeLessThan(15_000)
  })

  test('is not given up again and again by a server that takes long for it, and answers others', async () => {
    const { clock, requests, transport } = answeringAfter((path) => (path === '/it' ? 30_000 : 100))
    const signal = until(clock, 3_600_000)
    const slow = requests.send({ ...quick, signal })
    const others = (async () => {
      for (;;) await requests.send({ ...quick, path: '/other', signal }).then(() => clock.sleep(1_000, signal))
    })().catch(() => undefined)
    expect(await clock.runUntil(slow)).toBe('done')
    expect(transport.tries.filter(({ path }) => path === '/it').map((one) => one.answerWithinMs)).toEqual([
      10_000, 20_000, 40_000,
    ])
    await clock.advance(3_600_000)
    await others
  })

  test('is waited for longer after some tries, even where nobody else asks: the server may be that slow', async () => {
    const { clock, requests } = answeringAfter(() => 15_000)
    expect(await clock.runUntil(requests.send({ ...quick, signal: until(clock, 3_600_000) }))).toBe('done')
  })

  test('what says nothing of its time waits as long as the API server does', async () => {
    const { clock, requests, transport } = answeringAfter(() => 50)
    await clock.runUntil(requests.send(read))
    expect(transport.tries.map((one) => one.answerWithinMs)).toEqual([undefined])
  })
})

describe('writes that are held up', () => {
  const starting: FakeAnswer = {
    status: 500,
    body: statusBody(500, 'InternalError', 'failed calling webhook "hook.example": no endpoints available'),
  }
  const throttled: FakeAnswer = { status: 429, body: statusBody(429, 'TooManyRequests', 'try again later') }
  const write = (name: string): ApiRequest => ({ ...make, doing: `apply ${name}`, isWrite: true, isRepeatable: true })
  const minute = 60_000

  function watched(answer: (nowMs: number, path: string) => FakeAnswer) {
    const setup = start(({ path }) => answer(setup.clock.now(), path))
    const told: string[] = []
    const requests = setup.requests.under({
      onHeldUp: ({ state, doing, cause, sinceMs }) => told.push(`${state} ${doing} since ${sinceMs} ms: ${cause}`),
    })
    const over = new AbortController()
    setup.clock.schedule(10 * minute, () => over.abort('timeout'))
    return { ...setup, requests, told, signal: over.signal }
  }

  test('are told once, with one of them and what they fail with, and when they went on', async () => {
    const { clock, requests, told, signal } = watched((nowMs) => (nowMs < minute ? starting : ok))
    const all = ['a', 'b', 'c'].map((name) => requests.send({ ...write(name), signal }))
    await clock.runUntil(Promise.all(all))
    const cause = 'failed calling webhook "hook.example": no endpoints available'
    expect(told).toEqual([
      `waiting apply a since 0 ms: ${cause}`,
      expect.stringMatching(new RegExp(`^over apply [abc] since 0 ms: ${cause}$`)),
    ])
  })

  test('are told again where something else holds them up', async () => {
    const { clock, requests, told, signal } = watched((nowMs) =>
      nowMs < minute ? starting : nowMs < 2 * minute ? throttled : ok,
    )
    await clock.runUntil(requests.send({ ...write('a'), signal }))
    expect(told.map((line) => line.replace(/ since \d+ ms: /, ': '))).toEqual([
      'waiting apply a: failed calling webhook "hook.example": no endpoints available',
      'waiting apply a: try again later',
      'over apply a: try again later',
    ])
  })

  test('are not told where it takes less than 10 s, or another text on each try tells nothing new for a while', async () => {
    const short = watched((nowMs) => (nowMs < 6_000 ? throttled : ok))
    await short.clock.runUntil(short.requests.send({ ...write('a'), signal: short.signal }))
    expect(short.told).toEqual([])
    const varying = watched((nowMs) => {
      const body = statusBody(429, 'TooManyRequests', `request ${nowMs} is one too many`)
      return nowMs < minute ? { status: 429, headers: { 'retry-after': '1' }, body } : ok
    })
    await varying.clock.runUntil(varying.requests.send({ ...write('a'), signal: varying.signal }))
    expect(varying.told.length).toBeLessThan(8)
  })

  test('a read that waits is not told: what it waits for is told where it is needed', async () => {
    const { clock, requests, told, signal } = watched((nowMs) => (nowMs < minute ? throttled : ok))
    await clock.runUntil(requests.send({ ...read, signal }))
    expect(told).toEqual([])
  })

  test('one that ends in a failure does not say that it went on', async () => {
    const { clock, requests, told, signal } = watched(() => throttled)
    await expect(clock.runUntil(requests.send({ ...write('a'), signal }))).rejects.toThrow('try again later')
    expect(told).toEqual(['waiting apply a since 0 ms: try again later'])
  })
})
