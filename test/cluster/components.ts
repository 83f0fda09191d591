import { join } from 'node:path'
import type { Credentials } from './credentials.ts'
import { type Component, startComponent } from './process.ts'

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
  readonly controlPlane: string
  readonly kwok: string
  readonly ports: Ports
}

export type Ports = {
  readonly etcd: number
  readonly peer: number
  readonly api: number
  readonly kwok: number
  readonly kubelet: number
}

export function startEtcd({ folder, controlPlane, ports }: Layout): Component {
  return startComponent({
    name: 'etcd',
    binary: controlPlane,
    args: [
      'etcd',
      `-data-dir=${join(folder, 'etcd')}`,
      `-client-url=http://127.0.0.1:${ports.etcd}`,
      `-peer-url=http://127.0.0.1:${ports.peer}`,
    ],
    logFile: join(folder, 'etcd.log'),
  })
}

export type ApiServerFiles = { readonly auditPolicy: string; readonly auditLog: string }

export function startApiServer(layout: Layout, credentials: Credentials, files: ApiServerFiles): Component {
  const { folder, controlPlane, ports } = layout
  return startComponent({
    name: 'kube-apiserver',
    binary: controlPlane,
    args: [
      'kube-apiserver',
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
  const { folder, controlPlane } = layout
  return startComponent({
    name: 'kube-controller-manager',
    binary: controlPlane,
    args: [
      'kube-controller-manager',
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

export function startScheduler({ folder, controlPlane }: Layout, kubeconfig: string): Component {
  return startComponent({
    name: 'kube-scheduler',
    binary: controlPlane,
    args: ['kube-scheduler', `--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0', ...CLIENT_RATE],
    logFile: join(folder, 'kube-scheduler.log'),
  })
}

export function startKwok({ folder, kwok, ports }: Layout, kubeconfig: string, stagesFile: string): Component {
  return startComponent({
    name: 'kwok',
    binary: kwok,
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--manage-all-nodes',
      `--config=${stagesFile}`,
      `--server-address=127.0.0.1:${ports.kwok}`,
      '--node-ip=127.0.0.1',
      // Where the API server asks for container logs.
      `--node-port=${ports.kubelet}`,
      '--node-lease-duration-seconds=0',
    ],
    environment: {
      SIMULATION_KUBECONFIG: kubeconfig,
      SIMULATION_KUBELET_ADDRESS: `127.0.0.1:${ports.kubelet}`,
      // It keeps its own settings in the home folder; those of this machine's user are none of our business.
      HOME: folder,
    },
    logFile: join(folder, 'kwok.log'),
  })
}
