import { withApplied } from '../manifest/applied-fields.ts'
import { asMigrated, isHelmManager } from '../manifest/managed-fields.ts'
import type { JsonObject, KubeObject } from '../model/object.ts'
import type { DryRun } from '../model/observed.ts'
import type { Ref } from '../model/ref.ts'
import type { Reader } from '../ports.ts'
import { type DryRunOptions, dryRun, dryRunAnswer } from './dry-run.ts'

/** An object that Helm 3 applied, and what it shall be. */
export interface Migrated {
  readonly ref: Ref
  readonly live: KubeObject
  readonly body: KubeObject
  /** The manifest of the revision before. */
  readonly previous?: KubeObject
}

/**
 * Asks the API server what the migration and the apply after it will give. Helm's own client-side entry is a foreign manager
 * to server-side apply until it is migrated at execution. And a dry run of the apply alone keeps what the migration gives
 * up, so that two states of one thing are refused: an `env` with a `value` and a `valueFrom`, a volume of two types, a port
 * name of two ports; then the expected object is sent as a whole.
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

/** What the API server keeps by itself. */
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
