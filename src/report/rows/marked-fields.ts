import type { FieldChange, Impact, PodPrivilege } from '../../model/impact.ts'
import { isOwnMetadata } from './own-metadata.ts'

/** Fields of the object that what is said of the change is about, rights, webhooks and schemas aside: those are said in words. */
export function markedFields(impact: Impact): readonly FieldChange[] {
  const { evictions, podSecurity, restart, scale, scaledBy, traffic = [] } = impact
  const patterns = [
    ...(traffic.length === 0 ? [] : [REACH]),
    ...(evictions === undefined ? [] : [/^spec\.(minAvailable|maxUnavailable|selector)\b/]),
    ...(scale === undefined && scaledBy === undefined ? [] : [/^spec\.replicas$/]),
    ...(restart?.hasGap === true || restart?.budget?.isKept === false ? [/^spec\.(strategy|updateStrategy)\b/] : []),
  ]
  const privileges = podSecurity?.gained ?? []
  return impact.fields.filter((field) => {
    if (isOwnMetadata(field)) return false
    const isOfPrivilege = privileges.some((privilege) => isAbout(field, privilege))
    return field.jump !== undefined || isOfPrivilege || patterns.some((pattern) => pattern.test(field.path))
  })
}

/** In the place of the pod or of the container, or a whole that comes or goes with it. */
function isAbout({ kind, path }: FieldChange, { container, what }: PodPrivilege): boolean {
  const [, list, name, rest = ''] =
    /\b(containers|initContainers|ephemeralContainers)\[([^[\]]*)\]([\s\S]*)/.exec(path) ?? []
  if (list !== undefined && name !== container) return false
  if (list !== undefined && rest === '') return kind !== 'removed'
  // Nothing is gained by a list of containers that goes.
  const isWhole = /(^|\.)(template|spec|containers|initContainers|ephemeralContainers)$/.test(path)
  return (isWhole && kind !== 'removed') || PRIVILEGES[what].test(path)
}

/** Where a pod or a container has what a Pod Security Standard is about. Source: docs/sources.md#kubernetes-pod-security-standards. */
const PRIVILEGES: Readonly<Record<PodPrivilege['what'], RegExp>> = {
  privileged: contextField('privileged'),
  'host-network': /\bhostNetwork$/,
  'host-pid': /\bhostPID$/,
  'host-ipc': /\bhostIPC$/,
  'host-process': contextField('windowsOptions'),
  'host-path': /\bvolumes(\[|$)/,
  'host-port': /\bports(\[|$)/,
  capability: contextField('capabilities'),
  sysctl: contextField('sysctls'),
  'proc-mount': contextField('procMount'),
  'seccomp-unconfined': contextField('seccompProfile'),
  'apparmor-unconfined': /\.securityContext(\.appArmorProfile\b|$)|\bannotations\["container\.apparmor\./,
  selinux: contextField('seLinuxOptions'),
  root: contextField('runAsUser|runAsNonRoot'),
  'maybe-root': contextField('runAsUser|runAsNonRoot'),
  'privilege-escalation': contextField('allowPrivilegeEscalation'),
  'capabilities-returned': contextField('capabilities'),
  'writable-root': contextField('readOnlyRootFilesystem'),
  'no-seccomp': contextField('seccompProfile'),
  'no-apparmor': /\.securityContext(\.appArmorProfile\b|$)|\bannotations\["container\.apparmor\./,
}

function contextField(names: string): RegExp {
  return new RegExp(`\\.securityContext(\\.(${names})\\b|$)`)
}

/**
 * What of a Service, an Ingress or a NetworkPolicy decides who reaches pods.
 * Source: docs/sources.md#kubernetes-services-and-network-policies.
 */
const REACH =
  /^spec(\.(type|ports|clusterIP|externalIPs|loadBalancerSourceRanges|selector|rules|tls|defaultBackend|podSelector|ingress|egress|policyTypes)\b|$)/
