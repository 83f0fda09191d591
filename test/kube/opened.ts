import { tmpdir } from 'node:os'
import { createCluster, type OpenCluster } from '../../src/kube/cluster-adapter.ts'
import type { Connection } from '../../src/kube/connection.ts'
import { loadConnection } from '../../src/kube/kubeconfig.ts'
import { RETRY_LIMITS, type RetryLimits } from '../../src/kube/retry.ts'
import { defined } from '../../src/model/defined.ts'
import type { Clock } from '../../src/ports.ts'
import { type FaultProxy, startFaultProxy } from '../doubles/fault-proxy.ts'

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const timer = setTimeout(resolve, ms)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
}

/** The real clock, and what has been slept by it so far, in ms. */
export function watchedClock(): { readonly clock: Clock; readonly slept: readonly number[] } {
  const slept: number[] = []
  const sleep: Clock['sleep'] = (ms, signal) => {
    slept.push(ms)
    return realClock.sleep(ms, signal)
  }
  return { clock: { ...realClock, sleep }, slept }
}

/** The adapter on a real cluster. */
export async function openCluster(kubeconfig: string): Promise<OpenCluster> {
  return opened(await connect(kubeconfig))
}

/** The adapter on a real cluster with a proxy in between that breaks what it is told to. */
export async function openBehindProxy(
  kubeconfig: string,
  limits: Partial<RetryLimits> = {},
  clock: Clock = realClock,
): Promise<{ readonly cluster: OpenCluster; readonly proxy: FaultProxy; readonly close: () => Promise<void> }> {
  const connection = await connect(kubeconfig)
  const { authority } = connection.tls
  const proxy = await startFaultProxy({ server: connection.server, ...defined({ authority }) })
  const cluster = opened({ ...connection, server: proxy.url, tls: { isUnverified: false } }, limits, clock)
  const close = async () => {
    await cluster.close()
    await proxy.close()
  }
  return { cluster, proxy, close }
}

export function connect(kubeconfig: string): Promise<Connection> {
  return loadConnection({ kubeconfig, env: {}, home: tmpdir(), directory: tmpdir() })
}

export function opened(
  connection: Connection,
  limits: Partial<RetryLimits> = {},
  clock: Clock = realClock,
): OpenCluster {
  const secrets = {
    add: () => undefined,
    addLookedUp: () => undefined,
    redact: (text: string) => text,
    redactNames: (text: string) => text,
  }
  return createCluster({ connection, clock, secrets, limits: { ...RETRY_LIMITS, ...limits } })
}

/** Resolves once the condition holds; asks again after every change of the watch. */
export async function until(
  watching: { subscribe(listener: () => void): () => void },
  holds: () => boolean,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => {
    if (holds()) resolve()
  }
  const unsubscribe = watching.subscribe(look)
  look()
  await promise
  unsubscribe()
}
