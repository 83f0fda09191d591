import { at, isJsonObject, type JsonObject, stringAt } from '../model/object.ts'
import type { StoredType } from './stored-type.ts'

/**
 * What the API server fills into pods and pod templates. Source: `pkg/apis/core/v1/defaults.go` and
 * `zz_generated.defaults.go` of Kubernetes, and the fields of `k8s.io/api/core/v1/types.go` that are left out when empty.
 */

const httpGet: StoredType = { defaults: { path: '/', scheme: 'HTTP' }, zeros: ['host'] }

const probe: StoredType = {
  defaults: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  zeros: ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'],
  members: { httpGet, grpc: { defaults: { service: '' } }, tcpSocket: { zeros: ['host'] } },
}

const hook: StoredType = { members: { httpGet, tcpSocket: { zeros: ['host'] } } }

const fieldRef: StoredType = { defaults: { apiVersion: 'v1' } }
const resourceFieldRef: StoredType = { defaults: { divisor: '0' }, zeros: ['containerName'], quantities: ['divisor'] }
const downwardFiles: StoredType = { items: { items: { members: { fieldRef, resourceFieldRef } } } }

const container: StoredType = {
  defaults: { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File', resources: {} },
  zeros: ['stdin', 'stdinOnce', 'tty', 'workingDir', 'imagePullPolicy'],
  members: {
    livenessProbe: probe,
    readinessProbe: probe,
    startupProbe: probe,
    lifecycle: { members: { postStart: hook, preStop: hook } },
  },
  items: {
    ports: { defaults: { protocol: 'TCP' }, zeros: ['hostPort', 'hostIP', 'name'] },
    env: {
      zeros: ['value'],
      members: {
        valueFrom: { members: { fieldRef, resourceFieldRef, fileKeyRef: { defaults: { optional: false } } } },
      },
    },
    envFrom: { zeros: ['prefix'] },
    volumeMounts: { zeros: ['readOnly', 'subPath', 'subPathExpr'] },
  },
  fill: (one) => ({ ...one, imagePullPolicy: one.imagePullPolicy ?? pullPolicyOf(stringAt(one, 'image') ?? '') }),
}

/** `Always` for the tag `latest`, which a reference without tag and digest means. */
function pullPolicyOf(image: string): string {
  const [name = '', digest] = image.split('@')
  const tag = /:([^:/]*)$/.exec(name)?.[1] ?? (digest === undefined ? 'latest' : '')
  return tag === 'latest' ? 'Always' : 'IfNotPresent'
}

export const claimSpec: StoredType = {
  defaults: { volumeMode: 'Filesystem', resources: {} },
  zeros: ['volumeName'],
}

const files: StoredType = { defaults: { defaultMode: 0o644 } }

const volume: StoredType = {
  members: {
    configMap: files,
    secret: { ...files, zeros: ['secretName'] },
    downwardAPI: { ...files, ...downwardFiles },
    projected: {
      ...files,
      items: {
        sources: {
          members: { downwardAPI: downwardFiles, serviceAccountToken: { defaults: { expirationSeconds: 3600 } } },
        },
      },
    },
    hostPath: { defaults: { type: '' } },
    emptyDir: { zeros: ['medium'], quantities: ['sizeLimit'] },
    persistentVolumeClaim: { zeros: ['readOnly'] },
    nfs: { zeros: ['readOnly'] },
    iscsi: { defaults: { iscsiInterface: 'default' }, zeros: ['readOnly', 'fsType'] },
    rbd: { defaults: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }, zeros: ['readOnly', 'fsType'] },
    azureDisk: { defaults: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' } },
    ephemeral: { members: { volumeClaimTemplate: { defaults: { metadata: {} }, members: { spec: claimSpec } } } },
  },
  fill: (one) => {
    const image = at(one, 'image')
    if (isJsonObject(image)) {
      return {
        ...one,
        image: { ...image, pullPolicy: at(image, 'pullPolicy') ?? pullPolicyOf(stringAt(image, 'reference') ?? '') },
      }
    }
    return Object.keys(one).every((key) => key === 'name') ? { ...one, emptyDir: {} } : one
  },
}

const podSpec: StoredType = {
  defaults: {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  },
  zeros: [
    'hostIPC',
    'hostNetwork',
    'hostPID',
    'hostname',
    'nodeName',
    'priorityClassName',
    'serviceAccount',
    'serviceAccountName',
    'subdomain',
  ],
  items: {
    containers: container,
    initContainers: container,
    volumes: volume,
    tolerations: { zeros: ['key', 'operator', 'value', 'effect'] },
  },
  fill: withServiceAccountName,
}

/** `serviceAccount` is an old name of the same; both are stored, one is enough to compare. */
function withServiceAccountName({ serviceAccount, ...spec }: JsonObject): JsonObject {
  const serviceAccountName = spec.serviceAccountName ?? serviceAccount
  return serviceAccountName === undefined ? spec : { ...spec, serviceAccountName }
}

export const podTemplate: StoredType = { defaults: { metadata: {} }, members: { spec: podSpec } }

/** What is filled into pods, but not into pod templates. */
export const pod: StoredType = {
  members: { spec: { ...podSpec, fill: (spec) => podOnly(withServiceAccountName(spec)) } },
}

function podOnly(spec: JsonObject): JsonObject {
  const isHost = spec.hostNetwork === true
  const filled = (list: 'containers' | 'initContainers') => {
    const containers = at(spec, list)
    return Array.isArray(containers)
      ? { [list]: containers.map((one) => (isJsonObject(one) ? podContainer(one, isHost) : one)) }
      : {}
  }
  return { enableServiceLinks: true, ...spec, ...filled('containers'), ...filled('initContainers') }
}

/** Requests are what the limits are, and ports of the host those of the container. */
function podContainer(one: JsonObject, isHost: boolean): JsonObject {
  const limits = at(one, 'resources', 'limits')
  const requests = at(one, 'resources', 'requests')
  const all = isJsonObject(limits) ? { ...limits, ...(isJsonObject(requests) ? requests : {}) } : undefined
  const ports = at(one, 'ports')
  return {
    ...one,
    ...(all === undefined || !isJsonObject(one.resources) ? {} : { resources: { ...one.resources, requests: all } }),
    ...(isHost && Array.isArray(ports)
      ? { ports: ports.map((port) => (isJsonObject(port) ? { hostPort: port.containerPort, ...port } : port)) }
      : {}),
  }
}
