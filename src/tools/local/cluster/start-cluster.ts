import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BinaryName, componentCommand, ensureBinaries, ensureBinary } from '../../builds/binaries.ts'
import { writeAuditPolicy } from './audit-policy.ts'
import { openApi } from './cluster-api.ts'
import {
  type Credentials,
  createCredentials,
  readAuthority,
  type User,
  writeKubeconfig,
} from './cluster-credentials.ts'
import { createFolder, removeFolder } from './cluster-folder.ts'
import type { Component } from './component-process.ts'
import {
  type Layout,
  type Programs,
  startApiServer,
  startControllerManager,
  startEtcd,
  startKwok,
  startScheduler,
  startSimulation,
} from './components.ts'
import { createNodes, createStorageClasses, grantViewer } from './first-objects.ts'
import { freePorts } from './free-ports.ts'
import { simulationStages } from './simulation/kwok-stages.ts'
import { waitFor } from './wait-for.ts'

/** The programs that a local cluster consists of. */
export const CLUSTER_BINARIES: readonly BinaryName[] = ['hold', 'control-plane', 'kwok', 'simulation']
/** A control plane on a busy machine may take long; a component that ends is noticed at once. */
const START_LIMIT_MS = 90_000
/** Another process may take one of our ports between the search and the start. */
const ATTEMPTS = 3

export type Cluster = {
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string
  /** Kubeconfigs of users with a static token: `viewer` may read all but Secrets, `nobody` may do nothing. */
  readonly kubeconfigs: Readonly<Record<'admin' | 'viewer' | 'nobody', string>>
  readonly server: string
  /** Holds logs, certificates and the store; removed when the cluster stops. */
  readonly folder: string
  readonly auditLog: string
  readonly stop: () => Promise<void>
}

/**
 * Starts etcd, the API server, the controllers, the scheduler and simulated nodes, and returns when pods can be created.
 * Everything ends with this process, whether `stop` was called or not.
 */
export async function startCluster(): Promise<Cluster> {
  await ensureBinaries(CLUSTER_BINARIES)
  const programs = await findPrograms()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(programs)
    } catch (error) {
      const isPortTaken = error instanceof Error && error.message.includes('address already in use')
      if (!isPortTaken || attempt === ATTEMPTS) throw error
    }
  }
}

async function findPrograms(): Promise<Programs> {
  const held = async (name: 'kwok' | 'simulation') => ({ program: await ensureBinary(name), args: [] })
  return {
    hold: await ensureBinary('hold'),
    controlPlane: {
      etcd: await componentCommand('etcd'),
      'kube-apiserver': await componentCommand('kube-apiserver'),
      'kube-controller-manager': await componentCommand('kube-controller-manager'),
      'kube-scheduler': await componentCommand('kube-scheduler'),
    },
    kwok: await held('kwok'),
    simulation: await held('simulation'),
  }
}

async function startOnce(programs: Programs): Promise<Cluster> {
  const folder = await createFolder()
  const [etcd = 0, peer = 0, api = 0, kwokPort = 0, kubelet = 0] = await freePorts(5)
  const layout = { folder, programs, ports: { etcd, peer, api, kwok: kwokPort, kubelet } }
  const components: Component[] = []
  const stop = async () => {
    await stopAll(components)
    await removeFolder(folder)
  }
  try {
    return await startIn(layout, components, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function startIn(layout: Layout, components: Component[], stop: () => Promise<void>): Promise<Cluster> {
  const { folder, ports } = layout
  const server = `https://127.0.0.1:${ports.api}`
  const auditLog = join(folder, 'audit.log')
  const stagesFile = join(folder, 'stages.yaml')
  const [credentials, auditPolicy] = await Promise.all([
    createCredentials(folder),
    writeAuditPolicy(join(folder, 'audit-policy.json')),
    writeFile(
      stagesFile,
      simulationStages()
        .map((stage) => JSON.stringify(stage))
        .join('\n---\n'),
    ),
    writeFile(auditLog, ''),
  ])

  components.push(startEtcd(layout), startApiServer(layout, credentials, { auditPolicy, auditLog }))
  await until(components, 'the API server answers', async () => (await readAuthority(folder)) !== '')
  const authority = await readAuthority(folder)
  const kubeconfigOf = (user: User) => kubeconfig(folder, { server, authority, user, credentials })
  const admin = await kubeconfigOf('admin')
  const client = openApi(admin)
  await until(
    components,
    'the API server is ready',
    async () => (await client.request('GET', '/readyz')).status === 200,
  )

  components.push(
    startControllerManager(layout, credentials, await kubeconfigOf('controller-manager')),
    startScheduler(layout, await kubeconfigOf('scheduler')),
    startKwok(layout, await kubeconfigOf('simulation'), stagesFile),
    startSimulation(layout, await kubeconfigOf('simulation')),
  )
  const nodes = await createNodes(client)
  await Promise.all([createStorageClasses(client), grantViewer(client)])
  await until(components, 'the nodes are ready', nodes.areReady)
  const defaultAccount = '/api/v1/namespaces/default/serviceaccounts/default'
  await until(
    components,
    'service accounts are made',
    async () => (await client.request('GET', defaultAccount)).status === 200,
  )

  return {
    kubeconfig: admin,
    kubeconfigs: { admin, viewer: await kubeconfigOf('viewer'), nobody: await kubeconfigOf('nobody') },
    server,
    folder,
    auditLog,
    stop,
  }
}

type KubeconfigSource = {
  readonly server: string
  readonly authority: string
  readonly user: User
  readonly credentials: Credentials
}

function kubeconfig(folder: string, { server, authority, user, credentials }: KubeconfigSource): Promise<string> {
  const file = join(folder, `${user}.kubeconfig`)
  return writeKubeconfig(file, { server, certificateAuthority: authority, user, token: credentials.tokens[user] })
}

/** Waits for a check to hold, and gives up as soon as one of the components has ended. */
async function until(components: readonly Component[], what: string, check: () => Promise<boolean>): Promise<void> {
  await waitFor({ what, limitMs: START_LIMIT_MS }, async () => {
    const ended = components.find((component) => component.hasEnded())
    if (ended !== undefined) {
      throw new Error(`${ended.name} ended while waiting until ${what}:\n${await ended.tail()}`)
    }
    // Refused connections and missing files are what is waited out here.
    return check().catch(() => false)
  })
}

/** Those that use the API first, then the API server, then its store. */
async function stopAll(components: readonly Component[]): Promise<void> {
  const [etcd, apiServer, ...clients] = components
  await Promise.all(clients.map((component) => component.stop()))
  await apiServer?.stop()
  await etcd?.stop()
}
