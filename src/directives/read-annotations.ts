import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { defined } from '../model/defined.ts'
import type { Manifest } from '../model/manifest.ts'
import type { KubeObject } from '../model/object.ts'
import type { Problem } from '../model/problem.ts'
import { compareText, type Ref } from '../model/ref.ts'
import type { Asked, Dialect, Reading, Row } from './dialect.ts'
import { isForeignKey, likelyKey } from './unknown-keys.ts'
import { shortValue } from './value-forms.ts'

/** What the annotations of one object say, key by key, in the order of the keys. */
export interface ReadObject {
  readonly readings: readonly KeyReading[]
  /** Keys without effect: of other tools, unknown ones, and known ones that mean nothing on this object. */
  readonly unusedKeys: readonly string[]
  readonly problems: readonly Problem[]
}

export interface KeyReading {
  readonly key: string
  readonly dialect: Dialect
  readonly asked: Asked
  readonly isFaulty: boolean
}

/** Far beyond any real value; all annotations of an object together may have 256 KiB. */
const MAX_VALUE_CHARS = 16_384

export function readAnnotations(manifest: Manifest, dialects: readonly Dialect[]): ReadObject {
  const annotations = annotationsOf(manifest.object)
  const entries = [...annotations]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => ({ key, value, found: rowFor(key, dialects) }))
  const isHook = entries.some(({ found }) => found?.row.makesHook === true && isReadIn(manifest, found.row))
  const readings: KeyReading[] = []
  const unusedKeys: string[] = []
  const problems: Problem[] = []
  for (const { key, value, found } of entries) {
    if (found === undefined) {
      if (isForeignKey(key) || dialects.some(({ family }) => family.test(key))) unusedKeys.push(key)
      const likely = likelyKey(key, dialects)
      if (likely !== undefined) problems.push(unknownKey(manifest, key, likely))
      continue
    }
    if (!isReadIn(manifest, found.row) || !isReadOn(manifest.ref, found.row, isHook)) {
      unusedKeys.push(key)
      continue
    }
    const { asked, fault }: Reading =
      value.length > MAX_VALUE_CHARS
        ? { asked: {}, fault: `longer than ${MAX_VALUE_CHARS} characters` }
        : found.parse(value, { groups: found.groups, annotations })
    readings.push({ key, dialect: found.dialect, asked, isFaulty: fault !== undefined })
    if (fault !== undefined) problems.push(malformed(manifest, { key, value, fault, row: found.row }))
  }
  return { readings, unusedKeys, problems }
}

/** Values that are not text are left out: `toManifests` makes all of them text, records of other tools may not. */
export function annotationsOf(object: KubeObject): ReadonlyMap<string, string> {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(object.metadata.annotations ?? {})
  return new Map(entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : [])))
}

function rowFor(key: string, dialects: readonly Dialect[]) {
  for (const dialect of dialects) {
    for (const row of dialect.rows) {
      const match = row.parse === undefined ? null : row.pattern.exec(key)
      if (row.parse !== undefined && match !== null)
        return { dialect, row, parse: row.parse, groups: match.groups ?? {} }
    }
  }
  return undefined
}

function isReadIn({ source }: Manifest, row: Row): boolean {
  return source !== 'crds' || row.isUnusedInCrds !== true
}

function isReadOn(ref: Ref, row: Row, isHook: boolean): boolean {
  if (row.on === 'hooks') return isHook
  return row.on !== 'Jobs' || isBuiltIn(ref, 'Job')
}

function malformed(
  manifest: Manifest,
  found: { readonly key: string; readonly value: string; readonly fault: string; readonly row: Row },
): Problem {
  const shown = JSON.stringify(shortValue(found.value))
  return {
    severity: found.row.severity,
    reason: 'invalid-input',
    place: placeOfAnnotation(manifest, found.key),
    what: `is ${shown}: ${found.fault}`,
    hint: { kind: 'write-form', form: found.row.form },
  }
}

function unknownKey(manifest: Manifest, key: string, likely: string): Problem {
  return {
    severity: 'warning',
    reason: 'invalid-input',
    place: placeOfAnnotation(manifest, key),
    what: 'is not a known annotation',
    hint: { kind: 'correct-key', likely },
  }
}

export function placeOfAnnotation({ origin, ref }: Manifest, key?: string): Problem['place'] {
  const place = { file: origin.file, ref, ...defined({ line: origin.line }) }
  return key === undefined ? place : { ...place, key }
}
