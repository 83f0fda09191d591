import { describe, expect, test } from 'vitest'
import { formatMarker } from '../../src/github/comment-marker.ts'
import { writeSticky } from '../../src/github/sticky-comment.ts'
import type { CommentContent, CommentWrite, FoundComment } from '../../src/ports.ts'
import { contentOf } from './adapter.ts'
import { body, contentAt, everyOrder, key, race, randomOrder, Store } from './race.ts'

describe('two writers at once converge, whatever the order of their requests', () => {
  const starts = {
    'no comment yet': [],
    'one comment': [body(1)],
    'duplicates that an earlier race left': [body(1), body(2)],
    'a later comment in the second place, whose writer died': [body(1), body(15)],
  }
  const pairs = {
    'both update': ['update', 'update'],
    'both begin a new comment': ['new', 'new'],
    'the earlier reading begins a new one': ['new', 'update'],
    'the later reading begins a new one': ['update', 'new'],
  } as const

  for (const [start, bodies] of Object.entries(starts)) {
    for (const [pair, [earlier, later]] of Object.entries(pairs)) {
      // Thousands of orders more, and none that the others do not show.
      if (start.startsWith('duplicates') && !pair.startsWith('both update')) continue
      test(`${start}; ${pair}`, { timeout: 60_000 }, async () => {
        let runs = 0
        await everyOrder(async (order) => {
          const store = new Store(bodies)
          await race(order, [
            (gate) => writeSticky(store.thread(gate), write({ readAtMs: 10, mode: earlier })),
            (gate) => writeSticky(store.thread(gate), write({ readAtMs: 20, mode: later })),
          ])
          runs += 1
          expect(store.open(), order.join('')).toEqual([body(20)])
        })
        expect(runs).toBeGreaterThan(5)
      })
    }
  }

  test('three writers', async () => {
    for (let seed = 1; seed <= 300; seed++) {
      const store = new Store([body(1)])
      await race(
        randomOrder(seed),
        [10, 30, 20].map((readAtMs) => (gate) => writeSticky(store.thread(gate), write({ readAtMs }))),
      )
      expect(store.open(), `seed ${seed}`).toEqual([body(30)])
    }
  })
})

describe('one writer', () => {
  test('a later reading that stands there is left alone', async () => {
    const store = new Store([body(20)])
    expect(await writeSticky(store.thread(), write({ readAtMs: 10 }))).toBeUndefined()
    expect(store.writes).toEqual([])
  })

  test('a later reading that stands in a duplicate only moves to the comment that stays', async () => {
    const store = new Store([body(1), body(20)])
    expect(await writeSticky(store.thread(), write({ readAtMs: 10 }))).toBeUndefined()
    expect(store.open()).toEqual([body(20)])
    expect(store.comments[0]?.id).toBe(1)
  })

  test('a later reading that somebody else has edited is not put under our name', async () => {
    const store = new Store([body(1), body(20)])
    store.edited.add(2)
    await writeSticky(store.thread(), write({ readAtMs: 10 }))
    expect(store.open()).toEqual([body(10)])
  })

  test('nothing is created where only an existing comment may be updated', async () => {
    const store = new Store([])
    expect(await writeSticky(store.thread(), write({ readAtMs: 10, mayCreate: false }))).toBeUndefined()
    expect(store.writes).toEqual([])
  })

  test('the text may depend on the one that is replaced', async () => {
    const store = new Store([body(1, 'plan\nstatus: queued')])
    const replaced = (existing: FoundComment | undefined) => {
      return existing && ({ kind: 'text', text: existing.text.replace('queued', 'deployed') } as const)
    }
    await writeSticky(store.thread(), { ...write({ readAtMs: 10 }), content: replaced })
    expect(store.open()).toEqual([body(1, 'plan\nstatus: deployed')])
  })

  test('a text that is there already is not sent again', async () => {
    const store = new Store([body(10)])
    expect(await writeSticky(store.thread(), { ...write({ readAtMs: 10 }), isNewerThan: () => true })).toBeDefined()
    expect(store.writes).toEqual([])
  })

  test('an older run that writes after our look does not stay', async () => {
    const store = new Store([body(1)])
    let overwritten = 0
    const overwrite = () => {
      if (overwritten++ === 0) store.set(1, body(5))
    }
    await writeSticky({ ...store.thread(), settle: async () => overwrite() }, write({ readAtMs: 10 }))
    expect(store.open()).toEqual([body(10)])
  })

  test('a write that closes the comment ends with it closed, and removes older open ones', async () => {
    const store = new Store([body(1), body(2)])
    const closed = `${formatMarker({ key, readAtMs: 10, isClosed: true })}\n\ndeployed`
    const written = await writeSticky(store.thread(), { ...write({ readAtMs: 10 }), content: () => contentOf(closed) })
    expect(store.comments.map((one) => one.body)).toEqual([closed])
    expect(written?.body).toBe(closed)
  })

  test('a text that GitHub keeps in its own way is known by its marker', async () => {
    const store = new Store([body(1)])
    const thread = store.thread()
    const kept = async () => (await thread.open()).map((one) => ({ ...one, body: one.body.replace('read', 'Read') }))
    expect(await writeSticky({ ...thread, open: kept }, write({ readAtMs: 10 }))).toBeDefined()
    expect(store.writes).toEqual(['update'])
  })

  test('two that both think they are later do not write for ever', async () => {
    const store = new Store([body(1)])
    const stubborn = { ...write({ readAtMs: 10 }), isNewerThan: () => true }
    await writeSticky({ ...store.thread(), settle: async () => store.set(1, body(5)) }, stubborn)
    expect(store.writes.length).toBeLessThan(10)
  })
})

describe('a new comment each time (comment-mode: always-new)', () => {
  test('the older ones are closed and hidden: another line 1, and nothing else of them', async () => {
    const store = new Store([body(1, 'first\n- [x] of ours'), body(2)])
    await writeSticky(store.thread(), write({ readAtMs: 10, mode: 'new' }))

    const closed = (readAtMs: number) => formatMarker({ key, readAtMs, isClosed: true })
    expect(store.comments.map((one) => one.body)).toEqual([
      `${closed(1)}\n\nfirst\n- [x] of ours`,
      `${closed(2)}\n\nread at 2`,
      body(10),
    ])
    expect(store.hidden).toEqual([1, 2])
  })

  test('a later reading stays open, and nothing is added', async () => {
    const store = new Store([body(20)])
    expect(await writeSticky(store.thread(), write({ readAtMs: 10, mode: 'new' }))).toBeUndefined()
    expect(store.writes).toEqual([])
  })

  test('where none may be made, the open one is updated in place', async () => {
    const store = new Store([body(1)])
    await writeSticky(store.thread(), write({ readAtMs: 10, mode: 'new', mayCreate: false }))
    expect(store.open()).toEqual([body(10)])
    expect(store.comments).toHaveLength(1)
  })

  test('nothing is closed where there is nothing to say', async () => {
    const store = new Store([body(1)])
    const silent = { ...write({ readAtMs: 10, mode: 'new' }), content: () => undefined }
    expect(await writeSticky(store.thread(), silent)).toBeUndefined()
    expect(store.writes).toEqual([])
  })
})

describe('S-30 what goes wrong', () => {
  test('a text that is too long is asked for again, twice, half as long each time', async () => {
    const store = new Store([])
    const limits: number[] = []
    const marker = { key, readAtMs: 10 }
    const lineBytes = `${formatMarker(marker)}\n\n`.length
    const long = (): CommentContent => ({
      kind: 'whole',
      marker,
      text: (limitBytes) => {
        limits.push(limitBytes + lineBytes)
        return `${'é'.repeat(Math.floor(limitBytes / 2))}${limitBytes % 2 === 1 ? 'x' : ''}`
      },
    })
    const thread = { ...store.thread(), create: () => Promise.reject(tooLong()) }
    await expect(writeSticky(thread, { ...write({ readAtMs: 10 }), content: long })).rejects.toThrow('too long')
    expect(limits).toEqual([60_000, 30_000, 15_000])
  })

  test('a creation whose answer was lost is found, not repeated', async () => {
    const store = new Store([])
    const thread = store.thread()
    const lost = async (text: string) => {
      await thread.create(text)
      throw badGateway()
    }
    const written = await writeSticky({ ...thread, create: lost }, write({ readAtMs: 10 }))
    expect(written?.id).toBe(1)
    expect(store.writes).toEqual(['create'])
    expect(store.open()).toEqual([body(10)])
  })

  test('the list may lag behind a creation', async () => {
    const store = new Store([])
    const written = await writeSticky({ ...store.thread(), open: async () => [] }, write({ readAtMs: 10 }))
    expect(store.writes).toEqual(['create'])
    expect(written?.body).toBe(body(10))
  })

  test('three tries, and a longer pause before each', async () => {
    const pauses: number[] = []
    const thread = {
      ...new Store([]).thread(),
      create: () => Promise.reject(badGateway()),
      pause: async (failures: number) => void pauses.push(failures),
    }
    await expect(writeSticky(thread, write({ readAtMs: 10 }))).rejects.toThrow('Bad Gateway')
    expect(pauses).toEqual([1, 2])
  })

  test('a comment that somebody removes under the update is recreated', async () => {
    const store = new Store([body(1)])
    const thread = store.thread()
    const removed = async () => {
      store.comments.length = 0
      throw Object.assign(new Error('Not Found'), { status: 404 })
    }
    await writeSticky({ ...thread, update: removed }, write({ readAtMs: 10 }))
    expect(store.open()).toEqual([body(10)])
  })
})

function write(parts: { readonly readAtMs: number } & Partial<CommentWrite>): CommentWrite {
  const { readAtMs, mode = 'update', mayCreate = true } = parts
  return {
    key,
    mode,
    mayCreate,
    isNewerThan: (one) => readAtMs > (one.readAtMs ?? 0),
    content: () => contentAt(readAtMs),
  }
}

function tooLong(): Error {
  return Object.assign(new Error('Body is too long'), { status: 422 })
}

function badGateway(): Error {
  return Object.assign(new Error('Bad Gateway'), { status: 502 })
}
