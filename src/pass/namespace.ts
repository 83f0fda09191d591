import { startDeadline } from '../concurrency/deadline.ts'
import { unlessAborted } from '../concurrency/unless-aborted.ts'
import { isApiError } from '../model/errors.ts'
import type { Clock, Cluster, Emit, Reader, Watching } from '../ports.ts'

/** How long to wait for a namespace's `default` ServiceAccount, in ms: without it no Pod can be created. */
const SERVICE_ACCOUNT_WAIT_MS = 10_000

/** One that may not be read counts as existing: the first write to it will show. */
export async function namespaceExists(reader: Reader, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await reader.get({ apiVersion: 'v1', kind: 'Namespace', name }, signal)) !== undefined
  } catch (error) {
    if (isApiError(error, 'Forbidden')) return true
    throw error
  }
}

/** Creates the namespace with the label that Helm gives it, and waits until Pods can be created in it. */
export async function createNamespace(
  name: string,
  { cluster, clock }: { readonly cluster: Cluster; readonly clock: Clock },
  { emit, signal }: { readonly emit: Emit; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { name } } }, signal)
    emit({ type: 'namespace-created', atMs: clock.now(), namespace: name })
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error
  }
  const watching = cluster.watch({ apiVersion: 'v1', kind: 'ServiceAccount', namespace: name })
  const deadline = startDeadline(clock, SERVICE_ACCOUNT_WAIT_MS)
  try {
    await unlessAborted(appears(watching, 'default'), AbortSignal.any([signal, deadline.signal]))
  } catch (error) {
    // After the deadline, or without the right to watch ServiceAccounts, the run goes on: the first Pod will show.
    if (signal.aborted || !(deadline.signal.aborted || isApiError(error))) throw error
  } finally {
    await deadline.close()
    watching.close()
  }
}

async function appears(watching: Watching, name: string): Promise<void> {
  await watching.ready
  if (watching.get(name) !== undefined) return
  await new Promise<void>((resolve) => {
    const unsubscribe = watching.subscribe(() => {
      if (watching.get(name) === undefined) return
      unsubscribe()
      resolve()
    })
  })
}
