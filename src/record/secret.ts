import type { V1Secret } from '@kubernetes/client-node'
import { asKind } from '../model/api-object.ts'
import { defined } from '../model/defined.ts'
import type { KubeObject, Wire } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { type ReleaseRecord, type StoredRevision, systemLabels } from '../model/release.ts'
import { decodeRecord, encodeRecord } from './codec.ts'

/** The Secret that holds one revision. Source of names, type and labels: docs/sources.md#helm-release-storage. */
const SECRET_TYPE = 'helm.sh/release.v1'
const NAME_PREFIX = 'sh.helm.release.v1.'

export interface Labels {
  readonly [key: string]: string
}

export function secretName(release: string, revision: number): string {
  return `${NAME_PREFIX}${release}.v${revision}`
}

export function secretRef(namespace: string, name: string): Ref {
  return { apiVersion: 'v1', kind: 'Secret', namespace, name }
}

/** Revision in the name of a record's Secret, or undefined where the name is of another form or release. */
export function revisionInName(name: string, release: string): number | undefined {
  const prefix = secretName(release, 0).slice(0, -1)
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : ''
  return /^[1-9]\d{0,9}$/.test(digits) ? Number(digits) : undefined
}

export interface SecretStamp {
  readonly namespace: string
  readonly nowMs: number
  /** Labels of the user, and those that the Secret had before; Helm's own among them are replaced. */
  readonly labels: Labels
  /** Version that is replaced; absent for a new Secret. */
  readonly resourceVersion?: string
}

export function toSecret(record: ReleaseRecord, stamp: SecretStamp): KubeObject {
  const { namespace, nowMs, labels, resourceVersion } = stamp
  const seconds = String(Math.floor(nowMs / 1000))
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: secretName(record.name, record.version),
      namespace,
      labels: {
        ...userLabels(labels),
        name: record.name,
        owner: 'helm',
        status: record.info.status,
        version: String(record.version),
        ...(resourceVersion === undefined ? { createdAt: seconds } : { modifiedAt: seconds }),
      },
      ...defined({ resourceVersion }),
    },
    type: SECRET_TYPE,
    data: { release: encodeRecord(record) },
  } satisfies Wire<V1Secret>
}

/** Reads one Secret of a release. Throws an Error with the cause where it is no record, or not the one its name says. */
export function fromSecret(secret: KubeObject, release: string, limitBytes?: number): DecodedRevision {
  const name = secret.metadata.name ?? ''
  const data = packedRecord(secret)
  if (secret.type !== SECRET_TYPE) throw new Error(`it is no Secret of type ${SECRET_TYPE}`)
  if (data === undefined) throw new Error('it has no data.release')
  const { record, unpackedBytes } = decodeRecord(data, limitBytes)
  if (record.name !== release) throw new Error('the record inside is of another release')
  if (secretName(release, record.version) !== name) throw new Error(`the record inside is revision ${record.version}`)
  return { stored: asStored(secret, record), unpackedBytes }
}

/** The record as a Secret holds it. */
export function packedRecord(secret: KubeObject): string | undefined {
  return asKind('Secret', secret).data?.release
}

/** A revision as the API server holds it in this Secret. */
export function asStored({ metadata }: KubeObject, record: ReleaseRecord): StoredRevision {
  const { name = '', resourceVersion = '', uid, labels = {} } = metadata
  return { record, secretName: name, resourceVersion, labels, ...defined({ uid }) }
}

export interface DecodedRevision {
  readonly stored: StoredRevision
  readonly unpackedBytes: number
}

export function userLabels(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !systemLabels.has(key)))
}
