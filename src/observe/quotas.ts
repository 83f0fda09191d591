import { isApiError } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Reader } from '../ports.ts'

/** All ResourceQuotas of these namespaces, one LIST each. Where they may not be read, they are not checked. */
export async function readQuotas(
  reader: Reader,
  namespaces: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<readonly KubeObject[]> {
  const found = await Promise.all(
    [...namespaces].map(async (namespace) => {
      try {
        return await reader.list({ apiVersion: 'v1', kind: 'ResourceQuota', namespace }, signal)
      } catch (error) {
        if (isApiError(error, 'Forbidden', 'NotServed')) return []
        throw error
      }
    }),
  )
  return found.flat()
}
