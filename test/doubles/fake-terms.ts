import type { Cluster, RequestTerms } from '../../src/ports.ts'

/** A cluster in memory under terms: each of its writes is one try. */
export function underTerms(cluster: Cluster, { mayWrite }: RequestTerms): Cluster {
  async function permitted<T>(
    signal: AbortSignal | undefined,
    write: (signal?: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const may = await mayWrite?.(signal)
    const signals = [may, signal].filter((one) => one !== undefined)
    return write(signals.length === 0 ? undefined : AbortSignal.any(signals))
  }
  return {
    ...cluster,
    apply: (object, options, signal) => permitted(signal, (until) => cluster.apply(object, options, until)),
    create: (object, signal) => permitted(signal, (until) => cluster.create(object, until)),
    replace: (object, signal) => permitted(signal, (until) => cluster.replace(object, until)),
    patch: (ref, operations, signal) => permitted(signal, (until) => cluster.patch(ref, operations, until)),
    delete: (ref, options, signal) => permitted(signal, (until) => cluster.delete(ref, options, until)),
  }
}
