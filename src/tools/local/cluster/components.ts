import { join } from 'node:path'
import type { Command } from '../../builds/binaries.ts'
import type { ComponentName } from '../../builds/provided-binaries.ts'
import type { Credentials } from './cluster-credentials.ts'
import { type Component, startComponent } from './component-process.ts'

const SERVICE_ADDRESSES = '10.96.0.0/16'
/** The audit log is never rotated: it is read while it grows. In MB. */
const AUDIT_LOG_LIMIT = 4_000
/** Without these, the controllers throttle themselves and big releases wait for them. */
const CLIENT_RATE = ['--kube-api-qps=500', '--kube-api-burst=1000']
/** Controllers that want a cloud or real nodes; an unknown name in this list is fatal. */
const CONTROLLERS = [
  '*',
  '-bootstrap-signer-controller',
  '-token-cleaner-controller',
  '-node-ipam-controller',
  '-node-lifecycle-controller',
]

export type Layout = {
  readonly folder: string
  readonly programs: Programs
  readonly ports: Ports
}

export type Programs = {
  readonly hold: string
  readonly controlPlane: Readonly<Record<ComponentName, Command>>
  readonly kwok: Command
  readonly simulation: Command
}

export type Ports = {
  readonly etcd: number
  readonly peer: number
  readonly api: number
  readonly kwok: number
  readonly kubelet: number
}

/** A throw-away store: nothing is synced to disk, because nobody reads it after a crash. */
export function startEtcd({ folder, programs, ports }: Layout): Component {
  const client = `http://127.0.0.1:${ports.etcd}`
  const peer = `http://127.0.0.1:${ports.peer}`
  return startComponent({
    name: 'etcd',
    hold: programs.hold,
    command: programs.controlPlane.etcd,
    args: [
      '--name=default',
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      '--unsafe-no-fsync',
      '--log-level=error',
    ],
    logFile: join(folder, 'etcd.log'),
  })
}

export type ApiServerFiles = { readonly auditPolicy: string; readonly auditLog: string }

export function startApiServer(layout: Layout, credentials: Credentials, files: ApiServerFiles): Component {
  const { folder, programs, ports } = layout
  return startComponent({
    name: 'kube-apiserver',
    hold: programs.hold,
    command: programs.controlPlane['kube-apiserver'],
    args: [
      `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${ports.api}`,
      `--cert-dir=${folder}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-signing-key-file=${credentials.privateKeyFile}`,
      `--service-account-key-file=${credentials.publicKeyFile}`,
      `--token-auth-file=${credentials.tokenFile}`,
      '--authorization-mode=RBAC',
      `--service-cluster-ip-range=${SERVICE_ADDRESSES}`,
      '--endpoint-reconciler-type=none',
      // There is no network of Services: webhooks are called at the endpoints, as managed clusters do.
      '--enable-aggregator-routing=true',
      '--profiling=false',
      '--allow-privileged=true',
      // New nodes would keep a taint that only the node-lifecycle controller removes, and no pod would be scheduled.
      '--disable-admission-plugins=TaintNodesByCondition',
      `--audit-policy-file=${files.auditPolicy}`,
      `--audit-log-path=${files.auditLog}`,
      `--audit-log-maxsize=${AUDIT_LOG_LIMIT}`,
    ],
    // Less memory for a little more work: the store is small.
    environment: { GOGC: '50' },
    logFile: join(folder, 'kube-apiserver.log'),
  })
}

export function startControllerManager(layout: Layout, credentials: Credentials, kubeconfig: string): Component {
  const { folder, programs } = layout
  return startComponent({
    name: 'kube-controller-manager',
    hold: programs.hold,
    command: programs.controlPlane['kube-controller-manager'],
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--leader-elect=false',
      `--service-account-private-key-file=${credentials.privateKeyFile}`,
      `--root-ca-file=${join(folder, 'apiserver.crt')}`,
      '--secure-port=0',
      '--use-service-account-credentials=false',
      `--controllers=${CONTROLLERS.join(',')}`,
      ...CLIENT_RATE,
    ],
    logFile: join(folder, 'kube-controller-manager.log'),
  })
}

export function startScheduler({ folder, programs }: Layout, kubeconfig: string): Component {
  return startComponent({
    name: 'kube-scheduler',
    hold: programs.hold,
    command: programs.controlPlane['kube-scheduler'],
    args: [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0', ...CLIENT_RATE],
    logFile: join(folder, 'kube-scheduler.log'),
  })
}

export function startKwok({ folder, programs, ports }: Layout, kubeconfig: string, stagesFile: string): Component {
  return startComponent({
    name: 'kwok',
    hold: programs.hold,
    command: programs.kwok,
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--manage-all-nodes',
      `--config=${stagesFile}`,
      `--server-address=127.0.0.1:${ports.kwok}`,
      '--node-ip=127.0.0.1',
      // Where the API server asks for container logs: the simulation answers there.
      `--node-port=${ports.kubelet}`,
      '--node-lease-duration-seconds=0',
    ],
    // It keeps its own settings in the home folder; those of this machine's user are none of our business.
    environment: { HOME: folder },
    logFile: join(folder, 'kwok.log'),
  })
}

export function startSimulation({ folder, programs, ports }: Layout, kubeconfig: string): Component {
  return startComponent({
    name: 'simulation',
    hold: programs.hold,
    command: programs.simulation,
    args: [`--kubeconfig=${kubeconfig}`, `--log-address=127.0.0.1:${ports.kubelet}`],
    logFile: join(folder, 'simulation.log'),
  })
}
