import { createHash } from 'node:crypto'

/** An entry of Chart.yaml or Chart.lock, in the fields and the order that Helm counts. */
export interface DependencyEntry {
  readonly name: string
  readonly version?: string | undefined
  readonly repository: string
  readonly condition?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly enabled?: boolean | undefined
  readonly 'import-values'?: readonly unknown[] | undefined
  readonly alias?: string | undefined
}

/** The digest that `helm dependency update` writes. Source: Helm v4.3.1, internal/resolver, resolver.go, HashReq. */
export function lockDigest(required: readonly DependencyEntry[], locked: readonly DependencyEntry[]): string {
  return sha256([required.map(counted), locked.map(counted)])
}

/** The digest that Helm 2 wrote, of requirements.yaml alone. Source: the same file, HashV2Req. */
export function helm2Digest(required: readonly DependencyEntry[]): string {
  return sha256({ dependencies: required.map(counted) })
}

function counted(entry: DependencyEntry): DependencyEntry {
  const { name, version, repository, condition, tags, enabled, alias } = entry
  return {
    name,
    ...(version ? { version } : {}),
    repository,
    ...(condition ? { condition } : {}),
    ...(tags?.length ? { tags } : {}),
    ...(enabled ? { enabled } : {}),
    ...(entry['import-values']?.length ? { 'import-values': entry['import-values'] } : {}),
    ...(alias ? { alias } : {}),
  }
}

/** Of JSON as Go writes it. */
function sha256(value: unknown): string {
  const text = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
