import type { History, StoredRevision } from '../model/release.ts'
import { asUninstalled, asUninstalling } from './transitions.ts'
import { type RecordPorts, removeRevision, supersedeOthers, updateRevision } from './writer.ts'

/** Says in the record that the release is being taken down, before the first object is deleted. */
export async function beginUninstall(ports: RecordPorts, current: StoredRevision): Promise<StoredRevision> {
  return updateRevision(ports, current, asUninstalling(current.record))
}

/**
 * Ends an uninstall. With `keepHistory` the newest revision becomes uninstalled; else all are removed, oldest first, so
 * that a killed run leaves the newest, which says that the release was being uninstalled. Source: docs/sources.md#helm-uninstall.
 */
export async function finishUninstall(
  ports: RecordPorts,
  current: StoredRevision,
  options: { readonly history: History; readonly keepHistory: boolean },
): Promise<void> {
  const { history, keepHistory } = options
  if (keepHistory) {
    await updateRevision(ports, current, asUninstalled(current.record, ports.clock.now()))
    await supersedeOthers(ports, history, current.record.version)
    return
  }
  for (const old of history.revisions) {
    if (old.secretName !== current.secretName) await removeRevision(ports, old)
  }
  await removeRevision(ports, current)
}
