import type { Directives } from '../model/directives.ts'
import type { Manifest } from '../model/manifest.ts'
import { defaultsFor } from './defaults.ts'
import type { Asked, Dialect } from './dialect.ts'
import type { KeyReading } from './read-annotations.ts'

export interface Merged {
  readonly directives: Directives
  /** Keys of which no directive counts, because another dialect of higher precedence sets them all. */
  readonly overriddenKeys: readonly string[]
}

/**
 * One set of directives from what the dialects ask for: directive by directive the first dialect in order of precedence
 * that says something wins, then come the defaults (docs/decisions/0021).
 */
export function mergeAsked(
  manifest: Manifest,
  readings: readonly KeyReading[],
  context: { readonly dialects: readonly Dialect[]; readonly isPlainManifests: boolean },
): Merged {
  const winners = new Map<keyof Asked, Dialect>()
  let asked: Asked = {}
  for (const dialect of context.dialects) {
    const own = readings.filter((reading) => reading.dialect === dialect).reduce<Asked>(grown, {})
    const isNew = ([field]: readonly [string, unknown]) => !winners.has(field as keyof Asked)
    const won = Object.fromEntries(Object.entries(own).filter(isNew)) as Asked
    for (const field of askedFields(won)) winners.set(field, dialect)
    asked = { ...asked, ...won }
  }
  const overridden = readings.filter(({ asked: said, dialect, isFaulty }) => {
    const hasWon = askedFields(said).some((field) => winners.get(field) === dialect)
    return !isFaulty && !hasWon
  })
  const isExcluded = context.isPlainManifests && context.dialects.some(({ isOwnKind }) => isOwnKind?.(manifest.ref))
  const defaults = defaultsFor({
    isHook: asked.isHook === true,
    isOfCrds: manifest.source === 'crds',
    isPlainManifest: context.isPlainManifests,
  })
  return {
    directives: { ...defaults, ...asked, ...(isExcluded ? { excluded: true } : {}) },
    overriddenKeys: overridden.map(({ key }) => key),
  }
}

/** Lists are joined over the keys of a dialect; any other directive has only one key. */
function grown(before: Asked, { asked }: KeyReading): Asked {
  const lists = Object.entries(asked).map(([field, value]) => {
    const old = (before as { readonly [field: string]: unknown })[field]
    return [field, Array.isArray(old) && Array.isArray(value) ? [...old, ...value] : value] as const
  })
  return { ...before, ...Object.fromEntries(lists) }
}

function askedFields(asked: Asked): readonly (keyof Asked)[] {
  return Object.keys(asked) as (keyof Asked)[]
}
