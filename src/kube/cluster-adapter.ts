import type { Clock, Cluster, Secrets } from '../ports.ts'
import { mayI } from './access-review.ts'
import type { Connection } from './connection.ts'
import { createCredentials } from './credentials.ts'
import { createDiscoverer } from './discovery.ts'
import { createLogs } from './logs.ts'
import type { PaceBounds } from './pace.ts'
import { createReads } from './reads.ts'
import { createRequests, type Requests } from './request.ts'
import { RETRY_LIMITS, type RetryLimits } from './retry.ts'
import { createKinds } from './served-kinds.ts'
import { createTransport, type Transport } from './transport.ts'
import { createWatches } from './watches.ts'
import { createWrites } from './writes.ts'

/** Requests in flight at a time; watches and followed logs come on top. */
const PARALLELISM: PaceBounds = { first: 16, most: 64 }
const USER_AGENT = 'staged-helm-deploy'

export interface ClusterInput {
  readonly connection: Connection
  readonly clock: Clock
  /** Gets the secrets of the connection, and later ones (tokens of credential plugins). */
  readonly secrets: Secrets
  /** From 0 up to, not including, 1. Absent: Math.random. */
  readonly random?: () => number
  /** Absent: 16 at first, 64 at most. */
  readonly parallelism?: PaceBounds
  readonly limits?: RetryLimits
  /** Absent: HTTP to the connection's server. */
  readonly transport?: Transport
}

export interface OpenCluster extends Cluster {
  /** Ends all watches and closes all connections. */
  close(): Promise<void>
}

export function createCluster(input: ClusterInput): OpenCluster {
  const { connection, clock, secrets, random = Math.random, parallelism = PARALLELISM, limits = RETRY_LIMITS } = input
  for (const secret of connection.secrets) secrets.add(secret)

  const transport = input.transport ?? createTransport(connection, { connections: parallelism.most })
  const credentials = createCredentials({ connection, clock, onSecret: (value) => secrets.add(value) })
  const headers = { 'user-agent': USER_AGENT, ...connection.headers }
  const { server, defaultNamespace } = connection
  const requests = createRequests({ transport, credentials, clock, random, server, headers, parallelism, limits })
  const closing = new AbortController()
  const discoverer = createDiscoverer({ requests, clock, closed: closing.signal, patienceMs: limits.withoutDeadlineMs })
  const kinds = createKinds(discoverer, clock)
  const watches = createWatches({ open: createReads({ requests, kinds, random }).watchSource, clock, random })

  const clusterBy = (by: Requests): Cluster => {
    const reads = createReads({ requests: by, kinds, random })
    const writes = createWrites({ requests: by, kinds, get: reads.get })
    const logs = createLogs(by, clock)
    return {
      under: (terms) => clusterBy(requests.under(terms)),
      server,
      defaultNamespace,
      version: reads.version,
      discovery: discoverer.discover,
      get: reads.get,
      list: reads.list,
      watch: watches.watch,
      log: logs.log,
      followLog: logs.followLog,
      mayI: (questions, signal) => mayI(by, questions, signal),
      requestCount: by.count,
      trouble: by.trouble,
      dryRunApply: (object, options, signal) => writes.apply(object, { ...options, isDryRun: true }, signal),
      dryRunPatch: (ref, operations, signal) => writes.patch(ref, operations, { isDryRun: true }, signal),
      apply: (object, options, signal) => writes.apply(object, { ...options, isDryRun: false }, signal),
      create: writes.create,
      replace: writes.replace,
      patch: (ref, operations, signal) => writes.patch(ref, operations, { isDryRun: false }, signal),
      delete: writes.delete,
    }
  }

  return {
    ...clusterBy(requests),
    async close() {
      closing.abort(new Error('the connection to the cluster is closed'))
      await watches.close()
      await transport.close()
    },
  }
}
