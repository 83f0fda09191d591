import { absent, annotation, delay, noneOf, oneOf, patchStatus, present, type Stage, stage } from './kwok-stage.ts'

/** The storage class that provisions at once; it is the default one. */
export const STORAGE_CLASS = 'standard'
/** The storage class that waits until a pod that uses the claim is scheduled. */
export const LATE_STORAGE_CLASS = 'on-first-consumer'
export const PROVISIONER = 'simulated.staged-helm-deploy.dev/volumes'

const PROVISION_AFTER_MS = 300
const ADDRESS_AFTER_MS = 500
/** An address of the documentation range: nothing answers there. */
const LOAD_BALANCER_ADDRESS = '203.0.113.10'

const alive = absent('.metadata.deletionTimestamp')
const hasAddress = '(.status.loadBalancer.ingress // [])[].ip'
const isAddressed = noneOf(annotation('scenario'), 'never-ready')

/** Everything but pods that something outside the control plane would report on. */
export const otherStages: readonly Stage[] = [
  stage({
    name: 'node-ready',
    kind: 'Node',
    when: [noneOf('(.status.conditions // [])[] | select(.type == "Ready") | .status', 'True')],
    steps: [patchStatus(nodeTemplate())],
  }),

  claim('claim-provision', STORAGE_CLASS, []),
  claim('claim-provision-late', LATE_STORAGE_CLASS, [
    present('.metadata.annotations["volume.kubernetes.io/selected-node"]'),
  ]),
  stage({
    name: 'volume-delete',
    kind: 'PersistentVolume',
    when: [
      alive,
      oneOf('.metadata.annotations["pv.kubernetes.io/provisioned-by"]', PROVISIONER),
      oneOf('.spec.persistentVolumeReclaimPolicy', 'Delete'),
      oneOf('.status.phase', 'Released'),
    ],
    steps: [{ delete: true }],
  }),

  stage({
    name: 'service-address',
    kind: 'Service',
    when: [alive, isAddressed, oneOf('.spec.type', 'LoadBalancer'), absent(hasAddress)],
    delay: delay(ADDRESS_AFTER_MS, 'ready-after'),
    steps: [patchStatus(`loadBalancer: {ingress: [{ip: ${LOAD_BALANCER_ADDRESS}}]}`)],
  }),
  stage({
    name: 'ingress-address',
    apiGroup: 'networking.k8s.io/v1',
    kind: 'Ingress',
    when: [alive, isAddressed, absent(hasAddress)],
    delay: delay(ADDRESS_AFTER_MS, 'ready-after'),
    steps: [patchStatus(`loadBalancer: {ingress: [{ip: ${LOAD_BALANCER_ADDRESS}}]}`)],
  }),
]

/** Only the volume is made here, as an external provisioner does; the real volume controller binds it to its claim. */
function claim(name: string, storageClass: string, more: Stage['spec']['selector']['matchExpressions']): Stage {
  return stage({
    name,
    kind: 'PersistentVolumeClaim',
    when: [
      alive,
      oneOf('.spec.storageClassName', storageClass),
      noneOf('.status.phase', 'Bound'),
      noneOf(annotation('scenario'), 'never-ready'),
      absent('.spec.volumeName'),
      ...more,
    ],
    delay: delay(PROVISION_AFTER_MS, 'ready-after'),
    steps: [{ apply: { template: volumeTemplate() } }],
  })
}

function volumeTemplate(): string {
  return `apiVersion: v1
kind: PersistentVolume
metadata:
  name: pvc-{{ .metadata.uid }}
  annotations: {pv.kubernetes.io/provisioned-by: ${PROVISIONER}}
spec:
  accessModes: {{ toJson .spec.accessModes }}
  capacity: {storage: {{ .spec.resources.requests.storage | Quote }}}
  persistentVolumeReclaimPolicy: Delete
  storageClassName: {{ .spec.storageClassName | Quote }}
  volumeMode: {{ default "Filesystem" .spec.volumeMode | Quote }}
  claimRef:
    apiVersion: v1
    kind: PersistentVolumeClaim
    name: {{ .metadata.name | Quote }}
    namespace: {{ .metadata.namespace | Quote }}
    uid: {{ .metadata.uid | Quote }}
  hostPath: {path: /simulated/{{ .metadata.uid }}}`
}

/** Port and address say where the API server asks for container logs. */
function nodeTemplate(): string {
  return `{{ $now := Now }}
conditions:
{{ range NodeConditions }}
- {type: {{ .type | Quote }}, status: {{ .status | Quote }}, reason: {{ .reason | Quote }}, message: {{ .message | Quote }}, lastHeartbeatTime: {{ $now | Quote }}, lastTransitionTime: {{ $now | Quote }}}
{{ end }}
addresses:
- {type: InternalIP, address: {{ NodeIP | Quote }}}
- {type: Hostname, address: {{ NodeName | Quote }}}
daemonEndpoints: {kubeletEndpoint: {Port: {{ NodePort }}}}
nodeInfo:
  architecture: amd64
  operatingSystem: linux
  osImage: simulated
  kernelVersion: simulated
  containerRuntimeVersion: simulated://0
  kubeletVersion: v0.0.0-simulated
  kubeProxyVersion: ""
  bootID: ""
  machineID: ""
  systemUUID: ""
phase: Running`
}
