import { DeployError } from '../model/errors.ts'
import { stringifyJson } from '../model/json.ts'
import { arrayAt, at, type JsonValue, stringAt } from '../model/object.ts'
import type { ReleaseRecord } from '../model/release.ts'
import { packedBytes, storedBytes } from './codec.ts'

/** What the API server accepts as the data of one Secret, in bytes. Source: docs/sources.md#kubernetes-secrets. */
const SECRET_LIMIT_BYTES = 1_048_576
/** Left free at the first write: hook runs and a failure's description come later. */
const GROWTH_BYTES = 16 * 1024
/** How many single files the refusal names. */
const NAMED_FILES = 5

/** One part of a record with the bytes that it takes, packed on its own. */
export interface RecordPart {
  readonly name: string
  readonly bytes: number
}

/**
 * Refuses a record that does not fit into a Secret, before anything is written (docs/decisions/0007).
 * Throws DeployError `rejected`, whose message holds the sizes of the parts.
 */
export function requireFit(record: ReleaseRecord): void {
  const bytes = storedBytes(record)
  if (bytes <= SECRET_LIMIT_BYTES - GROWTH_BYTES) return
  throw new DeployError({
    reason: 'rejected',
    doing: 'store the release record',
    message:
      `the record of ${record.name} takes ${kib(bytes)}, a Secret holds ${kib(SECRET_LIMIT_BYTES)}; ` +
      `packed sizes: ${sizeList(recordParts(record))}; largest files: ${sizeList(largestFiles(record))}`,
    hint: { kind: 'shrink-chart' },
  })
}

/** Parts of a record, largest first. They pack better together than alone, so their sum may exceed the whole. */
function recordParts(record: ReleaseRecord): readonly RecordPart[] {
  const parts: readonly (readonly [string, JsonValue | undefined])[] = [
    ['templates', at(record.chart, 'templates')],
    ['files and crds', at(record.chart, 'files')],
    ['default values', at(record.chart, 'values')],
    ['schema', at(record.chart, 'schema')],
    ['values', record.config],
    ['manifest', record.manifest],
    ['hooks', record.hooks],
    ['notes', record.info.notes],
  ]
  return parts
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => ({ name, bytes: packedBytes(stringifyJson(value)) }))
    .toSorted(bySize)
}

function largestFiles(record: ReleaseRecord): readonly RecordPart[] {
  return [...arrayAt(record.chart, 'templates'), ...arrayAt(record.chart, 'files')]
    .map((file) => ({ name: stringAt(file, 'name') ?? '', bytes: packedBytes(stringAt(file, 'data') ?? '') }))
    .toSorted(bySize)
    .slice(0, NAMED_FILES)
}

function bySize(a: RecordPart, b: RecordPart): number {
  return b.bytes - a.bytes || (a.name < b.name ? -1 : 1)
}

function sizeList(parts: readonly RecordPart[]): string {
  return parts.map(({ name, bytes }) => `${name} ${kib(bytes)}`).join(', ')
}

function kib(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`
}
