import { withApplied } from '../manifest/applied-fields.ts'
import { asHandedOver } from '../manifest/hand-over.ts'
import { isHelmManager, pathsIn, pathsNoLongerApplied } from '../manifest/managed-fields.ts'
import { withoutPaths } from '../manifest/remove-paths.ts'
import { withSecretData } from '../manifest/secret-data.ts'
import { unownedAt } from '../manifest/unowned.ts'
import { defined } from '../model/defined.ts'
import type { HandOver } from '../model/handed-over.ts'
import type { JsonObject, JsonValue, KubeObject } from '../model/object.ts'
import type { DryRun } from '../model/observed.ts'
import type { Ref } from '../model/ref.ts'
import type { Reader } from '../ports.ts'
import { type DryRunOptions, dryRun, dryRunAnswer } from './dry-run.ts'

/** How often the API server is asked whether it accepts the object without a default that it refused. */
const TRIES_WITHOUT_DEFAULTS = 4

/** A live object, and what is to be applied to it. */
export interface Existing {
  readonly ref: Ref
  readonly live: KubeObject
  readonly body: KubeObject
  /** The manifest of the previous revision. */
  readonly previous?: KubeObject
  /** What is handed over to manager `helm` before the apply: of an object that Helm 3 applied client-side. */
  readonly handOver?: HandOver
}

export interface ExistingAnswer {
  readonly answer: DryRun
  /** With the defaults that have to go. */
  readonly handOver?: HandOver
}

/**
 * Asks the API server what the apply will give. What is handed over to manager `helm` first cannot be part of a dry run
 * of the apply: it keeps the fields that the hand-over would free, and so refuses two forms of one value. Then the
 * expected object is sent as a whole, and the server sets its defaults in it (docs/decisions/0006).
 */
export async function dryRunExisting(
  reader: Reader,
  existing: Existing,
  options: DryRunOptions,
): Promise<ExistingAnswer> {
  const { live, body, handOver } = existing
  const asked = await dryRun(reader, body, options)
  const answer =
    handOver === undefined
      ? asked
      : await withoutHelm(asked, live, () => dryRun(reader, body, { ...options, force: true }))
  const settled = answer.kind === 'accepted' ? await withoutFreed(reader, answer, existing, options) : answer
  if (settled.kind === 'refused' && !namesUnknownField(settled)) return asWhole(reader, settled, existing, options)
  return { answer: settled, ...defined({ handOver }) }
}

/** The server drops such a field from an object that is sent as a whole, and refuses it in an apply. */
function namesUnknownField({ refusal }: Extract<DryRun, { kind: 'refused' }>): boolean {
  return 'message' in refusal && refusal.message.includes('field not declared in schema')
}

async function withoutHelm(answer: DryRun, live: KubeObject, again: () => Promise<DryRun>): Promise<DryRun> {
  if (answer.kind !== 'conflict') return answer
  const conflicts = answer.conflicts.filter(({ manager }) => !isHelmManager(live, manager))
  return conflicts.length === 0 ? again() : { ...answer, conflicts }
}

/** The accepted object without what the hand-over frees and the body no longer has. */
async function withoutFreed(
  reader: Reader,
  answer: Extract<DryRun, { kind: 'accepted' }>,
  { ref, live, body, handOver }: Existing,
  { signal }: DryRunOptions,
): Promise<DryRun> {
  if (handOver === undefined) return answer
  const freed = pathsNoLongerApplied(asHandedOver(live, handOver), withSecretData(body))
  const places = pathsIn(answer.object, live, freed)
  if (places.length === 0) return answer
  return dryRunAnswer(() => reader.dryRunPatch(ref, replacing(live, withoutPaths(answer.object, places)), signal))
}

/** The refused object as a whole; where that is refused as well, without the defaults that may be what was refused. */
async function asWhole(
  reader: Reader,
  refused: DryRun,
  { ref, live, body, previous, handOver }: Existing,
  { signal }: DryRunOptions,
): Promise<ExistingAnswer> {
  const handed = asHandedOver(live, handOver)
  const expected = withApplied(handed, body, previous)
  const askWithout = (unset: readonly string[]) => {
    const rest = withoutPaths(expected, pathsIn(expected, live, unset))
    return dryRunAnswer(() => reader.dryRunPatch(ref, replacing(live, rest), signal))
  }
  const inTheWay = (answer: DryRun) =>
    answer.kind === 'refused' && answer.refusal.kind === 'invalid'
      ? unownedAt(answer.refusal.fields, { live: handed, expected, body })
      : { refused: [], near: [] }

  const first = handOver === undefined ? refused : await askWithout([])
  const { refused: named, near } = inTheWay(first)
  const toTry = [...(named.length > 0 ? [named] : []), ...near.map((one) => [...named, one])]
  for (let tries = 0; tries < TRIES_WITHOUT_DEFAULTS; tries += 1) {
    const unset = toTry.shift()
    if (unset === undefined) break
    const answer = await askWithout(unset)
    if (answer.kind === 'accepted') return { answer, handOver: { ...handOver, unset } }
    const more = inTheWay(answer).refused.filter((pointer) => !unset.includes(pointer))
    if (more.length > 0) toTry.unshift([...unset, ...more])
  }
  return { answer: first, ...defined({ handOver }) }
}

/** Fields that the patch leaves to the API server, or replaces in part. */
const KEPT: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])

/** What a chart may write of the metadata beside the name. */
const METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences']

function replacing(live: KubeObject, expected: KubeObject): readonly JsonObject[] {
  const fields = [...new Set([...Object.keys(live), ...Object.keys(expected)])].filter((field) => !KEPT.has(field))
  return [
    ...METADATA.flatMap((field) => replacingAt(`/metadata/${field}`, live.metadata[field], expected.metadata[field])),
    ...fields.flatMap((field) => replacingAt(`/${field}`, live[field], expected[field])),
  ]
}

function replacingAt(path: string, old: JsonValue | undefined, value: JsonValue | undefined): readonly JsonObject[] {
  if (value !== undefined) return [{ op: 'add', path, value }]
  return old === undefined ? [] : [{ op: 'remove', path }]
}
