import { commentBody, visibleText } from '../../src/github/comment-body.ts'
import { formatMarker, parseMarker } from '../../src/github/comment-marker.ts'
import type { CommentThread } from '../../src/github/sticky-comment.ts'
import type { CommentContent, FoundComment } from '../../src/ports.ts'

export const key = 'k1'
export const body = (readAtMs: number, text = `read at ${readAtMs}`) => `${markerAt(readAtMs)}\n\n${text}`
/** Packing takes longer than all the rest of a race. */
const markerAt = remembered((readAtMs: number) => formatMarker({ key, readAtMs }))
const markerOf = remembered(parseMarker)
const wholeBody = remembered((content: CommentContent) => commentBody(content))
/** What a writer writes that has read the cluster at this time: the same value each time. */
export const contentAt = remembered(
  (readAtMs: number): CommentContent => ({
    kind: 'whole',
    marker: { key, readAtMs },
    text: () => visibleText(body(readAtMs)),
  }),
)

/** Waits for its turn, before a request is answered. */
export type Gate = (request: keyof CommentThread) => Promise<void>

/** GitHub's comments of one key, each request at once and whole. */
export class Store {
  readonly comments: { readonly id: number; body: string }[]
  readonly writes: string[] = []
  readonly hidden: number[] = []
  /** Ids of the comments that somebody else has edited. */
  readonly edited = new Set<number>()
  private nextId: number

  constructor(bodies: readonly string[]) {
    this.comments = bodies.map((text, index) => ({ id: index + 1, body: text }))
    this.nextId = bodies.length + 1
  }

  open(): readonly string[] {
    return this.found().map((one) => one.body)
  }

  set(id: number, text: string): void {
    const comment = this.comments.find((one) => one.id === id)
    if (comment === undefined) throw Object.assign(new Error('Not Found'), { status: 404 })
    comment.body = text
  }

  thread(gate: Gate = async () => {}): CommentThread {
    const after = async <T>(request: keyof CommentThread, act: () => T): Promise<T> => {
      await gate(request)
      if (['create', 'update', 'remove', 'close'].includes(request)) this.writes.push(request)
      return act()
    }
    return {
      bodyOf: (content, existing, limitBytes) =>
        content.kind === 'whole' && limitBytes === undefined
          ? wholeBody(content)
          : commentBody(content, existing, limitBytes),
      open: () => after('open', () => this.found()),
      create: (text) =>
        after('create', () => {
          const made = { id: this.nextId++, body: text }
          this.comments.push(made)
          return shown(made)
        }),
      update: ({ id }, text) =>
        after('update', () => {
          this.set(id, text)
          return shown({ id, body: text })
        }),
      remove: ({ id }) =>
        after('remove', () => {
          const index = this.comments.findIndex((one) => one.id === id)
          if (index !== -1) this.comments.splice(index, 1)
        }),
      close: ({ id }, text) =>
        after('close', () => {
          const comment = this.comments.find((one) => one.id === id)
          if (comment !== undefined) comment.body = text
          this.hidden.push(id)
        }),
      isOpen: ({ id }) => after('isOpen', () => this.found().some((one) => one.id === id)),
      isEditedByOthers: async ({ id }) => this.edited.has(id),
      settle: () => after('settle', () => {}),
      pause: () => after('pause', () => {}),
    }
  }

  private found(): readonly FoundComment[] {
    return this.comments.map(shown).filter(({ marker }) => marker.isClosed !== true)
  }
}

function shown({ id, body: text }: { readonly id: number; readonly body: string }): FoundComment {
  return { id, nodeId: `n${id}`, url: `u${id}`, body: text, marker: markerOf(text) ?? { key }, text: visibleText(text) }
}

/** Picks which of the waiting writers goes on; notes how many there were. */
export interface Order {
  next(waiting: number): number
  join(separator: string): string
}

/** Runs `act` once for every order in which two or more writers can take turns. */
export async function everyOrder(act: (order: Order) => Promise<void>): Promise<void> {
  let taken: { readonly of: number; readonly pick: number }[] = []
  for (;;) {
    const [given, seen] = [taken, [] as typeof taken]
    const order: Order = {
      next: (of) => {
        const pick = given[seen.length]?.pick ?? 0
        seen.push({ of, pick })
        return pick
      },
      join: (separator) => seen.map(({ pick }) => pick).join(separator),
    }
    await act(order)
    const last = seen.findLastIndex(({ of, pick }) => pick + 1 < of)
    if (last === -1) return
    taken = seen.slice(0, last + 1).map((one, index) => (index === last ? { ...one, pick: one.pick + 1 } : one))
  }
}

/** The same order for the same seed. */
export function randomOrder(seed: number): Order {
  let state = seed
  return {
    next: (of) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((state / 2_147_483_648) * of)
    },
    join: () => `seed ${seed}`,
  }
}

/**
 * Lets the writers take turns, request by request. A wait ends only when no write of another is under way: that is what it
 * is long enough for.
 */
export async function race(order: Order, writers: readonly ((gate: Gate) => Promise<unknown>)[]): Promise<void> {
  const waiting = new Map<number, { readonly request: keyof CommentThread; readonly go: () => void }>()
  let stopped = () => {}
  const start = async (writer: (gate: Gate) => Promise<unknown>, index: number) => {
    const gate: Gate = (request) =>
      new Promise((go) => {
        waiting.set(index, { request, go })
        stopped()
      })
    await writer(gate).finally(() => stopped())
  }
  const ends = writers.map(start)
  while (waiting.size > 0) {
    const free = [...waiting]
      .filter(([, one]) => one.request !== 'settle' || ![...waiting.values()].some(isWriting))
      .sort(([a], [b]) => a - b)
    const [index, { go }] = free[order.next(free.length)] ?? free[0] ?? [0, { go: () => {} }]
    waiting.delete(index)
    const turn = new Promise<void>((resolve) => {
      stopped = resolve
    })
    go()
    await turn
  }
  await Promise.all(ends)
}

function isWriting({ request }: { readonly request: string }): boolean {
  return ['create', 'update', 'close'].includes(request)
}

function remembered<K, V>(make: (from: K) => V): (from: K) => V {
  const made = new Map<K, V>()
  return (from) => {
    const value = made.get(from) ?? make(from)
    made.set(from, value)
    return value
  }
}
