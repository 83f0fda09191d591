import type { CommentContent, CommentWrite, FoundComment } from '../ports.ts'
import { closedBody, isSameText, markerLineOf } from './comment-body.ts'
import { isTooLong, isTransient, statusOf } from './comment-error.ts'

/** Our comments of one key on one pull request. */
export interface CommentThread {
  /** The open ones, oldest first. May lag behind a creation. */
  open(): Promise<readonly FoundComment[]>
  /** See `commentBody`. */
  bodyOf(content: CommentContent, existing?: FoundComment, limitBytes?: number): string | undefined
  /** One try: whether a creation has arrived is told by `open`. */
  create(body: string): Promise<FoundComment>
  update(comment: FoundComment, body: string): Promise<FoundComment>
  /** Resolves also where it is already gone. */
  remove(comment: FoundComment): Promise<void>
  /** Gives it this text, and hides it as outdated. Resolves also where it is gone. */
  close(comment: FoundComment, body: string): Promise<void>
  /** Whether it is there and open, asked directly. */
  isOpen(comment: FoundComment): Promise<boolean>
  /** Whether the text is surely our own. Whatever is not known counts as edited. */
  isEditedByOthers(comment: FoundComment): Promise<boolean>
  /** Waits until a write that another run had under way when ours arrived has arrived too. */
  settle(): Promise<void>
  /** Waits before the next try; `failures`: how many there have been. */
  pause(failures: number): Promise<void>
}

/**
 * Writes the comment and looks until it stands. GitHub knows no conditional write, so every writer reads again after
 * its write: the lowest id stays, its text is the latest reading's, all others go. Undefined: ours does not stand
 * there. See docs/decisions/0024.
 */
export async function writeSticky(thread: CommentThread, write: CommentWrite): Promise<FoundComment | undefined> {
  const closed = write.mode === 'new' && write.mayCreate ? await closeOlder(thread, write) : NOTHING_CLOSED
  if (closed === undefined) return undefined
  let ours: Ours = {}
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const open = (await thread.open()).filter(({ id, body }) => closed.get(id) !== body)
    const { stood } = ours
    if (stood?.marker.isClosed === true && open.every(({ id }) => id !== stood.id)) {
      for (const older of open) if (write.isNewerThan(older.marker)) await thread.remove(older)
      return stood
    }
    if (stood !== undefined && open.length === 0) {
      // The list lags behind our creation, or another run has closed the comment under our update.
      if (await thread.isOpen(stood)) return stood
      ours = withoutStood(ours)
    }
    const step = nextStep(open, ours, write.isNewerThan)
    if (step.kind === 'leave' || step.kind === 'done') {
      for (const duplicate of step.remove) await thread.remove(duplicate)
      return step.kind === 'done' ? step.comment : undefined
    }
    if (step.kind === 'create' && !write.mayCreate) return undefined
    // Under our name in the comment that stays, nobody could tell any more that it was edited (docs/decisions/0025).
    if (step.kind === 'restore' && (await thread.isEditedByOthers(step.later))) {
      await thread.remove(step.later)
      continue
    }
    const content = step.kind === 'restore' ? undefined : write.content(step.comment)
    const body =
      step.kind === 'restore' ? step.later.body : content && thread.bodyOf(content, step.comment, ours.limitBytes)
    if (body === undefined) return undefined
    ours = await send(thread, { comment: step.comment, body, isOurs: step.kind !== 'restore' }, ours)
  }
  return ours.stood
}

/** Looks and writes of one call, those included that were refused, lost or overwritten. */
const MAX_ROUNDS = 8
/** Tries of a write that does not arrive (docs/decisions/0031). */
const MAX_FAILURES = 3
/** How often a text that GitHub finds too long is asked for again, each time half as long. */
const MAX_SHORTER = 2

/** What we have written so far. */
interface Ours {
  /** Last text that was sent. */
  readonly body?: string
  /** The comment as GitHub last confirmed it. */
  readonly stood?: FoundComment
  readonly failures?: number
  readonly shorter?: number
  readonly limitBytes?: number
}

function withoutStood({ stood: _stood, ...rest }: Ours): Ours {
  return rest
}

type Step =
  | { readonly kind: 'create'; readonly comment?: undefined }
  | { readonly kind: 'update'; readonly comment: FoundComment }
  /** A later reading stands in a duplicate only: the comment that stays takes its text. */
  | { readonly kind: 'restore'; readonly comment: FoundComment; readonly later: FoundComment }
  /** A later reading stands where it should. */
  | { readonly kind: 'leave'; readonly remove: readonly FoundComment[] }
  | { readonly kind: 'done'; readonly comment: FoundComment; readonly remove: readonly FoundComment[] }

function nextStep(open: readonly FoundComment[], ours: Ours, isNewerThan: CommentWrite['isNewerThan']): Step {
  const [lowest, ...others] = open
  if (lowest === undefined) return { kind: 'create' }
  const later = open.find((one) => !isOurs(one, ours) && !isNewerThan(one.marker))
  if (later === undefined) {
    return isOurs(lowest, ours)
      ? { kind: 'done', comment: lowest, remove: others }
      : { kind: 'update', comment: lowest }
  }
  if (markerLineOf(later.body) !== markerLineOf(lowest.body)) return { kind: 'restore', comment: lowest, later }
  const isOld = (one: FoundComment) =>
    isOurs(one, ours) || markerLineOf(one.body) === markerLineOf(lowest.body) || isNewerThan(one.marker)
  return { kind: 'leave', remove: others.filter(isOld) }
}

/** By the marker where GitHub has confirmed our text; after a lost answer by the whole of it. */
function isOurs(comment: FoundComment, ours: Ours): boolean {
  if (ours.body === undefined) return false
  if (ours.stood !== undefined && markerLineOf(comment.body) === markerLineOf(ours.stood.body)) return true
  return isSameText(comment.body, ours.body)
}

async function send(
  thread: CommentThread,
  sent: { readonly comment: FoundComment | undefined; readonly body: string; readonly isOurs: boolean },
  before: Ours,
): Promise<Ours> {
  const { comment, body } = sent
  const tried: Ours = sent.isOurs ? { ...before, body } : before
  // Nothing to send: the next look finds it standing.
  if (comment !== undefined && sent.isOurs && isSameText(comment.body, body)) return tried
  try {
    const stood = comment === undefined ? await thread.create(body) : await thread.update(comment, body)
    await thread.settle()
    return sent.isOurs ? { ...tried, stood } : tried
  } catch (error) {
    const { failures = 0, shorter = 0 } = before
    if (isTooLong(error) && shorter < MAX_SHORTER) {
      return { ...before, shorter: shorter + 1, limitBytes: Math.floor(Buffer.byteLength(body) / 2) }
    }
    // Another writer may have removed the comment that was to be updated.
    const isGone = comment !== undefined && statusOf(error) === 404
    if (!(isGone || isTransient(error)) || failures + 1 >= MAX_FAILURES) throw error
    await thread.pause(failures + 1)
    return { ...tried, failures: failures + 1 }
  }
}

const NOTHING_CLOSED: ReadonlyMap<number, string> = new Map()

/**
 * `comment-mode: always-new`: gives the texts of what it closed, by id, because the list may lag. Undefined where a later
 * reading stands, or nothing is to be said.
 */
async function closeOlder(
  thread: CommentThread,
  write: CommentWrite,
): Promise<ReadonlyMap<number, string> | undefined> {
  const open = await thread.open()
  if (open.some(({ marker }) => !write.isNewerThan(marker))) return undefined
  if (write.content(undefined) === undefined) return undefined
  for (const one of open) await thread.close(one, closedBody(one))
  return new Map(open.map(({ id, body }) => [id, body]))
}
