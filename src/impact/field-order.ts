/**
 * Fields in the order in which a reviewer wants them: what runs, with which rights, how it is started, with what, watched,
 * stored, set up and reached, how many of it there are and when. Each is a part of a path as people write it.
 */
const FIRST: readonly RegExp[] = [
  /\b(containers|initContainers)(\[[^[\]]*\](\.name)?)?$/,
  /\bimage$/,
  /^(rules|aggregationRule|roleRef|subjects)\b/,
  /\b(securityContext|hostNetwork|hostPID|hostIPC|serviceAccountName|automountServiceAccountToken)\b/,
  /\b(command|args)(\[|$)/,
  /\bresources(\.|$)/,
  /\b(liveness|readiness|startup)Probe\b/,
  /\b(volumes|volumeMounts|volumeDevices|volumeClaimTemplates)\b/,
  /\benv(From)?(\[|$)/,
  /\b(ports|containerPort|nodePort|targetPort|hosts?)\b/,
  /^spec\.(selector|podSelector)\b/,
  /\b(replicas|minReplicas|maxReplicas|minAvailable|maxUnavailable)$/,
  /^spec\.(schedule|timeZone|suspend|paused|type)$/,
  /^spec\.(strategy|updateStrategy|concurrencyPolicy)\b/,
]

/** Behind all others: what is kept of the past, and what is only for people. */
const LAST: readonly RegExp[] = [
  /\b(revisionHistoryLimit|successfulJobsHistoryLimit|failedJobsHistoryLimit|terminationMessage(Path|Policy)|description)$/,
  /\bmetadata\.(labels|annotations)\b/,
  /^metadata\.(labels|annotations)\b/,
]

/** Lower comes first. */
export function fieldImportance(path: string): number {
  const last = LAST.findLastIndex((pattern) => pattern.test(path))
  if (last !== -1) return FIRST.length + 1 + last
  const place = FIRST.findIndex((pattern) => pattern.test(path))
  return place === -1 ? FIRST.length : place
}
