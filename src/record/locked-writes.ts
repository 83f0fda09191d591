import type { Cluster } from '../ports.ts'
import type { HeldLock } from './held-lock.ts'

/** The cluster, where every write first proves that the lock is held, so that nothing is written after its loss. */
export function writesUnderLock(cluster: Cluster, lock: Pick<HeldLock, 'ensureHeld'>): Cluster {
  async function onceHeld<T>(write: () => Promise<T>): Promise<T> {
    await lock.ensureHeld()
    return write()
  }
  return {
    server: cluster.server,
    defaultNamespace: cluster.defaultNamespace,
    version: (signal) => cluster.version(signal),
    discovery: (options) => cluster.discovery(options),
    get: (ref, signal) => cluster.get(ref, signal),
    list: (query, signal) => cluster.list(query, signal),
    dryRunApply: (object, options, signal) => cluster.dryRunApply(object, options, signal),
    dryRunPatch: (ref, operations, signal) => cluster.dryRunPatch(ref, operations, signal),
    watch: (query) => cluster.watch(query),
    log: (query, signal) => cluster.log(query, signal),
    followLog: (query, onLine, signal) => cluster.followLog(query, onLine, signal),
    mayI: (requests, signal) => cluster.mayI(requests, signal),
    requestCount: () => cluster.requestCount(),
    apply: (object, options, signal) => onceHeld(() => cluster.apply(object, options, signal)),
    create: (object, signal) => onceHeld(() => cluster.create(object, signal)),
    replace: (object, signal) => onceHeld(() => cluster.replace(object, signal)),
    patch: (ref, operations, signal) => onceHeld(() => cluster.patch(ref, operations, signal)),
    delete: (ref, options, signal) => onceHeld(() => cluster.delete(ref, options, signal)),
  }
}
