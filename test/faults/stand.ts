import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { dump } from 'js-yaml'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import { type ActionResult, type ActionRun, runAction } from '../../src/tools/local/runner/run-action.ts'
import { type AuditEvent, readAudit } from '../cluster/audit.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { type FaultProxy, startFaultProxy } from '../doubles/fault-proxy.ts'
import type { Exchange } from '../doubles/proxy-fault.ts'
import { canary, findings } from '../e2e/canaries.ts'
import { type StagedRelease, writeStagedRelease } from './staged-release.ts'

const AGE_MS = 4 * 3_600_000

/** One run of the action behind the proxy. */
export interface Attempt extends ActionResult {
  /** Its requests, in the order of their arrival. */
  readonly requests: readonly Exchange[]
  /** What the API server's audit log holds of its time about this release. */
  readonly events: readonly AuditEvent[]
  /** Where secret values turn up in what it left. */
  readonly leaks: readonly string[]
}

/** A proxy to the API server, and the action behind it. */
export interface Lane {
  readonly proxy: FaultProxy
  run(inputs: { readonly [name: string]: string }, run?: Omit<ActionRun, 'inputs'>): Promise<Attempt>
}

/** A namespace and a release, with a proxy between the action and the API server. */
export interface Stand extends Lane {
  readonly namespace: Namespace
  readonly release: StagedRelease
  /** Another way to the same API server, for a second run beside the first. */
  openLane(): Promise<Lane>
  /** From now on the file that the kubeconfig reads its token from has another one. */
  renewToken(): Promise<void>
  /** Empty where nobody holds the lock of the release. */
  lockHolder(): Promise<string>
  /** Makes the last renewal of the lock hours old, as if nobody had come by since. */
  ageLock(): Promise<void>
  close(): Promise<void>
}

export interface StandOptions {
  /** Of a control plane of ours: the proxy speaks TLS with the certificate of its API server. */
  readonly kubeconfig: string
  /** The kubeconfig of the action reads its token from a file. */
  readonly hasTokenFile?: boolean
}

/** The client has a token of its own, which the proxy exchanges for that of the administrator. */
export async function openStand({ kubeconfig, hasTokenFile = false }: StandOptions): Promise<Stand> {
  const id = `r${randomBytes(4).toString('hex')}`
  const secrets: { [name: string]: string } = { password: canary('password'), token: canary('token') }
  const { server, authority, token } = readAccess(kubeconfig)
  const folder = dirname(kubeconfig)
  const tls = { cert: authority, key: await readFile(join(folder, 'apiserver.key'), 'utf8') }
  const [namespace, release, home] = await Promise.all([
    createNamespace(kubeconfig, 'faults'),
    writeStagedRelease(id, secrets.password ?? ''),
    mkdtemp(join(tmpdir(), 'staged-helm-deploy-stand-')),
  ])
  const lease = `${namespace.in('coordination.k8s.io/v1')}/leases/staged-helm-deploy.app`
  const tokenFile = join(home, 'token')
  await writeFile(tokenFile, secrets.token ?? '')
  const proxies: FaultProxy[] = []

  async function openLane(): Promise<Lane> {
    const proxy = await startFaultProxy({ server, authority, token, tls })
    const proxied = join(home, `kubeconfig-${proxies.length}`)
    proxies.push(proxy)
    const user = hasTokenFile ? { tokenFile } : { token: secrets.token }
    await writeFile(proxied, dump(kubeconfigOf(proxy.url, authority, user)))
    return {
      proxy,
      async run(inputs, run = {}) {
        const [since, before] = [Date.now(), proxy.requests.length]
        const temporary = await mkdtemp(join(home, 'temp-'))
        const result = await runAction({
          ...run,
          workspace: home,
          env: { ...run.env, RUNNER_TEMP: temporary },
          inputs: { release: 'app', namespace: namespace.name, kubeconfig: proxied, ...inputs },
        })
        const events = await readAudit(join(folder, 'audit.log'), { since })
        return {
          ...result,
          requests: proxy.requests.slice(before),
          events: events.filter(({ ref }) => ref.namespace === namespace.name || ref.name === release.crd),
          leaks: await findings({ result, comments: [], temporary }, secrets),
        }
      },
    }
  }

  return {
    namespace,
    release,
    ...(await openLane()),
    openLane,
    async renewToken() {
      const renewed = canary('token')
      secrets[`token ${Object.keys(secrets).length}`] = renewed
      await writeFile(tokenFile, renewed)
    },
    async lockHolder() {
      const { status, text } = await namespace.api.request('GET', lease)
      return status === 404 ? '' : String(at(JSON.parse(text), 'spec', 'holderIdentity') ?? '')
    },
    async ageLock() {
      const renewTime = new Date(Date.now() - AGE_MS).toISOString().replace('Z', '000Z')
      // A run that died before it took the lock has left none.
      await namespace.api.request('PATCH', lease, { spec: { renewTime } }, 'application/merge-patch+json')
    },
    async close() {
      await Promise.all(proxies.map((proxy) => proxy.close()))
      await namespace.remove()
      await namespace.api.request('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${release.crd}`)
    },
  }
}

function readAccess(kubeconfig: string): {
  readonly server: string
  readonly authority: string
  readonly token: string
} {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const { server = '', caData = '' } = config.getCurrentCluster() ?? {}
  const token = config.getCurrentUser()?.token ?? ''
  return { server, authority: Buffer.from(caData, 'base64').toString(), token }
}

function kubeconfigOf(server: string, authority: string, user: object): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'faults',
    contexts: [{ name: 'faults', context: { cluster: 'faults', user: 'faults' } }],
    clusters: [
      {
        name: 'faults',
        cluster: { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') },
      },
    ],
    users: [{ name: 'faults', user }],
  }
}
