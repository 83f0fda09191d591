import { podPlaces } from '../manifest/pod-places.ts'
import type { PodPrivilege, PodSecurity } from '../model/impact.ts'
import {
  arrayAt,
  at,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  numberAt,
  stringAt,
  stringsAt,
} from '../model/object.ts'
import { withNewContainerNames } from './renamed-containers.ts'

/**
 * What pods come to have that the level Baseline of the Pod Security Standards forbids, and what they no longer have;
 * undefined where neither is so. Source: docs/sources.md#kubernetes-pod-security-standards.
 */
export function podSecurity(before: JsonObject | undefined, after: JsonObject | undefined): PodSecurity | undefined {
  // What a deleted object had goes with it.
  if (after === undefined) return undefined
  const [old, now] = [podPartsOf(before, after), podPartsOf(after)]
  const [had, has] = [old.flatMap(forbiddenInPod), now.flatMap(forbiddenInPod)]
  const gained = [...without(has, had).filter((one) => !isHadAnyway(one, old, now)), ...loosened(old, now)]
  const lost = without(had, has)
  return gained.length === 0 && lost.length === 0 ? undefined : { gained, lost }
}

/** A path of the node that only containers read which were privileged already: they had all of its disks. */
function isHadAnyway({ name, what }: PodPrivilege, old: readonly PodParts[], now: readonly PodParts[]): boolean {
  if (what !== 'host-path') return false
  const isPrivileged = (one: JsonObject) => at(one, 'securityContext', 'privileged') === true
  const were = new Set(old.flatMap(({ spec }) => containersOf(spec).filter(isPrivileged)).map(({ name }) => name))
  const mounts = now.flatMap(({ spec }) => {
    const volumes = arrayAt(spec, 'volumes').filter((volume) => stringAt(volume, 'hostPath', 'path') === name)
    const ofPath = new Set(volumes.map((volume) => stringAt(volume, 'name')))
    return containersOf(spec).flatMap((one) =>
      arrayAt(one, 'volumeMounts')
        .filter((mount) => ofPath.has(stringAt(mount, 'name')))
        .map((mount) => ({ one, isReadOnly: at(mount, 'readOnly') === true })),
    )
  })
  return (
    mounts.length > 0 && mounts.every(({ isReadOnly, one }) => isReadOnly && isPrivileged(one) && were.has(one.name))
  )
}

/** A pod template, or a pod. */
export interface PodParts {
  readonly annotations: JsonObject
  readonly spec: JsonObject
}

/** Containers with the names that they have in `later`. */
export function podPartsOf(workload: JsonObject | undefined, later = workload): readonly PodParts[] {
  return podPlaces(workload, later).flatMap(({ pod, other }) => {
    const [spec, now] = [at(pod, 'spec'), at(other, 'spec')]
    const annotations = at(pod, 'metadata', 'annotations')
    if (!isJsonObject(spec) || containersOf(spec).length === 0) return []
    return [
      {
        annotations: isJsonObject(annotations) ? annotations : {},
        spec: isJsonObject(now) ? withNewContainerNames(spec, now) : spec,
      },
    ]
  })
}

export function containersOf(spec: JsonObject): readonly JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    arrayAt(spec, list).filter(isJsonObject),
  )
}

function forbiddenInPod({ annotations, spec }: PodParts): readonly PodPrivilege[] {
  const unconfined = Object.entries(annotations).filter(
    ([key, value]) => key.startsWith(APP_ARMOR_ANNOTATION) && value === 'unconfined',
  )
  return [
    ...HOST_NAMESPACES.filter(([field]) => at(spec, field) === true).map(([, what]) => ({ what })),
    ...arrayAt(spec, 'volumes').flatMap((volume) => named('host-path', stringAt(volume, 'hostPath', 'path'))),
    ...arrayAt(spec, 'securityContext', 'sysctls')
      .map((sysctl) => stringAt(sysctl, 'name'))
      .filter((name) => name !== undefined && !SAFE_SYSCTLS.has(name))
      .flatMap((name) => named('sysctl', name)),
    ...forbiddenInContext(at(spec, 'securityContext')),
    ...unconfined.map(([key]) => ({
      what: 'apparmor-unconfined' as const,
      container: key.slice(APP_ARMOR_ANNOTATION.length),
    })),
    ...containersOf(spec).flatMap(forbiddenInContainer),
  ]
}

function forbiddenInContainer(one: JsonObject): readonly PodPrivilege[] {
  const context = at(one, 'securityContext')
  const ports = arrayAt(one, 'ports')
    .map((port) => numberAt(port, 'hostPort'))
    .filter((port) => port !== undefined && port !== 0)
  const all: readonly PodPrivilege[] = [
    ...(at(context, 'privileged') === true ? [{ what: 'privileged' } as const] : []),
    ...arrayAt(context, 'capabilities', 'add')
      .filter((added) => typeof added === 'string')
      .filter((added) => !BASELINE_CAPABILITIES.has(added))
      .flatMap((added) => named('capability', added)),
    ...ports.flatMap((port) => named('host-port', String(port))),
    ...(['Default', undefined].includes(stringAt(context, 'procMount')) ? [] : [{ what: 'proc-mount' } as const]),
    ...forbiddenInContext(context),
  ]
  return all.map((privilege) => ({ ...privilege, container: stringAt(one, 'name') ?? '' }))
}

/** What a pod and a container may both say. */
function forbiddenInContext(context: JsonValue | undefined): readonly PodPrivilege[] {
  const [type, user, role] = ['type', 'user', 'role'].map((key) => stringAt(context, 'seLinuxOptions', key) ?? '')
  const isOddLabel = !SELINUX_TYPES.has(type ?? '') || user !== '' || role !== ''
  return [
    ...(stringAt(context, 'seccompProfile', 'type') === 'Unconfined' ? [{ what: 'seccomp-unconfined' } as const] : []),
    ...(stringAt(context, 'appArmorProfile', 'type') === 'Unconfined'
      ? [{ what: 'apparmor-unconfined' } as const]
      : []),
    ...(isOddLabel ? [{ what: 'selinux' } as const] : []),
    ...(at(context, 'windowsOptions', 'hostProcess') === true ? [{ what: 'host-process' } as const] : []),
  ]
}

/**
 * What the level Restricted asks for, and what else hardens a container, of those that stay: most charts never met it, so only a
 * step back is told.
 */
function loosened(before: readonly PodParts[], after: readonly PodParts[]): readonly PodPrivilege[] {
  const old = new Map(
    before.flatMap((pod) => containersOf(pod.spec).map((one) => [stringAt(one, 'name'), hardeningOf(pod, one)])),
  )
  return after.flatMap((pod) =>
    containersOf(pod.spec).flatMap((one) => {
      const container = stringAt(one, 'name') ?? ''
      const was = old.get(container)
      return was === undefined ? [] : stepsBack(was, hardeningOf(pod, one)).map((step) => ({ ...step, container }))
    }),
  )
}

interface Hardening {
  /** 0 never, 1 as the image says, 2 always. */
  readonly root: 0 | 1 | 2
  readonly canEscalate: boolean
  readonly isRootReadOnly: boolean
  readonly dropped: readonly string[]
  readonly seccomp: string | undefined
  /** Of the node, by its name; the one of the runtime counts where nothing is said as well. */
  readonly hasOwnAppArmor: boolean
  readonly isAppArmorSaid: boolean
}

function stepsBack(was: Hardening, is: Hardening): readonly PodPrivilege[] {
  const returned = was.dropped.filter((name) => !is.dropped.includes(name))
  return [
    ...(is.root > was.root ? [{ what: is.root === 2 ? 'root' : 'maybe-root' } as const] : []),
    ...(is.canEscalate && !was.canEscalate ? [{ what: 'privilege-escalation' } as const] : []),
    ...(is.dropped.includes('ALL')
      ? []
      : returned.includes('ALL')
        ? [{ what: 'capabilities-returned' } as const]
        : returned.map((name) => ({ what: 'capabilities-returned' as const, name }))),
    ...(was.isRootReadOnly && !is.isRootReadOnly ? [{ what: 'writable-root' } as const] : []),
    // One that is said not to be confined is told by that.
    ...(isConfining(was.seccomp) && is.seccomp === undefined ? [{ what: 'no-seccomp' } as const] : []),
    ...(was.hasOwnAppArmor && !is.isAppArmorSaid ? [{ what: 'no-apparmor' } as const] : []),
  ]
}

function isConfining(profile: string | undefined): boolean {
  return profile !== undefined && profile !== 'Unconfined'
}

/** A container's own settings win over those of its pod. */
function hardeningOf({ annotations, spec }: PodParts, one: JsonObject): Hardening {
  const own = (...path: readonly string[]) =>
    at(one, 'securityContext', ...path) ?? at(spec, 'securityContext', ...path)
  const user = own('runAsUser')
  const isNeverRoot = own('runAsNonRoot') === true || (user !== undefined && String(user) !== '0')
  const [seccomp, appArmor] = [own('seccompProfile', 'type'), own('appArmorProfile', 'type')]
  const annotated = stringAt(annotations, `${APP_ARMOR_ANNOTATION}${stringAt(one, 'name') ?? ''}`)
  return {
    root: user !== undefined && String(user) === '0' ? 2 : isNeverRoot ? 0 : 1,
    canEscalate: at(one, 'securityContext', 'allowPrivilegeEscalation') !== false,
    isRootReadOnly: at(one, 'securityContext', 'readOnlyRootFilesystem') === true,
    dropped: droppedCapabilities(one),
    seccomp: typeof seccomp === 'string' ? seccomp : undefined,
    hasOwnAppArmor: appArmor === undefined ? annotated?.startsWith('localhost/') === true : appArmor === 'Localhost',
    isAppArmorSaid: appArmor !== undefined || annotated !== undefined,
  }
}

export function droppedCapabilities(container: JsonObject): readonly string[] {
  return stringsAt(container, 'securityContext', 'capabilities', 'drop').map((name) =>
    name.toUpperCase() === 'ALL' ? 'ALL' : name,
  )
}

function named(what: PodPrivilege['what'], name: string | undefined): readonly PodPrivilege[] {
  return name === undefined ? [] : [{ what, name }]
}

function without(some: readonly PodPrivilege[], others: readonly PodPrivilege[]): readonly PodPrivilege[] {
  const seen = new Set(others.map(keyOf))
  return some.filter((one) => {
    const isNew = !seen.has(keyOf(one))
    seen.add(keyOf(one))
    return isNew
  })
}

function keyOf({ container, name, what }: PodPrivilege): string {
  return JSON.stringify([what, container, name])
}

const HOST_NAMESPACES = [
  ['hostNetwork', 'host-network'],
  ['hostPID', 'host-pid'],
  ['hostIPC', 'host-ipc'],
] as const

const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/'

const SELINUX_TYPES: ReadonlySet<string> = new Set([
  '',
  'container_t',
  'container_init_t',
  'container_kvm_t',
  'container_engine_t',
])

const BASELINE_CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
])

const SAFE_SYSCTLS: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
  'net.ipv4.tcp_slow_start_after_idle',
  'net.ipv4.tcp_notsent_lowat',
])
