import { isApiError } from '../model/errors.ts'
import type { Reader } from '../ports.ts'

/** Which of the namespaces do not exist. One that may not be read counts as existing: a write will show. */
export async function missingNamespaces(
  reader: Reader,
  namespaces: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const missing = await Promise.all(
    [...namespaces].map(async (name) => {
      try {
        const found = await reader.get({ apiVersion: 'v1', kind: 'Namespace', name }, signal)
        return found === undefined ? [name] : []
      } catch (error) {
        if (isApiError(error, 'Forbidden')) return []
        throw error
      }
    }),
  )
  return new Set(missing.flat())
}
