import { canonicalJson } from '../manifest/canonical-json.ts'
import type { SchemaChange, SchemaCounts, SchemaEffect } from '../model/impact.ts'
import type { JsonValue } from '../model/object.ts'
import type { PlacedChange } from './schema-lists.ts'

/** Most changes of one version that are listed; the rest is counted. */
const MAX_CHANGES = 200
/** Most places of one change. */
const MAX_PATHS = 20
/** Most values of an enum, or columns. */
const MAX_TEXTS = 20
/** Longest text, in UTF-16 units. */
const MAX_CHARS = 300
/** Nobody reads more of a structure on one line. */
const MAX_JSON_CHARS = 100

export interface Listed {
  readonly counts: SchemaCounts
  readonly changes: readonly SchemaChange[]
  readonly unlisted?: number
}

/**
 * Changes as they are reported: the same at several places once, what may break something first. `isMasked`: nothing is
 * quoted.
 */
export function listedChanges(found: readonly PlacedChange[], isMasked: boolean): Listed {
  const groups = new Map<string, { readonly first: SchemaChange; readonly paths: string[] }>()
  for (const one of found) {
    const key = `${lastName(one.path)} ${contentKey(one)}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { first: withTexts(one, isMasked), paths: [one.path] })
    else known.paths.push(one.path)
  }
  const changes = [...groups.values()]
    .map(({ first, paths }): SchemaChange => {
      const more = paths.length - MAX_PATHS
      return { ...first, paths: paths.slice(0, MAX_PATHS), ...(more > 0 ? { morePaths: more } : {}) }
    })
    .toSorted((a, b) => rankOf(a) - rankOf(b))
  const unlisted = changes.length - MAX_CHANGES
  return {
    counts: countsOfChanges(found),
    changes: changes.slice(0, MAX_CHANGES),
    ...(unlisted > 0 ? { unlisted } : {}),
  }
}

/** The same for changes that differ by their place only. */
export function contentKey({ after = [], before = [], effect, fields = 0, keyword = '', what }: PlacedChange): string {
  return `${what} ${effect} ${keyword} ${fields} ${canonicalJson(before)} ${canonicalJson(after)}`
}

export function countsOfChanges(found: readonly PlacedChange[]): SchemaCounts {
  const counts = { removed: 0, required: 0, tightened: 0, changed: 0, loosened: 0, added: 0 }
  for (const one of found) {
    const bucket = bucketOf(one)
    counts[bucket] += bucket === 'removed' || bucket === 'added' ? (one.fields ?? 1) : 1
  }
  return counts
}

function bucketOf({ effect, keyword, what }: PlacedChange): keyof SchemaCounts {
  switch (effect) {
    case 'removes':
      return what === 'field' ? 'removed' : 'tightened'
    case 'tightens':
      return what === 'required' || (what === 'field' && keyword === 'required') ? 'required' : 'tightened'
    case 'changes':
      return 'changed'
    case 'loosens':
      return 'loosened'
    default:
      return 'added'
  }
}

const EFFECTS: readonly SchemaEffect[] = ['removes', 'tightens', 'changes', 'loosens', 'adds']
const WHATS: readonly SchemaChange['what'][] = ['field', 'required', 'values', 'rule', 'keyword']

function rankOf({ effect, what }: SchemaChange): number {
  return EFFECTS.indexOf(effect) * WHATS.length + WHATS.indexOf(what)
}

function withTexts({ after, before, path, ...change }: PlacedChange, isMasked: boolean): SchemaChange {
  return {
    ...change,
    paths: [path],
    ...(isMasked || before === undefined ? {} : { before: before.slice(0, MAX_TEXTS).map(textOf) }),
    ...(isMasked || after === undefined ? {} : { after: after.slice(0, MAX_TEXTS).map(textOf) }),
  }
}

function textOf(value: JsonValue): string {
  const text = typeof value === 'string' ? value : canonicalJson(value)
  const limit = typeof value === 'object' ? MAX_JSON_CHARS : MAX_CHARS
  return text.length > limit ? `${text.slice(0, limit).toWellFormed()} ...` : text
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}
