import type { CommentContent, CommentWrite, FoundComment } from '../ports.ts'
import { closedBody, isSameText, markerLineOf } from './comment-body.ts'
import { httpStatusOf, isTooLong, isTransient } from './comment-error.ts'

/** Our comments of one key on one pull request. */
export interface CommentThread {
  /** The open ones, oldest first. May lag behind a creation. */
  open(): Promise<readonly FoundComment[]>
  /** See `commentBody`. */
  bodyOf(content: CommentContent, existing?: FoundComment, limitBytes?: number): string | undefined
  /** One try: `open` shows whether a creation has arrived. */
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
 * Writes the comment and reads it back until it is there. GitHub has no conditional write, so every writer reads again after
 * its write: the comment with the lowest id stays, with the text of the latest reading, and all others are removed.
 * Undefined: the comment does not have our text. See docs/decisions/0024.
 */
export async function writeSticky(thread: CommentThread, write: CommentWrite): Promise<FoundComment | undefined> {
  const closed = write.mode === 'new' && write.mayCreate ? await closeOlder(thread, write) : NOTHING_CLOSED
  if (closed === undefined) return undefined
  let ours: OwnWrites = {}
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const open = (await thread.open()).filter(({ id, body }) => closed.get(id) !== body)
    const { confirmed } = ours
    if (confirmed?.marker.isClosed === true && open.every(({ id }) => id !== confirmed.id)) {
      for (const older of open) if (write.isNewerThan(older.marker)) await thread.remove(older)
      return confirmed
    }
    if (confirmed !== undefined && open.length === 0) {
      // The list lags behind our creation, or another run has closed the comment under our update.
      if (await thread.isOpen(confirmed)) return confirmed
      ours = withoutConfirmed(ours)
    }
    const step = nextWriteStep(open, ours, write.isNewerThan)
    if (step.kind === 'leave' || step.kind === 'done') {
      for (const duplicate of step.remove) await thread.remove(duplicate)
      return step.kind === 'done' ? step.comment : undefined
    }
    if (step.kind === 'create' && !write.mayCreate) return undefined
    // In the comment that stays its text would count as ours, and the edit would be hidden (docs/decisions/0025).
    if (step.kind === 'restore' && (await thread.isEditedByOthers(step.later))) {
      await thread.remove(step.later)
      continue
    }
    const body = step.kind === 'restore' ? step.later.body : ownBody(thread, write, { ...ours, existing: step.comment })
    if (body === undefined) return undefined
    ours = await sendBody(thread, { comment: step.comment, body, isOurs: step.kind !== 'restore' }, ours)
  }
  return ours.confirmed
}

function ownBody(
  thread: CommentThread,
  write: CommentWrite,
  { existing, limitBytes }: { readonly existing: FoundComment | undefined; readonly limitBytes?: number },
): string | undefined {
  const content = write.content(existing)
  return content && thread.bodyOf(content, existing, limitBytes)
}

/** Rounds of reading and writing in one call, including writes that were refused, lost or overwritten. */
const MAX_ROUNDS = 8
/** Tries of a write that does not arrive (docs/decisions/0031). */
const MAX_FAILURES = 3
/** How often a text that GitHub finds too long is asked for again, each time half as long. */
const MAX_SHORTER = 2

/** What we have written so far. */
interface OwnWrites {
  /** Last text that was sent. */
  readonly body?: string
  /** The comment as GitHub last confirmed it. */
  readonly confirmed?: FoundComment
  readonly failures?: number
  readonly shorter?: number
  readonly limitBytes?: number
}

function withoutConfirmed({ confirmed: _stood, ...rest }: OwnWrites): OwnWrites {
  return rest
}

type WriteStep =
  | { readonly kind: 'create'; readonly comment?: undefined }
  | { readonly kind: 'update'; readonly comment: FoundComment }
  /** Only a duplicate has a later reading: the comment that stays takes its text. */
  | { readonly kind: 'restore'; readonly comment: FoundComment; readonly later: FoundComment }
  /** The comment that stays has a later reading already. */
  | { readonly kind: 'leave'; readonly remove: readonly FoundComment[] }
  | { readonly kind: 'done'; readonly comment: FoundComment; readonly remove: readonly FoundComment[] }

function nextWriteStep(
  open: readonly FoundComment[],
  ours: OwnWrites,
  isNewerThan: CommentWrite['isNewerThan'],
): WriteStep {
  const [lowest, ...others] = open
  if (lowest === undefined) return { kind: 'create' }
  const later = open.find((one) => !isOwnWrite(one, ours) && !isNewerThan(one.marker))
  if (later === undefined) {
    return isOwnWrite(lowest, ours)
      ? { kind: 'done', comment: lowest, remove: others }
      : { kind: 'update', comment: lowest }
  }
  if (markerLineOf(later.body) !== markerLineOf(lowest.body)) return { kind: 'restore', comment: lowest, later }
  const isOld = (one: FoundComment) =>
    isOwnWrite(one, ours) || markerLineOf(one.body) === markerLineOf(lowest.body) || isNewerThan(one.marker)
  return { kind: 'leave', remove: others.filter(isOld) }
}

/** By the marker where GitHub has confirmed our text; after a lost answer by the whole of it. */
function isOwnWrite(comment: FoundComment, ours: OwnWrites): boolean {
  if (ours.body === undefined) return false
  if (ours.confirmed !== undefined && markerLineOf(comment.body) === markerLineOf(ours.confirmed.body)) return true
  return isSameText(comment.body, ours.body)
}

async function sendBody(
  thread: CommentThread,
  sent: { readonly comment: FoundComment | undefined; readonly body: string; readonly isOurs: boolean },
  before: OwnWrites,
): Promise<OwnWrites> {
  const { comment, body } = sent
  const tried: OwnWrites = sent.isOurs ? { ...before, body } : before
  // Nothing to send: the comment has this text already, as the next round confirms.
  if (comment !== undefined && sent.isOurs && isSameText(comment.body, body)) return tried
  try {
    const confirmed = comment === undefined ? await thread.create(body) : await thread.update(comment, body)
    await thread.settle()
    return sent.isOurs ? { ...tried, confirmed } : tried
  } catch (error) {
    const { failures = 0, shorter = 0 } = before
    if (isTooLong(error) && shorter < MAX_SHORTER) {
      return { ...before, shorter: shorter + 1, limitBytes: Math.floor(Buffer.byteLength(body) / 2) }
    }
    // Another writer may have removed the comment that was to be updated.
    const isGone = comment !== undefined && httpStatusOf(error) === 404
    if (!(isGone || isTransient(error)) || failures + 1 >= MAX_FAILURES) throw error
    await thread.pause(failures + 1)
    return { ...tried, failures: failures + 1 }
  }
}

const NOTHING_CLOSED: ReadonlyMap<number, string> = new Map()

/**
 * `comment-mode: always-new`: gives the bodies of the comments that it closed, by id, because the list may lag. Undefined
 * where an open comment has a later reading, or where nothing is to be written.
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
