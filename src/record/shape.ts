import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { HookRun, ReleaseHook, ReleaseInfo, ReleaseRecord, ReleaseStatus } from '../model/release.ts'

/** Helm counts revisions in a Go int; a number near the end of 32 bits is no real revision. */
export const REVISION_LIMIT = 2_000_000_000

/**
 * Checks that JSON is a release record and fills in what Go leaves out when it is empty. Unknown keys are kept
 * (newer Helm, nelm's `info.annotations`), so that writing the record back loses nothing. Throws an Error with the cause.
 */
export function readShape(value: JsonValue): ReleaseRecord {
  const record = asObject(value, 'the record')
  const version = record.version
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1 || version > REVISION_LIMIT) {
    throw new Error('version is not a positive whole number')
  }
  const name = text(record, 'name', 'name')
  if (name === '') throw new Error('name is missing')
  return {
    ...record,
    name,
    info: readInfo(record.info),
    chart: asObject(record.chart ?? {}, 'chart'),
    config: asObject(record.config ?? {}, 'config'),
    manifest: text(record, 'manifest', 'manifest'),
    hooks: asList(record.hooks ?? [], 'hooks').map(readHook),
    version,
    namespace: text(record, 'namespace', 'namespace'),
    ...optionalTexts(record, ['apply_method'], ''),
  }
}

/** The record without what Go's JSON leaves out when it is empty, so that Helm reads what it would have written. */
export function withoutEmpty(record: ReleaseRecord): JsonObject {
  const entries = Object.entries(record).filter(([key, value]) => !(omittedWhenEmpty.has(key) && isEmptyInGo(value)))
  return { ...Object.fromEntries(entries) }
}

const omittedWhenEmpty: ReadonlySet<string> = new Set([
  'chart',
  'config',
  'manifest',
  'hooks',
  'namespace',
  'apply_method',
])

const statuses: ReadonlySet<string> = new Set<ReleaseStatus>([
  'unknown',
  'deployed',
  'uninstalled',
  'superseded',
  'failed',
  'uninstalling',
  'pending-install',
  'pending-upgrade',
  'pending-rollback',
])

function isStatus(value: JsonValue | undefined): value is ReleaseStatus {
  return typeof value === 'string' && statuses.has(value)
}

function readInfo(value: JsonValue | undefined): ReleaseInfo {
  const info = asObject(value ?? null, 'info')
  const { rollback_revision: rollbackRevision, ...rest } = info
  return {
    ...rest,
    // A status of a newer Helm: neither good nor pending, so nothing is concluded from it.
    status: isStatus(info.status) ? info.status : 'unknown',
    ...optionalTexts(info, ['first_deployed', 'last_deployed', 'deleted', 'description', 'notes'], 'info.'),
    ...(typeof rollbackRevision === 'number' ? { rollback_revision: rollbackRevision } : {}),
  }
}

function readHook(value: JsonValue, index: number): ReleaseHook {
  const where = `hooks[${index}]`
  const hook = asObject(value, where)
  const { weight, last_run: lastRun, delete_policies: deletePolicies, output_log_policies: logPolicies, ...rest } = hook
  if (weight !== undefined && weight !== null && typeof weight !== 'number') {
    throw new Error(`${where}.weight is not a number`)
  }
  return {
    ...rest,
    name: text(hook, 'name', `${where}.name`),
    kind: text(hook, 'kind', `${where}.kind`),
    path: text(hook, 'path', `${where}.path`),
    manifest: text(hook, 'manifest', `${where}.manifest`),
    events: texts(hook.events ?? [], `${where}.events`),
    ...(typeof weight === 'number' ? { weight } : {}),
    ...(isJsonArray(deletePolicies) ? { delete_policies: texts(deletePolicies, `${where}.delete_policies`) } : {}),
    ...(isJsonArray(logPolicies) ? { output_log_policies: texts(logPolicies, `${where}.output_log_policies`) } : {}),
    ...(isJsonObject(lastRun) ? { last_run: readRun(lastRun, `${where}.last_run`) } : {}),
  }
}

function readRun(run: JsonObject, where: string): HookRun {
  const phase = run.phase ?? ''
  const isPhase =
    phase === 'Unknown' || phase === 'Running' || phase === 'Succeeded' || phase === 'Failed' || phase === ''
  return {
    ...run,
    phase: isPhase ? phase : 'Unknown',
    ...optionalTexts(run, ['started_at', 'completed_at'], `${where}.`),
  }
}

function asObject(value: JsonValue, where: string): JsonObject {
  if (!isJsonObject(value)) throw new Error(`${where} is not an object`)
  return value
}

function asList(value: JsonValue, where: string): readonly JsonValue[] {
  if (!isJsonArray(value)) throw new Error(`${where} is not a list`)
  return value
}

function texts(value: JsonValue, where: string): readonly string[] {
  return asList(value, where).map((member) => {
    if (typeof member !== 'string') throw new Error(`${where} holds something else than text`)
    return member
  })
}

/** Absent and null are empty, as Go reads them. */
function text(object: JsonObject, key: string, where: string): string {
  const value = object[key] ?? ''
  if (typeof value !== 'string') throw new Error(`${where} is not text`)
  return value
}

function optionalTexts<Key extends string>(
  object: JsonObject,
  keys: readonly Key[],
  where: string,
): { readonly [key in Key]?: string } {
  const found: { [key in Key]?: string } = {}
  for (const key of keys) if (object[key] !== undefined) found[key] = text(object, key, `${where}${key}`)
  return found
}

function isEmptyInGo(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
