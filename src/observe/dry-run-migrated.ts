import { withApplied } from '../manifest/applied-fields.ts'
import { asMigrated, isHelmManager } from '../manifest/managed-fields.ts'
import type { JsonObject, KubeObject } from '../model/object.ts'
import type { DryRun } from '../model/observed.ts'
import type { Ref } from '../model/ref.ts'
import type { Reader } from '../ports.ts'
import { type DryRunOptions, dryRun, dryRunAnswer } from './dry-run.ts'

/** An object that Helm 3 applied client-side, and its new body. */
export interface Migrated {
  readonly ref: Ref
  readonly live: KubeObject
  readonly body: KubeObject
  /** The manifest of the previous revision. */
  readonly previous?: KubeObject
}

/**
 * Asks the API server what the migration and the apply after it will give. Until the migration, Helm's own client-side
 * entry is another field manager to server-side apply. And a dry run of the apply alone keeps the fields that the
 * migration would free, so that two forms of one value are refused: an `env` with `value` and `valueFrom`, a volume of
 * two types, a port name of two ports; then the expected object is sent as a whole.
 */
export async function dryRunMigrated(reader: Reader, object: Migrated, options: DryRunOptions): Promise<DryRun> {
  const { ref, live, body, previous } = object
  const answer = await withoutHelm(await dryRun(reader, body, options), live, () =>
    dryRun(reader, body, { ...options, force: true }),
  )
  if (answer.kind !== 'refused') return answer
  const expected = withApplied(asMigrated(live), body, previous)
  return dryRunAnswer(() => reader.dryRunPatch(ref, replacing(live, expected), options.signal))
}

async function withoutHelm(answer: DryRun, live: KubeObject, again: () => Promise<DryRun>): Promise<DryRun> {
  if (answer.kind !== 'conflict') return answer
  const conflicts = answer.conflicts.filter(({ manager }) => !isHelmManager(live, manager))
  return conflicts.length === 0 ? again() : { ...answer, conflicts }
}

/** Fields that the patch leaves to the API server, or replaces in part. */
const KEPT: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])

function replacing(live: KubeObject, expected: KubeObject): readonly JsonObject[] {
  const fields = [...new Set([...Object.keys(live), ...Object.keys(expected)])].filter((field) => !KEPT.has(field))
  const { labels = {}, annotations = {} } = expected.metadata
  return [
    { op: 'add', path: '/metadata/labels', value: labels },
    { op: 'add', path: '/metadata/annotations', value: annotations },
    ...fields.map((field): JsonObject => {
      const value = expected[field]
      const path = `/${field}`
      return value === undefined ? { op: 'remove', path } : { op: 'add', path, value }
    }),
  ]
}
