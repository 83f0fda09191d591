import type { Problem } from '../model/problem.ts'
import type { History } from '../model/release.ts'
import { revisionInName, secretRef } from './secret.ts'

/** One warning per record that cannot be read: the run continues without it, and without knowing what that revision deployed. */
export function unreadableRecords(
  { unreadable }: History,
  { release, namespace }: { readonly release: string; readonly namespace: string },
): readonly Problem[] {
  return unreadable.map(({ secretName, cause }) => {
    const revision = revisionInName(secretName, release)
    const record = revision === undefined ? 'this release record' : `the record of revision ${revision}`
    return {
      severity: 'warning',
      reason: 'invalid-input',
      place: { ref: secretRef(namespace, secretName) },
      what: `${record} cannot be read and is left out of the history: ${cause}`,
      hint: { kind: 'restore-record' },
    }
  })
}
