/**
 * Fields in the order in which a reviewer wants them: what runs, with which rights and how it is reached; the object's own
 * labels and annotations last. Each is a part of a path as people write it.
 */
const FIRST: readonly RegExp[] = [
  /\bimage$/,
  /\b(command|args)(\[|$)/,
  /\benv(From)?(\[|$)/,
  /\b(replicas|minReplicas|maxReplicas|minAvailable|maxUnavailable)$/,
  /\bresources(\.|$)/,
  /^(rules|aggregationRule|roleRef|subjects)\b/,
  /\b(securityContext|hostNetwork|hostPID|hostIPC|serviceAccountName)\b/,
  /\b(ports|containerPort|nodePort|targetPort)\b/,
  /\bhosts?\b/,
  /^spec\.(schedule|timeZone|suspend|paused|type)$/,
  /^spec\.(strategy|updateStrategy|concurrencyPolicy)\b/,
  /^spec\.(selector|podSelector)\b/,
  /\b(liveness|readiness|startup)Probe\b/,
]

/** Lower comes first. */
export function fieldImportance(path: string): number {
  if (/^metadata\.(labels|annotations)\b/.test(path)) return FIRST.length + 2
  if (/\bmetadata\.(labels|annotations)\b/.test(path)) return FIRST.length + 1
  const place = FIRST.findIndex((pattern) => pattern.test(path))
  return place === -1 ? FIRST.length : place
}
