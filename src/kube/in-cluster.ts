import { access, readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { defined } from '../model/defined.ts'
import type { Environment } from '../network/proxy.ts'
import type { Connection } from './connection.ts'
import { secretsOf } from './secret-values.ts'

/** Where Kubernetes mounts a pod's service account. */
const SERVICE_ACCOUNT_DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount'

export interface ServiceAccountPlace {
  readonly directory: string
}

/** The connection of a process that runs inside a pod (a self-hosted runner), or undefined outside of one. */
export async function inClusterConnection(
  env: Environment,
  place: ServiceAccountPlace = { directory: SERVICE_ACCOUNT_DIRECTORY },
): Promise<Connection | undefined> {
  const host = env.KUBERNETES_SERVICE_HOST
  const port = env.KUBERNETES_SERVICE_PORT
  const path = join(place.directory, 'token')
  if (host === undefined || host === '' || port === undefined || !(await isReadable(path))) return undefined

  const authority = await readOptional(join(place.directory, 'ca.crt'))
  const namespace = (await readOptional(join(place.directory, 'namespace')))?.trim()
  const connection = {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    defaultNamespace: namespace === undefined || namespace === '' ? 'default' : namespace,
    tls: { isUnverified: false, ...defined({ authority }) },
    authentication: { kind: 'token-file', path },
    headers: {},
    warnings: [],
  } as const
  return { ...connection, secrets: secretsOf(connection) }
}

async function isReadable(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function readOptional(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
