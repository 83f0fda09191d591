import { isKotsOnly } from '../manifest/kots-kinds.ts'
import type { Directives, Tracking } from '../model/directives.ts'
import type { Manifest } from '../model/manifest.ts'
import type { Asked, Dialect } from './dialect.ts'
import { crdOccasions, regularOccasions } from './events.ts'
import type { KeyReading } from './read.ts'
import { werf } from './werf.ts'

export interface Merged {
  readonly directives: Directives
  /** Keys whose every directive another dialect decided. */
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
    for (const field of fieldsOf(won)) winners.set(field, dialect)
    asked = { ...asked, ...won }
  }
  const overridden = readings.filter(({ asked: said, dialect, isFaulty }) => {
    const hasWon = fieldsOf(said).some((field) => winners.get(field) === dialect)
    return !isFaulty && !hasWon
  })
  const isPhased = context.isPlainManifests && asked.isHook !== true && winners.get('weight') !== werf
  const isExcluded = context.isPlainManifests && isKotsOnly(manifest.ref.apiVersion, manifest.ref.kind)
  const directives = withDefaults(isExcluded ? { ...asked, excluded: true } : asked, manifest)
  return {
    directives: isPhased ? { ...directives, isPhased } : directives,
    overriddenKeys: overridden.map(({ key }) => key),
  }
}

/** Lists grow from key to key; anything else has one key in a dialect. */
function grown(before: Asked, { asked }: KeyReading): Asked {
  const lists = Object.entries(asked).map(([field, value]) => {
    const old = (before as { readonly [field: string]: unknown })[field]
    return [field, Array.isArray(old) && Array.isArray(value) ? [...old, ...value] : value] as const
  })
  return { ...before, ...Object.fromEntries(lists) }
}

function fieldsOf(asked: Asked): readonly (keyof Asked)[] {
  return Object.keys(asked) as (keyof Asked)[]
}

function withDefaults(asked: Asked, manifest: Manifest): Directives {
  const isOfCrds = manifest.source === 'crds'
  const isHook = asked.isHook ?? false
  return {
    isHook,
    occasions: isOfCrds ? crdOccasions : (asked.occasions ?? regularOccasions),
    weight: asked.weight ?? 0,
    ownership: isOfCrds ? 'anyone' : (asked.ownership ?? (isHook ? 'anyone' : 'release')),
    deletePolicies: asked.deletePolicies ?? (isHook ? ['before-creation'] : []),
    ...given('deletePropagation', asked.deletePropagation),
    keep: asked.keep ?? false,
    ...given('leaveOnDelete', asked.leaveOnDelete),
    keepOnPrune: asked.keepOnPrune ?? false,
    skips: asked.skips ?? [],
    ...given('replicasOnCreation', asked.replicasOnCreation),
    externalDependencies: asked.externalDependencies ?? [],
    deployDependencies: asked.deployDependencies ?? [],
    deleteDependencies: asked.deleteDependencies ?? [],
    deletionPhase: asked.deletionPhase ?? 0,
    barrier: { ready: asked.isReadyBarrier ?? false, properties: asked.propertyWaits ?? [] },
    excluded: asked.excluded ?? false,
    ...given('expectsFailure', asked.expectsFailure),
    outputLogsOn: asked.outputLogsOn ?? [],
    tracking: trackingOf(asked),
    ...given('sensitive', asked.sensitive),
    sensitivePaths: asked.sensitivePaths ?? [],
  }
}

function trackingOf(asked: Asked): Tracking {
  return {
    wait: asked.wait ?? 'until-ready',
    failMode: asked.failMode ?? 'stop',
    ...given('failuresAllowedPerReplica', asked.failuresAllowedPerReplica),
    ...given('noActivitySeconds', asked.noActivitySeconds),
    ignoreReadinessProbeFailsSeconds: Object.fromEntries(asked.probeFails ?? []),
    logs: {
      skip: asked.skipLogs ?? false,
      skipContainers: asked.skipContainers ?? [],
      onlyContainers: asked.onlyContainers ?? [],
      keep: asked.keepLines ?? [],
      drop: asked.dropLines ?? [],
      replicas: asked.logReplicas ?? 1,
    },
    showServiceMessages: asked.showServiceMessages ?? false,
  }
}

/** An optional member, left out where there is no value: absent means the default of whoever reads it. */
function given<K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: V })
}
