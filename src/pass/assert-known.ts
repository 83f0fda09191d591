import type { History } from '../model/release.ts'
import { goodBeforeNewest, lastDeployed, newest } from '../record/history.ts'
import { type KnownRecord, type RecordBase, requireKnown } from '../record/known-record.ts'
import type { Task } from './task.ts'

/** Of a rollback, a removal or a test that follows a deploy of the same run: the record is still what that one has read and written. */
export function assertKnown(known: KnownRecord, now: History, { kind }: Task): void {
  requireKnown(known, now, kind === 'test' ? toTest : kind === 'uninstall' ? toTakeDown : toRollBack)
}

const toTakeDown: RecordBase = {
  name: 'the newest one',
  of: newest,
  ofKnown: ({ written }) => written,
}

/** The deploy has succeeded: what it has written is deployed. */
const toTest: RecordBase = {
  name: 'the deployed one',
  of: lastDeployed,
  ofKnown: ({ history, written }) => written ?? lastDeployed(history),
}

const toRollBack: RecordBase = {
  name: 'the one to roll back to',
  of: goodBeforeNewest,
  ofKnown: ({ history, written }) =>
    goodBeforeNewest(written === undefined ? history : { ...history, revisions: [...history.revisions, written] }),
}
